"""Indexes of the desk: records by alert, closed alerts, alerts by check, matter, dealer, and waiting ones by group."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Final

from msgspec import UNSET

from dashboards.desk.alerts import Alert, Status
from dashboards.desk.closing import is_cleared
from dashboards.ledger.acts import Accessed, DeskRecord, Raised
from schemas.check_names import current
from schemas.findings import Finding

Key = str
WAITING: Final[tuple[Status, ...]] = ("new", "acknowledged", "awaiting")
Matter = tuple[str, str, int]


def matter_of(finding: Finding) -> Matter:
    """Check, table and event: what findings of two versions of the fold are about, however each words it."""
    return current(finding.check), finding.subject, finding.sequence


def key_of(alert: Alert) -> Key:
    """What alerts are grouped by: those that are one thing, and no others, have one key.

    One thing are findings of one check in one round, and suspicions of one check against the same people or device.
    What names neither a round nor anybody stands alone. The day tells rounds of one number apart.
    Alerts that were raised while a tuning grouped them are one thing by its word.
    """
    finding = alert.finding
    check = current(finding.check)
    if alert.grouped_by is not None:
        return f"{check}|{finding.subject}|{alert.grouped_by}"
    if finding.about is not UNSET and finding.round is None:
        whom = ",".join(f"{name}={finding.about[name]}" for name in sorted(finding.about))
        return f"{check}|{finding.subject}|{whom}"
    if finding.round is None:
        return f"{check}|{finding.subject}|{alert.id}"
    day = alert.decided_at
    return f"{check}|{finding.subject}|{finding.round}|{day.year:04}{day.month:02}{day.day:02}"


def suspicion_of(finding: Finding) -> Key:
    """What all alerts of one suspicion have in common: the check, and whom or what it names."""
    about = finding.about if isinstance(finding.about, dict) else {}
    return "|".join((current(finding.check), *(f"{name}={about[name]}" for name in sorted(about))))


def waits(alert: Alert) -> bool:
    """Whether it stands in the queue: open, and not on the shelf."""
    return alert.status in WAITING


@dataclass(slots=True)
class Index:
    """Kept record by record, as alerts are."""

    _records: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    actors: dict[str, None] = field(default_factory=dict)  # everyone who is on record, in the order they came
    _closed: dict[str, None] = field(default_factory=dict)  # in the order in which they were closed
    _settled: dict[str, None] = field(default_factory=dict)  # closings that hold
    _of_check: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    _waiting: defaultdict[Key, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    _of_matter: defaultdict[Matter, list[str]] = field(default_factory=lambda: defaultdict(list))
    _of_dealer: defaultdict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    _last_of: dict[Key, str] = field(default_factory=dict)  # by suspicion, the alert raised last
    _cleared: dict[Key, str] = field(default_factory=dict)  # ... where it is closed as cleared
    _risen: dict[str, str] = field(default_factory=dict)  # from an alert, the one that rose after it

    def changed(self, before: Alert | None, after: Alert) -> None:
        """Take the change of an alert; `before` is None when it was raised."""
        if before is None:
            self._of_check[current(after.finding.check)].append(after.id)
            self._take_raised(after)
            if after.dealer:
                self._of_dealer[after.dealer].append(after.id)
        was, waiting = before is not None and waits(before), waits(after)
        if was != waiting:
            if waiting:
                self._waiting[key_of(after)][after.id] = None
            else:
                del self._waiting[key_of(after)][after.id]
        if self._last_of.get(of := suspicion_of(after.finding)) == after.id:
            if is_cleared(after):
                self._cleared[of] = after.id
            else:
                self._cleared.pop(of, None)
        if after.closing_holds:
            self._settled.setdefault(after.id)
        else:
            self._settled.pop(after.id, None)
        if after.open:
            self._closed.pop(after.id, None)
        elif before is not None and before.open:
            self._closed[after.id] = None

    def _take_raised(self, alert: Alert) -> None:
        if alert.again is None:  # no version of the fold told it
            self._of_matter[matter_of(alert.finding)].append(alert.id)
        else:
            self._risen[alert.again.alerts[-1]] = alert.id
        if alert.finding.verdict == "suspected":
            self._last_of[suspicion_of(alert.finding)] = alert.id

    def kept(self, record: DeskRecord, known: Collection[str]) -> None:
        """Remember who acted, and that a record is about an alert, if it is about one of those known."""
        self.actors[record.actor] = None
        act = record.data
        match act:
            case Raised():
                about = act.finding.finding_id
                if act.again is not UNSET:
                    self._records[act.again.alerts[-1]].append(record.sequence)
            case Accessed():
                about = act.object if act.object in known else ""
            case _:
                about = str(getattr(act, "alert", None) or "")
        if about:
            self._records[about].append(record.sequence)

    def records(self, alert: str) -> tuple[int, ...]:
        """Numbers of the records about an alert, the oldest first."""
        return tuple(self._records.get(alert, ()))

    def closed(self) -> Iterator[str]:
        """Closed alerts, the last that was closed first."""
        return reversed(self._closed)

    def settled(self) -> Iterator[str]:
        """Alerts whose closing holds: closed ones, and those of which the opening waits for a second person."""
        return iter(self._settled)

    def cleared(self) -> Iterator[str]:
        """Of each suspicion the alert raised last, where it is closed as cleared."""
        return iter(self._cleared.values())

    def risen(self, alert: str) -> str | None:
        """The alert that rose after this one was closed as cleared."""
        return self._risen.get(alert)

    def of_check(self, check: str) -> Iterator[str]:
        """Alerts of a check, the last raised first."""
        return reversed(self._of_check.get(check, []))

    def of_checks(self, beginning: str) -> Iterator[str]:
        """Alerts of all checks whose names begin so."""
        return (alert for check, of in self._of_check.items() if check.startswith(beginning) for alert in of)

    def of_matter(self, matter: Matter) -> tuple[str, ...]:
        """Alerts about one matter, in the order in which they were raised."""
        return tuple(self._of_matter.get(matter, ()))

    def of_dealer(self, dealer: str) -> tuple[str, ...]:
        """Alerts with this dealer at the table, in the order in which they were raised."""
        return tuple(self._of_dealer.get(dealer, ()))

    def waiting(self, key: Key) -> tuple[str, ...]:
        """Alerts of a group that wait."""
        return tuple(self._waiting.get(key, ()))

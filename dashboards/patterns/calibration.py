"""What detectors promised and what became of it, by family and month: false alarms, and how people disposed of them."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, Literal, get_args

from msgspec import Struct

from dashboards.desk.alerts import Alert
from dashboards.desk.closing import is_cleared
from dashboards.reader.patterns import PlayedRow
from dashboards.suspicions.families import PatternFamily
from dashboards.suspicions.suspicions import Suspicion

Outcome = Literal["waiting", "open", "confirmed", "dismissed"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)


class Judged(Struct, frozen=True):
    """One suspicion, the month of UTC in which it was raised (its first day), and what became of it."""

    suspicion: Suspicion
    month: dt.date
    outcome: Outcome
    again: bool = False


class Line(Struct, frozen=True, kw_only=True):
    """A family's promise and outcomes; `family` is its name, empty for all families together.

    `promised` false alarms are expected at most, None of a family that this release does not know. `cleared` are
    those of whom a suspicion was dismissed, each once, however often the family named them; of shoes their table.
    `again` are those of the raised that rose again after people had cleared them, of which at most `promised_again` are
    expected to be false.
    """

    family: str
    title: str
    promised: float | None
    waiting: int
    open: int
    confirmed: int
    dismissed: int
    cleared: int
    again: int
    promised_again: float | None

    @property
    def raised(self) -> int:
        """All suspicions, at the desk or in the list."""
        return self.waiting + self.open + self.confirmed + self.dismissed

    @property
    def chance(self) -> float | None:
        """The chance that at least as many are falsely named as were cleared is at most this (Markov's inequality)."""
        if self.promised is None or not self.cleared:
            return None
        return min(1.0, self.promised / self.cleared)


class Calibration(Struct, frozen=True, kw_only=True):
    """The lines of one month, or of all time (`month` is None); the total is last.

    `tables` had played by the month's end, or by now; `families` watch each of them. `days` are those of UTC from the
    first round of any of them to the last one, 0 before any.
    """

    month: dt.date | None
    tables: int
    families: int
    days: int
    lines: tuple[Line, ...]

    @property
    def total(self) -> Line:
        """All families together."""
        return self.lines[-1]

    @property
    def streams(self) -> int:
        """Families times tables: each stream has a level of its own."""
        return self.families * self.tables

    @property
    def patience(self) -> float | None:
        """On average at most one false alarm in so many days is expected; None where nobody played."""
        promised = self.total.promised
        return self.days / promised if promised and self.days else None


def outcome_of(alert: Alert | None) -> Outcome:
    """What people made of a suspicion: closed as `no error` it is dismissed, closed otherwise confirmed.

    A suspicion about a person that is closed as a fault of a sensor is dismissed: the person was not to blame. One that
    names a table or a shoe alone is confirmed by it.
    """
    if alert is None:
        return "waiting"
    if alert.open:
        return "open"
    return "dismissed" if is_cleared(alert) else "confirmed"


def judged(suspicions: Iterable[Suspicion], alert_of: Callable[[str], Alert | None]) -> tuple[Judged, ...]:
    """Each suspicion with its month and outcome; `alert_of` gives the alert of a finding's id."""
    found = ((one, alert_of(one.finding.finding_id)) for one in suspicions)
    return tuple(
        Judged(
            one,
            month_raised(one, alert),
            outcome_of(alert),
            again=alert is not None and alert.again is not None,
        )
        for one, alert in found
    )


def month_raised(suspicion: Suspicion, alert: Alert | None) -> dt.date:
    """The month of UTC in which a suspicion was raised; of one that rose again, when it rose."""
    return month_of(suspicion.row.decided_at if alert is None or alert.again is None else alert.arose_at)


def month_of(at: dt.datetime) -> dt.date:
    """The first day of the month of UTC."""
    return at.astimezone(dt.UTC).date().replace(day=1)


def family_of(suspicion: Suspicion) -> str:
    """The name of the family that raised it, also of one that this release does not know."""
    return suspicion.finding.check.split(".")[1]


def calibrated(
    found: Iterable[Judged],
    families: Mapping[str, PatternFamily],
    played: Sequence[PlayedRow],
    month: dt.date | None,
) -> Calibration:
    """The lines of a month, or of all time.

    A family raises a false alarm on a table's stream with a chance of at most its level, in all the time that the table
    plays (Ville); whatever depends on what, the levels of the streams add up to the number of false alarms that are
    expected at most. A month has what is left of the streams that began before its end: a dealer or a patron is paid
    for by the first table at which a family speaks of them, and may be suspected at another one, months later.
    """
    found = tuple(found)
    counts: Counter[tuple[str, Outcome]] = Counter()
    cleared: set[tuple[str, tuple[tuple[str, str], ...]]] = set()
    for one in found:
        if month is None or one.month == month:
            family = family_of(one.suspicion)
            counts[family, one.outcome] += 1
            if one.outcome == "dismissed":
                named = tuple(part for part in one.suspicion.whom if part[0] != "shoe")
                cleared.add((family, named))
    begun = [row for row in played if month is None or month_of(row.first) <= month]
    tables = len(begun)
    clear_of = Counter(name for name, _ in cleared)
    again_of = Counter(
        family_of(one.suspicion) for one in found if one.again and (month is None or one.month == month)
    )
    names = sorted({*families, *(name for name, _ in counts)})
    lines = tuple(
        Line(
            family=name,
            title=name.replace("_", " ").capitalize(),
            promised=tables / families[name].raised_at if name in families else None,
            cleared=clear_of[name],
            again=again_of[name],
            promised_again=_promised_again(name, families, found, begun, month),
            **{outcome: counts[name, outcome] for outcome in OUTCOMES},
        )
        for name in names
    )
    total = Line(
        family="",
        title="All families",
        promised=sum(line.promised for line in lines if line.promised is not None),
        cleared=sum(name in families for name, _ in cleared),  # of which something is promised
        again=sum(line.again for line in lines),
        promised_again=sum(line.promised_again for line in lines if line.promised_again is not None),
        **{outcome: sum(getattr(line, outcome) for line in lines) for outcome in OUTCOMES},
    )
    days = (
        (max(row.last for row in begun).date() - min(row.first for row in begun).date()).days + 1
        if begun
        else 0
    )
    return Calibration(month=month, tables=tables, families=len(families), days=days, lines=(*lines, total))


def _promised_again(
    name: str,
    families: Mapping[str, PatternFamily],
    found: Iterable[Judged],
    begun: Sequence[PlayedRow],
    month: dt.date | None,
) -> float | None:
    """How many false ones are expected at most to rise again: the level for each clearing, and for each promised one.

    Where the evidence is held against the best honest rate, or is the highest over devices, no bound holds after a
    clearing, but the square of the level does for each stream. What was cleared before a month's end may rise in it.
    """
    if name not in families:
        return None
    level = 1 / families[name].raised_at
    dismissed = sum(
        family_of(one.suspicion) == name
        for one in found
        if one.outcome == "dismissed" and (month is None or one.month <= month)
    )
    return level * (dismissed + len(begun) * level)

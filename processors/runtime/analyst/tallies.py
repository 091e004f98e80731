"""One table as the analyst counts it: rounds and findings in, whole counters out; pure, and each counted once.

Rounds of a table come in order, so the last one says which are counted. Findings come on a topic of their own, before
or after their round: each is counted for the dealer at the time of its event, as soon as a round that includes the
event is known. The counts are the same in whatever order the two topics are read.
"""

from __future__ import annotations

import datetime as dt
from bisect import bisect_right
from typing import Final

import msgspec
from msgspec import Struct, field

from schemas.counters import CounterMessage
from schemas.messages import FindingMessage, RoundMessage
from schemas.rounds import RoundResult

NO_DAY: Final = dt.date(1970, 1, 1)
# Gaming days that a table keeps; findings from before are counted with the first dealer kept.
_DAYS: Final = 2
_STINTS: Final = 800  # changes of dealer in them
_SEEN: Final = 1024  # findings: more than a fold sends again after a crash
_VERDICTS: Final = ("breached", "indeterminate", "interpretation", "suspected")

Grain = tuple[str, dt.date, str, str]  # property, gaming day, ruleset, dealer


class Stint(Struct, array_like=True):
    """From this event on the table's rounds are of this grain."""

    sequence: int
    grain: Grain


class TableTally(Struct, kw_only=True):
    """One table; `covered` is the first event of its last round, `reached` that round's last event.

    `rounds` and `findings` are the offsets behind the last records that were counted. Counters of a day that was
    followed by two others are sealed, and leave.
    """

    subject: str
    covered: int = 0
    reached: int = 0
    shoe: int = 0
    ended: dt.datetime | None = None
    stints: list[Stint] = field(default_factory=list)
    counters: dict[Grain, CounterMessage] = field(default_factory=dict)
    waiting: list[tuple[int, str]] = field(default_factory=list)
    seen: bytes = b""
    rounds: int = 0
    findings: int = 0

    def take_round(self, told: RoundMessage) -> set[Grain]:
        """Count a round; the grains that changed, none if it was counted before."""
        result = told.round
        if result.first_sequence <= self.covered:
            return set()
        grain = (told.property or "", result.gaming_day or NO_DAY, result.ruleset or "", told.dealer or "")
        same = bool(self.stints) and self.stints[-1].grain == grain and self.shoe == result.shoe
        pace = _milliseconds(self.ended, told.at) if same else None
        if not self.stints or self.stints[-1].grain != grain:
            self.stints.append(Stint(result.first_sequence, grain))
            self._forget_the_oldest()
        counter = _with_round(self.counter(grain), result, pace)
        self.counters[grain] = counter
        self.covered, self.reached = result.first_sequence, result.last_sequence
        self.shoe, self.ended = result.shoe, told.at
        return {grain, *self._count_waiting()}

    def take_finding(self, told: FindingMessage) -> set[Grain]:
        """Count a finding, now or when a round reaches to it; the grains that changed.

        One about a record that stands at no event of the table says nothing of a dealer or a day, and is not counted.
        """
        finding = told.finding
        if not finding.sequence:
            return set()
        short = bytes.fromhex(finding.finding_id[:16])
        if finding.verdict not in _VERDICTS or _holds(self.seen, short):
            return set()
        self.seen = (self.seen + short)[-8 * _SEEN :]
        self.waiting.append((finding.sequence, finding.verdict))
        return self._count_waiting()

    def _count_waiting(self) -> set[Grain]:
        changed: set[Grain] = set()
        later: list[tuple[int, str]] = []
        for sequence, verdict in self.waiting:
            if sequence > self.reached:
                later.append((sequence, verdict))
                continue
            at = bisect_right(self.stints, sequence, key=lambda stint: stint.sequence)
            grain = self.stints[max(0, at - 1)].grain
            self.counters[grain] = _with_finding(self.counter(grain), sequence, verdict)
            changed.add(grain)
        self.waiting = later
        return changed

    def counter(self, grain: Grain) -> CounterMessage:
        """What is counted of a grain so far."""
        known = self.counters.get(grain)
        if known is not None:
            return known
        owner, day, ruleset, dealer = grain
        return CounterMessage(
            property=owner, gaming_day=day, subject=self.subject, ruleset=ruleset, dealer=dealer
        )

    def _forget_the_oldest(self) -> None:
        """Let sealed days go: a property that plays for years takes no more than one that plays for two days."""
        if len(self.stints) > 1 and self.stints[-1].grain[1] != self.stints[-2].grain[1]:
            days = list(dict.fromkeys(stint.grain[1] for stint in reversed(self.stints)))[:_DAYS]
            self.stints = [stint for stint in self.stints if stint.grain[1] in days]
            self.counters = {grain: counter for grain, counter in self.counters.items() if grain[1] in days}
        del self.stints[: max(0, len(self.stints) - _STINTS)]


def key_of(counter: CounterMessage) -> bytes:
    """The key under which a counter stands in its topic."""
    return "/".join(
        (str(counter.gaming_day), counter.subject, counter.ruleset, counter.dealer, counter.property)
    ).encode()


def _holds(seen: bytes, short: bytes) -> bool:
    at = seen.find(short)
    while at % 8 and at != -1:
        at = seen.find(short, at + 1)
    return at != -1


def _milliseconds(before: dt.datetime | None, now: dt.datetime) -> int | None:
    if before is None or now < before:
        return None
    return (now - before) // dt.timedelta(milliseconds=1)


def _with_round(counter: CounterMessage, result: RoundResult, pace: int | None) -> CounterMessage:
    handle = paid = collected = judged = overpaid = underpaid = overpaid_cents = underpaid_cents = 0
    for stake in result.stakes:
        handle += stake.staked_cents
        seen, due = stake.seen_cents, stake.due_cents
        if seen is not None:
            paid += max(seen, 0)
            collected += max(-seen, 0)
            if due is not None:
                judged += 1
                off = seen - due
                overpaid, overpaid_cents = overpaid + (off > 0), overpaid_cents + max(off, 0)
                underpaid, underpaid_cents = underpaid + (off < 0), underpaid_cents + max(-off, 0)
    return msgspec.structs.replace(
        counter,
        rounds=counter.rounds + 1,
        rounds_breached=counter.rounds_breached + (result.status == "breached"),
        rounds_indeterminate=counter.rounds_indeterminate + (result.status == "indeterminate"),
        rounds_void=counter.rounds_void + (result.status == "void"),
        hands=counter.hands + sum(name != "D" for name in result.hands),
        stakes=counter.stakes + len(result.stakes),
        handle_cents=counter.handle_cents + handle,
        paid_cents=counter.paid_cents + paid,
        collected_cents=counter.collected_cents + collected,
        net_cents=counter.net_cents + result.net_cents,
        judged=counter.judged + judged,
        overpaid=counter.overpaid + overpaid,
        overpaid_cents=counter.overpaid_cents + overpaid_cents,
        underpaid=counter.underpaid + underpaid,
        underpaid_cents=counter.underpaid_cents + underpaid_cents,
        paces=counter.paces + (pace is not None),
        pace_ms=counter.pace_ms + (pace or 0),
        last_sequence=max(counter.last_sequence, result.last_sequence),
        covers=counter.covers + 1,
    )


def _with_finding(counter: CounterMessage, sequence: int, verdict: str) -> CounterMessage:
    changed: dict[str, int] = {verdict: getattr(counter, verdict) + 1}
    last = max(counter.last_sequence, sequence)
    return msgspec.structs.replace(counter, **changed, last_sequence=last, covers=counter.covers + 1)

"""What a rival reading of an unclear place would change: which rounds, stakes, cents and findings."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, Struct

from deploy.replay.run import first_subject
from deploy.replay.sources import StreamSource, read_lines
from processors.games.readings import READINGS
from processors.pipeline import Outcome, TablePipeline
from producers.feeds.lines import AnyLine, LongLine
from schemas.findings import Finding, Verdict
from schemas.rounds import RoundResult, Settlement, StakeResult

HELD_AGAINST = ("breached", "interpretation")


class StakeDifference(Struct, frozen=True, kw_only=True, tag_field="changes", tag="stake"):
    """One stake that two readings of a place settle differently; `cents` is what the patron gains by `to`."""

    file: str
    subject: str
    round: int
    place: str
    at: str
    to: str
    seat: int
    hand: str | None
    kind: str
    expected_at: Settlement | None
    expected_to: Settlement | None
    cents: int


class Held(Struct, frozen=True):
    """What a table is held to have done: the finding without its words and amounts."""

    sequence: int
    check: str
    verdict: Verdict
    cites: tuple[str, ...]
    seat: int | None
    hand: str | None


class FindingsDifference(Struct, frozen=True, kw_only=True, tag_field="changes", tag="findings"):
    """One round whose breaches and interpretations differ between two readings; `round` is null between rounds."""

    file: str
    subject: str
    round: int | None
    place: str
    at: str
    to: str
    only_at: tuple[Held, ...]
    only_to: tuple[Held, ...]


Difference = StakeDifference | FindingsDifference


class _Table:
    """One table under every policy of a place, and the findings of rounds that are not over yet."""

    def __init__(self, file: str, subject: str, place: str) -> None:
        reading = READINGS[place]
        self.about: dict[str, Any] = {"file": file, "subject": subject, "place": place}
        self.policies = (reading.default, *reading.rivals)
        self.pipelines = [TablePipeline(subject, {place: policy}, proofs=False) for policy in self.policies]
        self.held: dict[int | None, list[set[Held]]] = {}

    def advance(self, line: AnyLine) -> tuple[str | None, list[Difference]]:
        """Take a line: the table it belongs to instead, and what the readings make of it."""
        if isinstance(line, LongLine):
            outcomes = [pipeline.refuse_unread(line.digest, line.reason) for pipeline in self.pipelines]
        else:
            outcomes = [pipeline.advance(line.content) for pipeline in self.pipelines]
        return outcomes[0].foreign, self._compared(outcomes)

    def finish(self) -> list[Difference]:
        """The stream ends."""
        found = self._compared([pipeline.finish() for pipeline in self.pipelines])
        return [*found, *(one for number in sorted(self.held, key=str) for one in self._findings_of(number))]

    def _compared(self, outcomes: list[Outcome]) -> list[Difference]:
        for nth, outcome in enumerate(outcomes):
            for finding in outcome.findings:
                if finding.verdict in HELD_AGAINST:
                    sets = self.held.setdefault(finding.round, [set() for _ in self.policies])
                    sets[nth].add(_held(finding))
        found: list[Difference] = []
        for first, *others in zip(*(outcome.rounds for outcome in outcomes), strict=True):
            for policy, other in zip(self.policies[1:], others, strict=True):
                found += self._stakes_of(policy, first, other)
            found += self._findings_of(first.round)
        return [*found, *self._findings_of(None)] if None in self.held else found

    def _stakes_of(self, to: str, one: RoundResult, other: RoundResult) -> Iterator[StakeDifference]:
        rival = {_key(stake): stake for stake in other.stakes}
        for stake in one.stakes:
            match = rival.get(_key(stake))
            if match is not None and match.expected != stake.expected:
                yield StakeDifference(
                    **self.about,
                    round=one.round,
                    at=self.policies[0],
                    to=to,
                    seat=stake.seat,
                    hand=stake.hand,
                    kind=stake.kind,
                    expected_at=stake.expected,
                    expected_to=match.expected,
                    cents=(match.due_cents or 0) - (stake.due_cents or 0),
                )

    def _findings_of(self, number: int | None) -> list[FindingsDifference]:
        first, *others = self.held.pop(number, [set() for _ in self.policies])
        return [
            FindingsDifference(
                **self.about,
                round=number,
                at=self.policies[0],
                to=policy,
                only_at=tuple(sorted(first - other, key=_place)),
                only_to=tuple(sorted(other - first, key=_place)),
            )
            for policy, other in zip(self.policies[1:], others, strict=True)
            if other != first
        ]


def compare(source: StreamSource, place: str) -> Iterator[Difference]:
    """The stakes and findings of one source that the rival readings of `place` would change."""
    tables: dict[str, _Table] = {}

    def table(subject: str) -> _Table:
        return tables.setdefault(subject, _Table(source.name, subject, place))

    current = table(first_subject(source))
    for line in read_lines(source):
        foreign, found = current.advance(line)
        if foreign is not None:
            current = table(foreign)
            _, found = current.advance(line)
        yield from found
    for each in tables.values():
        yield from each.finish()


def _held(finding: Finding) -> Held:
    return Held(
        finding.sequence,
        finding.check,
        finding.verdict,
        tuple(finding.cites),
        finding.seat if finding.seat is not UNSET else None,
        finding.hand if finding.hand is not UNSET else None,
    )


def _place(held: Held) -> tuple[int, str, int, str]:
    return held.sequence, held.check, held.seat or 0, held.hand or ""


def _key(stake: StakeResult) -> tuple[int, str | None, str]:
    return stake.seat, stake.hand, stake.kind

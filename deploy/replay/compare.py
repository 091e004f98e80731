"""What a rival reading of an unclear place would change: which rounds, which stakes, how many cents."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from deploy.replay.run import first_subject
from deploy.replay.sources import Source, read_lines
from processors.games.readings import READINGS
from processors.pipeline import Outcome, TablePipeline
from schemas.rounds import RoundResult, Settlement, StakeResult


class Difference(Struct, frozen=True, kw_only=True):
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


def compare(source: Source, place: str) -> Iterator[Difference]:
    """The stakes of one source that the rival readings of `place` settle otherwise than its default."""
    reading = READINGS[place]
    policies = (reading.default, *reading.rivals)
    subject = first_subject(source)
    pipelines = [TablePipeline(subject, {place: policy}) for policy in policies]
    for line in read_lines(source):
        outcomes = [pipeline.advance(line.content) for pipeline in pipelines]
        if outcomes[0].rounds:
            yield from _between(source, place, policies, outcomes)


def _between(
    source: Source, place: str, policies: tuple[str, ...], outcomes: list[Outcome]
) -> Iterator[Difference]:
    for first, *others in zip(*(outcome.rounds for outcome in outcomes), strict=True):
        for policy, other in zip(policies[1:], others, strict=True):
            yield from _of_round(source.name, place, policies[0], policy, first, other)


def _of_round(
    file: str, place: str, at: str, to: str, one: RoundResult, other: RoundResult
) -> Iterator[Difference]:
    rival = {_key(stake): stake for stake in other.stakes}
    for stake in one.stakes:
        match = rival.get(_key(stake))
        if match is not None and match.expected != stake.expected:
            yield Difference(
                file=file,
                subject=one.subject,
                round=one.round,
                place=place,
                at=at,
                to=to,
                seat=stake.seat,
                hand=stake.hand,
                kind=stake.kind,
                expected_at=stake.expected,
                expected_to=match.expected,
                cents=_gain(match.expected) - _gain(stake.expected),
            )


def _key(stake: StakeResult) -> tuple[int, str | None, str]:
    return stake.seat, stake.hand, stake.kind


def _gain(settlement: Settlement | None) -> int:
    return settlement.patron_cents if settlement is not None else 0

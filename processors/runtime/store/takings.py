"""What the stakes of a round come to by kind: the columns of its rows in the relation that revenue is summed of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import UNSET

from processors.core.state import seat_of
from schemas.rounds import RoundResult, StakeResult

NO_STAKE = ""  # the kind of the only row of a round without stakes


def takings_of(result: RoundResult) -> Iterator[dict[str, Any]]:
    """Columns of each row by name, but for the round's key and time, its gaming day and who dealt.

    The first row counts the round and its hands.
    """
    seats = {stake.seat for stake in result.stakes} - {0}
    counts = {"rounds": 1, "hands": sum(seat_of(name) in seats for name in result.hands)}
    for kind in dict.fromkeys(stake.kind for stake in result.stakes) or (NO_STAKE,):
        stakes = [stake for stake in result.stakes if stake.kind == kind]
        yield {"kind": kind, **_of_round(result), **counts, **_sums(stakes)}
        counts = {"rounds": 0, "hands": 0}


def _of_round(result: RoundResult) -> dict[str, Any]:
    return {
        "ruleset": result.ruleset,
        "configured": 0 if result.configured is UNSET else result.configured,
        "status": result.status,
        "voided": result.voided is not UNSET,
    }


def _sums(stakes: Sequence[StakeResult]) -> dict[str, Any]:
    seen = [stake.seen_cents for stake in stakes if stake.seen_cents is not None]
    unseen = [stake.staked_cents for stake in stakes if stake.observed is None]
    errors = [
        stake.due_cents - stake.seen_cents
        for stake in stakes
        if stake.due_cents is not None and stake.seen_cents is not None
    ]
    played = [
        (stake.play, stake.staked_cents)
        for stake in stakes
        if stake.play is not UNSET and stake.observed is not None
    ]
    return {
        "stakes": len(stakes),
        "staked_cents": sum(stake.staked_cents for stake in stakes),
        "staked_squares": float(sum(stake.staked_cents**2 for stake in stakes)),
        "paid_cents": sum(cents for cents in seen if cents > 0),
        "collected_cents": -sum(cents for cents in seen if cents < 0),
        "judged": len(errors),
        "wrong": sum(error != 0 for error in errors),
        "for_house_cents": sum(error for error in errors if error > 0),
        "for_patron_cents": sum(error for error in errors if error < 0),
        "unknown": len(unseen),
        "unknown_cents": sum(unseen),
        "play_cents": sum(play for play, _ in played),
        "played_cents": sum(cents for _, cents in played),
    }

"""Rounds whose decisions are worth something, as a fold that weighs them would write them."""

from __future__ import annotations

from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from schemas.rounds import RoundResult, StakeResult

NOT_WORKED_OUT = 3  # the seat of which nobody says what decisions gave


def worth(result: RoundResult, stake: StakeResult) -> int | UnsetType:
    """What the decisions at a main wager gave the house, in cents; in each fourth round nothing."""
    if stake.kind != "main" or stake.seat == NOT_WORKED_OUT:
        return UNSET
    if result.round % 4 == 0:
        return 0
    return round(stake.staked_cents * 0.012347 * ((result.round * 37 + stake.seat * 11) % 5))


def decided(result: RoundResult) -> RoundResult:
    """The round with what its decisions are worth."""
    return replace(result, stakes=tuple(replace(one, play=worth(result, one)) for one in result.stakes))

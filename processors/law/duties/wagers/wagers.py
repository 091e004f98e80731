"""Wagers of a Blackjack round: down in time, in chips, of a kind on offer, and untouched (reading A37)."""

from __future__ import annotations

from typing import get_args

from processors.core.state import Round, seat_of, stake_key
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check, of
from processors.law.wording import dollars, kind_of_wager, wager
from schemas.events import WagerAltered, WagerMoved, WagerPlaced
from schemas.values import WagerKind

AFTER_THE_DEAL = ("insurance", "double", "split")
SIDE_WAGERS = tuple(kind for kind in get_args(WagerKind) if kind not in ("main", *AFTER_THE_DEAL))


@check(
    "wagers.in_time", decides=("wagers.before_first_card", "wagers.placed_before_deal"),
    reads=(WagerPlaced,), alters=True,
)  # fmt: skip
def wagers_are_down_before_the_first_card(moment: Moment, data: WagerPlaced) -> Judged:
    """Every wager but insurance, doubles and splits is placed before the round's first card."""
    round_, _ = moment.play
    if data.kind in AFTER_THE_DEAL:
        return None
    if round_.first_card is None:
        return UPHELD
    return Breach(
        message=f"Seat {data.seat} placed {dollars(data.cents)} ({kind_of_wager(data.kind)}) after the first card "
        "of the round.",
        expected={"before_sequence": round_.first_card},
        observed={"sequence": moment.sequence, "cents": data.cents},
        sequences=(round_.first_card,),
        seat=data.seat,
        wager=data.kind,
    )


@check(
    "wagers.untouched", decides=("wagers.before_first_card", "wagers.untouched"),
    reads=(WagerAltered, WagerMoved), alters=True,
)  # fmt: skip
def wagers_stay_untouched_until_settled(moment: Moment, data: WagerAltered | WagerMoved) -> Judged:
    """No player touches or changes a wager, or moves it elsewhere, from the close of betting until it is settled."""
    round_, rules = moment.play
    if isinstance(data, WagerMoved):  # where free bets move chips, the added stakes judge it
        return None if rules.profile.free_bets else _moved_elsewhere(round_, data)
    stake = round_.stakes.get(stake_key(data.seat, data.kind, data.hand))
    if _betting_is_open(round_) or (stake is not None and stake.moves):
        return UPHELD
    raised = data.to_cents > data.from_cents and data.kind not in AFTER_THE_DEAL
    late = raised and round_.first_card is not None
    return Breach(
        roles=("wagers.untouched", *(("wagers.before_first_card",) if late else ())),
        message=f"The {wager(data.kind)} of seat {data.seat} was changed from "
        f"{dollars(data.from_cents)} to {dollars(data.to_cents)} before it was settled.",
        expected={"cents": data.from_cents},
        observed={"cents": data.to_cents, "by": data.by},
        sequences=(stake.placed,) if stake is not None else (),
        seat=data.seat,
        wager=data.kind,
    )


def _betting_is_open(round_: Round) -> bool:
    return round_.betting_closed is None and round_.first_card is None


def _moved_elsewhere(round_: Round, data: WagerMoved) -> Breach | None:
    """The breach of a wager moved off its hand; none where betting is open or it was settled or never there."""
    seat = seat_of(data.from_hand)
    stake = round_.stakes.get(stake_key(seat, data.kind, data.from_hand))
    if data.from_hand == data.to_hand or _betting_is_open(round_) or stake is None or stake.moves:
        return None
    return Breach(
        roles=("wagers.untouched",),
        message=f"The {wager(data.kind)} of hand {data.from_hand} was moved to hand {data.to_hand} "
        "before it was settled.",
        expected={"hand": data.from_hand},
        observed={"hand": data.to_hand},
        sequences=(stake.placed,),
        seat=seat,
    )


@check(
    "wagers.offered", decides=("wagers.side_with_main", "wagers.match_with_main"),
    reads=(of(WagerPlaced, *SIDE_WAGERS),), alters=True,
)  # fmt: skip
def side_wagers_are_those_offered(moment: Moment, data: WagerPlaced) -> Judged:
    """A side wager is taken only if the rules submission offers it."""
    config = moment.table.config
    if config is None:
        return None
    if data.kind in config.side_wagers:
        return UPHELD
    return Breach(
        message=f"Seat {data.seat} placed a {wager(data.kind)}, which this table does not offer.",
        expected={"offered": list(config.side_wagers)},
        observed={"kind": data.kind},
        sequences=(moment.table.configured_at,),
        seat=data.seat,
        wager=data.kind,
    )


@check("wagers.chips", decides=("wagers.chips_placed",), reads=(WagerPlaced,), alters=True)
def wagers_are_made_with_chips(moment: Moment, data: WagerPlaced) -> Judgment:
    """A wager is an amount that the table's chips can make (reading A37)."""
    _, rules = moment.play
    if data.cents and data.cents % rules.chip_cents == 0:
        return UPHELD
    return Breach(
        message=f"Seat {data.seat} placed {dollars(data.cents)}, which the table's chips "
        f"(smallest {dollars(rules.chip_cents)}) cannot make.",
        expected={"multiple_of_cents": rules.chip_cents},
        observed={"cents": data.cents},
        seat=data.seat,
        wager=data.kind,
    )

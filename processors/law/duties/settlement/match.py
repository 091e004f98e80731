"""When and in which order Match-the-Dealer wagers are settled (7(f); reading A11)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.folding.wagers import has_moved
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check, of
from processors.law.duties.reader.reader import ACTION
from processors.law.marks import LATE
from schemas.events import HoleCardRead, InsuranceOffered, WagerSettled


@check(
    "settlement.match_when", decides=("settlement.match_when",),
    reads=(InsuranceOffered, HoleCardRead, *ACTION), alters=True, follows=True, readings=("A11",), unheard="console",
)  # fmt: skip
def match_the_dealer_is_settled_at_once(moment: Moment, data: object) -> Iterator[Judgment]:
    """Match-the-Dealer is settled right after the second cards, before insurance, reader and any card (reading A11)."""
    round_, rules = moment.play
    if rules.readings["A11"] == "before_cards" and not isinstance(data, ACTION):
        return
    for key, stake in round_.stakes.items():
        if stake.kind != "match_dealer" or LATE.on(round_, key):
            continue
        if stake.moves:
            yield UPHELD
        else:
            yield Breach(
                message=f"Seat {stake.seat}'s Match-the-Dealer wager was still open when play went on.",
                expected={"settled": True},
                observed={"settled": False},
                sequences=(stake.placed,),
                seat=stake.seat,
                discriminator=LATE.of(key),
            )


@check(
    "settlement.match_order",
    decides=("settlement.match_order",),
    reads=(of(WagerSettled, "match_dealer"),),
    follows=True,
)
def match_the_dealer_is_settled_counterclockwise(moment: Moment, data: WagerSettled) -> Judged:
    """Match-the-Dealer wagers are settled counterclockwise from the dealer's right."""
    round_, _ = moment.play
    if has_moved(round_, data):
        return None  # the stake had its turn with its first movement
    settled = (
        (stake.moves[0].sequence, stake.seat)
        for stake in round_.stakes.values()
        if stake.kind == "match_dealer" and stake.moves
    )
    sequence, seat = max(settled, default=(0, 0))
    if not seat or data.seat <= seat:
        return UPHELD
    return Breach(
        message=f"Seat {data.seat}'s Match-the-Dealer wager was settled after seat {seat}'s; the order is "
        f"counterclockwise, seat {data.seat} first.",
        expected={"order": "counterclockwise from the dealer's right"},
        observed={"after_seat": seat, "seat": data.seat},
        sequences=(sequence,),
        seat=data.seat,
    )

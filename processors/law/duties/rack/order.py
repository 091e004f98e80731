"""The order of the discard rack after a Blackjack round (7(s); readings A3, A6, A7, A19, A40, A45, A58)."""

from __future__ import annotations

from itertools import zip_longest

from msgspec.structs import replace

from processors.core.state import spot_named
from processors.games.blackjack.rack import Placement, cards_agree, cards_of, expected_rack, observed_rack
from processors.games.totals import POINTS
from processors.law.check import UPHELD, Breach, Indeterminate, Judged, Moment, check
from processors.law.marks import RACKED_OUT_OF_ORDER
from schemas.events import RoundEnded


@check(
    "rack.order", decides=("rack.order_after_settling",),
    reads=(RoundEnded,), follows=True, readings=("A6", "A40", "A45", "A3", "A58", "A19"),
)  # fmt: skip
def the_rack_permits_every_hand_to_be_rebuilt(moment: Moment, data: RoundEnded) -> Judged:
    """All cards of the round lie in the rack, each hand in deal order, the hands as the table's pickup has them.

    It is decided when the round ends, because only then has every card been racked that will be.
    """
    round_, rules = moment.play
    if round_.voided is not None or RACKED_OUT_OF_ORDER.on(round_):
        return None
    expected, seen = expected_rack(round_, rules), observed_rack(round_)
    agrees = cards_agree(cards_of(expected), cards_of(seen))
    if agrees:
        return UPHELD
    unknown = any(card not in POINTS for hand in round_.hands.values() for card in hand.cards)
    if agrees is False and not unknown:
        breach = _first_divergence(expected, seen)
        return replace(breach, unheard="rack") if round_.several_unracked else breach
    return Indeterminate(
        message="Whether the rack keeps the round as it was dealt cannot be said: some of its cards are unknown.",
        missing=("cards of the rack",),
        sequences=(round_.first_sequence,),
        unheard="rack" if round_.several_unracked else None,
    )


def _first_divergence(expected: tuple[Placement, ...], seen: tuple[Placement, ...]) -> Breach:
    racked = {one.spot for one in seen}
    missing = next((one.spot for one in expected if one.spot not in racked), None)
    pairs = enumerate(zip_longest(expected, seen), start=1)
    place, due, got = next((at, due, got) for at, (due, got) in pairs if _differ(due, got))
    if missing is not None:
        message = f"The cards of {spot_named(missing)} never reached the discard rack."
    elif due is not None and got is not None and due.spot == got.spot:
        message = f"The cards of {spot_named(due.spot)} lie in the rack as {' '.join(got.cards)}, not in deal order."
    else:
        holds = f"the cards of {spot_named(got.spot)}" if got is not None else "nothing"
        wanted = f"instead of those of {spot_named(due.spot)}" if due is not None else "where nothing is due"
        message = f"At place {place} of the pickup the rack holds {holds} {wanted}."
    return Breach(
        message=message,
        expected={"rack": cards_of(expected)},
        observed={"rack": cards_of(seen)},
        sequences=(got.at[0],) if got is not None else (),
        hand=missing or (due.spot if due is not None else None),
    )


def _differ(due: Placement | None, got: Placement | None) -> bool:
    return due is None or got is None or (due.spot, due.cards) != (got.spot, got.cards)

"""Who touches the cards, and with which hand the dealer draws and lays them down."""

from __future__ import annotations

from processors.core.state import seat_of, spot_named
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from schemas.events import CardDrawn, CardPlaced, CardsHandled, RoundEnded


@check(
    "deal.hands", decides=("deal.shoe_hand_draws", "deal.nearest_positions"), reads=(CardDrawn, CardPlaced)
)
def cards_are_drawn_and_laid_with_the_right_hands(moment: Moment, data: CardDrawn | CardPlaced) -> Judged:
    """The hand nearer the shoe draws, the other lays the card down, but for the two positions nearest the shoe.

    Which end of the table the shoe stands at is not on record, so the two positions at either end may have it.
    """
    used, wrong = (data.from_hand, "other") if isinstance(data, CardDrawn) else (data.by_hand, "shoe_side")
    if used != wrong:
        return UPHELD if used else None
    expected = {"draws": "shoe_side", "places": "other"}
    if isinstance(data, CardDrawn):
        return Breach(
            roles=("deal.shoe_hand_draws",),
            message="A card was drawn with the hand farther from the shoe.",
            expected=expected,
            observed={"hand": wrong},
        )
    seats = moment.table.config.seats if moment.table.config is not None else 0
    if seat_of(data.hand) in (1, 2, seats - 1, seats):
        return None
    return Breach(
        roles=("deal.nearest_positions", "deal.shoe_hand_draws"),
        message=f"The card of {spot_named(data.hand)} was laid down with the hand that draws; "
        "only the two positions nearest the shoe may have that.",
        expected=expected,
        observed={"hand": wrong},
        hand=data.hand,
    )


@check(
    "deal.cards_handled", decides=("deal.cards_not_handled",),
    reads=(CardsHandled, RoundEnded), in_round=False, turns_on=("steps",),
)  # fmt: skip
def only_the_dealer_touches_the_cards(moment: Moment, data: CardsHandled | RoundEnded) -> Judged:
    """Players and spectators do not handle the cards in play."""
    if isinstance(data, RoundEnded):
        return UPHELD if moment.round is None or not moment.round.told(CardsHandled) else None
    return Breach(
        message=f"A {data.by} handled the cards of {spot_named(data.hand)}.",
        expected={"handled_by": "dealer"},
        observed={"handled_by": data.by},
        hand=data.hand,
    )

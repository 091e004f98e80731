"""Cards from a manual dealing shoe: by which hand, face down, one at a time, to five cards each (A30)."""

from __future__ import annotations

from processors.core.state import spot_named
from processors.games.stacks.deal import deal_of, is_played_on
from processors.games.stacks.turns import passes, servings
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from processors.law.duties.stacks.deal import departs, out_of_turn
from processors.law.duties.stacks.void_rounds import played_on_roles
from processors.law.marks import WRONG_HAND
from schemas.amounts import amount
from schemas.events import CardDrawn, CardExposed, CardPlaced, HandRevealed, RoundEnded, WagerSettled
from schemas.payload import Payload
from schemas.values import BONUS


@check("stacks.five_cards_hands", decides=("stacks.shoe_hand_draws",), reads=(CardDrawn, CardPlaced))
def the_shoe_side_hand_draws_and_the_other_places(moment: Moment, data: CardDrawn | CardPlaced) -> Judged:
    """The hand nearer the shoe takes the card, the other lays it down; nothing is said where no hand is recorded."""
    round_ = moment.round
    if isinstance(data, CardDrawn):
        hand, right, act = data.from_hand, "shoe_side", "drawing"
        message = "A card was taken from the shoe with the hand away from the shoe."
    else:
        hand, right, act = data.by_hand, "other", "placing"
        message = "A card was laid down with the hand nearer the shoe."
    if round_ is None or not isinstance(hand, str):
        return None
    if hand == right:
        return UPHELD
    if WRONG_HAND.on(round_, act):
        return None
    return Breach(
        message=message,
        expected={"hand": right},
        observed={"hand": hand},
        hand=data.hand if isinstance(data, CardPlaced) else None,
        discriminator=WRONG_HAND.of(act),
    )


@check(
    "stacks.five_cards_face_down", decides=("stacks.cards_face_down", "stacks.bonus_card_first"),
    reads=(CardPlaced, CardExposed),
)  # fmt: skip
def every_card_is_laid_face_down(moment: Moment, data: CardPlaced | CardExposed) -> Judged:
    """Every card, the bonus card too, is laid down without being seen."""
    spot, roles = None, ("stacks.cards_face_down",)
    if isinstance(data, CardExposed):
        if data.where not in ("drawn_in_error", "hole"):
            return None
        message = f"Card {data.card} was exposed while it was dealt."
    elif not data.face_up:
        return UPHELD
    else:
        spot, message = data.hand, f"A card was dealt face up to {spot_named(data.hand)}."
    return Breach(
        roles=("stacks.bonus_card_first", *roles) if spot == BONUS else roles,
        message=message,
        expected={"face_up": False},
        observed={"face_up": True},
        hand=spot,
    )


@check(
    "stacks.five_cards_order", decides=(
        "stacks.misdeal_determined", "stacks.misdeal_with_52", "stacks.bonus_card_first", "stacks.one_at_a_time",
        "stacks.five_each",
    ),
    reads=(HandRevealed, WagerSettled, RoundEnded), where="deals_single_cards", before=(HandRevealed,),
)  # fmt: skip
def cards_go_round_to_five_each(moment: Moment, data: Payload) -> Judged:
    """A bonus card first if wagered on, then one card at a time by seats with the dealer last, to five each."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or not is_played_on(round_, data):
        return None
    came = servings(round_)
    spots = [spot for _, spot in came]
    deal = deal_of(round_, config)
    due = {spot: cards for spot, cards in deal.due.items() if spot != BONUS}
    bonus = [BONUS] * deal.due.get(BONUS, 0)
    lawful = bonus + passes(due)
    if spots == lawful:
        return UPHELD
    hands = [spot for spot in spots if spot != BONUS]
    sizes = {spot: hands.count(spot) for spot in dict.fromkeys((*due, *sorted(hands)))}
    off = next((spot for spot in dict.fromkeys((*due, *hands)) if sizes[spot] != due.get(spot, 0)), None)
    bonus_wrong = spots.count(BONUS) != len(bonus) or spots[: len(bonus)] != bonus
    roles = ["stacks.bonus_card_first"] if bonus_wrong else []
    if off is not None:
        roles.append("stacks.five_each")
    if hands not in (passes(due), passes(sizes)):
        roles.append("stacks.one_at_a_time")
    if deal.off:
        roles += played_on_roles(round_, config)
    message = _bonus_fault(spots, bonus)
    if message is None and off is not None:
        dealt = f"{amount(sizes[off], 'card')} instead of {due.get(off, 0)}"
        message = f"{spot_named(off).capitalize()} was dealt {dealt}, and the round went on."
    place = departs(spots, lawful)
    return Breach(
        roles=tuple(roles),
        message=message or out_of_turn("A card", spots, lawful),
        expected={"cards": deal.due},
        observed={"cards": {spot: spots.count(spot) for spot in dict.fromkeys(spots)}},
        sequences=tuple(sequence for sequence, _ in (came[-1:] if place is None else [came[place]])),
        hand=off,
        reading="A30" if bonus_wrong else None,
    )


def _bonus_fault(spots: list[str], bonus: list[str]) -> str | None:
    if bonus and BONUS not in spots:
        return "A Six Card Bonus wager was made, and no card was dealt to the bonus area."
    if not bonus and BONUS in spots:
        return "A card was dealt to the bonus area without a Six Card Bonus wager."
    return None if spots[: len(bonus)] == bonus else "The bonus card was not the first card dealt."

"""Cards from a manual dealing shoe, one at a time, to five cards each (657a.8(c)-(d); reading A30)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Logged
from processors.games.stacks.deal import HAND, deal_of, is_played_on
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.duties.stacks.void_rounds import played_on_clauses
from schemas.events import CardDrawn, CardExposed, CardPlaced, HandRevealed, RoundEnded, WagerSettled
from schemas.payload import Payload
from schemas.values import BONUS


@check(
    "stacks.five_cards_hands",
    decides=("stacks.shoe_hand_draws",),
    formerly="five_cards.hands",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    reads=(CardDrawn, CardPlaced),
)
def the_shoe_side_hand_draws_and_the_other_places(
    moment: Moment, data: CardDrawn | CardPlaced
) -> Iterator[Judgment]:
    """The hand nearer the shoe takes the card, the other lays it down; nothing is said where no hand is recorded."""
    drawing = isinstance(data, CardDrawn)
    hand = data.from_hand if isinstance(data, CardDrawn) else data.by_hand
    right = "shoe_side" if drawing else "other"
    round_ = moment.round
    if round_ is None or not isinstance(hand, str):
        return
    if hand == right:
        yield UPHELD
        return
    mark = "hands:drawing" if drawing else "hands:placing"
    if mark in round_.reported:
        return
    did = "taken from the shoe" if drawing else "laid down"
    wrong = "hand away from the shoe" if drawing else "hand nearer the shoe"
    yield Breach(
        clauses=("657a.8(c)#1",),
        message=f"A card was {did} with the {wrong}.",
        expected={"hand": right},
        observed={"hand": hand},
        hand=data.hand if isinstance(data, CardPlaced) else None,
        discriminator=mark,
    )


@check(
    "stacks.five_cards_face_down",
    decides=(
        "stacks.cards_face_down",
        "stacks.bonus_card_first",
    ),
    formerly="five_cards.face_down",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    reads=(CardPlaced, CardExposed),
)
def every_card_is_laid_face_down(moment: Moment, data: CardPlaced | CardExposed) -> Iterator[Judgment]:
    """Every card, the bonus card too, is laid down without being seen."""
    if isinstance(data, CardExposed):
        if data.where not in ("drawn_in_error", "hole"):
            return
        spot, message = None, f"Card {data.card} was exposed while it was dealt."
    elif not data.face_up:
        yield UPHELD
        return
    else:
        spot, message = data.hand, f"A card was dealt face up to {data.hand}."
    yield Breach(
        clauses=("657a.8(d)#1", "657a.8(c)#2") if spot == BONUS else ("657a.8(c)#2",),
        message=message,
        expected={"face_up": False},
        observed={"face_up": True},
        hand=spot,
    )


@check(
    "stacks.five_cards_order",
    decides=(
        "stacks.misdeal_determined", "stacks.misdeal_with_52", "stacks.bonus_card_first",
        "stacks.one_at_a_time", "stacks.five_each",
    ),
    formerly="five_cards.order",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    where="deals_single_cards",
    reads=(HandRevealed, WagerSettled, RoundEnded),
    before=(HandRevealed,),
)  # fmt: skip
def cards_go_round_to_five_each(moment: Moment, data: Payload) -> Iterator[Judgment]:
    """A bonus card first if wagered on, then one card at a time by seats with the dealer last, to five each."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or not is_played_on(round_, data):
        return
    placed = round_.told(CardPlaced)
    spots = [entry.data.hand for entry in placed]
    due = deal_of(round_, config).due
    lawful = _passes({spot: cards for spot, cards in due.items() if spot != BONUS})
    bonus = [BONUS] * due.get(BONUS, 0)
    if spots == bonus + lawful:
        yield UPHELD
        return
    hands = [spot for spot in spots if spot != BONUS]
    off = {
        spot: hands.count(spot)
        for spot in (*due, *hands)
        if spot != BONUS and hands.count(spot) != due.get(spot, 0)
    }
    clauses = []
    if spots.count(BONUS) != len(bonus) or (bonus and spots[:1] != bonus):
        clauses.append("657a.8(d)#1")
    if off:
        clauses.append("657a.8(d)#3")
    sizes = {spot: hands.count(spot) for spot in dict.fromkeys((*due, *sorted(hands))) if spot != BONUS}
    if hands != lawful and hands != _passes(sizes):
        clauses.append("657a.8(d)#2")
    if deal_of(round_, config).off:
        clauses += played_on_clauses(round_, config)
    where = _departs(placed, bonus + lawful)
    yield Breach(
        clauses=tuple(clauses),
        message=_message(spots, bonus, off, bonus + lawful),
        expected={"cards": due},
        observed={"cards": {spot: spots.count(spot) for spot in dict.fromkeys(spots)}},
        sequences=(where.sequence,) if where is not None else (),
        hand=next(iter(off), None),
        reading="A30" if clauses[0] == "657a.8(d)#1" else None,
    )


def _passes(sizes: dict[str, int]) -> list[str]:
    """Spots in the order in which passes round the table serve them, each to its number of cards."""
    most = max(sizes.values(), default=0)
    return [spot for nth in range(most) for spot, cards in sizes.items() if cards > nth]


def _departs(placed: list[Logged], lawful: list[str]) -> Logged | None:
    for nth, entry in enumerate(placed):
        if nth >= len(lawful) or entry.data.hand != lawful[nth]:
            return entry
    return placed[-1] if placed else None


def _message(spots: list[str], bonus: list[str], off: dict[str, int], lawful: list[str]) -> str:
    if bonus and BONUS not in spots:
        return "A Six Card Bonus wager was made, and no card was dealt to the bonus area."
    if not bonus and BONUS in spots:
        return "A card was dealt to the bonus area without a Six Card Bonus wager."
    if bonus and spots[:1] != bonus:
        return "The bonus card was not the first card dealt."
    if off:
        spot = next(iter(off))
        return f"Hand {spot} was dealt {off[spot]} of {HAND} cards, and the round went on."
    turns = zip(spots, lawful, strict=False)
    seen, turn = next((pair for pair in turns if pair[0] != pair[1]), (spots[-1], "nobody"))
    return f"A card went to {seen} when it was the turn of {turn}."

"""Cards out of place: face up in the shoe, drawn in error, seen and refused (12(a)-(c), 13(a)-(c); A22, A44)."""

from __future__ import annotations

from collections.abc import Iterable

from processors.core.facts_decks import Loose
from processors.core.state import Round, spot_named
from processors.games.blackjack.action import dealer_must_draw, open_hands, players_act
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check, of
from processors.law.marks import LOOSE_CARD_MISUSED, REFUSED_THOUGH_USEFUL, REFUSED_WITHOUT_CARD
from schemas.events import CardDrawn, CardPlaced, CardRefused, CardsRacked, HoleCardRevealed, RoundEnded
from schemas.values import DEALER, UNKNOWN


def _loose(moment: Moment, where: str) -> Loose | None:
    return next((one for one in moment.table.shoe.loose if one.exposed == where), None)


def _misused(
    card: Loose, message: str, due: dict[str, str], seen: dict[str, str], *roles: str, hand: str | None = None
) -> Breach:
    return Breach(
        roles=roles,
        message=message,
        expected=due,
        observed=seen,
        sequences=(card.sequence,),
        hand=hand,
        discriminator=LOOSE_CARD_MISUSED.of(card.sequence),
    )


@check(
    "exposed.boxed", decides=("exposed.boxed_unused", "exposed.boxed_to_rack"),
    reads=(CardDrawn, CardPlaced, of(CardsRacked, "boxed"), RoundEnded), alters=True, after=("exposed",),
)  # fmt: skip
def a_card_face_up_in_the_shoe_is_not_used(moment: Moment, data: object) -> Judged:
    """A card found face up in the shoe goes to the rack before the next draw, and to no hand."""
    boxed = _loose(moment, "in_shoe")
    if boxed is None or LOOSE_CARD_MISUSED.on(moment.play[0], boxed.sequence):
        return None
    if isinstance(data, CardsRacked):
        return UPHELD
    if not isinstance(data, CardPlaced):
        message = f"Card {boxed.card} lay face up in the shoe and was not racked before play went on."
        return _misused(boxed, message, {"card": "racked"}, {"card": "left"}, "exposed.boxed_to_rack")
    if data.card not in (boxed.card, UNKNOWN):
        return None
    message = f"Card {boxed.card} lay face up in the shoe and was dealt to {spot_named(data.hand)}."
    roles = ("exposed.boxed_unused", "exposed.boxed_to_rack")
    return _misused(boxed, message, {"card": "racked"}, {"dealt_to": data.hand}, *roles, hand=data.hand)


@check(
    "exposed.error",
    decides=("exposed.unseen_error_next", "exposed.seen_error_dealt", "exposed.refused_to_rack"),
    reads=(CardDrawn, of(CardsRacked, "boxed", "accidental", "refused", "other"), CardRefused, RoundEnded), alters=True,
    after=("loose", CardRefused, HoleCardRevealed),
)  # fmt: skip
def a_card_drawn_in_error_is_the_next_card(
    moment: Moment, data: CardDrawn | CardsRacked | CardRefused | RoundEnded
) -> Iterable[Judgment]:
    """A card drawn in error is the next one dealt; seen, refused and of no use to the dealer, it is racked."""
    seen = _loose(moment, "drawn_in_error")
    said: tuple[Judged, ...] = ()
    if isinstance(data, CardsRacked):
        said = (_racked(moment, data, seen),)
    elif isinstance(data, CardRefused):
        said = (_refused(moment, data) if seen is None else None,)
    elif seen is not None:
        said = (_passed_over(moment, data, seen),)
    elif isinstance(data, CardDrawn):
        said = (_unseen_passed_over(moment), _useful_racked(moment))
    else:
        said = (_unseen_passed_over(moment, denied=True),)
    return [judgment for judgment in said if judgment is not None]


def _refused(moment: Moment, data: CardRefused) -> Breach | None:
    if REFUSED_WITHOUT_CARD.on(moment.play[0]):
        return None
    return Breach(
        roles=("exposed.unseen_error_next", "exposed.seen_error_dealt"),
        message=f"Seat {data.seat} refused a card, but none had been drawn in error and seen.",
        expected={"card_exposed": True},
        observed={"card_exposed": False},
        sequences=tuple(one.sequence for one in moment.table.shoe.loose),
        seat=data.seat,
        discriminator=REFUSED_WITHOUT_CARD.of(),
    )


def _passed_over(moment: Moment, data: CardDrawn | RoundEnded, seen: Loose) -> Breach | None:
    """A card seen in error lies there when another is drawn, or when the round ends."""
    if LOOSE_CARD_MISUSED.on(moment.play[0], seen.sequence):
        return None
    if isinstance(data, CardDrawn):
        message = f"Card {seen.card} was drawn in error and seen; another card was drawn before it was dealt."
        due = {"next_card": seen.card}
        return _misused(seen, message, due, {"drawn": data.card}, "exposed.seen_error_dealt")
    message = f"Card {seen.card}, drawn in error and seen, was neither dealt nor racked."
    return _misused(seen, message, {"card": "dealt or racked"}, {"card": "left"}, "exposed.refused_to_rack")


def _unseen_passed_over(moment: Moment, *, denied: bool = False) -> Breach | None:
    """A further card was drawn while one drawn unseen lay there, which at the round's end the rack has shown."""
    unseen = next((one for one in moment.table.shoe.loose if _lies_unseen(one)), None)
    if (
        unseen is None
        or (denied and not unseen.denied)
        or LOOSE_CARD_MISUSED.on(moment.play[0], unseen.sequence)
    ):
        return None
    message = "A card drawn in error and not seen lay there; another card was drawn before it was dealt."
    return _misused(unseen, message, {"card": "dealt next"}, {"card": "left"}, "exposed.unseen_error_next")


def _lies_unseen(one: Loose) -> bool:
    return one.card == UNKNOWN and not one.exposed and not one.seal


def _useful_racked(moment: Moment) -> Breach | None:
    """The dealer draws after a card was racked before his hole card showed, refused or when the players were done."""
    round_, rules = moment.play
    dealer, shown = round_.hands.get(DEALER), round_.hole_revealed
    if shown is None or dealer is None or len(dealer.cards) != 2 or open_hands(round_, rules):
        return None
    racked = next((entry for entry in round_.racked if entry.reason in ("refused", "accidental")), None)
    if racked is None or racked.sequence > shown or REFUSED_THOUGH_USEFUL.on(round_):
        return None  # a card racked once the hole card shows is judged then
    refused = racked.reason == "refused"
    if not refused and racked.sequence < _acted_last(round_):
        return None  # a card racked while players still acted was judged then
    why = "that the players had refused" if refused else "drawn before his hole card showed"
    unseen = () if refused else ("exposed.unseen_error_next",)
    return Breach(
        roles=("exposed.refused_to_rack", "exposed.seen_error_dealt", *unseen),
        message=f"The dealer draws, so he could use the card {' '.join(racked.cards)} {why}; it was racked.",
        expected={"card": "dealt to the dealer"},
        observed={"card": "racked"},
        sequences=(racked.sequence,),
        hand=DEALER,
        discriminator=REFUSED_THOUGH_USEFUL.of(),
    )


def _acted_last(round_: Round) -> int:
    """Sequence of the last decision or card of the players."""
    hands = [hand for hand in round_.hands.values() if hand.seat]
    decided = (sequence for hand in hands for _, sequence in hand.decisions[-1:])
    return max((*decided, *(hand.sequences[-1] for hand in hands if hand.sequences)), default=0)


def _racked(moment: Moment, data: CardsRacked, seen: Loose | None) -> Judged:
    boxed = data.reason == "boxed" and _loose(moment, "in_shoe") is not None
    if seen is not None and not boxed:
        own = data.reason == "accidental" and moment.play[0].hole_revealed and not players_act(*moment.play)
        return None if own else _seen_racked(moment, seen)  # the dealer's own is judged with his play
    unseen = next((one for one in moment.table.shoe.loose if not one.exposed), None)
    as_boxed = data.reason == "boxed" and not boxed
    as_waste = data.reason in ("accidental", "refused", "other") and players_act(*moment.play)
    if unseen is None or not (as_boxed or as_waste):
        return None
    return Breach(
        roles=("exposed.unseen_error_next",),
        message="A card drawn in error and not seen was racked; it is the next card to be dealt.",
        expected={"card": "dealt next"},
        observed={"card": "racked", "reason": data.reason},
        sequences=(unseen.sequence,),
        hand=DEALER,
    )


def _seen_racked(moment: Moment, seen: Loose) -> Judgment:
    round_, rules = moment.play
    total = moment.dealer.total
    if open_hands(round_, rules):
        why = "players who had not refused it still played"
    elif round_.hole_revealed is not None and total is not None and dealer_must_draw(round_, rules, total):
        why = "the dealer could use it"
    else:
        return UPHELD
    return Breach(
        roles=("exposed.seen_error_dealt", "exposed.refused_to_rack"),
        message=f"Card {seen.card}, drawn in error and seen, was racked although {why}.",
        expected={"card": "dealt"},
        observed={"card": "racked"},
        sequences=(seen.sequence,),
    )

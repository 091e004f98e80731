"""Cards out of place: face up in the shoe, drawn in error, seen and refused (12(a)-(c), 13(a)-(c); A22, A44)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Loose
from processors.games.blackjack.action import dealer_must_draw, open_hands
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import BLACKJACK, SECTIONS
from schemas.events import CardDrawn, CardPlaced, CardRefused, CardsRacked, HoleCardRevealed, RoundEnded
from schemas.values import DEALER, UNKNOWN

_IRR = {ruleset: SECTIONS[ruleset]["irr"] for ruleset in BLACKJACK}


def _decides(*clauses: str) -> dict[str, tuple[str, ...]]:
    return {ruleset: tuple(f"{_IRR[ruleset]}{clause}" for clause in clauses) for ruleset in BLACKJACK}


def _loose(moment: Moment, where: str) -> Loose | None:
    return next((one for one in moment.table.shoe.loose if one.exposed == where), None)


@check(
    "exposed.boxed",
    decides=(
        "exposed.boxed_unused",
        "exposed.boxed_to_rack",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    turns_on=("cards",),
    reads=(CardDrawn, CardPlaced, CardsRacked, RoundEnded),
    alters=True,
    after=("exposed",),
)
def a_card_face_up_in_the_shoe_is_not_used(moment: Moment, data: object) -> Iterator[Judgment]:
    """A card found face up in the shoe goes to the rack before the next draw, and to no hand."""
    round_, rules = moment.play
    boxed = _loose(moment, "in_shoe")
    if boxed is None or f"loose:{boxed.sequence}" in round_.reported:
        return
    irr = _IRR[rules.name]
    if isinstance(data, CardsRacked):
        if data.reason == "boxed":
            yield UPHELD
        return
    if isinstance(data, CardPlaced):
        if data.card not in (boxed.card, UNKNOWN):
            return
        yield Breach(
            clauses=(f"{irr}(a)#1", f"{irr}(a)#2"),
            message=f"Card {boxed.card} lay face up in the shoe and was dealt to {data.hand}.",
            expected={"card": "racked"},
            observed={"dealt_to": data.hand},
            sequences=(boxed.sequence,),
            hand=data.hand,
            discriminator=f"loose:{boxed.sequence}",
        )
        return
    yield Breach(
        clauses=(f"{irr}(a)#2",),
        message=f"Card {boxed.card} lay face up in the shoe and was not racked before play went on.",
        expected={"card": "racked"},
        observed={"card": "left"},
        sequences=(boxed.sequence,),
        discriminator=f"loose:{boxed.sequence}",
    )


@check(
    "exposed.error",
    decides=(
        "exposed.unseen_error_next",
        "exposed.seen_error_dealt",
        "exposed.refused_to_rack",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    turns_on=("cards",),
    reads=(CardDrawn, CardsRacked, CardRefused, RoundEnded),
    alters=True,
    after=("loose", CardRefused, HoleCardRevealed),
)
def a_card_drawn_in_error_is_the_next_card(moment: Moment, data: object) -> Iterator[Judgment]:
    """A card drawn in error is the next one dealt; seen, refused and of no use to the dealer, it is racked."""
    round_, rules = moment.play
    seen = _loose(moment, "drawn_in_error")
    irr = _IRR[rules.name]
    if isinstance(data, RoundEnded):
        if seen is not None and f"loose:{seen.sequence}" not in round_.reported:
            yield Breach(
                clauses=(f"{irr}(c)#3",),
                message=f"Card {seen.card}, drawn in error and seen, was neither dealt nor racked.",
                expected={"card": "dealt or racked"},
                observed={"card": "left"},
                sequences=(seen.sequence,),
                discriminator=f"loose:{seen.sequence}",
            )
        return
    if isinstance(data, CardRefused):
        if seen is None and "error:refused" not in round_.reported:
            yield Breach(
                clauses=(f"{irr}(b)", f"{irr}(c)#1"),
                message=f"Seat {data.seat} refused a card, but none had been drawn in error and seen.",
                expected={"card_exposed": True},
                observed={"card_exposed": False},
                sequences=tuple(one.sequence for one in moment.table.shoe.loose),
                seat=data.seat,
                discriminator="error:refused",
            )
        return
    if isinstance(data, CardDrawn):
        if seen is not None and f"loose:{seen.sequence}" not in round_.reported:
            yield Breach(
                clauses=(f"{irr}(c)#1",),
                message=f"Card {seen.card} was drawn in error and seen; another card was drawn before it was dealt.",
                expected={"next_card": seen.card},
                observed={"drawn": data.card},
                sequences=(seen.sequence,),
                discriminator=f"loose:{seen.sequence}",
            )
        elif seen is None:
            yield from _passed_over(moment, irr)
        return
    yield from _racked(moment, data, seen, irr)


def _passed_over(moment: Moment, irr: str) -> Iterator[Judgment]:
    """A further card is drawn while one drawn unseen lies there, or after the dealer's had been racked as refused."""
    round_, rules = moment.play
    unseen = next(
        (one for one in moment.table.shoe.loose if one.card == UNKNOWN and not one.exposed and not one.seal),
        None,
    )
    if unseen is not None and f"loose:{unseen.sequence}" not in round_.reported:
        yield Breach(
            clauses=(f"{irr}(b)",),
            message="A card drawn in error and not seen lay there; another card was drawn before it was dealt.",
            expected={"card": "dealt next"},
            observed={"card": "left"},
            sequences=(unseen.sequence,),
            discriminator=f"loose:{unseen.sequence}",
        )
    dealer = round_.hands.get(DEALER)
    if round_.hole_revealed is None or dealer is None or len(dealer.cards) != 2 or open_hands(round_, rules):
        return
    refused = next((entry for entry in round_.racked if entry.reason == "refused"), None)
    if refused is None or refused.sequence > round_.hole_revealed or "error:useful" in round_.reported:
        return  # what is racked once the hole card shows is judged then
    yield Breach(
        clauses=(f"{irr}(c)#3", f"{irr}(c)#1"),
        message=f"The dealer draws, so he could use the card {' '.join(refused.cards)} that the players had refused; "
        "it was racked.",
        expected={"card": "dealt to the dealer"},
        observed={"card": "racked"},
        sequences=(refused.sequence,),
        hand=DEALER,
        discriminator="error:useful",
    )


def _racked(moment: Moment, data: object, seen: Loose | None, irr: str) -> Iterator[Judgment]:
    round_, rules = moment.play
    if not isinstance(data, CardsRacked):
        return
    unseen = next((one for one in moment.table.shoe.loose if not one.exposed), None)
    if data.reason == "refused" and seen is not None:
        total = moment.dealer.total
        refused = not open_hands(round_, rules)
        usable = (
            round_.hole_revealed is not None and total is not None and dealer_must_draw(round_, rules, total)
        )
        if not refused or usable:
            why = "the dealer could use it" if refused else "players who had not refused it still played"
            yield Breach(
                clauses=(f"{irr}(c)#1", f"{irr}(c)#3"),
                message=f"Card {seen.card}, drawn in error and seen, was racked although {why}.",
                expected={"card": "dealt"},
                observed={"card": "racked"},
                sequences=(seen.sequence,),
            )
        else:
            yield UPHELD
    elif unseen is not None and (
        (data.reason == "boxed" and _loose(moment, "in_shoe") is None)
        or (data.reason in ("accidental", "refused", "other") and _players_act(moment))
    ):
        yield Breach(
            clauses=(f"{irr}(b)",),
            message="A card drawn in error and not seen was racked; it is the next card to be dealt.",
            expected={"card": "dealt next"},
            observed={"card": "racked", "reason": data.reason},
            sequences=(unseen.sequence,),
            hand=DEALER,
        )


def _players_act(moment: Moment) -> bool:
    """Whether a card drawn now is a player's: after the action it is the dealer's, and judged with his play."""
    round_, rules = moment.play
    return round_.hole_revealed is None and bool(open_hands(round_, rules))

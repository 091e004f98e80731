"""The dealer's own hand: draws, stands, announcements (7(l)-(m), 685a.7(m), 12(d); readings A1, A8-A10, A18)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Round
from processors.games.blackjack.action import dealer_must_draw, live_hands, push22_open
from processors.games.blackjack.rules import BlackjackRules
from processors.games.totals import count
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import BLACKJACK
from processors.law.duties.reader.masque import wrong_range
from schemas.events import (
    CardDrawn,
    CardPlaced,
    CardsRacked,
    DealerTotalAnnounced,
    HoleCardRevealed,
    LammerCollected,
    RoundEnded,
    WagerSettled,
)
from schemas.values import DEALER

_DRAW = {"free_bet_590": "590.7(l)#1", "free_bet_672a": "672a.7(l)#1", "down_under_685a": "685a.7(m)#1"}
_FACE_UP = {"free_bet_590": "590.7(l)#2", "free_bet_672a": "672a.7(l)#2", "down_under_685a": "685a.7(m)#2"}
_SAID = {"free_bet_590": "590.7(l)#3", "free_bet_672a": "672a.7(l)#3", "down_under_685a": "685a.7(m)#3"}
_NO_DRAW = {"free_bet_590": "590.7(m)", "free_bet_672a": "672a.7(m)#1"}
_MUST_DRAW = {"free_bet_672a": "672a.7(m)#2", "free_bet_590": "590.7(l)#1", "down_under_685a": "685a.7(m)#1"}
_DRAWN_OUT = {"free_bet_590": "590.7(n)", "free_bet_672a": "672a.7(n)", "down_under_685a": "685a.7(n)"}
_ACCIDENT = {"free_bet_590": "590.13(d)", "free_bet_672a": "672a.12(d)", "down_under_685a": "685a.12(d)"}


def _all(*tables: dict[str, str]) -> dict[str, tuple[str, ...]]:
    return {
        ruleset: tuple(dict.fromkeys(table[ruleset] for table in tables if ruleset in table))
        for ruleset in BLACKJACK
    }


def drawn_out(round_: Round) -> bool:
    """Whether the dealer's further cards come now: the hole card shows and the first deal is over."""
    dealer = round_.hands.get(DEALER)
    return round_.hole_revealed is not None and dealer is not None and len(dealer.cards) >= 2


@check(
    "action.dealer_draws",
    decides=(
        "action.dealer_draws_to_17", "action.dealer_cards_face_up", "action.dealer_draws_without_need",
        "exposed.dealer_accident",
    ),
    formerly="dealer.draws",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(CardPlaced,),
    alters=True,
    follows=True,
    readings=("A1", "A8", "A9"),
    after=(HoleCardRevealed,),
)  # fmt: skip
def the_dealer_draws_only_as_ruled(moment: Moment, data: CardPlaced) -> Iterator[Judgment]:
    """The dealer takes a card below 17 while the round turns on it, face up, and none on a standing total."""
    round_, rules = moment.play
    if data.hand != DEALER or not drawn_out(round_):
        return
    total = moment.dealer.total
    if total is None:
        return
    if not data.face_up:
        yield _dealt(
            rules, (_FACE_UP[rules.name],), "The dealer's card was drawn face down.", total, data.card
        )
    elif total >= rules.stands_from:
        clauses = (_DRAW[rules.name], _ACCIDENT[rules.name])
        yield _dealt(
            rules, clauses, f"The dealer had {total} and took another card into his hand.", total, data.card
        )
    elif not dealer_must_draw(round_, rules, total):
        message = (
            f"The dealer drew on {total} though no live hand or side wager was left for his count to decide."
        )
        yield _dealt(rules, (_NO_DRAW[rules.name],), message, total, data.card)
    else:
        yield UPHELD


def _dealt(rules: BlackjackRules, clauses: tuple[str, ...], message: str, total: int, card: str) -> Breach:
    return Breach(
        clauses=clauses,
        message=message,
        expected={"stands_from": rules.stands_from},
        observed={"total": total, "card": card},
        hand=DEALER,
    )


@check(
    "action.dealer_stands",
    decides=(
        "action.dealer_draws_to_17",
        "action.dealer_draws_for_push22",
        "settlement.after_dealer_stands",
    ),
    formerly="dealer.stands",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(WagerSettled, LammerCollected, RoundEnded),
    alters=True,
    follows=True,
    readings=("A1", "A8", "A10", "A9"),
    after=(HoleCardRevealed,),
)
def the_dealer_draws_to_seventeen(
    moment: Moment, data: WagerSettled | LammerCollected | RoundEnded
) -> Iterator[Judgment]:
    """Before wagers are settled on it the dealer's hand is drawn to 17 or more, unless it decides nothing."""
    round_, rules = moment.play
    total = moment.dealer.total
    if (
        not drawn_out(round_)
        or total is None
        or moment.dealer.blackjack
        or "dealer:stands" in round_.reported
    ):
        return
    if not isinstance(data, RoundEnded) and not _turns_on_the_dealer(round_, data):
        return
    if isinstance(data, RoundEnded):
        must = total < rules.stands_from and (bool(live_hands(round_, rules)) or rules.down_under)
    else:
        must = dealer_must_draw(round_, rules, total)
    if not must or round_.voided is not None:
        if total >= rules.stands_from and round_.voided is None:
            yield UPHELD
        return
    if rules.down_under and rules.readings["A10"] == "optional" and not live_hands(round_, rules):
        return
    if rules.down_under and _owes_a_remedy(round_, rules, moment.dealer.cards[round_.hole_index]):
        return
    only_push22 = not live_hands(round_, rules) and not rules.down_under
    settled = () if isinstance(data, RoundEnded) else (_DRAWN_OUT[rules.name],)
    yield Breach(
        clauses=(_MUST_DRAW[rules.name] if only_push22 else _DRAW[rules.name], *settled),
        message=f"The dealer stopped at {total}; he draws to {rules.stands_from}"
        + (" to decide the Push 22 wagers." if only_push22 else "."),
        expected={"at_least": rules.stands_from},
        observed={"total": total, "push22_open": push22_open(round_)},
        sequences=tuple(round_.hands[DEALER].sequences),
        severity="minor" if rules.down_under and not live_hands(round_, rules) else None,
        hand=DEALER,
        discriminator="dealer:stands",
    )


def _owes_a_remedy(round_: Round, rules: BlackjackRules, hole: str) -> bool:
    """Whether a hand still waits for what 12(h) orders after a wrong light: that comes before the draw."""
    waits = any(hand.continued is None for hand in live_hands(round_, rules))
    return waits and wrong_range(round_, hole) is not None


def _turns_on_the_dealer(round_: Round, data: WagerSettled | LammerCollected) -> bool:
    """Whether the stake is settled on the dealer's final count (not a bust, Blackjack, dead hand or the like)."""
    if isinstance(data, LammerCollected):
        own = round_.hands.get(data.hand)
        points = count(own.cards) if own is not None and own.voided is None else None
        return points is not None and points[0] <= 21 and data.kind != "envy"
    if data.kind == "push22":
        return True
    if data.kind in ("insurance", "match_dealer"):
        return False
    hand = round_.hands.get(data.hand or f"{data.seat}.1")
    if hand is None or hand.voided is not None or hand.continued is not None:
        return False
    counted = count(hand.cards)
    unsplit_two = len(hand.cards) == 2 and hand.split_at is None
    return counted is not None and counted[0] <= 21 and not (unsplit_two and counted[0] == 21)


@check(
    "action.dealer_drawn",
    decides=(
        "action.dealer_draws_to_17",
        "exposed.dealer_accident",
    ),
    formerly="dealer.drawn",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
        "rack",
    ),
    turns_on=("cards",),
    reads=(CardDrawn, DealerTotalAnnounced, WagerSettled, RoundEnded),
    alters=True,
    follows=True,
    readings=("A1",),
    after=(HoleCardRevealed,),
)
def a_card_the_dealer_drew_is_laid_down_or_racked(moment: Moment, data: object) -> Iterator[Judgment]:
    """A card drawn for the dealer goes to his hand, or where he stands already to the rack, before the next step."""
    round_, rules = moment.play
    if not drawn_out(round_) or moment.dealer.blackjack:
        return
    if not moment.table.shoe.loose:
        if isinstance(data, DealerTotalAnnounced):
            yield UPHELD
        return
    shown = round_.hole_revealed or 0
    loose = next((one for one in moment.table.shoe.loose if not one.exposed and one.sequence > shown), None)
    if loose is None or f"loose:{loose.sequence}" in round_.reported:
        return
    total = moment.dealer.total
    stands = total is not None and total >= rules.stands_from
    where = "to the rack, for he stood" if stands else "into his hand"
    yield Breach(
        clauses=(_ACCIDENT[rules.name],) if stands else (_DRAW[rules.name],),
        message=f"Card {loose.card}, which the dealer drew on {total}, did not go {where}.",
        expected={"card": "racked" if stands else "laid to the dealer's hand"},
        observed={"card": loose.card, "total": total},
        sequences=(loose.sequence,),
        hand=DEALER,
        discriminator=f"loose:{loose.sequence}",
    )


@check(
    "action.dealer_announces",
    decides=("action.dealer_announces",),
    formerly="dealer.announces",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(DealerTotalAnnounced, CardDrawn, WagerSettled, RoundEnded),
    follows=True,
    readings=("A1",),
    after=(HoleCardRevealed,),
)
def the_dealer_announces_each_total(moment: Moment, data: object) -> Iterator[Judgment]:
    """After each card he draws, the dealer announces his total, and the right one."""
    round_, rules = moment.play
    if not drawn_out(round_) or moment.dealer.total is None:
        return
    dealer = round_.hands[DEALER]
    last = dealer.sequences[-1] if dealer.sequences else 0
    key = f"said:{last}"
    if type(data) is DealerTotalAnnounced:
        if data.total == moment.dealer.total:
            yield UPHELD
        else:
            yield Breach(
                clauses=(_SAID[rules.name],),
                message=f"The dealer announced {data.total}; his cards count {moment.dealer.total}.",
                expected={"total": moment.dealer.total},
                observed={"total": data.total},
                sequences=tuple(dealer.sequences),
                hand=DEALER,
                discriminator=key,
            )
        return
    if last < (round_.hole_revealed or 0) or len(dealer.cards) < 3 or key in round_.reported:
        return
    if round_.last(DealerTotalAnnounced) > last:
        return
    yield Breach(
        clauses=(_SAID[rules.name],),
        message=f"The dealer drew {dealer.cards[-1]} and did not announce his total of {moment.dealer.total}.",
        expected={"announced": moment.dealer.total},
        observed={"announced": None},
        sequences=(last,),
        hand=DEALER,
        discriminator=key,
    )


@check(
    "action.dealer_accident",
    decides=(
        "action.dealer_draws_to_17",
        "exposed.dealer_accident",
    ),
    formerly="dealer.accident",
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(CardsRacked,),
    alters=True,
    follows=True,
    readings=("A1", "A18", "A8", "A9"),
    after=(HoleCardRevealed,),
)
def only_a_card_too_many_is_racked_as_accidental(moment: Moment, data: CardsRacked) -> Iterator[Judgment]:
    """A card the dealer drew is racked unused only if he stood already or his count decided nothing."""
    round_, rules = moment.play
    if data.reason != "accidental" or not drawn_out(round_):
        return
    total = moment.dealer.total
    if total is None:
        return
    if dealer_must_draw(round_, rules, total):
        yield Breach(
            clauses=(_ACCIDENT[rules.name], _DRAW[rules.name]),
            message=f"The dealer had {total} and needed the card that was racked as accidental.",
            expected={"card": "counts in the dealer's hand"},
            observed={"racked": list(data.cards), "total": total},
            hand=DEALER,
        )
    elif total > rules.stands_from and rules.readings["A18"] == "seventeen":
        message = (
            f"The dealer stood on {total} and drew a card; only at {rules.stands_from} may it be set aside."
        )
        yield _dealt(rules, (_DRAW[rules.name],), message, total, data.cards[0] if data.cards else "")
    else:
        yield UPHELD

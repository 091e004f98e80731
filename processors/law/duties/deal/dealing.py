"""The first deal, and who touches the cards (7(b), 7(e), 7(t); 12(e), 12(g), 13(e), 13(g), 685a.12(f); A22, A23)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Round, seat_of
from processors.games.blackjack.rules import BlackjackRules
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import BLACKJACK, SECTIONS
from schemas.events import (
    BlackjackAnnounced,
    CardDrawn,
    CardPlaced,
    CardsHandled,
    HoleCardRead,
    HoleCardRevealed,
    InsuranceOffered,
    PlayerDecision,
    PlayerRequest,
    RoundEnded,
    WagerSettled,
)
from schemas.values import DEALER

_NO_CARD = {"free_bet_590": "590.13(g)", "free_bet_672a": "672a.12(g)", "down_under_685a": "685a.12(f)"}
_MISSED = {"free_bet_590": "590.13(e)", "free_bet_672a": "672a.12(e)"}


def _seven(*clauses: str) -> dict[str, tuple[str, ...]]:
    return {
        ruleset: tuple(f"{SECTIONS[ruleset]['ch']}.7{clause}" for clause in clauses) for ruleset in BLACKJACK
    }


@check(
    "deal.hands",
    decides=(
        "deal.shoe_hand_draws",
        "deal.nearest_positions",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    reads=(CardDrawn, CardPlaced),
)
def cards_are_drawn_and_laid_with_the_right_hands(
    moment: Moment, data: CardDrawn | CardPlaced
) -> Iterator[Judgment]:
    """The hand nearer the shoe draws, the other lays the card down, but for the two positions nearest the shoe.

    Which end of the table the shoe stands at is not on record, so the two positions at either end may have it.
    """
    _, rules = moment.play
    if isinstance(data, CardDrawn):
        if data.from_hand != "other":
            if data.from_hand:
                yield UPHELD
            return
        clause, hand, message = "(b)#1", None, "A card was drawn with the hand farther from the shoe."
    else:
        if data.by_hand != "shoe_side":
            if data.by_hand:
                yield UPHELD
            return
        seats = moment.table.config.seats if moment.table.config is not None else 0
        seat = seat_of(data.hand)
        if seat in (1, 2, seats - 1, seats):
            return
        clause, hand = "(b)#2", data.hand
        message = (
            f"The card of {data.hand} was laid down with the hand that draws; only the two positions nearest the "
            "shoe may have that."
        )
    clauses = (f"{rules.chapter}.7{clause}", f"{rules.chapter}.7(b)#1")
    yield Breach(
        clauses=tuple(dict.fromkeys(clauses)),
        message=message,
        expected={"draws": "shoe_side", "places": "other"},
        observed={"hand": "other" if isinstance(data, CardDrawn) else "shoe_side"},
        hand=hand,
    )


FIRST_HANDS = {seat: f"{seat}.1" for seat in range(1, 10)}


def wagered_seats(round_: Round) -> list[int]:
    """Seats with a main wager that was down before the first card, ascending."""
    first = round_.first_card
    seats = [
        stake.seat
        for stake in round_.stakes.values()
        if stake.kind == "main" and stake.cents and (first is None or stake.placed < first)
    ]
    seats.sort()
    return seats


def deal_is_over(round_: Round) -> bool:
    """Whether the dealer has his second card, with which the first deal ends."""
    dealer = round_.hands.get(DEALER)
    return dealer is not None and len(dealer.cards) >= 2


@check(
    "deal.order",
    decides=(
        "wagers.main_required", "deal.clockwise", "deal.first_pass", "deal.dealer_first_card",
        "deal.second_pass", "deal.dealer_second_card", "deal.dealer_skipped", "deal.hand_with_one_card",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    reads=(CardPlaced,),
    alters=True,
    follows=True,
    before=("dealt",),
)  # fmt: skip
def the_first_deal_goes_clockwise_in_two_passes(moment: Moment, data: CardPlaced) -> Iterator[Judgment]:
    """One card up to each wagered box, one up to the dealer, a second up to each box, the dealer's second face down."""
    round_, rules = moment.play
    if deal_is_over(round_):
        return
    seats = wagered_seats(round_)
    if _is_next(round_, data, seats):
        yield UPHELD
        return
    fault = _fault(round_, rules, data, seats)
    if fault is None:
        yield UPHELD
        return
    clauses, message = fault
    spot = _next_spot(round_, seats)
    yield Breach(
        clauses=clauses,
        message=message,
        expected={"next": spot, "face_up": not (spot == DEALER and _held(round_, DEALER))},
        observed={"next": data.hand, "face_up": data.face_up},
        seat=(seat_of(data.hand) or None) if f"{rules.chapter}.6(d)" in clauses else None,
        hand=data.hand,
    )


def _is_next(round_: Round, data: CardPlaced, seats: list[int]) -> bool:
    """Whether the card goes just where a deal with nothing out of the ordinary has it, the right way up."""
    order = [*(FIRST_HANDS[seat] for seat in seats), DEALER]
    hands = round_.hands
    held = [len(hands[spot].cards) if spot in hands else 0 for spot in order]
    passes, place = divmod(sum(held), len(order))
    if passes >= 2 or held != [passes + 1] * place + [passes] * (len(order) - place):
        return False
    if data.hand != order[place] or _dead(round_, data.hand):
        return False
    return data.face_up != (passes == 1 and data.hand == DEALER)


def _held(round_: Round, spot: str) -> int:
    hand = round_.hands.get(spot)
    return len(hand.cards) if hand is not None else 0


def _next_spot(round_: Round, seats: list[int]) -> str:
    for wanted in (0, 1):
        for seat in seats:
            if _held(round_, f"{seat}.1") == wanted:
                return f"{seat}.1"
        if _held(round_, DEALER) == wanted:
            return DEALER
    return DEALER


def _dead(round_: Round, spot: str) -> bool:
    hand = round_.hands.get(spot)
    return hand is not None and hand.voided is not None


def _fault(
    round_: Round, rules: BlackjackRules, data: CardPlaced, seats: list[int]
) -> tuple[tuple[str, ...], str] | None:
    chapter = f"{rules.chapter}.7(e)"
    if data.hand == DEALER:
        return _dealer_fault(round_, rules, data, seats, chapter)
    seat = seat_of(data.hand)
    if data.hand != f"{seat}.1" or seat not in seats:
        return (
            f"{chapter}(1)",
            f"{rules.chapter}.6(d)",
        ), f"Box {data.hand} was dealt a card without a main wager."
    held = _held(round_, data.hand)
    clause = f"{chapter}({'1' if held == 0 else '3'})"
    if not data.face_up:
        return (clause,), f"Hand {data.hand} was dealt its card face down."
    if _dead(round_, data.hand):
        return (f"{_NO_CARD[rules.name]}#1",), f"The dead hand {data.hand} was dealt a card."
    if held >= 2:
        return (
            f"{chapter}#2",
            f"{chapter}(3)",
        ), f"Hand {data.hand} was dealt a third card in the first deal."
    if held == 0 and _held(round_, DEALER):
        return (
            f"{chapter}#2",
            clause,
            f"{chapter}(2)",
        ), f"Seat {seat} got its first card after the dealer had his."
    ahead = [other for other in seats if other > seat and _held(round_, f"{other}.1") > held]
    if ahead and not (held == 1 and _asked_for_second(round_, seat, seats)):
        late = (f"{_NO_CARD[rules.name]}#2",) if held == 1 else ()
        return (
            f"{chapter}#2",
            clause,
            *late,
        ), f"Seat {seat} was dealt after seat {ahead[0]}; the deal goes clockwise."
    behind = [
        other
        for other in seats
        if other < seat and _held(round_, f"{other}.1") < held and not _dead(round_, f"{other}.1")
    ]
    if held == 1 and _held(round_, DEALER) == 0 and rules.down_under:
        return (f"{chapter}(2)",), f"Seat {seat} was dealt its second card before the dealer had his first."
    if behind and held == 1 and _held(round_, f"{behind[0]}.1") == 0:
        return None  # no card in the first pass: the hand is dead, which is judged when the deal is over
    lagging = [other for other in seats if other > seat and _held(round_, f"{other}.1") < held]
    if held == 1 and [other for other in lagging if not _skipped_in_first_pass(round_, other, seats)]:
        return (
            f"{chapter}#2",
            f"{chapter}(1)",
        ), f"Seat {seat} was dealt its second card before seat {lagging[0]} had one."
    return None


def _skipped_in_first_pass(round_: Round, seat: int, seats: list[int]) -> bool:
    """Whether the pass has gone over the seat: the dealer or a later seat has had its card."""
    return _held(round_, DEALER) > 0 or any(other > seat and _held(round_, f"{other}.1") for other in seats)


def _asked_for_second(round_: Round, seat: int, seats: list[int]) -> bool:
    """A player with one card may have his second once all others have theirs (12(g), 13(g), 685a.12(f))."""
    others = all(
        _held(round_, f"{other}.1") >= 2 or _dead(round_, f"{other}.1") or not _held(round_, f"{other}.1")
        for other in seats
        if other != seat
    )
    asked = any(
        entry.data.seat == seat and entry.data.wish == "second_card" for entry in round_.told(PlayerRequest)
    )
    return others and asked


def _dealer_fault(
    round_: Round, rules: BlackjackRules, data: CardPlaced, seats: list[int], chapter: str
) -> tuple[tuple[str, ...], str] | None:
    held = _held(round_, DEALER)
    live = [f"{seat}.1" for seat in seats if not _dead(round_, f"{seat}.1")]
    counts = [_held(round_, spot) for spot in live]
    if held == 0:
        if not data.face_up:
            return (f"{chapter}(2)",), "The dealer's first card was dealt face down."
        begun = [count for count in counts if count]
        second_pass = any(count > 1 for count in counts)
        if second_pass and rules.down_under:
            return (f"{chapter}(2)",), "The dealer took his first card after the second pass had begun."
        if second_pass and any(count < 2 for count in begun):
            return (
                _MISSED[rules.name],
                f"{chapter}(2)",
            ), "The dealer caught up on his missed card within the second pass."
        if seats and not _held(round_, f"{seats[-1]}.1") and not second_pass:
            later = [seat for seat in seats if not _held(round_, f"{seat}.1")]
            if len(later) > 1 or len(seats) == 1:
                return (
                    f"{chapter}(2)",
                    f"{chapter}(1)",
                ), f"The dealer took his first card before seat {later[0]} had one."
        return None
    if data.face_up:
        return (f"{chapter}(4)", f"{rules.chapter}.7(g)#2" if not rules.down_under else "685a.7(h)#2"), (
            "The dealer's second card was dealt face up."
        )
    lacking = [spot for spot, count in zip(live, counts, strict=True) if count == 1]
    if len(lacking) > 1 or (lacking and len(live) == 1):
        return (
            f"{chapter}(4)",
            f"{chapter}(3)",
        ), f"The dealer took his second card before hand {lacking[0]} had its second."
    return None


def _play_has_begun(round_: Round) -> bool:
    """Whether insurance, reader, reveal or a decision has come already, so that the deal was judged before."""
    return (
        round_.insurance_offered is not None
        or round_.reader is not None
        or round_.hole_revealed is not None
        or any(hand.decisions for hand in round_.hands.values())
    )


def _settles_an_undealt_hand(round_: Round, data: WagerSettled) -> bool:
    spot = f"{data.seat}.1"
    undealt = _held(round_, spot) < 2 and not _dead(round_, spot)
    if data.kind == "match_dealer":
        return undealt or _held(round_, DEALER) < 2
    return data.kind == "main" and undealt


@check(
    "deal.complete",
    decides=(
        "deal.first_pass", "deal.second_pass", "deal.dealer_second_card", "deal.hand_without_cards",
        "deal.hand_with_one_card",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    reads=(
        InsuranceOffered,
        HoleCardRead,
        PlayerDecision,
        BlackjackAnnounced,
        HoleCardRevealed,
        WagerSettled,
    ),
    alters=True,
    follows=True,
    before=(InsuranceOffered, HoleCardRead, PlayerDecision),
)  # fmt: skip
def every_box_was_dealt_or_is_dead(moment: Moment, data: object) -> Iterator[Judgment]:
    """When play goes on after the deal, each wagered box has its two cards, or its hand was called dead (12(g))."""
    round_, rules = moment.play
    if "deal:complete" in round_.reported or _play_has_begun(round_):
        return
    if isinstance(data, WagerSettled) and not _settles_an_undealt_hand(round_, data):
        return
    chapter = f"{rules.chapter}.7(e)"
    for seat in wagered_seats(round_):
        spot = f"{seat}.1"
        held = _held(round_, spot)
        if held >= 2 or _dead(round_, spot):
            continue
        number = "#1" if held == 0 else "#2"
        yield Breach(
            clauses=(f"{chapter}({'1' if held == 0 else '3'})", f"{_NO_CARD[rules.name]}{number}"),
            message=f"Play went on though hand {spot} has {'no' if held == 0 else 'one'} card and was not called dead.",
            expected={"cards": 2},
            observed={"cards": held},
            seat=seat,
            hand=spot,
            discriminator="deal:complete",
        )
        return
    if _held(round_, DEALER) < 2:
        yield Breach(
            clauses=(f"{chapter}(4)",),
            message="Play went on before the dealer had his two cards.",
            expected={"cards": 2},
            observed={"cards": _held(round_, DEALER)},
            hand=DEALER,
            discriminator="deal:complete",
        )
        return
    yield UPHELD


@check(
    "deal.cards_handled",
    decides=("deal.cards_not_handled",),
    formerly="cards.handled",
    reads=(CardsHandled, RoundEnded),
    in_round=False,
)
def only_the_dealer_touches_the_cards(moment: Moment, data: CardsHandled | RoundEnded) -> Iterator[Judgment]:
    """Players and spectators do not handle the cards in play."""
    config = moment.table.config
    if config is None:
        return
    if isinstance(data, RoundEnded):
        if moment.round is None or not moment.round.told(CardsHandled):
            yield UPHELD
        return
    yield Breach(
        clauses=(f"{SECTIONS[config.ruleset]['ch']}.7(t)",),
        message=f"A {data.by} handled the cards of hand {data.hand}.",
        expected={"handled_by": "dealer"},
        observed={"handled_by": data.by},
        hand=data.hand,
    )

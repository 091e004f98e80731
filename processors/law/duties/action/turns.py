"""Turns of the action: hands called dead, the hole card shown, Blackjacks paid (7(h)(1), 7(k), 12(g), 12(h))."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from processors.core.folding.wagers import stake_key
from processors.core.state import Hand, seat_of
from processors.games.blackjack.action import (
    WANTS_A_CARD,
    is_missed,
    open_hands,
    unfinished_before,
    waits_for_card,
)
from processors.games.blackjack.hands import has_blackjack, is_split, player_hands, total_of
from processors.games.blackjack.rules import BlackjackRules
from processors.games.blackjack.rulings import Open, rule_lammer
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import clauses_of
from processors.law.duties.action.decisions import CLAUSE, lacks_its_double
from processors.law.duties.deal.dealing import deal_is_over
from processors.law.duties.reader.masque import wrong_range
from processors.law.duties.reader.reader import ACTION
from schemas.events import (
    BlackjackAnnounced,
    CardPlaced,
    CardsRacked,
    CardsTucked,
    HandVoided,
    HoleCardRevealed,
    LammerCollected,
    PlayerDecision,
    PlayerRequest,
    RoundEnded,
    WagerSettled,
)
from schemas.values import DEALER

_UNSEEN = "void:unseen"


@check(
    "action.void",
    decides=(
        "deal.hand_with_one_card", "reader.wrong_range_remedied", "action.missed_card_choice",
        "action.hole_card_turned",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(HandVoided,),
    alters=True,
    follows=True,
)  # fmt: skip
def hands_are_called_dead_only_with_reason(moment: Moment, data: HandVoided) -> Iterator[Judgment]:
    """A hand is dead with no card, with one card or a missed card by the player's choice, or after a wrong light."""
    round_, rules = moment.play
    hand = round_.hands.get(data.hand)
    if hand is None or not hand.cards:
        yield UPHELD
        return
    wish = any(
        entry.data.seat == hand.seat and entry.data.wish == "dead_hand"
        for entry in round_.told(PlayerRequest)
    )
    if (len(hand.cards) == 1 or is_missed(hand)) and wish:
        yield UPHELD
        return
    shown = moment.dealer.cards[round_.hole_index] if round_.hole_revealed is not None else "??"
    if rules.down_under and wrong_range(round_, shown) is not None:
        yield UPHELD
        return
    one = len(hand.cards) == 1
    clause = CLAUSE[rules.name]["missed"]
    number = f"{clause}#1"
    if one:
        number = {
            "free_bet_590": "590.13(g)#2",
            "free_bet_672a": "672a.12(g)#2",
            "down_under_685a": "685a.12(f)#2",
        }[rules.name]
    unseen = rules.down_under and round_.hole_revealed is None and not one and not is_missed(hand)
    if unseen and _UNSEEN in round_.reported:
        return  # what was wrong with light or area nobody could see: said once, not for every hand
    light = ("685a.12(h)#1",) if rules.down_under and round_.hole_revealed is not None else ()
    yield Breach(
        clauses=(number, *(("685a.12(h)#1", "685a.7(l)") if unseen else light)),
        message=f"Hand {hand.name} was called dead without the player's choice on record.",
        expected={"wish": "dead_hand"},
        observed={"wish": None, "cards": list(hand.cards)},
        seat=hand.seat,
        hand=hand.name,
        discriminator=_UNSEEN if unseen else "",
    )


@check(
    "action.reveal",
    decides=(
        "action.choices", "action.cards_as_decided", "action.one_card_on_double", "action.hole_card_revealed",
        "action.doubled_card_dealt", "action.split_hands_in_turn", "action.split_hand_played",
        "action.missed_card_choice", "action.hole_card_turned", "action.one_card_on_doubled_hand",
        "settlement.after_dealer_stands",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(HoleCardRevealed, CardPlaced, WagerSettled, LammerCollected, CardsRacked, RoundEnded),
    alters=True,
    follows=True,
    after=("dealt", HoleCardRevealed),
)  # fmt: skip
def the_hole_card_is_shown_when_all_have_played(moment: Moment, data: object) -> Iterator[Judgment]:
    """The hole card is turned up after every player's decisions and cards, before the dealer plays, in every round."""
    round_, rules = moment.play
    if round_.hole_revealed is not None and not rules.down_under:
        return
    if isinstance(data, HoleCardRevealed):
        yield from _shown(moment)
        return
    if isinstance(data, CardPlaced | CardsRacked) and (data.hand != DEALER or not deal_is_over(round_)):
        return
    if isinstance(data, CardsRacked) and data.reason != "settled":
        return
    if round_.hole_revealed is not None:
        if isinstance(data, CardPlaced | WagerSettled):
            yield from _played_to_the_end(moment, data)
        return
    if round_.voided is not None or not deal_is_over(round_) or "action:reveal" in round_.reported:
        return
    moved = isinstance(data, WagerSettled | LammerCollected)
    waits = isinstance(data, WagerSettled | LammerCollected) and _waits_for_the_dealer(moment, data)
    if moved and (not waits or open_hands(round_, rules)):
        return
    before: dict[type, str] = {
        CardPlaced: "he drew a card",
        WagerSettled: "a wager was settled",
        LammerCollected: "a lammer was taken",
        CardsRacked: "his cards were racked",
        RoundEnded: "the round ended",
    }
    yield Breach(
        clauses=(CLAUSE[rules.name]["reveal"], *(clauses_of(rules.name, "undecided") if waits else ())),
        message=f"The dealer had not turned up his hole card when {before[type(data)]}.",
        expected={"revealed": True},
        observed={"revealed": False},
        hand=DEALER,
        discriminator="action:reveal",
    )


def _waits_for_the_dealer(moment: Moment, data: WagerSettled | LammerCollected) -> bool:
    """Whether the stake or lammer is settled on the dealer's hand, which nobody has seen yet."""
    round_, rules = moment.play
    if isinstance(data, LammerCollected) or data.kind == "lammer":
        lammer = next((one for one in round_.lammers if one.hand == data.hand and one.kind != "envy"), None)
        if lammer is None:
            return False
        waits = rule_lammer(round_, lammer, moment.dealer, rules)
        return isinstance(waits, Open) and waits.waits_for == "the dealer's hand"
    stake = round_.stakes.get(stake_key(data.seat, data.kind, data.hand or None))
    if stake is None or stake.kind in ("insurance", "match_dealer"):
        return False
    decision = moment.due(stake)
    return isinstance(decision, Open) and decision.waits_for == "the dealer's hand"


def _shown(moment: Moment) -> Iterator[Judgment]:
    round_, rules = moment.play
    if round_.hole_revealed is not None or moment.dealer.blackjack:
        return
    if rules.down_under and not round_.told(*ACTION):
        return  # Large under Large is shown before the action; whether it may be, is judged with the Masque
    waiting = open_hands(round_, rules)
    if not waiting:
        yield UPHELD
        return
    yield _unfinished(waiting[0], rules, "The hole card was turned up")


def _played_to_the_end(moment: Moment, data: object) -> Iterator[Judgment]:
    """With the hole card shown before the action, every hand is finished before the dealer's count decides it."""
    round_, rules = moment.play
    if moment.dealer.blackjack or (isinstance(data, WagerSettled) and data.kind != "main"):
        return
    if isinstance(data, WagerSettled):
        hand = round_.hands.get(data.hand or f"{data.seat}.1")
        if hand is None or hand.voided is not None or hand.surrendered is not None or has_blackjack(hand):
            return
        if (total_of(hand) or 99) > 21:
            return
    waiting = open_hands(round_, rules)
    if waiting:
        yield _unfinished(waiting[0], rules, "The dealer went on")


def _unfinished(hand: Hand, rules: BlackjackRules, what: str) -> Breach:
    clause = CLAUSE[rules.name]
    missed = is_missed(hand)
    return Breach(
        clauses=(
            clause["reveal"],
            *((f"{clause['missed']}#1", clause["card"]) if missed else (clause["choice"],)),
            *lacks_its_double(hand, rules),
            *((clause["order"], clause["split_play"]) if is_split(hand) and not missed else ()),
        ),
        message=f"{what} while hand {hand.name} was unfinished.",
        expected={"finished": hand.name},
        observed={"cards": list(hand.cards), "waits_for_card": missed},
        sequences=tuple(hand.sequences[-1:]),
        seat=hand.seat,
        hand=hand.name,
        discriminator=f"open:{hand.name}",
    )


@check(
    "action.missed",
    decides=(
        "action.cards_as_decided", "action.one_card_on_double", "action.doubled_card_dealt",
        "action.missed_card_choice", "action.one_card_on_doubled_hand",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(WagerSettled, CardsRacked, CardsTucked),
    alters=True,
    follows=True,
    after=(PlayerDecision,),
)  # fmt: skip
def a_requested_card_comes_before_the_hand_is_settled(
    moment: Moment, data: WagerSettled | CardsRacked | CardsTucked
) -> Iterator[Judgment]:
    """A hand that asked for a card gets it, or is called dead, before its wager is settled or its cards are taken."""
    round_, rules = moment.play
    if isinstance(data, WagerSettled):
        if data.kind != "main":
            return
        hand = round_.hands.get(data.hand or f"{data.seat}.1")
    else:
        hand = round_.hands.get(data.hand)
    if hand is None or hand.voided is not None:
        return
    if waits_for_card(hand) is None:
        if any(kind in WANTS_A_CARD for kind, _ in hand.decisions):
            yield UPHELD
        return
    if f"open:{hand.name}" in round_.reported or moment.dealer.blackjack:
        return
    clause = CLAUSE[rules.name]
    yield Breach(
        clauses=(clause["card"], f"{clause['missed']}#1", *lacks_its_double(hand, rules)),
        message=f"Hand {hand.name} asked for a card and had none when the dealer settled it or took its cards.",
        expected={"card": "dealt, or the hand called dead"},
        observed={"cards": list(hand.cards)},
        sequences=tuple(hand.sequences[-1:]),
        seat=hand.seat,
        hand=hand.name,
        discriminator=f"open:{hand.name}",
    )


@check(
    "action.blackjack",
    decides=(
        "action.blackjack_is", "action.clockwise", "action.blackjack_paid_on_turn", "action.choices",
    ),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "wagers",
    ),
    turns_on=("cards",),
    reads=(BlackjackAnnounced, WagerSettled, PlayerDecision, HoleCardRevealed),
    alters=True,
    follows=True,
)  # fmt: skip
def blackjacks_are_announced_and_paid_in_turn(moment: Moment, data: object) -> Iterator[Judgment]:
    """When the turn reaches a Blackjack it is announced and paid, not before and not later."""
    round_, rules = moment.play
    clause = CLAUSE[rules.name]
    definition = f"{rules.chapter}.1:blackjack"
    if isinstance(data, BlackjackAnnounced):
        hand = round_.hands.get(data.hand)
        if hand is None or has_blackjack(hand) is False:
            yield _blackjack(
                hand, data.hand, (definition,), f"Hand {data.hand} was announced as a Blackjack and is none."
            )
            return
        if (other := unfinished_before(round_, hand, rules)) is not None:
            early = _blackjack(
                hand, hand.name, (clause["blackjack"], clause["turn"], clause["choice"]),
                f"The Blackjack of hand {hand.name} was announced while hand {other.name} was unfinished.",
            )  # fmt: skip
            yield replace(early, discriminator=f"open:{other.name}")
            return
        yield UPHELD
    if isinstance(data, WagerSettled):
        hand = round_.hands.get(data.hand or f"{data.seat}.1")
        if data.kind != "main" or data.outcome != "pay" or hand is None or not has_blackjack(hand):
            return
        if moment.dealer.blackjack is not False:
            return  # not due, or paid before it was known whether it is: judged with the settlement
        if hand.even_money is None and hand.announced is None and f"bj:{hand.name}" not in round_.reported:
            yield _blackjack(
                hand,
                hand.name,
                (clause["blackjack"],),
                f"The Blackjack of hand {hand.name} was paid unannounced.",
            )
        return
    if moment.dealer.blackjack or moment.dealer.blackjack is None:
        return
    turn = seat_of(data.hand) if isinstance(data, PlayerDecision | BlackjackAnnounced) else 99
    if round_.hole_revealed is not None and not rules.down_under:
        return
    if turn == 99 and any(key.startswith("open:") for key in round_.reported):
        return  # the hole card came too early, or a turn was passed over: that is told already
    if rules.down_under and turn == 99 and not round_.told(*ACTION):
        return  # the hole card is shown before the action
    for hand in player_hands(round_):
        if hand.seat >= turn or not has_blackjack(hand) or hand.even_money or hand.voided is not None:
            continue
        stake = round_.stakes.get(f"{hand.seat}:main:{hand.name}")
        if (
            stake is None
            or stake.moves
            or f"bj:{hand.name}" in round_.reported
            or hand.surrendered is not None
        ):
            continue
        yield _blackjack(
            hand,
            hand.name,
            (clause["blackjack"],),
            f"The Blackjack of hand {hand.name} was not paid in its turn.",
        )


def _blackjack(hand: Hand | None, name: str, clauses: tuple[str, ...], message: str) -> Breach:
    return Breach(
        clauses=clauses,
        message=message,
        expected={"blackjack": "announced and paid in its turn"},
        observed={"cards": list(hand.cards) if hand is not None else []},
        sequences=tuple(hand.sequences) if hand is not None else (),
        seat=seat_of(name),
        hand=name,
        discriminator=f"bj:{name}",
    )

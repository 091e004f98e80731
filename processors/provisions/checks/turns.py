"""Turns of the action: hands called dead, the hole card shown, Blackjacks paid (7(h)(1), 7(k), 12(g), 12(h))."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Hand
from processors.games.blackjack.action import (
    is_missed,
    open_hands,
    unfinished_before,
)
from processors.games.blackjack.hands import has_blackjack, player_hands
from processors.provisions.check import UPHELD, Breach, Judgment, Moment, check
from processors.provisions.checks.action import CLAUSE, decides
from processors.provisions.checks.dealing import deal_is_over
from schemas.events import (
    BlackjackAnnounced,
    HandVoided,
    HoleCardRevealed,
    PlayerDecision,
    PlayerRequest,
    RoundEnded,
    WagerSettled,
)
from schemas.values import DEALER


@check(
    "action.void",
    provisions={
        "free_bet_590": ("590.13(h)#1", "590.13(g)#2"),
        "free_bet_672a": ("672a.12(h)#1", "672a.12(g)#2"),
        "down_under_685a": ("685a.12(g)#1", "685a.12(f)#2", "685a.12(h)#1"),
    },
    reads=(HandVoided,),
    alters=True,
)
def hands_are_called_dead_only_with_reason(moment: Moment, data: HandVoided) -> Iterator[Judgment]:
    """A hand is dead with no card, with one card or a missed card by the player's choice, or after a wrong light."""
    round_, rules = moment.play
    hand = round_.hands.get(data.hand)
    if hand is None or not hand.cards:
        yield UPHELD
        return
    wish = any(
        isinstance(entry.data, PlayerRequest)
        and entry.data.seat == hand.seat
        and entry.data.wish == "dead_hand"
        for entry in round_.log
    )
    if (len(hand.cards) == 1 or is_missed(hand)) and wish:
        yield UPHELD
        return
    if rules.down_under and round_.hole_revealed is not None and round_.reader is not None:
        yield UPHELD  # whether the light was wrong is judged with the light
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
    yield Breach(
        clauses=(number,),
        message=f"Hand {hand.name} was called dead without the player's choice on record.",
        expected={"wish": "dead_hand"},
        observed={"wish": None, "cards": list(hand.cards)},
        seat=hand.seat,
        hand=hand.name,
    )


@check(
    "action.reveal",
    provisions=decides(
        "reveal", "choice", "card",
        free_bet_590=("590.13(h)#1",),
        free_bet_672a=("672a.12(h)#1",),
        down_under_685a=("685a.12(g)#1", "685a.7(h)#2"),
    ),
    reads=(HoleCardRevealed, RoundEnded),
    alters=True,
)  # fmt: skip
def the_hole_card_is_shown_when_all_have_played(moment: Moment, data: object) -> Iterator[Judgment]:
    """The hole card is turned up after every player's decisions and cards, and in every round."""
    round_, rules = moment.play
    clause = CLAUSE[rules.name]
    if isinstance(data, RoundEnded):
        if round_.hole_revealed is None and round_.voided is None and deal_is_over(round_):
            yield Breach(
                clauses=(clause["reveal"],),
                message="The round ended and the hole card was never turned up.",
                expected={"revealed": True},
                observed={"revealed": False},
                hand=DEALER,
            )
        return
    if round_.hole_revealed is not None or moment.dealer.blackjack:
        return
    if rules.down_under and round_.reader is not None and round_.reader[1] == "large":
        return  # Large under Large is shown before the action; the reading is judged with the Masque
    waiting = open_hands(round_, rules)
    if not waiting:
        yield UPHELD
        return
    hand = waiting[0]
    names = [clause["reveal"]]
    names.append(f"{clause['missed']}#1" if is_missed(hand) else clause["choice"])
    if is_missed(hand):
        names.append(clause["card"])
    yield Breach(
        clauses=tuple(names),
        message=f"The hole card was turned up while hand {hand.name} was unfinished.",
        expected={"open_hands": 0},
        observed={"open_hands": [other.name for other in waiting]},
        sequences=tuple(hand.sequences[-1:]),
        hand=hand.name,
    )


@check("action.blackjack", provisions={
    "free_bet_590": ("590.7(h)(1)#1", "590.7(h)", "590.1:blackjack"),
    "free_bet_672a": ("672a.7(h)(1)#1", "672a.7(h)", "672a.1:blackjack"),
    "down_under_685a": ("685a.7(i)(1)#1", "685a.7(i)", "685a.1:blackjack"),
}, reads=(BlackjackAnnounced, WagerSettled, PlayerDecision, HoleCardRevealed), follows=True)  # fmt: skip
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
        elif (other := unfinished_before(round_, hand, rules)) is not None:
            yield _blackjack(
                hand, hand.name, (clause["blackjack"], clause["turn"]),
                f"The Blackjack of hand {hand.name} was announced while hand {other.name} was unfinished.",
            )  # fmt: skip
        else:
            yield UPHELD
        return
    if isinstance(data, WagerSettled):
        hand = round_.hands.get(data.hand or f"{data.seat}.1")
        if data.kind != "main" or data.outcome != "pay" or hand is None or not has_blackjack(hand):
            return
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
    turn = int(data.hand[0]) if isinstance(data, PlayerDecision) else 99
    if round_.hole_revealed is not None and not rules.down_under:
        return
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
        seat=int(name[0]),
        hand=name,
        discriminator=f"bj:{name}",
    )

"""The cards of a hand paid in its turn leave the layout, or wait under a Push 22 wager (7(h)(1), 7(i)(1), 8(e))."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.state import Hand, Round, Stake
from processors.games.blackjack.hands import has_blackjack, player_hands
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.duties.reader.reader import ACTION
from processors.law.marks import PAID_HAND_MISPLACED
from schemas import events as e


def push22_open(round_: Round, hand: Hand) -> bool:
    """Whether a Push 22 wager of the hand's seat waits for its settlement."""
    stake = round_.stakes.get(f"{hand.seat}:push22")
    return stake is not None and not stake.moves


@check(
    "rack.blackjack", decides=("rack.blackjack_removed", "rack.blackjack_tucked"),
    reads=(*ACTION, e.HoleCardRevealed, e.CardDrawn, e.HoleCardRead, e.WagerSettled, e.CardsRacked),
    alters=True, follows=True, after=(e.WagerSettled,),
)  # fmt: skip
def a_paid_blackjack_leaves_the_layout(moment: Moment, data: object) -> Iterator[Judgment]:
    """The cards of a paid Blackjack are racked, or tucked under an open Push 22 wager, before the next step.

    Where the hole card showed before the action the next step may be another wager settled, or another hand racked.
    """
    round_, rules = moment.play
    own = ""
    if type(data) is e.WagerSettled or type(data) is e.CardsRacked:
        if round_.hole_revealed is None or not rules.profile.masque or moment.dealer.blackjack:
            return
        own = data.hand or (f"{data.seat}.1" if type(data) is e.WagerSettled else "")
    for stake in round_.stakes.values():
        if not stake.moves or stake.kind != "main":
            continue
        hand = round_.hands.get(stake.hand or "")
        if hand is None or hand.even_money or hand.name == own or PAID_HAND_MISPLACED.on(round_, hand.name):
            continue
        if not has_blackjack(hand) or not any(move.outcome == "pay" for move in stake.moves):
            continue
        tucks = rules.profile.free_bets and push22_open(round_, hand)
        role = "rack.blackjack_tucked" if tucks else "rack.blackjack_removed"
        yield _left(hand, stake, role, f"The Blackjack of hand {hand.name} was paid", tucks)


@check(
    "rack.even_money", decides=("rack.even_money_removed", "rack.even_money_tucked"),
    reads=(e.HoleCardRead, e.HoleCardRevealed, e.PlayerDecision), alters=True, follows=True,
    after=(e.EvenMoneyTaken,),
)  # fmt: skip
def cards_paid_even_money_leave_the_layout(moment: Moment, data: object) -> Iterator[Judgment]:
    """The cards of a hand paid even money are racked, or tucked under an open Push 22 wager, on payment."""
    round_, _ = moment.play
    for hand in player_hands(round_):
        stake = round_.main_stake(hand.seat, hand.name)
        if hand.even_money is None or stake is None or not stake.moves:
            continue
        if PAID_HAND_MISPLACED.on(round_, hand.name):
            continue
        tucks = push22_open(round_, hand)
        role = "rack.even_money_tucked" if tucks else "rack.even_money_removed"
        yield _left(hand, stake, role, f"Hand {hand.name} was paid even money", tucks)


def _left(hand: Hand, stake: Stake, role: str, paid: str, tucks: bool) -> Judgment:
    if hand.racked or hand.tucked:
        return UPHELD
    kept = "tucked under the Push 22 wager" if tucks else "taken off the layout"
    return Breach(
        roles=(role,),
        message=f"{paid}, but its cards were not {kept}.",
        expected={"cards": "tucked under push22" if tucks else "racked"},
        observed={"cards": "on the layout"},
        sequences=(stake.moves[-1].sequence,),
        seat=hand.seat,
        hand=hand.name,
        discriminator=PAID_HAND_MISPLACED.of(hand.name),
        unheard=None if tucks else "rack",
    )

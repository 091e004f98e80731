"""A player's Blackjack: announced and paid when the turn reaches it."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from processors.core.state import Hand, Round, hand_named, seat_of
from processors.games.blackjack.action import unfinished_before
from processors.games.blackjack.hands import has_blackjack, player_hands
from processors.law.check import UPHELD, Breach, Judgment, Moment, Said, check, of
from processors.law.duties.reader.reader import ACTION
from processors.law.marks import BLACKJACK_AMISS, UNFINISHED
from schemas.events import BlackjackAnnounced, HoleCardRevealed, PlayerDecision, WagerSettled


@check(
    "action.blackjack",
    decides=("action.blackjack_is", "action.clockwise", "action.blackjack_paid_on_turn", "action.choices"),
    reads=(BlackjackAnnounced, of(WagerSettled, "main"), PlayerDecision, HoleCardRevealed), alters=True, follows=True,
    unheard="console",
)  # fmt: skip
def blackjacks_are_announced_and_paid_in_turn(moment: Moment, data: object) -> Said:
    """When the turn reaches a Blackjack it is announced and paid, not before and not later."""
    if type(data) is WagerSettled:
        return _paid(moment, data)
    if type(data) is BlackjackAnnounced:
        announced = _announced(moment, data)
        if isinstance(announced, Breach):
            return announced
        return [announced, *_passed_over(moment, seat_of(data.hand))]
    if type(data) is PlayerDecision:
        return _passed_over(moment, seat_of(data.hand))
    return _passed_over(moment, None)


def _announced(moment: Moment, data: BlackjackAnnounced) -> Judgment:
    round_, rules = moment.play
    hand = round_.hands.get(data.hand)
    if hand is None or has_blackjack(hand) is False:
        message = f"Hand {data.hand} was announced as a Blackjack and is none."
        return _amiss(hand, data.hand, message, ("action.blackjack_is",))
    other = unfinished_before(round_, hand, rules)
    if other is None:
        return UPHELD
    message = f"The Blackjack of hand {hand.name} was announced while hand {other.name} was unfinished."
    roles = ("action.blackjack_paid_on_turn", "action.clockwise", "action.choices")
    return replace(_amiss(hand, hand.name, message, roles), discriminator=UNFINISHED.of(other.name))


def _paid(moment: Moment, data: WagerSettled) -> Breach | None:
    round_, _ = moment.play
    hand = round_.hands.get(hand_named(data.seat, data.hand))
    if data.outcome != "pay" or hand is None or not has_blackjack(hand):
        return None
    if moment.dealer.blackjack is not False:
        return None  # not due, or paid before it was known whether it is: judged with the settlement
    if hand.even_money is not None or hand.announced is not None or BLACKJACK_AMISS.on(round_, hand.name):
        return None
    return _amiss(hand, hand.name, f"The Blackjack of hand {hand.name} was paid unannounced.")


def _passed_over(moment: Moment, turn: int | None) -> Iterator[Breach]:
    """Blackjacks that the turn has passed unpaid; without a seat the players' turns are over: the hole card shows."""
    round_, rules = moment.play
    masque = rules.profile.masque
    if moment.dealer.blackjack is not False or (round_.hole_revealed is not None and not masque):
        return
    if turn is None and (UNFINISHED.anywhere(round_) or (masque and not round_.told(*ACTION))):
        return  # a finding says already whose turn was passed over, or the hole card is shown before the action
    for hand in player_hands(round_):
        if (turn is None or hand.seat < turn) and _is_unpaid(round_, hand):
            yield _amiss(hand, hand.name, f"The Blackjack of hand {hand.name} was not paid in its turn.")


def _is_unpaid(round_: Round, hand: Hand) -> bool:
    """Whether the hand is a Blackjack whose wager lies unsettled, and no finding says so."""
    if not has_blackjack(hand) or hand.even_money or hand.voided is not None or hand.surrendered is not None:
        return False
    stake = round_.main_stake(hand.seat, hand.name)
    return stake is not None and not stake.moves and not BLACKJACK_AMISS.on(round_, hand.name)


def _amiss(
    hand: Hand | None, name: str, message: str, roles: tuple[str, ...] = ("action.blackjack_paid_on_turn",)
) -> Breach:
    return Breach(
        roles=roles,
        message=message,
        expected={"blackjack": "announced and paid in its turn"},
        observed={"cards": list(hand.cards) if hand is not None else []},
        sequences=tuple(hand.sequences) if hand is not None else (),
        seat=seat_of(name),
        hand=name,
        discriminator=BLACKJACK_AMISS.of(name),
    )

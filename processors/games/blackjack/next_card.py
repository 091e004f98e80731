"""The one place where lawful play lays the next card, if there is only one (7(b)-(e), 7(h)-(m); A65)."""

from __future__ import annotations

from processors.core.state import Round
from processors.games.blackjack.action import dealer_must_draw, waits_for_card, waits_for_second
from processors.games.blackjack.dealer import dealer_of
from processors.games.blackjack.hands import player_hands
from processors.games.blackjack.rules import BlackjackRules
from schemas.values import DEALER


def next_spot(round_: Round, rules: BlackjackRules) -> str | None:
    """The hand due the next card: in the first deal, by a decision, or the dealer's; None if that is not plain."""
    dealer = round_.hands.get(DEALER)
    if dealer is None or len(dealer.cards) < 2:
        return _in_the_deal(round_)
    hands = player_hands(round_)
    asked = [hand.name for hand in hands if waits_for_card(hand) is not None]
    if asked:
        return asked[0] if len(asked) == 1 else None
    split = [hand for hand in hands if waits_for_second(hand)]
    if split:
        in_play = max(split, key=lambda hand: hand.decisions[-1][1] if hand.decisions else 0)
        return in_play.name if in_play.decisions or len(split) == 1 else None
    if round_.hole_revealed is None:
        return None
    total = dealer_of(round_, rules).total
    return DEALER if total is not None and dealer_must_draw(round_, rules, total) else None


def _in_the_deal(round_: Round) -> str | None:
    """The next spot of two passes over the boxes with a main wager, the dealer last; hands called off get no card."""
    first = round_.first_card
    seats = sorted(
        stake.seat
        for stake in round_.stakes.values()
        if stake.kind == "main" and stake.cents and (first is None or stake.placed < first)
    )
    called_off = {hand.name for hand in round_.hands.values() if hand.voided is not None}
    order = [*(spot for seat in seats if (spot := f"{seat}.1") not in called_off), DEALER]
    cards = [len(round_.hands[spot].cards) if spot in round_.hands else 0 for spot in order]
    passes, place = divmod(sum(cards), len(order))
    regular = cards == [passes + 1] * place + [passes] * (len(order) - place)
    return order[place] if seats and regular and passes < 2 else None

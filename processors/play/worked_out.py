"""The main wagers of a round with what the decisions of their boxes gave the house.

A figure stands only where the record shows all that the player met: each card before the decision that saw it, each
decision that a card answers, and how the hand ended.
"""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from processors.core.folding.wagers import stake_key
from processors.core.sights import bits_of
from processors.core.state import Hand, Round
from processors.games.blackjack.action import is_finished
from processors.games.blackjack.hands import has_blackjack, player_hands
from processors.games.blackjack.rules import BlackjackRules
from processors.games.totals import is_natural, range_of
from processors.play.boxes import STAKED, RoundPlay, light_of, main_wagers
from schemas.events import CardExposed, HandContinued
from schemas.rounds import RoundResult
from schemas.values import DEALER

MILLION: Final = 1_000_000
_SEEN_MORE: Final = bits_of((CardExposed, HandContinued))


def with_play(
    result: RoundResult, round_: Round, rules: BlackjackRules | None, play: RoundPlay
) -> RoundResult:
    """The round with `play` on the main wagers of which it can be said; a round that is void has none."""
    if rules is None or not play.boxes or round_.voided is not None:
        return result
    unsure = {stake.seat for stake in result.stakes if stake.expected is None and stake.kind in STAKED}
    unsure |= _not_told(round_, rules)
    given = {seat: box.given for seat, box in play.boxes.items() if box is not None and seat not in unsure}
    if not given:
        return result
    mains = main_wagers(result.stakes)
    stakes = tuple(
        replace(stake, play=round(given[stake.seat] * MILLION) * stake.staked_cents)
        if stake.seat in given and mains[stake.seat] is stake
        else stake
        for stake in result.stakes
    )
    return replace(result, stakes=stakes)


def _not_told(round_: Round, rules: BlackjackRules) -> set[int]:
    """The seats of which the record does not show all that was decided there, and by what."""
    dealer = round_.hands[DEALER]
    blackjack = is_natural(dealer.cards)
    light = light_of(round_)
    hole = range_of(dealer.cards[1]) if len(dealer.cards) > 1 else None
    blind = bool(round_.seen & _SEEN_MORE) or (
        rules.profile.masque and (light is None or (hole is not None and hole != light))
    )
    return {
        hand.seat
        for hand in player_hands(round_)
        if not (blackjack or hand.even_money is not None or has_blackjack(hand))
        and (blind or not _is_whole(round_, hand, rules))
    }


def _is_whole(round_: Round, hand: Hand, rules: BlackjackRules) -> bool:
    """Whether each card of a hand was asked for, what doubled it lies there, and the hand has ended."""
    if len(hand.cards) != len(hand.sequences) or (hand.parent is None and not hand.name.endswith(".1")):
        return False
    cards = 2
    for kind, at in hand.decisions:
        if kind == "split":
            cards = 2  # its second card has gone to the new hand
            continue
        if sum(laid < at for laid in hand.sequences) != cards:
            return False
        if kind == "double" and not _is_staked(round_, hand):
            return False
        cards += kind in ("hit", "double")
    return len(hand.cards) == cards and is_finished(hand, rules)


def _is_staked(round_: Round, hand: Hand) -> bool:
    stake = round_.stakes.get(stake_key(hand.seat, "double", hand.name))
    return bool(stake is not None and stake.cents) or any(
        lammer.hand == hand.name and lammer.kind == "free_double" for lammer in round_.lammers
    )

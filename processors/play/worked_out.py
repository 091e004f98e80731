"""The main wagers of a round with what the decisions of their boxes gave the house.

A figure stands only where the record shows all that the player met: each card before the decision that saw it, each
decision that a card answers, and how the hand ended.
"""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from processors.core.sights import BIT
from processors.core.state import Hand, Round, stake_key
from processors.games.blackjack.action import is_finished
from processors.games.blackjack.hands import has_blackjack, is_free_double, is_free_split, player_hands
from processors.games.blackjack.rules import BlackjackRules
from processors.games.totals import is_natural, range_of
from processors.play.boxes import STAKED, RoundPlay, light_of, main_wagers
from schemas.events import CardExposed, HandContinued
from schemas.rounds import RoundResult
from schemas.values import DEALER


def with_play(
    result: RoundResult, round_: Round, rules: BlackjackRules | None, play: RoundPlay
) -> RoundResult:
    """The round with `play` on the main wagers of which it can be said; a round that is void has none."""
    if rules is None or not play.boxes or round_.voided is not None:
        return result
    unsure = {stake.seat for stake in result.stakes if stake.expected is None and stake.kind in STAKED}
    mains, hands = main_wagers(result.stakes), player_hands(round_)
    given = {
        seat: box.given
        for seat, box in play.boxes.items()
        if box is not None
        and seat not in unsure
        and _is_told(round_, [hand for hand in hands if hand.seat == seat], mains[seat].staked_cents, rules)
    }
    if not given:
        return result
    stakes = tuple(
        replace(stake, play=round(given[stake.seat] * stake.staked_cents))
        if stake.seat in given and mains[stake.seat] is stake
        else stake
        for stake in result.stakes
    )
    return replace(result, stakes=stakes)


def _is_told(round_: Round, hands: list[Hand], main: int, rules: BlackjackRules) -> bool:
    """Whether the record shows all that was decided at a box, and by what its player decided."""
    if is_natural(round_.hands[DEALER].cards):
        return True
    decided = [hand for hand in hands if hand.even_money is None and not has_blackjack(hand)]
    return not decided or (
        not _saw_more(round_, rules) and all(_is_whole(round_, hand, main, rules) for hand in decided)
    )


def _saw_more(round_: Round, rules: BlackjackRules) -> bool:
    """Whether players saw a card that a hand may get, or of the hole card something else than the light that it has."""
    if round_.seen & BIT[HandContinued] or not _exposed_are_racked(round_):
        return True
    if not rules.profile.masque:
        return False
    cards, light = round_.hands[DEALER].cards, light_of(round_)
    told = {light, range_of(cards[1]) if len(cards) > 1 else light}
    return len(told | ({round_.area[0]} if round_.area is not None else set())) > 1 or light is None


def _exposed_are_racked(round_: Round) -> bool:
    """Whether each exposed card lay face up in the shoe and is in the rack: it tells no more than a neighbour's."""
    exposed = [one.data for one in round_.told(CardExposed)]
    racked = (card for entry in round_.racked if entry.reason == "boxed" for card in entry.cards)
    in_shoe = all(one.where == "in_shoe" for one in exposed)
    return in_shoe and not Counter(one.card for one in exposed) - Counter(racked)


def _is_whole(round_: Round, hand: Hand, main: int, rules: BlackjackRules) -> bool:
    """Whether each card of a hand was asked for, its doubles and splits were laid by the rules, and it has ended."""
    if len(hand.cards) != len(hand.sequences) or (hand.parent is None and not hand.name.endswith(".1")):
        return False
    if hand.parent is not None and not _is_laid(round_, hand, "split", is_free_split(hand, rules), main):
        return False
    cards = 2
    for kind, at in hand.decisions:
        if kind == "split":
            cards = 2  # its second card has gone to the new hand
            continue
        if sum(laid < at for laid in hand.sequences) != cards:
            return False
        if kind == "double" and not _is_laid(round_, hand, kind, is_free_double(hand, rules), main):
            return False
        cards += kind in ("hit", "double")
    return len(hand.cards) == cards and is_finished(hand, rules)


def _is_laid(round_: Round, hand: Hand, kind: str, free: bool | None, main: int) -> bool:
    """Whether what doubles or splits a hand is what the rules have for it: a lammer alone, or chips alone."""
    stake = round_.stakes.get(stake_key(hand.seat, kind, hand.name))
    cents = stake.cents if stake is not None else 0
    lammer = any(one.hand == hand.name and one.kind == f"free_{kind}" for one in round_.lammers)
    if free:
        return lammer and not cents
    return not lammer and (0 < cents <= main if kind == "double" else cents == main)

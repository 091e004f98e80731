"""Where a Blackjack round's cards lie in the discard rack, bottom first (7(h)(1), 7(s), 10(c), 12; A3, A7, A19).

Hands removed early come in the order of the events that decided them; the final pickup follows the table's
`pickup_order` and `dealer_cards`. Where a reading allows two places (a dead hand racked before the pickup, a later
split bust tucked with the first), the record decides.
"""

from __future__ import annotations

from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from processors.core.state import Hand, RackEntry, Round
from processors.games.blackjack.dealer import Dealer, dealer_of
from processors.games.blackjack.hands import (
    box_has_lammer,
    busted_at,
    has_blackjack,
    is_dead,
    is_split,
    player_hands,
    total_of,
)
from processors.games.blackjack.rules import BlackjackRules
from processors.games.totals import POINTS
from schemas.values import DEALER


class Placement(Struct, frozen=True):
    """Cards of one spot as they are to enter the rack; `at` orders early removals among each other."""

    spot: str
    cards: tuple[str, ...]
    at: tuple[int, int] = (0, 0)


PICKUPS = ("seats_descending", "seats_ascending", "losers_first")
LOOSE = ("boxed", "accidental", "refused")


def expected_rack(round_: Round, rules: BlackjackRules) -> tuple[Placement, ...]:
    """The whole order in which the round's cards are to enter the rack.

    Under the reading `any_order` of A19 it is the first order a table could configure that the observed cards follow.
    """
    if rules.readings["A19"] == "any_order":
        seen = cards_of(observed_rack(round_))
        for order, first in product(PICKUPS, (False, True)):
            other = _expected(round_, replace(rules, pickup_order=order, dealer_first=first))
            if cards_agree(cards_of(other), seen):
                return other
    return _expected(round_, rules)


def cards_of(placements: tuple[Placement, ...]) -> tuple[str, ...]:
    """The cards of placements, in order."""
    return tuple(card for placement in placements for card in placement.cards)


def _expected(round_: Round, rules: BlackjackRules) -> tuple[Placement, ...]:
    dealer = dealer_of(round_, rules)
    early: list[Placement] = []
    waiting: list[Hand] = []
    for hand in player_hands(round_):
        at = early_at(round_, hand, dealer, rules)
        if at is None:
            waiting.append(hand)
        else:
            early.append(Placement(hand.name, tuple(hand.cards), at))
    early += [_as_it_lies(entry) for entry in round_.racked if entry.reason in LOOSE]
    early.sort(key=lambda placement: placement.at)
    return (*early, *_pickup(round_, waiting, dealer, rules))


def _as_it_lies(entry: RackEntry) -> Placement:
    return Placement(entry.spot, tuple(entry.cards), (entry.sequence, 0))


def early_at(round_: Round, hand: Hand, dealer: Dealer, rules: BlackjackRules) -> tuple[int, int] | None:
    """When the hand's cards are to enter the rack before the final pickup; None when they wait for it."""
    if is_dead(hand):
        if rules.readings["A45"] != "either":
            return (hand.voided or 0, 0) if rules.readings["A45"] == "at_once" else None
        ended = _settled_last(round_)
        return (hand.racked, 0) if hand.racked is not None and hand.racked < ended else None
    if hand.even_money is not None and rules.even_money:
        return None if _tucks_blackjack(round_, hand, rules) else (hand.even_money, 0)
    if dealer.blackjack and not _left_in_action(round_, hand):
        return None
    if hand.surrendered is not None and rules.surrender:
        return (_paid_at(round_, hand) or hand.surrendered, 0)
    if has_blackjack(hand):
        return None if _tucks_blackjack(round_, hand, rules) else (_paid_at(round_, hand) or 1 << 40, 0)
    busted = busted_at(hand, rules)
    return None if busted is None else _bust_at(round_, hand, busted, rules)


def _left_in_action(round_: Round, hand: Hand) -> bool:
    """Whether the cards left the layout while nobody knew that the dealer has Blackjack (a wrong light or reading)."""
    shown, said = round_.hole_revealed, round_.reader[1] if round_.reader is not None else ""
    return hand.racked is not None and shown is not None and hand.racked < shown and said != "blackjack"


def _settled_last(round_: Round) -> int:
    """Sequence of the last stake settled: what is racked after it belongs to the final pickup."""
    moves = [move.sequence for stake in round_.stakes.values() for move in stake.moves]
    return max(moves, default=1 << 40)


def _tucks_blackjack(round_: Round, hand: Hand, rules: BlackjackRules) -> bool:
    return rules.profile.free_bets and f"{hand.seat}:push22" in round_.stakes


def _paid_at(round_: Round, hand: Hand) -> int | None:
    stake = round_.main_stake(hand.seat, hand.name)
    return stake.moves[-1].sequence if stake is not None and stake.moves else None


def _bust_at(round_: Round, hand: Hand, busted: int, rules: BlackjackRules) -> tuple[int, int] | None:
    """When a busted hand is racked: at once, with the last bust of its box, or at the pickup (A3, A6, A7, A40)."""
    at_once = rules.immediate
    if rules.readings["A3"] == "either" or f"bust:{hand.name}" in round_.reported:
        at_once = _taken_at_once(round_, hand, busted, rules)
    if not is_split(hand) or not rules.profile.tucks_split_busts:
        return (busted, 0) if at_once else None
    first = hand.name.endswith(".1")
    if first and rules.profile.split_bust_at_once and not box_has_lammer(round_, hand.seat, rules):
        return (busted, 0)  # collected and racked at once, whatever is configured for busts
    if not at_once:
        return None
    if not first and hand.tucked is None:
        return (busted, 0)
    last = _box_lost_at(round_, hand.seat, rules)
    after = 1 if rules.readings["A40"] == "last_first" else -1
    return (last, after) if last is not None else None


def _taken_at_once(round_: Round, hand: Hand, busted: int, rules: BlackjackRules) -> bool:
    """Whether a busted hand was taken before the dealer played, its chips or its cards (A3).

    Where a finding already says that its chips went at another time than configured, only the cards count.
    """
    played = round_.hole_revealed
    if played is not None and played < busted:
        return (
            rules.immediate
        )  # the hole card showed before the action: the record cannot tell early from late
    ended = played or 1 << 40
    cards = hand.racked is not None and hand.racked < ended
    paid = _paid_at(round_, hand)
    if f"bust:{hand.name}" in round_.reported:
        return cards
    return cards or (paid is not None and paid < ended)


def goes_otherwise(round_: Round, hand: Hand, rules: BlackjackRules, policy: str) -> bool:
    """Whether A7 is read as `policy` and the hand is a later split bust, another hand of its box in play."""
    if rules.readings["A7"] != policy or not rules.profile.free_bets or not is_split(hand):
        return False
    box = [other for other in player_hands(round_) if other.seat == hand.seat]
    return not hand.name.endswith(".1") and any(busted_at(other, rules) is None for other in box)


def _box_lost_at(round_: Round, seat: int, rules: BlackjackRules) -> int | None:
    """Sequence of the last bust when all split hands of the box are over 21; None while one stands."""
    last = 0
    for hand in player_hands(round_):
        if hand.seat == seat:
            busted = busted_at(hand, rules)
            if busted is None:
                return None
            last = max(last, busted)
    return last or None


def loses(hand: Hand, dealer: Dealer, rules: BlackjackRules) -> bool:
    """Whether the hand is lost: bust, beaten, or no Blackjack against a dealer Blackjack (for `losers_first`)."""
    if is_dead(hand) or hand.even_money is not None:
        return False
    if dealer.blackjack:
        return not has_blackjack(hand)
    total = total_of(hand, rules)
    if total is None:
        return False
    if total > 21:
        return True
    if has_blackjack(hand) or dealer.total is None or dealer.total >= rules.push_total:
        return False
    return dealer.total > total


def _pickup(
    round_: Round, waiting: list[Hand], dealer: Dealer, rules: BlackjackRules
) -> tuple[Placement, ...]:
    ascending = sorted(waiting, key=lambda hand: hand.name)
    order = ascending if rules.pickup_order == "seats_ascending" else ascending[::-1]
    if rules.pickup_order == "losers_first":
        order = sorted(order, key=lambda hand: not loses(hand, dealer, rules))
    hands = tuple(Placement(hand.name, tuple(hand.cards)) for hand in order)
    own = round_.hands.get(DEALER)
    if own is not None and own.cards:
        last = (Placement(DEALER, tuple(own.cards)),)
        hands = (*last, *hands) if rules.dealer_first else (*hands, *last)
    if rules.readings["A58"] == "rebuildable":
        entered = [entry.spot for entry in round_.racked]
        known = [placement for placement in hands if placement.spot in entered]
        known.sort(key=lambda placement: entered.index(placement.spot))
        hands = (*known, *(placement for placement in hands if placement.spot not in entered))
    return hands


def observed_rack(round_: Round) -> tuple[Placement, ...]:
    """The order in which cards did enter the rack in the round."""
    return tuple(_as_it_lies(entry) for entry in round_.racked)


def cards_agree(expected: tuple[str, ...], observed: tuple[str, ...]) -> bool | None:
    """Whether two runs of cards agree; None if they differ only where a card is unknown."""
    if expected == observed:
        return True
    if len(expected) != len(observed):
        return False
    both = zip(expected, observed, strict=True)
    return False if any(one != other and {one, other} <= POINTS.keys() for one, other in both) else None

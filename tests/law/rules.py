"""The rules of settlement and pickup once more, in the plainest words, to finish a case's round lawfully.

They are written from the regulation's text and share no line with the code under test: a round that `finish`
closes is a second opinion on it, so that an error in either shows as a finding nobody expected.
"""

from __future__ import annotations

from tests.law.felt import Felt, Key, Layout

SUITED_22, COLOURED_22 = 50, 20
OTHER_22 = {"A": 8, "B": 7}
MATCH = {6: (11, 4), 8: (14, 3)}
Move = tuple[str, int]


def worth(card: str) -> int:
    """Points of a card, an ace as 11."""
    return 11 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0])


def total(cards: list[str], limit: int = 21) -> tuple[int, bool]:
    """Total and whether it is soft; each ace in turn counts 1 while the hand is over the limit."""
    points = [worth(card) for card in cards]
    while sum(points) > limit and 11 in points:
        points[points.index(11)] = 1
    return sum(points), 11 in points


def natural(cards: list[str]) -> bool:
    """Whether two cards are an ace and a ten-value card."""
    return len(cards) == 2 and sorted(map(worth, cards)) == [10, 11]


def has_blackjack(round_: Layout, hand: str) -> bool:
    """Whether an unsplit hand is a Blackjack."""
    return hand not in round_.split and natural(round_.hands.get(hand, []))


def dealer_cards(felt: Felt) -> list[str]:
    """The dealer's cards as they are, the hole card included though it may lie face down."""
    round_ = felt.round
    cards = list(round_.hands.get("D", []))
    if len(cards) > 1 and not round_.shown and round_.hole:
        cards[1] = round_.hole
    return cards


def dealer_total(felt: Felt) -> int:
    """The dealer's total: in Down Under an ace falls to 1 only above 22 (685a.3(d)(3), reading A1)."""
    return total(dealer_cards(felt), 22 if felt.down_under else 21)[0]


def due(felt: Felt, key: Key) -> list[Move]:
    """The movements that settle one stake in full."""
    seat, kind, hand = key
    cents = felt.round.stakes[key]
    if kind == "insurance":
        ten = worth(dealer_cards(felt)[1]) == 10
        return [("pay", 2 * cents)] if ten else [("collect", cents)]
    if kind == "push22":
        return _push22(felt, cents)
    if kind == "match_dealer":
        return _match(felt, seat, cents)
    if felt.stacks:
        return [("collect", cents)]
    return _on_a_hand(felt, kind, hand, cents)


def _on_a_hand(felt: Felt, kind: str, hand: str, cents: int) -> list[Move]:
    round_ = felt.round
    dealer = natural(dealer_cards(felt))
    if hand in round_.dead:
        return [("return", cents)]
    if hand in round_.even_money:
        return [("pay", cents)]
    if hand in round_.surrendered and not dealer:
        chip = felt.config["chip_cents"]
        half = -(-cents // (2 * chip)) * chip
        return [("collect", half), ("return", cents - half)]
    own, blackjack = total(round_.hands[hand])[0], has_blackjack(round_, hand)
    if dealer:
        kept = blackjack or kind != "main"
        return [("return" if kept else "collect", cents)]
    if own > 21:
        return [("collect", cents)]
    if blackjack:
        return [("pay", cents * 3 // 2)]
    return [(_outcome(felt, hand, own), cents)]


def _outcome(felt: Felt, hand: str, own: int) -> str:
    """A live hand against the dealer's total, neither a Blackjack: paid, returned or collected."""
    top, cards = dealer_total(felt), felt.round.hands[hand]
    if top == 22:
        large = len(cards) == 2 and hand not in felt.round.split and min(map(worth, cards)) >= 10
        return "pay" if felt.down_under and (own == 21 or large) else "return"
    if top > 22 or own > top:
        return "pay"
    return "return" if own == top else "collect"


def _push22(felt: Felt, cents: int) -> list[Move]:
    cards = dealer_cards(felt)
    if dealer_total(felt) != 22:
        return [("collect", cents)]
    suits = {card[1] for card in cards}
    if len(suits) == 1:
        odds = SUITED_22
    elif suits in ({"c", "s"}, {"d", "h"}):
        odds = COLOURED_22
    else:
        odds = OTHER_22[felt.config["paytables"]["push22"]]
    return [("pay", cents * odds)]


def _match(felt: Felt, seat: int, cents: int) -> list[Move]:
    suited, unsuited = MATCH[felt.config["decks"]]
    hands, up = felt.round.hands, felt.round.hands["D"][0]
    first = [hands[f"{seat}.1"][0], (hands.get(f"{seat}.2") or hands[f"{seat}.1"][1:])[0]]
    odds = sum(suited if card == up else unsuited for card in first if card[0] == up[0])
    return [("pay", cents * odds)] if odds else [("collect", cents)]


def lammer_wins(felt: Felt, hand: str) -> bool:
    """Whether a hand's lammer is paid its unit."""
    round_ = felt.round
    own = total(round_.hands[hand])[0]
    return hand not in round_.dead and own <= 21 and _outcome(felt, hand, own) == "pay"


def lost(felt: Felt, hand: str) -> bool:
    """Whether a hand counts as losing when `losers_first` picks it up (reading A36)."""
    round_ = felt.round
    if hand in round_.dead or hand in round_.even_money:
        return False
    if natural(dealer_cards(felt)):
        return not has_blackjack(round_, hand)
    own = total(round_.hands[hand])[0]
    return own > 21 or (not has_blackjack(round_, hand) and _outcome(felt, hand, own) == "collect")


def pickup(felt: Felt) -> list[str]:
    """The spots whose cards still lie on the layout, in the order of the table's pickup."""
    round_, order = felt.round, felt.config["pickup_order"]
    hands = sorted(spot for spot in round_.hands if spot not in round_.racked and spot not in ("D", "bonus"))
    if order != "seats_ascending":
        hands.reverse()
    if order == "losers_first" and not felt.stacks:
        hands.sort(key=lambda hand: not lost(felt, hand))
    if "bonus" in round_.hands and "bonus" not in round_.racked:
        hands.append("bonus")
    dealer = ["D"] if round_.hands.get("D") and "D" not in round_.racked else []
    return [*dealer, *hands] if felt.config["dealer_cards"] == "first" else [*hands, *dealer]

"""A second, plain settlement: what the chapters' paragraphs say each stake of a finished round is due.

Paragraphs are those of 672a; 590 and 685a say the same under the letters given where they differ.
"""

from __future__ import annotations

from tests.golden.facts import PlainRound

Due = tuple[str, int]
TENS = "TJQK"
MATCH = {"6": (11, 4), "8": (14, 3)}


def points(cards: list[str], limit: int = 21) -> tuple[int, bool]:
    """3(d): total and whether an ace still counts 11."""
    aces = [card for card in cards if card[0] == "A"]
    total = sum(10 if card[0] in TENS else 11 if card[0] == "A" else int(card[0]) for card in cards)
    high = len(aces)
    while high and total > limit:
        total, high = total - 10, high - 1
    return total, high > 0


def natural(cards: list[str]) -> bool:
    """An ace and a ten-value card as the initial two."""
    return len(cards) == 2 and any(c[0] == "A" for c in cards) and any(c[0] in TENS for c in cards)


class Judge:
    """One round with its dealer's hand, asked stake by stake."""

    def __init__(self, round_: PlainRound) -> None:
        self.round = round_
        self.down_under = round_.table["ruleset"] == "down_under_685a"
        self.dealer = round_.cards["D"]
        self.total = points(self.dealer, 22 if self.down_under else 21)[0]
        self.dealer_natural = natural(self.dealer[:2]) and len(self.dealer) == 2

    def stake(self, seat: int, kind: str, hand: str | None, cents: int) -> Due:
        """What one stake is due."""
        if kind == "insurance":
            return self._insurance(cents)
        if kind == "push22":
            return self._push22(cents)
        if kind == "match_dealer":
            return self._match(seat, cents)
        assert hand is not None
        return self.on_hand(hand, cents, blackjack_odds=kind == "main")

    def lammer(self, hand: str) -> Due:
        """9(a)(1), 10(b)(2), 7(n)-(q): an equivalent amount if the hand wins; else it leaves unpaid."""
        unit = self.round.staked[(int(hand[0]), "main", f"{hand[0]}.1")]
        outcome, cents = self.on_hand(hand, unit, blackjack_odds=False)
        return ("pay", cents) if outcome == "pay" else ("collect", 0)

    def on_hand(self, hand: str, cents: int, *, blackjack_odds: bool) -> Due:
        """7(g), 7(h), 7(n)-(q), 9, 12: cash that lies by a player's hand."""
        round_, cards = self.round, self.round.cards[hand]
        if hand in round_.dead:
            return "return", cents
        own_natural = natural(cards) and hand not in round_.split
        if own_natural and int(hand[0]) in round_.even_money:
            return "pay", cents
        if hand in round_.surrendered:
            return self._surrendered(cents)
        if self.dealer_natural:
            return ("return" if own_natural or not blackjack_odds else "collect"), cents
        if own_natural:
            return "pay", cents * 3 // 2
        return self._against_total(hand, points(cards)[0]), cents

    def _surrendered(self, cents: int) -> Due:
        chip = self.round.table["chip_cents"]
        if self.dealer_natural:
            return "collect", cents
        half = cents // 2
        return "collect", half if half % chip == 0 and cents % 2 == 0 else (half // chip + 1) * chip

    def _against_total(self, hand: str, own: int) -> str:
        if own > 21:
            return "collect"
        if self.total == 22:
            if not self.down_under:
                return "return"
            cards = self.round.cards[hand]
            large = len(cards) == 2 and hand not in self.round.split and all(c[0] in "TJQKA" for c in cards)
            return "pay" if own == 21 or large else "return"
        if self.total > 22 or own > self.total:
            return "pay"
        return "return" if own == self.total else "collect"

    def _insurance(self, cents: int) -> Due:
        return ("pay", 2 * cents) if self.dealer[1][0] in TENS else ("collect", cents)

    def _push22(self, cents: int) -> Due:
        if self.dealer_natural or self.total != 22:
            return "collect", cents
        suits = {card[1] for card in self.dealer}
        if len(suits) == 1:
            return "pay", 50 * cents
        if suits <= set("dh") or suits <= set("cs"):
            return "pay", 20 * cents
        return "pay", cents * (8 if self.round.table["paytables"]["push22"] == "A" else 7)

    def _match(self, seat: int, cents: int) -> Due:
        first = self.round.cards[f"{seat}.1"]
        halves = sorted(new for new, parent in self.round.parent.items() if parent == f"{seat}.1")
        initial = [first[0], self.round.cards[halves[0]][0]] if halves else first[:2]
        suited, unsuited = MATCH[self.round.table["paytables"]["match_dealer"]]
        up = self.dealer[0]
        odds = sum(suited if card == up else unsuited for card in initial if card[0] == up[0])
        return ("pay", odds * cents) if odds else ("collect", cents)

"""A slow oracle for small racks, written from the rules in words and sharing no code with the solver.

It cuts the rack into hands in every way, gives the hands every name, supposes everything that does not show (who had
Push 22, took even money, surrendered, in which order pairs were split), plays the round with a stubborn dealer who
racks hand by hand, and keeps what leaves the rack as it lies.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

ONE_OF_EACH = ["A", "2", "3", "4", "5", "6", "7", "8", "9", "T"]


def points(card: str) -> int:
    return {"A": 11, "T": 10, "J": 10, "Q": 10, "K": 10}.get(card[0]) or int(card[0])


def total(cards: list[str], limit: int = 21) -> int:
    amount = sum(map(points, cards))
    for card in cards:
        if card[0] == "A" and amount > limit:
            amount -= 10
    return amount


def blackjack(cards: list[str]) -> bool:
    return len(cards) == 2 and {points(card) for card in cards} == {10, 11}


@dataclass
class Answer:
    maps: set[tuple[tuple[str, tuple[str, ...]], ...]]
    ends: set[tuple[tuple[int, str], ...]]

    @property
    def money_unique(self) -> bool:
        return len(self.ends) == 1


class Unlawful(Exception):
    """The dealer or a player of this reading would break a rule."""


@dataclass
class Suppositions:
    """What does not show in the cards."""

    push22: dict[int, bool]
    even_money: dict[int, bool]
    surrender: dict[int, str]  # "", "before", "action"
    splits: dict[int, tuple[str, ...]]  # S and F in order of play


def solve(problem: dict[str, Any]) -> Answer:
    table = problem["table"]
    answer = Answer(set(), set())
    if problem.get("seats") is not None:
        occupied = [sorted(problem["seats"])]
    else:
        occupied = [list(range(1, n + 1)) for n in range(1, table["seats"] + 1)]
    for seats in occupied:
        for names in structures(problem["ruleset"], seats, len(problem["rack"])):
            for lengths in compositions(len(problem["rack"]), len(names)):
                for order in itertools.permutations(names):
                    cut(problem, seats, order, lengths, answer)
    return answer


def structures(ruleset: str, seats: list[int], size: int) -> Iterator[list[str]]:
    most = 2 if ruleset == "down_under_685a" else 4
    for counts in itertools.product(range(1, most + 1), repeat=len(seats)):
        if 2 * sum(counts) + 2 <= size:
            yield [f"{seat}.{n}" for seat, k in zip(seats, counts, strict=True) for n in range(1, k + 1)] + [
                "D"
            ]


def compositions(size: int, parts: int) -> Iterator[tuple[int, ...]]:
    if parts == 1:
        yield (size,)
        return
    for first in range(2, size - 2 * (parts - 1) + 1):
        for rest in compositions(size - first, parts - 1):
            yield (first, *rest)


def cut(
    problem: dict[str, Any],
    seats: list[int],
    order: tuple[str, ...],
    lengths: tuple[int, ...],
    answer: Answer,
) -> None:
    rack, shown, begin = problem["rack"], {}, 0
    for name, length in zip(order, lengths, strict=True):
        shown[name] = list(range(begin, begin + length))
        begin += length
    known = problem.get("known") or {}
    if any(name not in shown or len(cards) != len(shown[name]) for name, cards in known.items()):
        return
    blanks = [place for place, card in enumerate(rack) if card == "??"]
    for filling in itertools.product(ONE_OF_EACH, repeat=len(blanks)):
        cards = list(rack)
        for place, rank in zip(blanks, filling, strict=True):
            cards[place] = rank + "?"  # any suit
        hands = {name: [cards[place] for place in places] for name, places in shown.items()}
        if not hands_lawful(problem["ruleset"], seats, hands):
            continue
        if not all(
            same(a, b) for name, told in known.items() for a, b in zip(told, hands[name], strict=True)
        ):
            continue
        if problem.get("upcard") and not same(problem["upcard"], hands["D"][0]):
            continue
        for supposed in suppositions(problem, seats, hands):
            try:
                play = Play(problem, seats, hands, supposed)
            except Unlawful:
                continue
            if play.racked != list(order) or not agrees(problem, play):
                continue
            answer.maps.add(
                tuple((name, tuple(rack[place] for place in shown[name])) for name in sorted(shown))
            )
            answer.ends.add(tuple((seat, play.end(seat)) for seat in seats))


def same(told: str, card: str) -> bool:
    """Equal, where `??` is any card, and a filled blank has its value and any suit."""
    if told == "??":
        return True
    return points(told) == points(card) if card[1] == "?" else told == card


def hands_lawful(ruleset: str, seats: list[int], hands: dict[str, list[str]]) -> bool:
    for name, cards in hands.items():
        if name == "D":
            continue
        if any(total(cards[:n]) >= 21 for n in range(2, len(cards))):
            return False
        if points(cards[0]) != points(hands[f"{name[0]}.1"][0]):
            return False
        split = f"{name[0]}.2" in hands
        if ruleset == "down_under_685a" and split and cards[0][0] == "A" and len(cards) != 2:
            return False
    dealer = hands["D"]
    limit = 22 if ruleset == "down_under_685a" else 21
    if any(total(dealer[:n], limit) >= 17 for n in range(2, len(dealer))):
        return False
    if len(dealer) > 2 and total(dealer, limit) < 17:
        return False
    if blackjack(dealer):
        return len(hands) == len(seats) + 1 and all(len(cards) == 2 for cards in hands.values())
    return True


def ways_to_split(hands: int) -> Iterator[tuple[str, ...]]:
    for way in itertools.product("SF", repeat=2 * hands - 1):
        waiting = 0
        for place, letter in enumerate(way):
            waiting += 1 if letter == "S" else -1
            if waiting < 0 and place < len(way) - 1:
                break
        else:
            if waiting == -1:
                yield way


def suppositions(
    problem: dict[str, Any], seats: list[int], hands: dict[str, list[str]]
) -> Iterator[Suppositions]:
    table, ruleset = problem["table"], problem["ruleset"]
    push = [False, True] if "push22" in table["side_wagers"] and ruleset != "down_under_685a" else [False]
    each = []
    for seat in seats:
        cards = hands[f"{seat}.1"]
        number = sum(name.startswith(f"{seat}.") for name in hands)
        natural = blackjack(cards) and number == 1
        even = [False]
        if natural and table["even_money"] and ruleset != "free_bet_590" and hands["D"][0][0] == "A":
            even = [False, True]
        gone = [""]
        if ruleset == "free_bet_590" and number == 1 and len(cards) == 2 and not natural:
            gone = ["", "action"]
            if points(hands["D"][0]) >= 10:
                gone = ["", "action", "before"]
        each.append(list(itertools.product(push, even, gone, ways_to_split(number))))
    for chosen in itertools.product(*each):
        yield Suppositions(
            push22={seat: c[0] for seat, c in zip(seats, chosen, strict=True)},
            even_money={seat: c[1] for seat, c in zip(seats, chosen, strict=True)},
            surrender={seat: c[2] for seat, c in zip(seats, chosen, strict=True)},
            splits={seat: c[3] for seat, c in zip(seats, chosen, strict=True)},
        )


class Play:
    """One round played from the first card to the last, with these hands and suppositions."""

    def __init__(
        self, problem: dict[str, Any], seats: list[int], hands: dict[str, list[str]], supposed: Suppositions
    ) -> None:
        self.ruleset, self.table = problem["ruleset"], problem["table"]
        self.at_once = self.table["bust_collection"] == "immediate"
        self.seats, self.hands, self.supposed = seats, hands, supposed
        self.dealer_blackjack = blackjack(hands["D"])
        self.racked: list[str] = []
        self.drawn: list[str] = []
        self.deal()
        self.before_action()
        if not self.dealer_blackjack:
            for seat in seats:
                self.act(seat)
            self.dealer_draws()
        elif "action" in supposed.surrender.values():
            raise Unlawful  # there was no action
        self.early = len(self.racked)
        self.pick_up()

    def deal(self) -> None:
        def nth(seat: int, n: int) -> str:
            moved = n == 1 and f"{seat}.2" in self.hands
            return self.hands[f"{seat}.2"][0] if moved else self.hands[f"{seat}.1"][n]

        for n in (0, 1):
            self.drawn += [nth(seat, n) for seat in self.seats] + [self.hands["D"][n]]

    def before_action(self) -> None:
        for seat in self.seats:
            if self.supposed.even_money[seat] and not self.supposed.push22[seat]:
                self.racked.append(f"{seat}.1")
            if self.supposed.surrender[seat] == "before" and not self.dealer_blackjack:
                self.racked.append(f"{seat}.1")

    def act(self, seat: int) -> None:
        first = f"{seat}.1"
        number = sum(name.startswith(f"{seat}.") for name in self.hands)
        if number == 1 and blackjack(self.hands[first]):
            if not self.supposed.even_money[seat] and not self.supposed.push22[seat]:
                self.racked.append(first)
            return
        if self.supposed.surrender[seat] == "before":
            return
        if self.supposed.surrender[seat] == "action":
            self.racked.append(first)
            return
        stack, made, dealt = [1], 1, dict.fromkeys(range(1, number + 1), 1)
        dealt[1] = 2  # a split takes the second card away again
        over: list[int] = []
        for letter in self.supposed.splits[seat]:
            n = stack[-1]
            if letter == "S":
                made += 1
                if dealt[n] != 2:  # the card that starts the new hand is dealt now
                    self.drawn.append(self.hands[f"{seat}.{made}"][0])
                dealt[n] = 1
                stack.insert(len(stack) - 1, made)
                continue
            cards = self.hands[f"{seat}.{n}"]
            self.drawn += cards[dealt[n] :]
            stack.pop()
            if total(cards) > 21:
                over.append(n)
                self.bust(seat, n, number, over)
            if not stack and self.at_once:
                self.last_of_seat(seat, number, over)

    def bust(self, seat: int, n: int, number: int, over: list[int]) -> None:
        name = f"{seat}.{n}"
        first_of_split = n == 1 and number > 1 and self.ruleset != "down_under_685a"
        if (first_of_split and self.ruleset == "free_bet_672a" and points(self.hands[name][0]) == 10) or (
            self.at_once and not first_of_split
        ):
            self.racked.append(name)

    def last_of_seat(self, seat: int, number: int, over: list[int]) -> None:
        if number > 1 and len(over) == number and f"{seat}.1" not in self.racked:
            self.racked.append(f"{seat}.1")

    def live(self) -> bool:
        for name, cards in self.hands.items():
            if name == "D":
                continue
            seat = int(name[0])
            unsplit = f"{seat}.2" not in self.hands
            if unsplit and (blackjack(cards) or self.supposed.surrender[seat]):
                continue
            if total(cards) <= 21:
                return True
        return False

    def dealer_draws(self) -> None:
        dealer = self.hands["D"]
        self.drawn += dealer[2:]
        if self.ruleset == "down_under_685a":
            if total(dealer, 22) < 17:
                raise Unlawful
        elif self.live() or any(self.supposed.push22.values()):
            if total(dealer) < 17:
                raise Unlawful
        elif len(dealer) > 2:
            raise Unlawful

    def pick_up(self) -> None:
        left = sorted(name for name in self.hands if name != "D" and name not in self.racked)
        order = self.table["pickup_order"]
        if order != "seats_ascending":
            left = left[::-1]
        if order == "losers_first":
            left = [n for n in left if self.beaten(n)] + [n for n in left if not self.beaten(n)]
        if self.table["dealer_cards"] == "first":
            self.racked += ["D", *left]
        else:
            self.racked += [*left, "D"]

    def beaten(self, name: str) -> bool:
        cards, unsplit = self.hands[name], f"{name[0]}.2" not in self.hands
        if unsplit and blackjack(cards):
            return False
        if self.dealer_blackjack or total(cards) > 21:
            return True
        dealer = total(self.hands["D"], 22 if self.ruleset == "down_under_685a" else 21)
        return total(cards) < dealer < 22

    def end(self, seat: int) -> str:
        name = f"{seat}.1"
        cards, unsplit = self.hands[name], f"{seat}.2" not in self.hands
        if unsplit and blackjack(cards):
            return "returned" if self.dealer_blackjack and not self.supposed.even_money[seat] else "blackjack"
        if self.supposed.surrender[seat] and not self.dealer_blackjack:
            return "surrendered"
        if self.beaten(name):
            return "lost"
        dealer = total(self.hands["D"], 22 if self.ruleset == "down_under_685a" else 21)
        if dealer == 22:
            if self.ruleset != "down_under_685a":
                return "returned"
            large = unsplit and len(cards) == 2 and min(map(points, cards)) >= 10
            return "won" if large or total(cards) == 21 else "returned"
        return "returned" if total(cards) == dealer else "won"


def agrees(problem: dict[str, Any], play: Play) -> bool:
    drawn = problem.get("drawn")
    if drawn is not None and (len(drawn) != len(play.drawn) or not all(map(same, drawn, play.drawn))):
        return False
    told = problem.get("surrendered")
    if told is not None:
        gone = {f"{seat}.1" for seat, how in play.supposed.surrender.items() if how}
        if gone != set(told):
            return False
    early = problem.get("early")
    return early is None or early == sum(len(play.hands[name]) for name in play.racked[: play.early])

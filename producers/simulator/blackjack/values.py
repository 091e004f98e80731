"""What each choice is worth to a patron who knows the rules and the cards in sight, from an endless shoe.

Values are in units of the original wager. A hand wins `1` with its chips or its lammer and loses what chips lie
on it; that is why a hand carried by a lammer alone is played boldly (672a.10(b)(2)(ii)).
"""

from __future__ import annotations

from functools import cache

from producers.simulator.blackjack.rules import LARGE, RULES, VALUES, Choice, Seen, total

CHANCES: dict[int, float] = {**dict.fromkeys(range(2, 10), 1 / 13), 10: 4 / 13, 11: 1 / 13}
RANGES = {"small": range(2, 6), "medium": range(6, 10), "large": range(10, 12)}
BUST = 23
LEAST_TOTAL = 17
SURRENDERED = -0.5
Distribution = tuple[float, ...]  # chances of 17, 18, ..., 22, and of more


def _plus(points: int, soft: bool, card: int, limit: int) -> tuple[int, bool]:
    """A count with one more card, aces falling to 1 above `limit`."""
    aces = int(soft) + (card == 11)
    points += card
    while points > limit and aces:
        points -= 10
        aces -= 1
    return points, aces > 0


@cache
def _dealer_from(points: int, soft: bool, limit: int) -> Distribution:
    """How a dealer's hand of this count ends."""
    if points >= LEAST_TOTAL:
        return tuple(float(min(points, BUST) == end) for end in range(LEAST_TOTAL, BUST + 1))
    ends = [0.0] * (BUST + 1 - LEAST_TOTAL)
    for card, chance in CHANCES.items():
        for at, part in enumerate(_dealer_from(*_plus(points, soft, card, limit), limit)):
            ends[at] += chance * part
    return tuple(ends)


@cache
def dealer_ends(ruleset: str, up: int, hole: str) -> Distribution:
    """How the dealer ends, no Blackjack, with a hole card of a range, of a value, or unknown (empty)."""
    limit = RULES[ruleset].dealer_limit
    known = RANGES.get(hole) or ([int(hole)] if hole else list(CHANCES))
    holes = {card: CHANCES[card] for card in known if card + up != 21}
    ends = [0.0] * (BUST + 1 - LEAST_TOTAL)
    for card, chance in holes.items():
        for at, part in enumerate(_dealer_from(*_plus(up, up == 11, card, limit), limit)):
            ends[at] += chance * part / sum(holes.values())
    return tuple(ends)


@cache
def _won_and_lost(ruleset: str, up: int, hole: str, points: int, large_pair: bool) -> tuple[float, float]:
    """Chances that a hand that takes no more cards wins, and that it loses."""
    if points > 21:
        return 0.0, 1.0
    won = lost = 0.0
    for end, chance in enumerate(dealer_ends(ruleset, up, hole), start=LEAST_TOTAL):
        if end == BUST or (end != 22 and points > end):
            won += chance
        elif end == 22:
            won += chance * (RULES[ruleset].pays_21_against_22 and (points == 21 or large_pair))
        elif points < end:
            lost += chance
    return won, lost


@cache
def _stands(ruleset: str, up: int, hole: str, points: int, cash: int, large_pair: bool = False) -> float:
    won, lost = _won_and_lost(ruleset, up, hole, points, large_pair)
    return won - lost * cash


@cache
def _hits(ruleset: str, up: int, hole: str, points: int, soft: bool, cash: int) -> float:
    value = 0.0
    for card, chance in CHANCES.items():
        after, still = _plus(points, soft, card, 21)
        best = _stands(ruleset, up, hole, after, cash)
        if after < 21:
            best = max(best, _hits(ruleset, up, hole, after, still, cash))
        value += chance * best
    return value


@cache
def _doubles(ruleset: str, up: int, hole: str, points: int, soft: bool, cash: int) -> float:
    free = RULES[ruleset].free_bets and 9 <= points <= 11 and not soft
    value = 0.0
    for card, chance in CHANCES.items():
        won, lost = _won_and_lost(ruleset, up, hole, _plus(points, soft, card, 21)[0], False)
        value += chance * (2 * won - (cash + (not free)) * lost)
    return value


@cache
def _of_two(ruleset: str, up: int, hole: str, points: int, soft: bool, cash: int) -> float:
    """Two cards of a split hand, played as well as can be but not split again."""
    if points == 21:
        return _stands(ruleset, up, hole, points, cash)
    hand = (ruleset, up, hole, points, soft, cash)
    return max(_stands(ruleset, up, hole, points, cash), _hits(*hand), _doubles(*hand))


@cache
def _split_half(ruleset: str, up: int, hole: str, card: int, cash: int, again: bool) -> float:
    """One hand of a split pair; with `again` it may be split once more."""
    rules = RULES[ruleset]
    value = 0.0
    for second, chance in CHANCES.items():
        points, soft = _plus(card, card == 11, second, 21)
        if card == 11 and rules.one_card_to_split_aces:
            value += chance * _stands(ruleset, up, hole, points, cash)
            continue
        best = _of_two(ruleset, up, hole, points, soft, cash)
        if second == card and again and rules.most_hands > 2:
            best = max(best, _splits(ruleset, up, hole, card, cash, False))
        value += chance * best
    return value


@cache
def _splits(ruleset: str, up: int, hole: str, card: int, cash: int, again: bool) -> float:
    new = 0 if RULES[ruleset].free_bets and card != 10 else 1
    return sum(_split_half(ruleset, up, hole, card, chips, again) for chips in (cash, new))


def value_of(ruleset: str, seen: Seen, choice: Choice) -> float:
    """The expected result of a choice, in original wagers."""
    points, soft = total(seen.cards)
    up, cash = VALUES[seen.up[0]], int(seen.has_cash)
    hole = seen.hole or ""
    if hole and hole not in RANGES:
        hole = str(VALUES[hole[0]])
    if choice == "surrender":
        return SURRENDERED
    if choice == "hit":
        return _hits(ruleset, up, hole, points, soft, cash)
    if choice == "double":
        return _doubles(ruleset, up, hole, points, soft, cash)
    if choice == "split":
        return _splits(ruleset, up, hole, VALUES[seen.cards[0][0]], cash, True)
    large_pair = seen.unsplit and len(seen.cards) == 2 and all(card[0] in LARGE for card in seen.cards)
    return _stands(ruleset, up, hole, points, cash, large_pair)


def best_choice(ruleset: str, seen: Seen, choices: tuple[Choice, ...]) -> Choice:
    """The choice of highest value; the first of equals."""
    return max(choices, key=lambda choice: value_of(ruleset, seen, choice))

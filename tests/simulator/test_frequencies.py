"""The simulated games against figures from outside: exact enumeration, and 10^9 rounds simulated elsewhere.

Every bound is a z-score of at most 4 for the n given: the chance of one false alarm is below 1 in 15,000.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from statistics import fmean, pstdev

import pytest

from producers.simulator.blackjack.rules import (
    LARGE,
    PUSH22_ODDS,
    is_blackjack,
    match_odds,
    push22_line,
    range_of,
    total,
)
from producers.simulator.blackjack.strategies import Basic
from producers.simulator.blackjack_engine import BlackjackEngine
from producers.simulator.floor.decks.cards import TableCards
from producers.simulator.floor.decks.deck import PhysicalShoe, fresh_cards
from producers.simulator.floor.patrons import Patron
from producers.simulator.floor.setup import TableSetup, usual_setup
from producers.simulator.floor.writer import TableWriter
from schemas.payload import Payload
from schemas.values import Ruleset

pytestmark = pytest.mark.soak  # hundreds of thousands of rounds: half a minute

Z = 4.0
UNIT = 1000
FREE_BET_ROUNDS = 200_000
DOWN_UNDER_ROUNDS = 120_000

# Six decks, the dealer's hand not cut short (exact enumeration from a full shoe).
DEALER_22 = 0.072591
DEALER_22_LINES = {"suit": 0.003317, "colour": 0.011578, "other": 0.057696}
DEALER_TOTALS = {17: 0.14525, 18: 0.13926, 19: 0.13368, 20: 0.17953, 21: 0.07287}  # 21 without Blackjacks
DEALER_OVER_22 = 0.20933
DEALER_BLACKJACK = 0.047489
INSURANCE_WINS = 0.308682  # given an ace up
PUSH_22_EDGES = {"A": 0.06843, "B": 0.12612}
MASQUE_RANGES = {"small": 0.307692, "medium": 0.307692, "large": 0.384615}
BOTH_LARGE, ACE_ACE = 0.147168, 0.005689
DOWN_UNDER_22 = 0.083326  # a soft 22 stands
MATCH_HIT, MATCH_EDGE = 0.142662, 0.04062  # each matching card paid
MATCH_CELLS = {22: 0.000207, 15: 0.001867, 11: 0.029872, 8: 0.003174, 4: 0.107541}  # by odds to one

# Optimal play, simulated over 10^9 rounds: house edges in original wagers.
FREE_BET_EDGE, FREE_BET_DEVIATION = 0.00580, 1.07
DOWN_UNDER_EDGE = 0.00034


class Silent(TableWriter):
    """A writer that writes nothing: the engine's own fast path."""

    def emit(self, payload: Payload, *, device: str | None = None, after: float | None = None) -> bytes:
        return b""


class Flat(Basic):
    """One unit, no insurance, the best choice."""

    def stake(self) -> int:
        return UNIT

    def insures(self, _seen: object, /) -> bool:
        return False


class Stand:
    """The least of a table's life: one patron, and a shuffle when the cover card has come out."""

    floorperson = "F-1"
    cards: TableCards

    def __init__(self, shoe: PhysicalShoe, setup: TableSetup, writer: TableWriter) -> None:
        self.shoe, self.setup, self.writer, self.rng = shoe, setup, writer, writer.rng
        self.patrons = [Patron("P-1", (1,), UNIT, boldness=1, side_appetite=1.0)]

    def reload(self) -> None:
        raise AssertionError("six decks do not run out in a round of one patron")

    def load(self) -> None:
        cards = fresh_cards(self.setup.decks)
        self.rng.shuffle(cards)
        self.shoe.take_rack()
        self.shoe.load("B1", cards, len(cards) // 4)
        self.shoe.to_rack([self.shoe.draw()])


@dataclass
class Sample:
    """What was seen in n rounds."""

    n: int = 0
    dealers: list[tuple[str, ...]] = field(default_factory=list)
    firsts: list[tuple[str, ...]] = field(default_factory=list)
    results: list[float] = field(default_factory=list)

    @property
    def drawn(self) -> Iterator[tuple[str, ...]]:
        """Dealer hands that were drawn out."""
        return (cards for cards in self.dealers if not is_blackjack(cards))


def sample(ruleset: Ruleset, rounds: int, seed: int) -> Sample:
    setup = usual_setup(ruleset, "T-1", min_cents=UNIT)
    start = dt.datetime(2026, 3, 2, tzinfo=dt.UTC)
    writer = Silent("T-1", property_name="Parkside", pit="2", start=start, seed=seed)
    shoe = PhysicalShoe()
    stand = Stand(shoe, setup, writer)
    engine = BlackjackEngine(stand)  # type: ignore[arg-type]  # all that a round turns to
    engine.table.players.strategies["P-1"] = Flat(stand.patrons[0], setup, writer.rng)
    seen = Sample(rounds)
    stand.load()
    for number in range(1, rounds + 1):
        engine.play_round(number)
        table = engine.table
        box = table.boxes[0]
        side = table.side_result
        seen.dealers.append(tuple(table.dealer))
        seen.firsts.append(table.first_cards[0])
        seen.results.append((table.net.get("P-1", 0) - side) / box.unit)
        if shoe.cover_reached:
            stand.load()
    return seen


@pytest.fixture(scope="module")
def free_bet() -> Sample:
    return sample("free_bet_672a", FREE_BET_ROUNDS, seed=672)


@pytest.fixture(scope="module")
def down_under() -> Sample:
    return sample("down_under_685a", DOWN_UNDER_ROUNDS, seed=685)


def assert_chance(hits: int, n: int, chance: float) -> None:
    deviation = math.sqrt(n * chance * (1 - chance))
    z = (hits - n * chance) / deviation
    assert abs(z) <= Z, f"{hits} of {n}, expected {n * chance:.1f}: z = {z:.2f}"


def assert_mean(values: list[float], mean: float) -> None:
    error = pstdev(values) / math.sqrt(len(values))
    z = (fmean(values) - mean) / error
    assert abs(z) <= Z, f"mean {fmean(values):.5f} of {len(values)}, expected {mean:.5f}: z = {z:.2f}"


def test_the_dealer_ends_as_enumerated(free_bet: Sample) -> None:
    ends = Counter(min(total(cards)[0], 23) for cards in free_bet.drawn)
    for points, chance in (DEALER_TOTALS | {22: DEALER_22, 23: DEALER_OVER_22}).items():
        assert_chance(ends[points], free_bet.n, chance)
    assert set(ends) <= set(range(17, 24))


def test_a_dealer_22_has_suits_and_colours_as_enumerated(free_bet: Sample) -> None:
    lines: Counter[str] = Counter(push22_line(cards) for cards in free_bet.drawn if total(cards)[0] == 22)
    for line, chance in DEALER_22_LINES.items():
        assert_chance(lines[line], free_bet.n, chance)


def test_push_22_has_the_edge_of_each_paytable(free_bet: Sample) -> None:
    for table, edge in PUSH_22_EDGES.items():
        odds = PUSH22_ODDS[table]
        results = [
            float(odds[push22_line(cards)]) if not is_blackjack(cards) and total(cards)[0] == 22 else -1.0
            for cards in free_bet.dealers
        ]
        assert_mean(results, -edge)


def test_blackjacks_and_insurance_come_as_enumerated(free_bet: Sample) -> None:
    assert_chance(sum(map(is_blackjack, free_bet.dealers)), free_bet.n, DEALER_BLACKJACK)
    assert_chance(sum(map(is_blackjack, free_bet.firsts)), free_bet.n, DEALER_BLACKJACK)
    aces = [cards for cards in free_bet.dealers if cards[0][0] == "A"]
    assert_chance(sum(map(is_blackjack, aces)), len(aces), INSURANCE_WINS)


def test_free_bet_has_the_edge_and_spread_of_good_play(free_bet: Sample) -> None:
    assert_mean(free_bet.results, -FREE_BET_EDGE)
    assert pstdev(free_bet.results) == pytest.approx(FREE_BET_DEVIATION, abs=0.01)


def test_masque_ranges_come_as_enumerated(down_under: Sample) -> None:
    ranges = Counter(range_of(cards[1]) for cards in down_under.dealers)
    for name, chance in MASQUE_RANGES.items():
        assert_chance(sum(ranges[found] for found in ranges if found == name), down_under.n, chance)
    large = [cards for cards in down_under.dealers if cards[0][0] in LARGE and cards[1][0] in LARGE]
    assert_chance(len(large), down_under.n, BOTH_LARGE)
    assert_chance(sum(cards[0][0] == cards[1][0] == "A" for cards in large), down_under.n, ACE_ACE)


def test_a_soft_22_stands_as_often_as_enumerated(down_under: Sample) -> None:
    ends = Counter(total(cards, 22)[0] for cards in down_under.drawn)
    assert_chance(ends[22], down_under.n, DOWN_UNDER_22)


def test_match_the_dealer_hits_as_enumerated(down_under: Sample) -> None:
    pairs = zip(down_under.firsts, down_under.dealers, strict=True)
    odds = [match_odds(cards, dealer[0], 6) for cards, dealer in pairs]
    cells = Counter(odds)
    assert_chance(down_under.n - cells[0], down_under.n, MATCH_HIT)
    for paid, chance in MATCH_CELLS.items():
        assert_chance(cells[paid], down_under.n, chance)
    assert_mean([float(paid) if paid else -1.0 for paid in odds], -MATCH_EDGE)


def test_down_under_has_the_edge_of_good_play(down_under: Sample) -> None:
    assert_mean(down_under.results, -DOWN_UNDER_EDGE)

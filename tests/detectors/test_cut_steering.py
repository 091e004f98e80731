"""Cuts and cover cards that follow the cards, and habits that do not."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
import pytest

from dashboards.suspicions.curve import unit_of
from dashboards.suspicions.suspicions import course_of
from processors.detectors.cutting.places import SHIFTS, Act, begun, ratios, standard, usual, weights
from processors.detectors.families import cut_steering
from processors.detectors.mixture import weigh
from producers.simulator.floor.setup import Habits
from schemas.findings import Finding
from tests.detectors.shoes import Racks, dealt
from tests.detectors.steered import (
    ALONE,
    Place,
    always_there,
    by_count,
    deeper_and_deeper,
    lines_of,
    narrow,
    wherever,
)
from tests.detectors.worlds import suspected
from tests.sampling import one_in

SMALL: dict[str, Any] = {"ruleset": "free_bet_590", "decks": 2}
REFUSED = Habits(
    **{name: getattr(ALONE, name) for name in Habits.__dataclass_fields__} | {"refuses_cut": 1.0}
)


def _of_cuts(lines: list[bytes]) -> list[Finding]:
    return [one for one in suspected(lines) if one.check.startswith("pattern.cut_steering")]


def test_a_cover_card_that_goes_with_the_last_count_is_named_with_its_dealer() -> None:
    (one,) = _of_cuts(lines_of(1, 130, cover=by_count(0.95), **SMALL))
    assert one.check == "pattern.cut_steering.follows_count"
    assert one.about == {"dealer": "D-011", "table": "S-1"}
    assert one.observed["of"] == "cover_card"
    assert one.observed["correlation"] > 0.85
    assert one.observed["shoes"] <= 27
    assert "puts the cover card by the count" in one.message
    course = course_of(one)
    assert unit_of("cut_steering", one.about) == "rounds", "a table's own course, though it names a dealer"
    assert course[-1] == (one.round, one.e_value)
    assert len(course) > 10
    assert course[0][1] < 1 < course[-1][1]


@pytest.mark.thorough
def test_a_cut_of_the_dealers_that_goes_with_the_last_count_is_named() -> None:
    lines = lines_of(2, 140, cut=by_count(-0.95), habits=REFUSED, boxes_per_player=1, **SMALL)
    (one,) = _of_cuts(lines)
    assert one.about == {"dealer": "D-011", "table": "S-2"}
    assert one.observed["of"] == "cut"


@pytest.mark.thorough
def test_a_patron_who_cuts_by_the_last_count_is_named_and_the_dealer_on_duty_with_him() -> None:
    lines = lines_of(3, 420, cut=by_count(0.95), patrons=(1, 1), cover=always_there, **SMALL)
    (one,) = _of_cuts(lines)
    assert one.check == "pattern.cut_steering.patron"
    assert isinstance(one.about, dict)
    assert set(one.about) == {"dealer", "table", "player"}
    assert one.about["dealer"] == "D-011"


@pytest.mark.thorough
def test_a_cover_card_behind_which_tens_lie_shoe_after_shoe_is_named() -> None:
    def arrange(_number: int, _batch: str, order: list[str], _racks: Racks) -> list[str]:
        rest = order[:-78]
        tens = [at for at, card in enumerate(rest) if card[0] in "TJQKA"][-14:]
        small = [at for at, card in enumerate(order[-78:], start=len(rest)) if card[0] in "23456"][:14]
        for one, other in zip(tens, small, strict=False):
            order[one], order[other] = order[other], order[one]
        return order

    found = _of_cuts(dealt(arrange, 4, 130, habits=ALONE, patrons=(5, 5)))
    (one,) = [one for one in found if one.check.endswith(".hides_cards")]
    assert one.observed["of"] == "behind"
    assert one.observed["mean_in_deviations"] < -1
    assert "more tens and aces lay behind the cover card" in one.message


@pytest.mark.thorough
@pytest.mark.parametrize("habit", one_in(4, [wherever, narrow, always_there, deeper_and_deeper], 1))
def test_a_habit_of_cutting_is_no_sign_of_anything(habit: Place) -> None:
    assert _of_cuts(lines_of(5, 90, cover=habit, cut=habit, **SMALL)) == []


# The null, at a level that a test can see


def _uniform(rng: random.Random, _shoe: int) -> float:
    return rng.uniform(0.25, 0.335)


def _narrow(rng: random.Random, _shoe: int) -> float:
    return round(rng.gauss(0.3, 0.003), 3)


def _drifts(rng: random.Random, shoe: int) -> float:
    return 0.26 + 0.004 * shoe + rng.gauss(0, 0.004)


def _two_ways(rng: random.Random, shoe: int) -> float:
    return (0.26 if shoe // 6 % 2 else 0.33) + rng.gauss(0, 0.002)


def _tags(rng: random.Random) -> list[int | None]:
    tags: list[int | None] = [*([1] * 120), *([0] * 72), *([-1] * 120)]
    rng.shuffle(tags)
    return tags


def _honest(rng: random.Random, habit: Callable[[random.Random, int], float]) -> float:
    """Twenty shoes of one dealer, played to a round after the cover card; whole evidence, priced for this one."""
    placed, peak = cut_steering.Placed("D", "", 0.0, 0, 1), 0.0
    dealer = cut_steering.Person(1, begun(weights(cut_steering.KINDS.values())))
    table: Any = type("Table", (), {"subject": "T"})
    count = 0.0
    for shoe in range(20):
        place, tags = habit(rng, shoe), _tags(rng)
        acts = [("cover_card", count)] * (shoe > 0)
        below = round(place * 312)
        rear, behind, front, seen = standard(
            tags, (234, 312), (312 - below, 312), (0, 78), (0, 312 - below + rng.randrange(18))
        )
        acts.append(("cards_to_come", rear))
        for kind, one in acts:
            list(cut_steering._held(dealer, kind, Act(shoe, place, one), placed, table))
            peak = max(peak, dealer.follows.value() * cut_steering.SHARES["follows_count"])
        factors = [
            2.718281828 ** (shift * part - shift * shift / 2) for part in (behind, front) for shift in SHIFTS
        ]
        peak = max(peak, weigh(dealer.hides, factors, 4) * cut_steering.SHARES["hides_cards"])
        count = seen
    return peak


@pytest.mark.thorough
@pytest.mark.parametrize("streams", [120, pytest.param(10_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("habit", one_in(2, [_uniform, _narrow, _drifts, _two_ways]))
def test_alarms_of_honest_habits_are_as_rare_as_promised(
    streams: int, habit: Callable[[random.Random, int], float]
) -> None:
    rng = random.Random(13)
    assert sum(_honest(rng, habit) >= 20 for _ in range(streams)) <= 0.05 * streams


@pytest.mark.parametrize(
    "before", [[], [0.3], [0.3] * 8, [0.26, 0.31, 0.29], [0.26, 0.27, 0.28, 0.29, 0.3, 0.31, 0.32]]
)
def test_whatever_the_habit_each_bet_is_fair_over_the_counts_that_cards_bring(before: list[float]) -> None:
    steps = [-8 + 0.01 * step for step in range(1601)]
    density = [2.718281828459045 ** (-one * one / 2) / 2.5066282746310002 * 0.01 for one in steps]
    for place in (0.25, 0.29, 0.33):
        off = usual((0.29, 0.025), before, place)
        rows = [ratios(off, len(before), count) for count in steps]
        for alternative in zip(*rows, strict=True):
            mean = sum(d * f for d, f in zip(density, alternative, strict=True))
            assert mean == pytest.approx(1.0, abs=0.02)


def test_the_state_stays_small_however_many_people_cut() -> None:
    state = cut_steering.State()
    table: Any = type("Table", (), {"subject": "T"})
    for number in range(2000):
        name = f"D-{number % 100}"
        dealer = cut_steering._person(state, "dealers", name)
        for kind in cut_steering.KINDS:
            placed = cut_steering.Placed(name, "", 0.3, 90, 1)
            act = Act(number, 0.3 + number % 7 / 100, (number % 11 - 5) / 2.5)
            list(cut_steering._held(dealer, kind, act, placed, table))
    assert len(msgspec.msgpack.encode(state)) < 100_000

"""The solver's set of reconstructions is the oracle's, on small racks of every kind."""

from __future__ import annotations

import random
from typing import Any

import msgspec
import pytest

from processors.rack.solving import RackAnswer, decode_problem, solve
from tests.rack import oracle
from tests.rack.small_problems import small_problem
from tests.sampling import one_in

Maps = set[tuple[tuple[str, tuple[str, ...]], ...]]


def _maps(answer: RackAnswer) -> Maps:
    return {tuple(sorted(reconstruction.hands.items())) for reconstruction in answer.reconstructions}


def _agree(maps: Maps) -> list[str]:
    rows = [dict(row) for row in maps]
    names = {name for row in rows for name in row}
    return sorted(name for name in names if len({row.get(name) for row in rows}) == 1)


def _same(problem: dict[str, Any]) -> None:
    wanted = oracle.solve(problem)
    answer = solve(decode_problem(msgspec.json.encode(problem)))
    assert _maps(answer) == wanted.maps, problem
    assert answer.complete
    assert answer.count == len(wanted.maps) == len(answer.reconstructions)
    assert answer.unique == (len(wanted.maps) == 1)
    assert answer.money_unique == wanted.money_unique, problem
    assert list(answer.agree_on) == _agree(wanted.maps)
    assert not set(answer.agree_on) & set(answer.differ_on)
    assert {*answer.agree_on, *answer.differ_on} == {name for row in wanted.maps for name, _ in row}
    assert (answer.count > 0) == (answer.nearest is msgspec.UNSET)


@pytest.mark.parametrize("seed", one_in(4, range(8)))
def test_two_seats_and_at_most_eight_cards(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(60):
        _same(small_problem(chance))


@pytest.mark.parametrize("seed", one_in(4, range(4)))
def test_one_seat_with_many_split_hands(seed: int) -> None:
    chance = random.Random(1000 + seed)
    done = 0
    while done < 8:
        problem = small_problem(chance, seats=1, most_cards=11)
        if len(problem["rack"]) > 8:
            _same(problem)
            done += 1


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(20))
def test_longer_racks(seed: int) -> None:
    chance = random.Random(2000 + seed)
    for _ in range(100):
        _same(small_problem(chance, seats=chance.choice((1, 2)), most_cards=10))

"""Openings made ahead of who looks: no state is another, and a first look reads little."""

import random
from typing import Any

import pytest

from dashboards.folding import ahead, states
from dashboards.folding.ahead import Ahead
from dashboards.folding.openings import Openings
from dashboards.folding.states import States
from tests.hands.stored import Recorded, recorded
from tests.hands.test_states import LINES, STREAM, TABLE, folded


class Counting:
    """Counts the rows that are read."""

    def __init__(self, whole: Recorded) -> None:
        self.whole = whole
        self.read = 0

    def query(self, sql: str, parameters: Any = None) -> Any:
        rows = self.whole.store.query(sql, parameters or {})
        self.read += len(rows)
        return rows


@pytest.fixture
def whole() -> Recorded:
    return recorded(STREAM)


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Openings and slices as small beside this record as they are beside one of a million events."""
    monkeypatch.setattr(states, "EVERY", 100)
    monkeypatch.setattr(ahead, "SLICE", 400)


def test_each_step_reads_one_slice_and_after_the_last_a_first_look_reads_little(whole: Recorded) -> None:
    counting, openings = Counting(whole), Openings()
    making = Ahead(counting, States(counting, openings))
    steps = 0
    while True:
        counting.read = 0
        more = making.step()
        assert counting.read <= 400 + 10
        if not more:
            break
        steps += 1
    assert len(LINES) / 400 <= steps <= len(LINES) / 200 + 1
    assert making.step() is False
    looking = States(counting, openings)
    chance = random.Random(5)
    for _ in range(20):
        sequence = chance.randrange(1, len(LINES) + 2)
        counting.read = 0
        assert looking.before(TABLE, sequence) == folded(LINES[: sequence - 1])
        assert counting.read <= 2 * 100 + 10


def test_what_others_have_made_is_not_made_again(whole: Recorded) -> None:
    openings = Openings()
    first = Ahead(whole.store, States(whole.store, openings))
    while first.step():
        pass
    counting = Counting(whole)
    second = Ahead(counting, States(counting, openings))
    while second.step():
        pass
    assert counting.read < len(LINES) / 2


def test_an_empty_store_has_nothing_to_make() -> None:
    class Empty:
        def query(self, _sql: str, _parameters: Any = None) -> list[tuple[Any, ...]]:
            return []

    assert Ahead(Empty(), States(Empty())).step() is False

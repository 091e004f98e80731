"""What a fold holds of a table, and what its process remembers for all of them, does not grow with what was played."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from itertools import product
from typing import Any

import msgspec
import pytest

import processors.pipeline  # noqa: F401 - with it come all modules that remember anything
from processors.pipeline import TablePipeline
from processors.play.composition import ENDLESS
from processors.play.dealer import holes_of
from processors.play.hands import CHIPS, LAMMER, Against, PlayedHand
from producers.simulator.session import Session
from schemas.values import Ruleset
from tests.pipeline.simulated import setup_of
from tests.play.games import FREE

ROUNDS = 4  # of each gaming day
SHOE = 416  # cards of the largest
OF_THE_SHOE = ("shoe_emptied", "shoe_loaded", "shuffler_loaded", "stack_shuffled_from_rack")


def _lines(ruleset: Ruleset, days: int, **fixed: object) -> Iterator[bytes]:
    session = Session(setup_of(ruleset, 3, **fixed), 7)
    for _ in range(days):
        for _ in range(ROUNDS):
            session.play()
        session.close()
        yield from session.writer.take()


def _parts(value: Any, place: str = "") -> Iterator[tuple[int, str]]:
    """How many elements each list and mapping of a state has, and where it is."""
    if isinstance(value, list | dict):
        yield len(value), place
        for name, one in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _parts(one, f"{place}.{name}")


def _larger(lines: Iterator[bytes], most: int, *, detect: bool = True) -> list[tuple[int, str]]:
    """The parts of a table's state with more elements than `most` behind all these lines."""
    first = next(lines)
    pipeline = TablePipeline(json.loads(first)["subject"], proofs=False, detect=detect)
    pipeline.advance(first)
    for line in lines:
        pipeline.advance(line)
    table, detectors = msgspec.msgpack.decode(pipeline.snapshot())
    parts = [part for one in (table, detectors) if one for part in _parts(msgspec.msgpack.decode(one))]
    return [part for part in parts if part[0] > most]


@pytest.mark.parametrize("ruleset", ["free_bet_672a", "fortune_670a10", "manual_shoe_657a8"])
def test_no_part_of_a_tables_state_outgrows_a_shoe(ruleset: Ruleset) -> None:
    assert _larger(_lines(ruleset, 15), SHOE) == []


def test_nor_does_it_grow_for_ever_where_no_word_of_the_shoe_comes() -> None:
    types = [f".{name}".encode() for name in OF_THE_SHOE]
    lines = (
        line for line in _lines("free_bet_590", 40, shuffler="none") if not any(one in line for one in types)
    )
    assert _larger(lines, 5 * SHOE, detect=False) == []


def test_what_hands_are_worth_is_not_remembered_hand_by_hand() -> None:
    against = Against(FREE, ENDLESS, 10, holes_of(10, None))
    counts, hands = range(4, 21), (True, False)
    for total, soft, first, split, money in product(counts, hands, hands, hands, (CHIPS, LAMMER)):
        against.worths(PlayedHand(total, soft, first_two=first, split=split, money=money))
    assert sum(size for size, _ in _parts([getattr(against, name) for name in vars(against)])) < 250


def test_no_process_remembers_more_than_some_thousand_answers_of_a_kind() -> None:
    kept = {
        f"{module}.{name}": one.cache_parameters()["maxsize"] or 0
        for module in list(sys.modules)
        if module.startswith("processors.")
        for name, one in vars(sys.modules[module]).items()
        if hasattr(one, "cache_parameters")
    }
    assert len(kept) > 20
    assert {name: most for name, most in kept.items() if most > 8192} == {}

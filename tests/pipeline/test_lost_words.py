"""Lawful play of which one device's word is lost, or comes in the other order: nobody is accused (A65, A67)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest

from processors.pipeline import TablePipeline
from schemas.findings import Finding
from schemas.rounds import RoundResult
from tests.mutations.rechain import Event, dropped, kind, load, moved, rechained

STREAMS = ("lawful_free_bet_590", "lawful_free_bet_672a", "lawful_down_under_685a")
EACH = 7  # of the cards, one in seven is tried, each time another


def _run(events: list[Event]) -> tuple[list[Finding], list[RoundResult]]:
    lines = list(rechained(events))
    pipeline = TablePipeline(str(events[0]["subject"]))
    outcomes = [*(pipeline.advance(line) for line in lines), pipeline.finish()]
    return [one for out in outcomes for one in out.findings], [one for out in outcomes for one in out.rounds]


def _cards(events: list[Event]) -> list[int]:
    """Where cards are placed right after their draw."""
    pairs = enumerate(pairwise(events))
    return [at + 1 for at, (one, two) in pairs if (kind(one), kind(two)) == ("card_drawn", "card_placed")]


@pytest.mark.parametrize("name", STREAMS)
def test_a_lost_placement_is_inferred_and_the_round_decided(name: str) -> None:
    events = load(name)
    for at in _cards(events)[::EACH]:
        findings, rounds = _run(dropped(events, at))
        assert Counter(one.check for one in findings) == {"integrity.witness": 1}, (at, events[at])
        assert [one.status for one in rounds if one.status != "consistent"] == [], at


@pytest.mark.parametrize("name", STREAMS)
def test_a_placement_before_its_draw_is_the_same_act(name: str) -> None:
    events = load(name)
    for at in _cards(events)[::EACH]:
        findings, rounds = _run(moved(events, at, at - 1))
        assert [(one.check, one.message) for one in findings] == [], (at, events[at])
        assert {one.status for one in rounds} <= {"consistent", "void"}


@pytest.mark.parametrize("name", STREAMS)
def test_a_lost_draw_is_no_act_of_the_dealer(name: str) -> None:
    events = load(name)
    for at in _cards(events)[::EACH]:
        findings, _ = _run(dropped(events, at - 1))
        assert [one.check for one in findings if not one.check.startswith("integrity.")] == [], (
            at,
            events[at],
        )

"""Lawful play of which one device's word is lost, or comes in the other order: nobody is accused (A65, A67)."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import pytest
from msgspec import UNSET

from processors.pipeline import TablePipeline
from schemas.findings import Finding
from schemas.rounds import InferredCard, RoundResult
from tests.hands.stored import unlaid
from tests.mutations.rechain import Event, dropped, kind, load, moved, rechained

STREAMS = ("lawful_free_bet_590", "lawful_free_bet_672a", "lawful_down_under_685a")
EACH = 7  # of the cards, one in seven is tried, each time another


def _run(events: list[Event]) -> tuple[list[Finding], list[RoundResult]]:
    lines = list(rechained(events))
    pipeline = TablePipeline(str(events[0]["subject"]))
    outcomes = [*(pipeline.advance(line) for line in lines), pipeline.finish()]
    return [one for out in outcomes for one in out.findings], [one for out in outcomes for one in out.rounds]


def places_of_cards(events: list[Event]) -> list[int]:
    """Where cards are placed right after their draw."""
    pairs = enumerate(pairwise(events))
    return [at + 1 for at, (one, two) in pairs if (kind(one), kind(two)) == ("card_drawn", "card_placed")]


@pytest.mark.parametrize("name", STREAMS)
def test_a_lost_placement_is_inferred_and_the_round_decided(name: str) -> None:
    events = load(name)
    for at in places_of_cards(events)[::EACH]:
        findings, rounds = _run(dropped(events, at))
        assert Counter(one.check for one in findings) == {"integrity.witness": 1}, (at, events[at])
        assert [one.status for one in rounds if one.status != "consistent"] == [], at


@pytest.mark.parametrize("name", STREAMS)
def test_a_placement_before_its_draw_is_the_same_act(name: str) -> None:
    events = load(name)
    for at in places_of_cards(events)[::EACH]:
        findings, rounds = _run(moved(events, at, at - 1))
        assert [(one.check, one.message) for one in findings] == [], (at, events[at])
        assert {one.status for one in rounds} <= {"consistent", "void"}


@pytest.mark.parametrize("name", STREAMS)
def test_a_lost_draw_is_no_act_of_the_dealer(name: str) -> None:
    events = load(name)
    for at in places_of_cards(events)[::EACH]:
        findings, _ = _run(dropped(events, at - 1))
        assert [one.check for one in findings if not one.check.startswith("integrity.")] == [], (
            at,
            events[at],
        )


def test_a_round_says_what_was_inferred_and_who_showed_it_then() -> None:
    lines, hand, card, drawn, racked = unlaid(STREAMS[0], "BJ-31")
    pipeline = TablePipeline("BJ-31")
    rounds = [one for line in lines for one in pipeline.advance(line).rounds]
    (one,) = rounds[0].inferred or ()
    assert one == InferredCard(hand=hand, card=card, drawn=drawn, known="seen by rack", shown=racked)
    assert rounds[0].words_missing == (f"the placement of the card drawn at event {drawn}",)
    assert {(later.inferred, later.words_missing) for later in rounds[1:]} == {(UNSET, UNSET)}


def test_what_the_rack_has_not_shown_yet_is_inferred_by_play() -> None:
    events = load(STREAMS[0])
    at = places_of_cards(events)[0]
    end = next(place for place, event in enumerate(events) if kind(event) == "cards_racked")
    _, rounds = _run(dropped(events, at)[: end - 1])
    (one,) = rounds[0].inferred or ()
    assert (one.drawn, one.known, one.shown) == (at, "inferred by play", None)


def test_a_late_word_of_the_layout_confirms_what_was_inferred_and_no_word_is_missing() -> None:
    events = load(STREAMS[0])
    at = places_of_cards(events)[0]
    late = [dict(event) for event in moved(events, at, at + 2)]
    late[at + 1]["time"] = late[at]["time"]
    findings, rounds = _run(late)
    assert findings == []
    (one,) = rounds[0].inferred or ()
    assert (one.drawn, one.known, one.shown) == (at, "late word", at + 2)
    assert rounds[0].words_missing is UNSET


def test_a_draw_that_the_shoe_did_not_report_is_a_missing_word_of_the_round() -> None:
    events = load(STREAMS[0])
    at = places_of_cards(events)[0]
    _, rounds = _run(dropped(events, at - 1))
    assert rounds[0].inferred is UNSET
    assert rounds[0].words_missing == (f"the draw of the card laid at event {at}",)

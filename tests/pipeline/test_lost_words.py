"""Lawful play of which one device's word is lost, or comes in the other order: nobody is accused (A65, A67)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import pairwise

import pytest
from msgspec import UNSET

from processors.pipeline import TablePipeline
from schemas.findings import Finding
from schemas.rounds import InferredCard, RoundResult
from tests.hands.stored import unlaid
from tests.mutations.rechain import (
    Event,
    altered,
    dropped,
    heard,
    in_their_own_times,
    kind,
    load,
    moved,
    rechained,
)
from tests.sampling import one_in

STREAMS = ("lawful_free_bet_590", "lawful_free_bet_672a", "lawful_down_under_685a")
STACKS = ("lawful_fortune_670a10", "lawful_manual_shoe_657a8")
ACTS = (("card_drawn", "card_placed"), ("stack_dispensed", "stack_delivered"))
EACH = 23  # of the cards, one in so many is tried, each time another
SOME = pytest.mark.parametrize("each", [2 * EACH, pytest.param(EACH, marks=pytest.mark.soak)])


def _run(
    events: list[Event], lines_of: Callable[[list[Event]], Iterator[bytes]] = rechained
) -> tuple[list[Finding], list[RoundResult]]:
    return heard(list(lines_of(events)))


def places_of_cards(events: list[Event]) -> list[int]:
    """Where cards or stacks are placed right after their draw."""
    pairs = enumerate(pairwise(events))
    return [at + 1 for at, (one, two) in pairs if (kind(one), kind(two)) in ACTS]


@SOME
@pytest.mark.parametrize("name", one_in(2, STREAMS + STACKS))
def test_a_lost_placement_is_inferred_and_the_round_decided(name: str, each: int) -> None:
    events = load(name)
    for at in places_of_cards(events)[::each]:
        findings, rounds = _run(dropped(events, at))
        assert Counter(one.check for one in findings) == {"integrity.witness": 1}, (at, events[at])
        assert [one.status for one in rounds if one.status != "consistent"] == [], at


@SOME
@pytest.mark.parametrize("name", one_in(3, STREAMS + STACKS, 1))
def test_a_placement_before_its_draw_is_the_same_act(name: str, each: int) -> None:
    events = load(name)
    for at in places_of_cards(events)[::each]:
        findings, rounds = _run(moved(events, at, at - 1))
        assert [(one.check, one.message) for one in findings] == [], (at, events[at])
        assert {one.status for one in rounds} <= {"consistent", "void"}


@SOME
@pytest.mark.parametrize("name", one_in(2, STREAMS + STACKS))
def test_a_lost_draw_is_no_act_of_the_dealer(name: str, each: int) -> None:
    events = load(name)
    for at in places_of_cards(events)[::each]:
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


@SOME
@pytest.mark.parametrize("name", STACKS)
@pytest.mark.parametrize(
    "order", [(0, 2, 3, 1), (1, 3, 0, 2), (0, 2, 1, 3)], ids=["placement", "draws", "both"]
)
def test_a_word_that_comes_after_the_next_act_belongs_where_its_time_says(
    name: str, order: tuple[int, ...], each: int
) -> None:
    events = load(name)
    for at in places_of_cards(events)[:: 2 * each]:
        if (kind(events[at + 1]), kind(events[at + 2])) not in ACTS:
            continue
        two_acts = [events[at - 1 + place] for place in order]
        late = [*events[: at - 1], *two_acts, *events[at + 3 :]]
        findings, rounds = _run(late, in_their_own_times)
        assert {one.check for one in findings} <= {"integrity.witness", "integrity.clock"}, (at, events[at])
        assert [one.status for one in rounds if one.status != "consistent"] == [], at


@pytest.mark.parametrize("name", STACKS)
def test_a_spot_that_is_served_twice_is_no_lost_word(name: str) -> None:
    events = load(name)
    [field] = {"hand", "position"} & events[places_of_cards(events)[0]]["data"].keys()
    first, second = places_of_cards(events)[1:3]
    spot = events[first]["data"][field]
    findings, _ = _run(altered(events, second, **{field: spot}))
    told = {one.check for one in findings if one.verdict == "breached"}
    assert told & {"stacks.order", "stacks.five_cards_order"}


@pytest.mark.parametrize("name", one_in(2, STREAMS + STACKS))
def test_a_start_after_the_first_wagers_is_that_of_their_round(name: str) -> None:
    events = load(name)
    start = [at for at, event in enumerate(events) if kind(event) == "round_started"][2]
    assert [kind(event) for event in events[start + 1 : start + 3]] == ["wager_placed"] * 2
    findings, rounds = _run(moved(events, start, start + 3), in_their_own_times)
    assert {one.check for one in findings} <= {"integrity.grammar"}
    assert [one.round for one in rounds] == list(range(1, len(rounds) + 1))
    assert {one.status for one in rounds} <= {"consistent", "void"}

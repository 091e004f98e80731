"""What is put right at a dealing shoe is no breach, and what the manual shoe's counts and approval are due for."""

from __future__ import annotations

import pytest

from producers.simulator.floor.setup import usual_setup
from producers.simulator.session import simulate_table
from schemas.values import Ruleset
from tests.mutations.five_cards import RULESET
from tests.mutations.rechain import Event, altered, breaches, kind, parse
from tests.mutations.stack_streams import SEEDS, put_right
from tests.sampling import one_in
from tests.simulator.quiet import QUIET


@pytest.mark.parametrize("number", one_in(4, range(SEEDS)))
@pytest.mark.parametrize("ruleset", ["fortune_670a10", RULESET])
def test_what_is_put_right_is_no_breach(ruleset: Ruleset, number: int) -> None:
    assert breaches(put_right(ruleset)[number]) == []


def quiet(counts: bool, seed: int) -> list[Event]:
    """Twenty rounds without irregularity."""
    setup = usual_setup(RULESET, "S-1", shuffler_counts=counts, habits=QUIET)
    return parse(simulate_table(setup, 20, seed))


def gaps(events: list[Event]) -> list[int]:
    """Rounds between one stub count and the next, the stream's ends included."""
    found, run = [], 0
    for event in events:
        if kind(event) == "stub_counted":
            found.append(run)
            run = -1
        elif kind(event) == "round_ended":
            run += 1
    return found


@pytest.mark.parametrize("seed", one_in(6, range(12)))
def test_a_count_left_out_is_cited_when_five_rounds_pass_without_one(seed: int) -> None:
    events = quiet(False, seed)
    counts = [index for index, event in enumerate(events) if kind(event) == "stub_counted"]
    for nth, index in enumerate(counts):
        after_it = gaps(events)[nth + 1] if nth + 1 < len(counts) else 0
        long = gaps(events)[nth] + 1 + after_it >= 5
        told = breaches([*events[:index], *events[index + 1 :]])
        assert bool(told) == long or nth + 1 == len(counts)
        assert all("657a.8(f)#1" in finding.cites for finding in told)


@pytest.mark.parametrize("seed", one_in(9, range(10)))
def test_one_shuffle_without_a_report_of_52_is_cited_when_nothing_is_counted(seed: int) -> None:
    events = quiet(True, seed)
    uncounted_ = [event for event in events if kind(event) != "stub_counted"]
    assert breaches(uncounted_) == []
    reports = [index for index, event in enumerate(uncounted_) if kind(event) == "shuffle_completed"]
    broken = altered(uncounted_, reports[7], counted=51 if seed % 2 else None)
    found = breaches(broken)
    [told] = [one for one in found if one.check != "integrity.shoe"]
    assert "657a.8(f)#2" in told.cites
    said = [one.message for one in found if one.check == "integrity.shoe"]
    assert said == ["The shuffler counted 51 cards in batch B1; it has 52."] * (seed % 2)


def test_an_approval_of_the_location_is_asked_for_once() -> None:
    events = quiet(False, 1)
    [index] = [n for n, event in enumerate(events) if event["data"].get("matter") == "shoe_location"]
    for broken in (
        [*events[:index], *events[index + 1 :]],
        altered(events, index, approved_on="2031-01-01"),
    ):
        [told] = breaches(broken)
        assert told.cites == ("657a.8(a)#1",)

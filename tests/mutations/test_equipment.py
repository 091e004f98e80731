"""What lawful tables raise about their equipment, and readers that fail at any moment."""

from __future__ import annotations

import itertools

import pytest

from tests.mutations.equipment import CHAPTERS, EXAMPLES, IRREGULARITIES, SIMULATED, configured, stream
from tests.mutations.rechain import altered, breaches, findings_of, inserted, kind, like, rounds_of, sweep
from tests.sampling import one_in


@pytest.mark.parametrize("name", one_in(2, [*EXAMPLES, *SIMULATED]))
def test_a_lawful_table_raises_nothing(name: str) -> None:
    found = [finding for finding in findings_of(stream(name)) if finding.verdict == "breached"]
    assert [f"{finding.check}: {finding.message}" for finding in found] == []


def test_a_layout_that_is_not_recorded_is_indeterminate() -> None:
    events = altered(stream("lawful_free_bet_672a"), 0, layout=None)
    found = [finding for finding in findings_of(events) if finding.check == "equipment.layout_complete"]
    assert [(finding.verdict, finding.missing) for finding in found] == [
        ("indeterminate", ("the recorded layout",))
    ]


@pytest.mark.parametrize("most", [2, pytest.param(10, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", one_in(3, EXAMPLES))
def test_dealing_on_with_a_defective_reader_is_found_wherever_it_fails(name: str, most: int) -> None:
    events = stream(name)
    chapter = CHAPTERS[str(configured(events)["ruleset"])]
    device = "masque_reader" if chapter == "685a" else "card_reader"
    cited = f"{IRREGULARITIES[chapter]}({'i' if chapter == '685a' else 'j'})"
    starts = [(start, end) for start, end in rounds_of(events)]
    drawn = sweep(
        events,
        lambda index, event: kind(event) == "card_drawn" and any(s < index < e for s, e in starts),
        most=most,
    )
    for index in drawn:
        fault = like(events[index], "device_fault", device=device, fault="malfunction")
        found = breaches(inserted(events, index, fault))
        assert [finding.cites for finding in found] == [(cited,)], (name, index)


@pytest.mark.parametrize("most", [2, pytest.param(10, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", one_in(3, EXAMPLES))
def test_a_reader_that_failed_between_rounds_is_found_once(name: str, most: int) -> None:
    events = stream(name)
    starts = [start for start, _ in rounds_of(events)]
    device = "masque_reader" if configured(events)["ruleset"] == "down_under_685a" else "card_reader"
    for index in starts[:most]:
        fault = like(events[index], "device_fault", device=device, fault="malfunction")
        found = breaches(inserted(events, index, fault))
        assert [finding.check for finding in found] == ["reader.fault"], (name, index)


@pytest.mark.parametrize("name", one_in(3, EXAMPLES, 1))
def test_whoever_wagered_on_the_round_before_is_not_turned_away(name: str) -> None:
    events = stream(name)
    ranges, tried = rounds_of(events), 0
    for (start, end), (following, _) in itertools.pairwise(ranges):
        wagers = [event["data"] for event in events[start:end] if kind(event) == "wager_placed"]
        if {"player_left", "player_arrived"} & {kind(event) for event in events[end:following]}:
            continue
        tried += 1
        refusal = like(events[following], "wager_refused", seat=wagers[0]["seat"], reason="mid_shoe_entry")
        found = breaches(inserted(events, following + 1, refusal))
        assert [finding.check for finding in found] == ["wagers.entry_refused"], (name, following)
        if tried == 10:
            return

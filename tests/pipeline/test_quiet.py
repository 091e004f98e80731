"""A quiet of all devices accuses nobody of what it may hide; a table that pauses is held to its duties all the same."""

from __future__ import annotations

import datetime as dt
import json
from itertools import pairwise

import pytest

from processors.core.devices.thresholds import QUIET
from producers.simulator.floor.gaming_floor import gaming_floor
from producers.simulator.session import simulate_table
from tests.mutations.rechain import (
    Event,
    accusations,
    altered,
    dropped,
    kind,
    load,
    rounds_of,
    time_of,
)
from tests.pipeline.streams import RULESETS, run_of
from tests.sampling import one_in

AWAY = dt.timedelta(seconds=60)
PLACES = 12  # at which the recorder is away, over a few rounds


def _away(events: list[Event], first: int) -> list[Event]:
    """The stream without the words of a minute."""
    until = time_of(events[first]) + AWAY
    return dropped(events, *(at for at in range(first, len(events)) if time_of(events[at]) < until))


def _later(events: list[Event], first: int, seconds: float) -> list[Event]:
    """The stream with a pause before an event."""
    pause = dt.timedelta(seconds=seconds)
    put_off = [{**event, "time": (time_of(event) + pause).isoformat()} for event in events[first:]]
    return [*events[:first], *put_off]


def _within(events: list[Event], number: int, name: str) -> int:
    start, end = rounds_of(events)[number]
    return next(at for at in range(start, end) if kind(events[at]) == name)


@pytest.mark.parametrize("ruleset", one_in(2, RULESETS))
def test_a_recorder_that_is_away_in_play_accuses_nobody(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    rounds = rounds_of(events)
    low, high = rounds[2][0] + 1, rounds[6][1]
    for first in range(low, high, (high - low) // PLACES):
        if any(start <= first <= end for start, end in rounds):
            assert accusations(run_of(_away(events, first)).findings) == [], first


@pytest.mark.parametrize("ruleset", ["fortune_670a10", "manual_shoe_657a8"])
def test_a_pause_in_a_round_is_no_finding_and_the_round_is_decided(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    told = run_of(_later(events, _within(events, 3, "stub_removed"), 90))
    assert told.findings == []
    assert {one.status for one in told.rounds} <= {"consistent", "void"}


@pytest.mark.parametrize(("seconds", "verdict"), [(QUIET.seconds - 15, "breached"), (90, "indeterminate")])
def test_a_breach_in_the_round_of_a_quiet_says_what_the_quiet_hides(seconds: float, verdict: str) -> None:
    events = load(RULESETS["fortune_670a10"])
    at = _within(events, 3, "stub_counted")
    [finding] = [
        one
        for one in run_of(_later(dropped(events, at), at, seconds)).findings
        if one.check == "stub.counted"
    ]
    assert finding.verdict == verdict
    assert ("seconds before event" in str(finding.missing)) is (verdict == "indeterminate")


def test_the_round_after_a_quiet_is_held_to_its_duties() -> None:
    events = load(RULESETS["fortune_670a10"])
    paused = _later(
        dropped(events, _within(events, 4, "stub_counted")), _within(events, 3, "stub_removed"), 90
    )
    assert [one.split(":")[1].strip() for one in accusations(run_of(paused).findings)] == ["stub.counted"]


def test_a_pause_between_rounds_excuses_no_missing_shuffle() -> None:
    events = load(RULESETS["fortune_670a10"])
    end = rounds_of(events)[3][1]
    steps = [at for at in range(end, end + 5) if kind(events[at]) in ("shuffle_started", "shuffle_completed")]
    assert len(steps) == 2
    without = dropped(_later(events, steps[-1] + 1, 90), *steps)
    assert "stacks.shoe_prepared" in "".join(accusations(run_of(without).findings))


def test_a_quiet_that_hid_the_coming_of_a_batch_is_no_breach_of_its_opening() -> None:
    events = load(RULESETS["free_bet_672a"])
    at = next(at for at, event in enumerate(events) if kind(event) == "decks_received")
    last = next(at for at, event in enumerate(events) if kind(event) == "inspection_verified")
    hidden = _later(dropped(events, *range(at, last + 1)), at, 60)
    assert not any("opening." in one for one in accusations(run_of(hidden).findings))
    assert any(
        "opening." in one for one in accusations(run_of(dropped(events, *range(at + 1, last + 1))).findings)
    )


@pytest.mark.parametrize("ruleset", one_in(2, RULESETS))
def test_no_lawful_table_falls_quiet_in_play(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    for start, end in rounds_of(events):
        pairs = pairwise(events[start : end + 1])
        assert all(time_of(two) - time_of(one) < QUIET for one, two in pairs)


def _first(events: list[Event], name: str) -> int:
    return next(at for at, event in enumerate(events) if kind(event) == name)


def _opening(events: list[Event]) -> set[str]:
    told = (one.split(":")[1].strip() for one in accusations(run_of(events).findings))
    return {check for check in told if check.startswith(("opening.", "shuffle_cut.", "shoe."))}


@pytest.mark.parametrize("ruleset", ["free_bet_672a", "down_under_685a"])
def test_a_quiet_while_cards_are_made_ready_excuses_no_step(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    wash = _first(events, "cards_washed")
    hidden = dropped(events, wash)
    assert _opening(_later(hidden, wash, 90)) == _opening(hidden) != set()


@pytest.mark.parametrize("before", ["table_opened", "player_arrived"])
def test_a_table_that_waits_to_open_or_for_its_first_player_owes_every_step(before: str) -> None:
    events = load(RULESETS["free_bet_672a"])
    without = dropped(events, _first(events, "cards_inspected"))
    waiting = _later(without, _first(without, before), 3600)
    assert _opening(without) == _opening(waiting) != set()


def test_a_showdown_of_fewer_cards_than_two_rounds_left_on_record_stops_no_table() -> None:
    events = load(RULESETS["manual_shoe_657a8"])
    [_, dealt_again], [_, shown_again], [begins, _] = (rounds_of(events)[number] for number in (2, 3, 4))
    deal = _within(events, 3, "card_placed") - 1
    over = max(at for at in range(deal, shown_again) if kind(events[at]) == "hand_revealed")
    laid = next(at for at in range(begins, len(events)) if kind(events[at]) == "card_placed")
    told = run_of(dropped(events, *range(_within(events, 2, "hand_revealed"), deal), *range(over + 1, laid)))
    assert dealt_again < deal < over < laid
    assert [one.status for one in told.rounds[-3:]] == ["consistent"] * 3


def _two_batches() -> list[Event]:
    """A simulated table whose two batches take turns in a shuffler."""
    for setup in gaming_floor(24, 7, ("free_bet_590",)):
        events: list[Event] = [json.loads(line) for line in simulate_table(setup, 1, 7)]
        if sum(kind(event) == "shuffler_loaded" for event in events) > 1:
            return events
    raise LookupError("no table with two batches")


def _all(events: list[Event], name: str) -> list[int]:
    return [at for at, event in enumerate(events) if kind(event) == name]


def test_a_batch_whose_coming_fell_into_a_quiet_with_other_words_is_not_said_to_be_missing() -> None:
    events = _two_batches()
    first, verified = _all(events, "decks_received")[1], _all(events, "inspection_verified")[0]
    assert verified == first - 1
    several = accusations(run_of(dropped(events, verified, first)).findings)
    assert not any("equipment.decks_number" in one for one in several)
    alone = accusations(run_of(dropped(events, first)).findings)
    assert any("equipment.decks_number" in one for one in alone)


def test_a_batch_that_was_made_ready_in_a_quiet_is_not_said_to_be_out_of_the_shuffler() -> None:
    events = _two_batches()
    washed, started = _all(events, "cards_washed")[1], _all(events, "shuffle_started")[1]
    hidden = dropped(events, *range(washed, started + 1))
    assert not any(": shoe." in one for one in accusations(run_of(hidden).findings))
    completed = _all(events, "shuffle_completed")[0]
    longer = dropped(events, *range(completed, started))
    assert not any(": shoe." in one for one in accusations(run_of(longer).findings))
    loaded = _all(events, "shuffler_loaded")[1]
    assert any(
        "shoe.rotation_waiting" in one for one in accusations(run_of(dropped(events, loaded)).findings)
    )


@pytest.mark.parametrize("first", ["shuffle_completed", "cut_made"])
def test_a_first_round_that_is_missing_hides_the_load_of_its_shoe(first: str) -> None:
    events = load(RULESETS["free_bet_590"])
    second = rounds_of(events)[1][0]
    hidden = dropped(events, *range(_first(events, first), second))
    assert not any("shoe.dealt_from" in one for one in accusations(run_of(hidden).findings))
    without = dropped(events, _first(events, "shoe_loaded"))
    assert any("shoe.dealt_from" in one for one in accusations(run_of(without).findings))


@pytest.mark.parametrize("ruleset", ["free_bet_590", "free_bet_672a", "down_under_685a"])
def test_a_doubt_keeps_the_words_that_it_lacks_beside_the_finding_from_which_it_follows(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    read = _first(events, "hole_card_read")
    paid = next(
        at
        for at in range(read, len(events))
        if kind(events[at]) == "wager_settled" and events[at]["data"]["outcome"] == "pay"
    )
    short = altered(events, paid, cents=events[paid]["data"]["cents"] - 50)
    told = run_of(dropped(_later(short, paid, 45), read))
    [finding] = [one for one in told.findings if one.check == "settlement.stake"]
    quiet, reading = finding.missing or ()
    assert quiet.startswith("what happened in the 45 seconds")
    assert reading == "the reading of the hole card"

"""A device that is silent or loses words: one finding for the stretch and one for its end, never a flood (A66)."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from functools import cache

import pytest

from deploy.console.alerting import asks_for_alert
from processors.core.devices.thresholds import AFTER_LOSSES, LIMIT, WINDOW
from processors.pipeline import TablePipeline
from producers.simulator.floor.setup import usual_setup
from producers.simulator.session import simulate_table
from schemas.findings import Finding
from schemas.values import Ruleset
from tests.mutations.rechain import (
    Event,
    device_of,
    dropped,
    in_their_own_times,
    kind,
    load,
    rechained,
    rounds_of,
)
from tests.pipeline.streams import RULESETS, Run, run, run_of
from tests.sampling import one_in

BLACKJACK: tuple[Ruleset, ...] = ("free_bet_590", "free_bet_672a", "down_under_685a")
SHIFT = 60  # rounds
AT_MOST = 3  # findings for a stretch
WORDS: dict[str, tuple[str, ...]] = {
    "placements": ("card_placed", "stack_delivered"),
    "wagers": ("wager_placed",),
    "rack": ("cards_racked",),
    "shoe": ("card_drawn", "stack_dispensed"),
    "reader": ("hole_card_read",),
}
PARTS = [
    (ruleset, part) for ruleset in RULESETS for part in WORDS if part != "reader" or ruleset in BLACKJACK
]


@cache
def _shift(ruleset: Ruleset) -> list[Event]:
    return [json.loads(line) for line in simulate_table(usual_setup(ruleset, "T-1"), SHIFT, 5)]


def _dead(events: list[Event], part: str, *stretches: tuple[int, int]) -> list[Event]:
    """The stream without the words of a part from the start of one round to that of another."""
    rounds = rounds_of(events)
    spans = [(rounds[first][0], rounds[last][0]) for first, last in stretches]
    gone = [
        at
        for first, last in spans
        for at in range(first, last)
        if kind(events[at]) in WORDS.get(part, ()) or part == device_of(events[at])
    ]
    return dropped(events, *gone)


def _of_devices(findings: list[Finding]) -> list[Finding]:
    return [one for one in findings if one.check == "integrity.device"]


@pytest.mark.parametrize(("ruleset", "part"), one_in(3, PARTS))
def test_a_device_that_dies_twice_and_comes_back_is_two_findings_each_time(
    ruleset: Ruleset, part: str
) -> None:
    told = run_of(_dead(_shift(ruleset), part, (8, 22), (36, 48)))
    assert len(told.findings) <= 2 * AT_MOST
    begun = [one for one in told.findings if one.verdict == "breached"]
    over = [one for one in told.findings if one.severity == "info"]
    assert [one.check for one in begun] == ["integrity.device"] * 2
    assert {one.because_of for one in over} <= {one.finding_id for one in begun}
    assert over[0].because_of == begun[0].finding_id
    assert over[0].observed["rounds"] >= 3
    assert over[0].observed["words_lost"] >= LIMIT


@pytest.mark.parametrize("ruleset", one_in(2, RULESETS))
def test_a_layout_that_dies_as_a_whole_raises_one_alert(ruleset: Ruleset) -> None:
    told = run_of(_dead(_shift(ruleset), "layout", (8, 22)))
    assert [one.check for one in told.findings if asks_for_alert(one)] == ["integrity.device"]
    assert [one.severity for one in told.findings].count("info") == 1


def _without_each(events: list[Event], word: str, each: int, most: int = 10_000) -> list[Event]:
    """The stream without one of so many words of a type, from the second round on."""
    begin = rounds_of(events)[1][0]
    places = [at for at in range(begin, len(events)) if kind(events[at]) == word]
    return dropped(events, *places[each - 1 :: each][:most])


@pytest.mark.parametrize("ruleset", one_in(3, BLACKJACK, 1))
def test_a_device_that_loses_words_now_and_then_is_named_once(ruleset: Ruleset) -> None:
    told = run_of(_without_each(_shift(ruleset), "card_placed", 12))
    lost = [one for one in _of_devices(told.findings) if one.verdict == "breached"]
    assert [one.observed["device"] for one in lost] == ["layout"]
    assert lost[0].observed["words_lost"] == LIMIT
    singly = [one for one in told.findings if one.check == "integrity.witness"]
    assert len(singly) < LIMIT, "what the stretch covers is not told singly"


def test_fewer_lost_words_than_the_limit_are_told_singly_and_are_no_stretch() -> None:
    events = _shift("free_bet_672a")
    few = run_of(_without_each(events, "card_placed", WINDOW // LIMIT, LIMIT - 1))
    assert Counter(one.check for one in few.findings) == {"integrity.witness": LIMIT - 1}
    far = run_of(_without_each(events, "card_placed", WINDOW))
    assert _of_devices(far.findings) == []


def test_a_stretch_of_lost_words_is_over_after_enough_that_came() -> None:
    events = _shift("free_bet_672a")
    told = _of_devices(run_of(_without_each(events, "card_placed", 20, LIMIT)).findings)
    assert [(one.verdict, one.severity) for one in told] == [("breached", "major"), ("indeterminate", "info")]
    lines = list(rechained(_without_each(events, "card_placed", 20, LIMIT)))
    between = [json.loads(line) for line in lines[told[0].sequence : told[1].sequence]]
    assert sum(kind(one) == "card_placed" for one in between) >= AFTER_LOSSES


def test_a_clock_that_is_off_is_named_for_its_device() -> None:
    events = _shift("down_under_685a")
    rounds = rounds_of(events)
    begin, end = rounds[10][0], rounds[20][0]
    wrong = [
        _later(event, 40) if begin <= at < end and device_of(event) == "shoe" else event
        for at, event in enumerate(events)
    ]
    told = _of_devices(run("T-1", in_their_own_times(wrong)).findings)
    assert [(one.severity, one.observed["device"]) for one in told] == [("major", "shoe"), ("info", "shoe")]


def _later(event: Event, seconds: float) -> Event:
    time = dt.datetime.fromisoformat(str(event["time"])) + dt.timedelta(seconds=seconds)
    return event | {"time": time.isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"}


def test_faces_that_nobody_reads_are_one_finding_that_accuses_nobody() -> None:
    events = _shift("free_bet_590")
    begin = rounds_of(events)[5][0]
    blind = [
        event | {"data": event["data"] | {"card": "??"}}
        if at >= begin and kind(event) in ("card_drawn", "card_placed")
        else event
        for at, event in enumerate(events)
    ]
    told = _of_devices(run_of(blind).findings)
    assert [(one.verdict, one.severity) for one in told] == [("indeterminate", "major")]
    assert not asks_for_alert(told[0])


def _readings(events: list[Event]) -> list[int]:
    """Where a hole card was read and play then went on to players' decisions, not to settlements."""
    return [
        at
        for at, event in enumerate(events[:-1])
        if kind(event) == "hole_card_read" and kind(events[at + 1]) == "player_decision"
    ]


def test_one_reading_that_is_missing_between_others_is_told_once_the_reader_speaks_again() -> None:
    events = _shift("free_bet_590")
    at = _readings(events)[2]
    told = run_of(dropped(events, at))
    found = [one for one in told.findings if one.check == "reader.used"]
    assert [one.verdict for one in found] == ["breached"]
    assert [round_.status for round_ in told.rounds if round_.round == found[0].round] == ["indeterminate"]


@pytest.mark.parametrize("each", [9, pytest.param(3, marks=pytest.mark.soak)])
@pytest.mark.parametrize("ruleset", one_in(3, BLACKJACK, 2))
def test_readings_missing_in_a_row_accuse_nobody(ruleset: Ruleset, each: int) -> None:
    events = _shift(ruleset)
    every = [at for at, event in enumerate(events) if kind(event) == "hole_card_read"]
    for first in range(3, len(every) - 3, each):
        told = run_of(dropped(events, *every[first : first + 2]))
        assert [one for one in told.findings if one.verdict == "breached"] == [], first
        assert 1 <= len(told.findings) <= 2, first


def test_a_snapshot_within_a_stretch_changes_nothing() -> None:
    lines = list(rechained(_without_each(_shift("free_bet_672a"), "card_placed", 12)))
    whole = run("T-1", lines, detect=True)
    for cut in range(200, len(lines), 307):
        first, told = TablePipeline("T-1"), Run()
        for line in lines[:cut]:
            told.take(first.advance(line))
        told.go_on(TablePipeline.restore(first.snapshot()), lines[cut:])
        assert (told.rounds, told.findings) == (whole.rounds, whole.findings), cut


def test_a_lawful_table_has_no_device_that_fails() -> None:
    for name in RULESETS.values():
        assert _of_devices(run_of(load(name)).findings) == []

"""Lawful play of which one device speaks some seconds late, with several words in a row: nobody is accused of it."""

from __future__ import annotations

import datetime as dt

import msgspec
import pytest

from producers.simulator.floor.gaming_floor import gaming_floor, seed_of
from producers.simulator.session import simulate_table
from schemas.values import Ruleset
from tests.mutations.rechain import Event, accusations, device_of, dropped, kind, time_of
from tests.pipeline.test_rehearing import _run

HELD = dt.timedelta(seconds=6)
SEED = 7
RULESETS: tuple[Ruleset, ...] = ("free_bet_590", "free_bet_672a", "down_under_685a")
SUBJECTS = ("FB90-104", "FB90-107", "FB90-110", "FB90-113")
"""Tables of one or two players, at which six seconds reach into the next round."""


def _held(events: list[Event], at: int) -> list[Event]:
    """The record with all that a device says from one word on handed over six seconds after that word."""
    begin, device = time_of(events[at]), device_of(events[at])

    def arrives(event: Event) -> dt.datetime:
        held = device_of(event) == device and begin <= time_of(event) < begin + HELD
        return begin + HELD if held else time_of(event)

    return sorted(events, key=arrives)


def _simulated(subject: str) -> list[Event]:
    setup = next(one for one in gaming_floor(24, SEED, RULESETS) if one.subject == subject)
    return [msgspec.json.decode(line) for line in simulate_table(setup, 5, seed_of(SEED, subject))]


def _of(events: list[Event], name: str) -> list[int]:
    """The places of the words of that type, from the first round on."""
    begin = next(at for at, event in enumerate(events) if kind(event) == "round_started")
    return [at for at in range(begin, len(events) - 1) if kind(events[at]) == name]


@pytest.mark.parametrize("subject", SUBJECTS)
def test_a_layout_that_is_late_with_all_it_says_for_six_seconds_accuses_nobody(subject: str) -> None:
    events = _simulated(subject)
    places = _of(events, "hole_card_revealed")
    assert places
    for at in places:
        assert accusations(_run(_held(events, at))) == [], at


def test_a_round_takes_its_late_words_also_when_the_table_is_restored_at_every_event() -> None:
    events = _simulated(SUBJECTS[0])
    late = _held(events, _of(events, "hole_card_revealed")[1])
    assert msgspec.json.encode(_run(late, restarting=True)) == msgspec.json.encode(_run(late))


def test_a_hole_card_that_is_never_revealed_stays_a_breach_though_a_device_was_late_before() -> None:
    events = _simulated(SUBJECTS[1])
    late = _held(events, _of(events, "hole_card_revealed")[0])
    last = max(at for at, event in enumerate(late) if kind(event) == "hole_card_revealed")
    assert any("action.reveal" in one for one in accusations(_run(dropped(late, last))))

"""Rounds of the stack games of which words were lost or came late; and breaches beside them."""

from __future__ import annotations

import datetime as dt

import msgspec
import pytest

from processors.core.devices.thresholds import LATEST
from schemas.findings import Finding
from tests.mutations.rechain import Event, accused, altered, dropped, kind, left_out, load
from tests.pipeline.test_rehearing import _heard, _late, _of, _run, _wagers
from tests.sampling import one_in

FORTUNE, MANUAL = "lawful_fortune_670a10", "lawful_manual_shoe_657a8"
STREAMS = (FORTUNE, MANUAL)
QUALIFIES = 500  # cents of a Fortune Bonus wager by which an Envy lammer lies


def _settlement(events: list[Event], at: int) -> int:
    """The event that settles the wager placed at another."""
    seat, sort = events[at]["data"]["seat"], events[at]["data"]["kind"]
    return next(
        later
        for later in _of(events, "wager_settled")
        if later > at and (events[later]["data"]["seat"], events[later]["data"]["kind"]) == (seat, sort)
    )


def _passed(events: list[Event], at: int) -> int:
    """The last of the three events after a word that come from other devices, before its own speaks again."""
    others = [later for later in range(at + 1, at + 4) if events[later]["source"] != events[at]["source"]]
    return at + next((n for n in range(3) if at + 1 + n not in others), 3)


def _checks(findings: list[Finding]) -> set[str]:
    return {one.check for one in accused(findings)}


@pytest.mark.parametrize("each", [8, pytest.param(4, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", STREAMS)
def test_a_lost_wager_that_its_settlement_bears_out_is_a_doubt_and_named(name: str, each: int) -> None:
    events, doubts = load(name), 0
    for at in _of(events, "wager_placed")[::each]:
        findings, data = _run(dropped(events, at)), events[at]["data"]
        assert accused(findings) == [], data
        for one in findings:
            assert f"seat {data['seat']} on the layout" in (one.missing or ("",))[0], (data, one.message)
            doubts += 1
    assert doubts


def test_two_lost_wagers_of_a_round_are_doubts_together() -> None:
    events = load(FORTUNE)
    progressive = _wagers(events, "progressive")
    start = next(
        at for at in progressive if kind(events[at + 1]) == "wager_placed" and sum(
            at <= other <= at + 8 for other in progressive) > 1
    )  # fmt: skip
    lost = [at for at in progressive if start <= at <= start + 8]
    findings = _run(dropped(events, *lost))
    assert accused(findings) == []
    assert len({word for one in findings for word in one.missing or ()}) == len(lost)


def test_a_hand_dealt_where_nobody_wagered_and_nothing_was_settled_stays_a_breach() -> None:
    events = load(MANUAL)
    mains = _wagers(events, "main")
    at = next(
        at for at in mains if sum(events[at]["data"]["seat"] == events[other]["data"]["seat"] and
            at < other < _settlement(events, at) for other in _of(events, "wager_placed")) == 0
    )  # fmt: skip
    broken = dropped(events, at, _settlement(events, at))
    assert "stacks.five_cards_order" in _checks(_run(broken))


def test_an_envy_lammer_by_a_wager_that_settled_as_too_small_stays_a_breach() -> None:
    events = load(FORTUNE)
    at = next(
        at for at in _wagers(events, "fortune_bonus")
        if events[at]["data"]["cents"] >= QUALIFIES
        and events[_settlement(events, at)]["data"]["outcome"] == "collect"
    )  # fmt: skip
    assert accused(_run(dropped(events, at))) == []
    small = altered(events, _settlement(events, at), cents=QUALIFIES - 100)
    assert _checks(_run(dropped(small, at))) == {"stacks.wagers_envy"}


def test_chips_of_a_wager_that_nothing_bears_out_stay_a_breach() -> None:
    events = load(FORTUNE)
    at = _wagers(events, "progressive")[0]
    assert "stacks.wagers_amounts" in _checks(_run(dropped(events, at, _settlement(events, at))))


@pytest.mark.parametrize(
    "sort",
    ["wager_placed", "lammer_placed", "betting_closed", "starting_position_set", "stub_removed", "stub_counted",
     "stack_delivered", "card_placed", "system_wagers_counted"],
)  # fmt: skip
@pytest.mark.parametrize("most", [3, pytest.param(1_000, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", one_in(2, STREAMS))
def test_a_word_that_comes_some_seconds_late_accuses_nobody(name: str, sort: str, most: int) -> None:
    events = load(name)
    for at in _of(events, sort)[:: -(-len(_of(events, sort)) // most) or 1]:
        assert accused(_run(_late(events, at, _passed(events, at)))) == [], events[at]


@pytest.mark.parametrize("name", one_in(2, STREAMS, 1))
def test_all_wagers_of_a_round_may_come_late(name: str) -> None:
    events = load(name)
    closed = _of(events, "betting_closed")[2]
    first = max(at for at in _of(events, "round_started") if at < closed) + 1
    assert {kind(event) for event in events[first:closed]} == {"wager_placed"}
    near = dt.datetime.fromisoformat(events[closed]["time"]) - LATEST
    late = [at for at in range(first, closed) if dt.datetime.fromisoformat(events[at]["time"]) > near]
    words = [events[at] for at in late]
    moved = [*events[: late[0]], events[closed], *words, *events[closed + 1 :]]
    assert accused(_run(moved)) == []


@pytest.mark.parametrize(("name", "draw"), [(FORTUNE, "stack_dispensed"), (MANUAL, "card_drawn")])
def test_the_end_of_a_deal_may_come_late_from_shoe_and_layout(name: str, draw: str) -> None:
    events = load(name)
    last = max(at for at in _of(events, draw) if at < _of(events, "hand_revealed")[0])
    shown = min(at for at in (*_of(events, "stub_counted"), *_of(events, "hand_revealed")) if at > last)
    late = [events[last], events[last + 1], *events[last + 2 : shown]]
    moved = [*events[:last], events[shown], *late, *events[shown + 1 :]]
    # A clock that is right and a word that is late: the console goes on within some seconds of the last card.
    near = dt.datetime.fromisoformat(events[last]["time"]) + dt.timedelta(seconds=1)
    for nth, event in enumerate((*late, events[shown])):
        event["time"] = (near + dt.timedelta(seconds=nth / 2)).isoformat().replace("+00:00", "Z")
    assert accused(_run(moved)) == []


@pytest.mark.parametrize(("name", "draw"), [(FORTUNE, "stack_dispensed"), (MANUAL, "card_drawn")])
def test_a_deal_that_ends_too_early_is_a_breach_once_its_words_cannot_come(name: str, draw: str) -> None:
    events = load(name)
    shown = _of(events, "hand_revealed")[0]
    last = max(at for at in _of(events, draw) if at < shown)
    broken = left_out(events, last)
    heard = [(one, told) for one, told in _heard(broken) if one.verdict == "breached"]
    order = "stacks.order" if name == FORTUNE else "stacks.five_cards_order"
    [(finding, told)] = [(one, told) for one, told in heard if one.check == order]
    clocks = [dt.datetime.fromisoformat(event["time"]) for event in broken]
    assert clocks[told - 1] - clocks[finding.sequence - 1] > LATEST


@pytest.mark.parametrize("sort", ["main", "progressive"])
@pytest.mark.parametrize("name", STREAMS)
def test_a_wager_taken_after_betting_closed_is_a_breach_at_once(name: str, sort: str) -> None:
    events = load(name)
    at = _wagers(events, sort)[0]
    closed = next(later for later in _of(events, "system_wagers_locked") if later > at)
    events[at]["time"] = events[closed]["time"]
    heard = _heard(_late(events, at, closed))
    told = [(one.sequence, when) for one, when in heard if one.check == "stacks.wagers_in_time"]
    assert told == [(closed + 1, closed + 1)]


@pytest.mark.parametrize("name", one_in(2, STREAMS))
def test_what_waits_is_the_same_when_the_table_is_restored_at_every_event(name: str) -> None:
    events = load(name)
    at = _wagers(events, "progressive")[0]
    for broken in (dropped(events, at), _late(events, at, at + 5)):
        whole, restarting = _run(broken), _run(broken, restarting=True)
        assert msgspec.json.encode(restarting) == msgspec.json.encode(whole)

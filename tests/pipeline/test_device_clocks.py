"""A device's clock decides nothing: a table's rounds are the same wherever the clock stands (A75)."""

from __future__ import annotations

import datetime as dt
from itertools import product

import pytest

from processors.core.facts_equipment import Times
from processors.core.folding.clocks import reckoned
from processors.pipeline import TablePipeline
from processors.runtime.brokers.records import LedgerRecord
from processors.runtime.sink.admission import Admission
from schemas.events.codec import decode
from schemas.findings import Finding
from schemas.rounds import RoundResult
from schemas.topics import CLOUDEVENT
from tests.mutations.rechain import Event, device_of, in_their_own_times, kind, load
from tests.pipeline.streams import run
from tests.sampling import one_in

NAME = "lawful_free_bet_672a"
EXTREME = {
    "the last moment, west of UTC": "9999-12-31T23:59:59.999999-05:00",
    "the first moment, east of UTC": "0001-01-01T00:00:00+01:00",
    "the last moment": "9999-12-31T23:59:59.999999Z",
    "the first moment": "0001-01-01T00:00:00Z",
    "before the store's years": "1753-01-01T00:00:00-11:30",
    "behind the store's years": "4712-12-31T00:00:00+14:00",
    "the last leap second": "9999-12-31T23:59:60-12:00",
}


def _recorded(events: list[Event]) -> list[Event]:
    """The events with the time at which a recorder wrote them, a tenth of a second later."""
    tenth = dt.timedelta(seconds=0.1)
    return [
        {**event, "recordedtime": (dt.datetime.fromisoformat(event["time"]) + tenth).isoformat()}
        for event in events
    ]


def _moved(event: Event, by: dt.timedelta) -> Event:
    return {**event, "time": (dt.datetime.fromisoformat(event["time"]) + by).isoformat()}


def _told(events: list[Event]) -> tuple[list[RoundResult], list[Finding]]:
    seen = run(str(events[0]["subject"]), in_their_own_times(events), detect=True)
    assert seen.dead == []
    return seen.rounds, seen.findings


def _decided(rounds: list[RoundResult]) -> list[object]:
    return [(one.round, one.status, one.gaming_day, one.hands, one.stakes, one.rack) for one in rounds]


DEVICES = ("console", "layout", "shoe", "reader")
FAR = (dt.timedelta(days=-20_514), dt.timedelta(hours=-6), dt.timedelta(minutes=6), dt.timedelta(days=400))


@pytest.mark.parametrize(("device", "by", "since"), one_in(3, [*product(DEVICES, FAR, (0, 500))]))
def test_a_clock_far_from_the_recorders_is_told_once_and_moves_nothing(
    device: str, by: dt.timedelta, since: int
) -> None:
    events = _recorded(load(NAME))
    wrong = [
        _moved(event, by) if place >= since and device_of(event) == device else event
        for place, event in enumerate(events)
    ]
    rounds, findings = _told(wrong)
    assert _decided(rounds) == _decided(_told(events)[0])
    [finding] = findings
    assert (finding.check, finding.verdict, finding.severity) == ("integrity.clock", "breached", "minor")
    where = "ahead of" if by > dt.timedelta() else "behind"
    assert finding.message.startswith(f"The clock of {device} stands ")
    assert finding.message.endswith(f" {where} the recorder's.")
    right = next(
        n for n, event in enumerate(wrong, 1) if since or device_of(event) != device
    )  # the first word in time
    first = next(
        n for n, event in enumerate(wrong, 1) if n > max(since, right) and device_of(event) == device
    )
    assert finding.sequences == (first,)


@pytest.mark.parametrize(("seconds", "told"), [(299, 0), (301, 1), (-299, 0), (-301, 1)])
def test_five_minutes_are_the_limit(seconds: int, told: int) -> None:
    events = load(NAME)
    recorded = [{**event, "recordedtime": event["time"]} for event in events]
    wrong = [
        _moved(event, dt.timedelta(seconds=seconds * (device_of(event) == "reader"))) for event in recorded
    ]
    assert sum(one.check == "integrity.clock" for one in _told(wrong)[1]) == told


def test_a_clock_that_is_right_again_and_wrong_again_is_told_again() -> None:
    events = _recorded(load(NAME))
    wrong = [
        _moved(
            event, dt.timedelta(days=9 * (200 < place < 500 or place > 700) * (device_of(event) == "layout"))
        )
        for place, event in enumerate(events)
    ]
    rounds, findings = _told(wrong)
    assert [one.message for one in findings] == [
        "The clock of layout stands 9 days ahead of the recorder's."
    ] * 2
    assert _decided(rounds) == _decided(_told(events)[0])


def test_a_record_that_was_written_down_afterwards_keeps_its_devices_times() -> None:
    events = [{**event, "recordedtime": "2026-11-27T12:00:00Z"} for event in load(NAME)]
    rounds, findings = _told(events)
    assert _decided(rounds) == _decided(_told(load(NAME))[0])
    assert findings == []
    times = Times()
    for line, event in zip(in_their_own_times(events), events, strict=True):
        assert reckoned(times, decode(line))[0].time == dt.datetime.fromisoformat(event["time"])


@pytest.mark.parametrize("time", EXTREME.values(), ids=EXTREME)
@pytest.mark.parametrize(
    "name", one_in(3, ["round_started", "card_drawn", "wager_placed", "round_ended", "shoe_loaded"])
)
@pytest.mark.parametrize("field", ["time", "recordedtime"])
def test_a_time_that_no_zone_can_write_stops_nothing(time: str, name: str, field: str) -> None:
    events = _recorded(load(NAME)) if field == "recordedtime" else load(NAME)
    at = [place for place, event in enumerate(events) if kind(event) == name][-1]
    wrong = [{**event, field: time} if place == at else event for place, event in enumerate(events)]
    rounds, findings = _told(wrong)
    assert _decided(rounds) == _decided(_told(events)[0])
    [finding] = findings
    assert (finding.check, finding.sequence) == ("integrity.clock", at + 1)
    whose = device_of(events[at]) if field == "time" else "the recorder"
    assert finding.message == f"The clock of {whose} shows a time beyond the years 1900 to 2299."


@pytest.mark.parametrize("time", EXTREME.values(), ids=EXTREME)
def test_a_time_that_an_event_names_and_no_zone_can_write_is_unknown(time: str) -> None:
    events = load(NAME)
    wrong = [
        {**event, "data": {**event["data"], "opened_at": time}} if kind(event) == "decks_received" else event
        for event in events
    ]
    received = [place for place, event in enumerate(events, 1) if kind(event) == "decks_received"]
    rounds, findings = _told(wrong)
    assert _decided(rounds) == _decided(_told(events)[0])
    assert [finding.sequence for finding in findings] == received
    assert {finding.message for finding in findings} == {
        "The console names a time beyond the years 1900 to 2299."
    }


def test_the_sink_stores_the_time_by_which_the_fold_counts() -> None:
    events = _recorded(load(NAME))
    wrong = [_moved(event, FAR[0]) if device_of(event) == "layout" else event for event in events]
    wrong[400] = {**wrong[400], "time": EXTREME["the last moment, west of UTC"]}
    pipeline, admission = TablePipeline(wrong[0]["subject"], detect=False), Admission()
    for offset, line in enumerate(in_their_own_times(wrong)):
        pipeline.advance(line)
        admission = Admission(1, admission.next_offset, admission.state())  # as after a restart
        [(event, _)] = admission.take(
            LedgerRecord(0, offset, pipeline.table.subject.encode(), line, CLOUDEVENT)
        )
        assert event.time == pipeline.state.times.last

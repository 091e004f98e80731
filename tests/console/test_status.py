"""The health page: parts, viewers, sensors and tables that have fallen silent, clocks that are off."""

import dataclasses
import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from dashboards.health import sensor_reading
from dashboards.health.clocks import DeviceClock
from dashboards.health.page import sensor_vitals
from dashboards.health.sensor_reading import CLOCKS_EVERY, EARLY, READ_EVERY, Sensors
from dashboards.health.sensors import (
    BETWEEN,
    IN_ROUND,
    PAUSES,
    SHORTEST,
    Movement,
    Play,
    SeenGrowth,
    Told,
    Watched,
    watched,
)
from dashboards.ledger.acts import Withheld
from dashboards.reader.question import Parameter
from dashboards.reader.sensors import ClockRow, DeviceRow, FaultRow, PauseRow, SeenTableRow, TurnRow
from dashboards.web.console import Console
from dashboards.web.gate import REFRESH_HEADER
from dashboards.web.vitals import Figures, Vital
from tests.console.apps import browser_of
from tests.console.conftest import Browser, Clock
from tests.console.desk_building import T0, after

SignedIn = Callable[[str], Browser]
A_WHILE = SeenGrowth(SHORTEST, SHORTEST)
SCENES: dict[Play, str] = {
    "in a round": "round_started",
    "open": "round_ended",
    "idle": "table_idle",
    "closed": "table_closed",
    "not known": "",
}


def a_device(source: str, events: int, last: float, every: float = 2.0, subject: str = "BJ-1") -> DeviceRow:
    """A device that spoke every so many seconds up to `last` seconds behind T0."""
    return DeviceRow(subject, source, events, after(last - every * (events - 1)), after(last))


def a_table(scene: str, last: float = 0.0, subject: str = "BJ-1", sequence: int = 500) -> SeenTableRow:
    return SeenTableRow(subject, sequence, after(last), scene)


def silences(*devices: DeviceRow, scene: str = "round_started", **told: Any) -> list[str]:
    """What the devices of one table are said to do."""
    (table,) = watched(Told(newest=T0, tables=[a_table(scene)], devices=devices, **told))
    return [sensor.silence for sensor in table.sensors]


class Store:
    """Answers by what is asked for; or says that it is away."""

    def __init__(
        self,
        devices: Sequence[DeviceRow],
        faults: Sequence[FaultRow] = (),
        away: str = "",
        *,
        tables: Sequence[SeenTableRow] = (),
        clocked: Sequence[ClockRow] = (),
        turns: Sequence[TurnRow] = (),
        pauses: Sequence[PauseRow] = (),
    ) -> None:
        self.devices, self.faults, self.away = devices, faults, away
        self.tables, self.clocked, self.turns, self.pauses = tables, clocked, turns, pauses
        self.asked: list[str] = []

    def query(self, sql: str, parameters: Mapping[str, Parameter] | None = None) -> list[tuple[Any, ...]]:
        if self.away:
            raise ConnectionError(self.away)
        self.asked.append(sql)
        if "max(time) FROM events" in sql and "GROUP" not in sql:
            until = (parameters or {}).get("until")
            times = [d.last for d in self.devices if not isinstance(until, dt.datetime) or d.last <= until]
            return [(max(times, default=dt.datetime(1970, 1, 1, tzinfo=dt.UTC)),)]
        rows = next(found for mark, found in self._by_mark() if mark in sql)
        return [tuple(getattr(row, name) for name in row.__struct_fields__) for row in rows]

    def _by_mark(self) -> tuple[tuple[str, Sequence[Any]], ...]:
        return (
            ("check_id = 'integrity.device'", ()),
            ("status = 'indeterminate'", ()),
            ("FROM findings", self.faults),
            ("scenes", self.tables),
            ("recordedtime", self.clocked),
            ("before != after", self.turns),
            ("quantileExact(0.5)", self.pauses),
            ("GROUP BY subject, source", self.devices),
        )


@pytest.mark.parametrize(
    ("still", "silence"),
    [(SHORTEST.total_seconds(), "speaks"), (SHORTEST.total_seconds() + 1, "silent")],
)
def test_a_device_is_silent_when_it_is_still_for_longer_than_it_ever_is(still: float, silence: str) -> None:
    found = silences(a_device("reader", 100, -still), a_device("shoe", 100, 0.0))
    assert found == [silence, "speaks"]


def test_a_device_that_pauses_for_long_may_be_still_for_longer() -> None:
    pause = 10.0
    for still, silence in ((PAUSES * pause, "speaks"), (PAUSES * pause + 1, "silent")):
        found = silences(a_device("shoe", 100, 0.0), a_device("tray", 100, -still, every=pause))
        assert found == ["speaks", silence]


def test_a_device_that_said_little_has_no_usual_pause() -> None:
    assert silences(a_device("shoe", 100, 0.0), a_device("tray", 3, -5_000)) == ["speaks", "rare"]


def test_devices_of_a_closed_table_rest() -> None:
    devices = a_device("count-room", 100, 0.0), a_device("shoe", 100, -1_800)
    assert silences(*devices, scene="table_closed") == ["speaks", "rests"]
    assert silences(*devices, scene="table_idle") == ["speaks", "silent"]


def test_a_wrong_clock_makes_neither_its_device_nor_the_others_silent() -> None:
    """An hour ahead it would be the newest of the table by an hour; an hour behind the oldest."""
    for ahead in (3_600.0, -3_600.0):
        off = DeviceClock(standing="off", low=ahead, high=ahead, by="arrival")
        devices = a_device("console", 100, -1.0), a_device("shoe", 100, ahead)
        assert silences(*devices) != ["speaks", "speaks"]
        assert silences(*devices, clocks={("BJ-1", "shoe"): off}) == ["speaks", "speaks"]


def test_a_device_whose_clock_is_days_behind_is_there_by_the_chain() -> None:
    late = ClockRow("BJ-1", "shoe", 40, after(-90_000), after(-86_400), 40, -86_400.0)
    off = DeviceClock(standing="off", low=-86_400.0, high=-86_400.0, by="arrival")
    found = silences(a_device("console", 100, 0.0), clocked=[late], clocks={("BJ-1", "shoe"): off})
    assert found == ["speaks", "speaks"]


def standing(play: Play, behind: float, seen: SeenGrowth = A_WHILE, usual: float = 1.0) -> Watched:
    """A table of which nothing came for so long, while another plays on."""
    first, _ = watched(
        Told(
            newest=T0,
            tables=[a_table(SCENES[play], -behind), a_table("round_started", subject="BJ-2")],
            devices=[a_device("shoe", 100, -behind), a_device("shoe", 100, 0.0, subject="BJ-2")],
            pauses=[PauseRow("BJ-1", 200, usual)],
            seen={"BJ-1": seen},
        )
    )
    assert first.play == play
    return first


@pytest.mark.parametrize(
    ("play", "limit"), [("in a round", IN_ROUND.total_seconds()), ("open", BETWEEN.total_seconds())]
)
def test_a_table_that_plays_and_stands_while_others_go_on_is_silent(play: Play, limit: float) -> None:
    assert not standing(play, limit).cut_off
    assert standing(play, limit + 1).cut_off
    assert standing(play, limit + 1).silent == 0, "its devices are no worse than one another"


@pytest.mark.parametrize("play", ["closed", "idle", "not known"])
def test_a_table_that_does_not_play_may_stand_for_ever(play: Play) -> None:
    assert not standing(play, 100_000, SeenGrowth(dt.timedelta(days=1), dt.timedelta(days=1))).cut_off


def test_a_table_that_pauses_for_long_may_stand_for_longer() -> None:
    usual = 30.0
    assert not standing("in a round", PAUSES * usual, usual=usual).cut_off
    assert standing("in a round", PAUSES * usual + 1, usual=usual).cut_off


def test_a_table_whose_record_grows_is_not_silent_however_old_its_times_are() -> None:
    """Tables have clocks of their own, and a record of the past may be brought in."""
    moving = standing("in a round", 7_000, SeenGrowth(SHORTEST - dt.timedelta(seconds=1), SHORTEST))
    assert (moving.cut_off, moving.in_doubt) == (False, False)


def test_a_table_that_stands_is_silent_though_its_clock_is_before_that_of_all_others() -> None:
    for stood, cut_off in ((IN_ROUND, False), (IN_ROUND + dt.timedelta(seconds=1), True)):
        assert standing("in a round", -500, SeenGrowth(stood, stood)).cut_off is cut_off


@pytest.mark.parametrize(
    ("watched_for", "in_doubt"), [(SHORTEST - dt.timedelta(seconds=1), True), (SHORTEST, False)]
)
def test_before_a_table_was_watched_it_is_not_known_whether_it_stands(
    watched_for: dt.timedelta, in_doubt: bool
) -> None:
    assert standing("in a round", 7_000, SeenGrowth(dt.timedelta(), watched_for)).in_doubt is in_doubt
    assert not standing("in a round", 7_000, SeenGrowth(dt.timedelta(), watched_for, True)).in_doubt, (
        "it goes on"
    )
    assert not standing("in a round", 7_000, SeenGrowth(dt.timedelta(), watched_for)).cut_off


def test_a_table_stands_as_long_as_others_grow_and_it_does_not() -> None:
    movement = Movement()

    def look(at: float, first: int, second: int) -> dict[str, SeenGrowth]:
        tables = [a_table("", sequence=first), a_table("", subject="BJ-2", sequence=second)]
        return movement.look(tables, after(at))

    assert look(0, 5, 5)["BJ-1"] == SeenGrowth()
    assert look(30, 5, 6)["BJ-1"] == SeenGrowth(dt.timedelta(seconds=30), dt.timedelta(seconds=30))
    assert look(90, 5, 6)["BJ-1"].stood == dt.timedelta(seconds=30), "nothing came from anywhere"
    assert look(100, 5, 7)["BJ-1"].stood == dt.timedelta(seconds=100)
    assert not look(105, 5, 7)["BJ-1"].grew
    assert look(110, 6, 8)["BJ-1"] == SeenGrowth(dt.timedelta(), dt.timedelta(seconds=110), True)


def test_a_fault_stands_with_its_device_where_one_is_named_and_with_the_table_else() -> None:
    gap, clock = (
        FaultRow("BJ-1", "", "integrity.gap", 3, T0),
        FaultRow("BJ-1", "shoe", "integrity.clock", 1, T0),
    )
    gone = FaultRow("BJ-1", "tray", "integrity.clock", 1, T0)
    (table,) = watched(Told(newest=T0, devices=[a_device("shoe", 100, 0.0)], faults=[gap, clock, gone]))
    assert table.faults == (gap, gone)
    assert table.sensors[0].faults == (clock,)


def test_sensors_are_summed_up_in_words_with_a_remedy() -> None:
    speaks = standing("in a round", 0.0)
    sensors, clocks = sensor_vitals([speaks])
    assert (sensors.state, clocks.state) == ("well", "warning"), "no clock is known: that is not well"
    assert (sensors.remedy == "", bool(clocks.remedy)) == (True, True)
    assert sensor_vitals([speaks, standing("in a round", 200.0)])[0].state == "failed"
    assert sensor_vitals([standing("in a round", 200.0, SeenGrowth())])[0].state == "warning"
    devices = [a_device("console", 100, -900), a_device("shoe", 100, 0.0)]
    well, off = (
        DeviceClock(standing="well", low=0.0, high=0.0),
        DeviceClock(standing="off", low=4.0, high=4.0),
    )
    for shoe, state in ((well, "well"), (off, "warning")):
        found = {("BJ-1", "console"): well, ("BJ-1", "shoe"): shoe}
        sensors, clocks = sensor_vitals(watched(Told(newest=T0, devices=devices, clocks=found)))
        assert (sensors.state, clocks.state) == ("warning", state)
    assert clocks.told == "1 more than 3 s off, 1 within, 0 not known"


class Counted:
    """Seconds that pass when told."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


def test_all_who_look_within_some_seconds_share_one_reading() -> None:
    store, clock = Store([a_device("shoe", 100, 0.0)], tables=[a_table("")]), Counted()
    sensors = Sensors(store, lambda: T0, clock)
    sensors.read()
    first = len(store.asked)
    clock.now = READ_EVERY - 0.1
    sensors.read()
    assert len(store.asked) == first
    clock.now = READ_EVERY
    sensors.read()
    assert any("recordedtime" in sql for sql in store.asked[:first])
    assert not any("recordedtime" in sql for sql in store.asked[first:]), "clocks are asked for less often"
    clock.now += CLOCKS_EVERY
    sensors.read()
    assert sum("recordedtime" in sql for sql in store.asked) == 2


def test_an_event_of_tomorrow_is_not_the_newest_of_the_floor() -> None:
    """One clock a day ahead would else put all other tables a day behind."""
    ahead = a_device("shoe", 100, 86_400.0)
    assert Sensors(Store([ahead, a_device("console", 100, -3.0)]), lambda: T0).read().newest == after(-3.0)
    # All of it is later than this console's own clock: then that one is wrong.
    assert Sensors(Store([ahead]), lambda: T0).read().newest == after(86_400.0)
    early = a_device("shoe", 100, EARLY.total_seconds())
    assert Sensors(Store([early]), lambda: T0).read().newest == T0 + EARLY


@pytest.fixture
def served(console: Console, signed_in: SignedIn) -> Callable[..., str]:
    """The health page as surveillance reads it, of this store and these parts."""

    def read(store: Store, vitals: tuple[Vital, ...] = ()) -> str:
        browser = signed_in("hale")
        other = dataclasses.replace(console, records=store, vitals=lambda: vitals)
        with browser_of(other) as client:
            client.cookies = browser.cookies
            answer = client.get("/status")
        assert answer.status_code == 200
        return answer.text

    return read


def test_a_silent_sensor_a_gap_and_a_clock_are_told_at_their_table(served: Callable[..., str]) -> None:
    gap = FaultRow("BJ-1", "", "integrity.gap", 3, T0)
    back = FaultRow("BJ-1", "pit/shoe", "integrity.clock", 2, T0)
    devices = [a_device("pit/reader", 100, -900), a_device("pit/shoe", 100, 0.0)]
    ahead = ClockRow("BJ-1", "pit/shoe", 100, T0, T0, 100, 12.0)
    page = served(Store(devices, [gap, back], tables=[a_table("round_started")], clocked=[ahead]))
    for told in (
        "1 silent",
        "in a round",
        "+12.0 s by arrival: its clock is ahead",
        "1 of 2 silent while their table speaks; no table silent as a whole",
        "1 more than 3 s off, 0 within, 1 not known",
        "clock not known",
    ):
        assert told in page, told
    assert page.index("gap 3") < page.index("clock 2"), "the table's before the device's"
    assert page.index('scope="col">reader') < page.index('scope="col">shoe')


def test_a_table_that_is_far_behind_is_in_doubt_at_the_first_look(served: Callable[..., str]) -> None:
    devices = [a_device("shoe", 100, -900), a_device("shoe", 100, 0.0, subject="BJ-2")]
    tables = [a_table("round_started", -900), a_table("round_started", subject="BJ-2")]
    page = served(Store(devices, tables=tables))
    assert "900 s behind the floor, watched for 0 s" in page
    assert "1 far behind, not watched for long enough to say" in page


def test_a_table_of_which_nothing_comes_any_more_is_silent(
    console: Console, signed_in: SignedIn, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sensor_reading, "READ_EVERY", 0.0)
    devices = [a_device("shoe", 100, 0.0), a_device("shoe", 100, 0.0, subject="BJ-2")]
    store = Store(devices, tables=[a_table("round_started"), a_table("round_started", subject="BJ-2")])
    cookies = signed_in("hale").cookies
    other = dataclasses.replace(console, records=store)
    with browser_of(other) as client:
        client.cookies = cookies
        assert "✕ table silent" not in client.get("/status").text
        past = IN_ROUND.total_seconds() + 1
        clock.forward(past)
        store.devices = [devices[0], a_device("shoe", 160, past, subject="BJ-2")]
        store.tables = [a_table("round_started"), a_table("round_started", past, "BJ-2", 560)]
        page = client.get("/status").text
    assert "✕ table silent" in page
    assert "no record for 121 s while others came, 121 s behind the floor" in page
    assert "table BJ-1 silent as a whole" in page


def test_figures_of_a_part_are_a_table_of_their_own(served: Callable[..., str]) -> None:
    figures = Figures(caption="Lag by place", headings=("Worker", "Behind"), rows=(("fold", "1,234"),))
    lag = Vital(part="Lag", state="warning", told="1,234 behind", figures=figures)
    page = served(Store([a_device("shoe", 100, 0.0)]), (lag,))
    assert "Lag by place" in page
    assert '<th scope="row">fold</th><td>1,234</td>' in page


def test_an_empty_store_says_what_to_do(served: Callable[..., str]) -> None:
    assert "No event is in the store yet" in served(Store([]))


def test_a_store_that_is_away_is_said_and_the_rest_is_shown(served: Callable[..., str]) -> None:
    lag = Vital(part="Fold", state="warning", told="1,200 records behind", remedy="start another worker")
    page = served(Store([], away="no route to the store"), (lag,))
    assert "The store does not answer" in page
    assert "1,200 records behind" in page
    assert "start another worker" in page


def test_a_table_withheld_from_a_user_is_not_there(console: Console, served: Callable[..., str]) -> None:
    console.desk.note(Withheld(user="hale", kind="table", value="BJ-1"), "ann")
    store = Store([a_device("shoe", 100, 0.0), a_device("shoe", 100, -900.0, subject="BJ-2")])
    page = served(store)
    assert "BJ-1" not in page
    assert "BJ-2" in page
    assert "0 of 1 silent" in page, "nor is it counted"


@pytest.mark.parametrize("headers", [{}, {REFRESH_HEADER: "1"}])
def test_a_look_is_kept_once_in_five_minutes_whatever_the_browser_says_of_it(
    signed_in: SignedIn, console: Console, clock: Clock, headers: dict[str, str]
) -> None:
    browsers = [signed_in("hale"), signed_in("hale")]
    before = console.desk.records
    for _ in range(5):
        for browser in browsers:
            assert browser.get("/status", headers=headers).status_code == 200
    assert console.desk.records == before + 2, "one for each sign-in"
    clock.forward(5 * 60)
    browsers[0].get("/status", headers=headers)
    assert console.desk.records == before + 3

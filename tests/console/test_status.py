"""The health page: parts, viewers, and sensors that have fallen silent."""

import dataclasses
import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest
from litestar.testing import TestClient

from dashboards.desk.acts import Withheld
from dashboards.reader.question import Parameter
from dashboards.reader.sensors import DeviceRow, FaultRow
from dashboards.sensors import PAUSES, SHORTEST, watched
from dashboards.server.app import console_app
from dashboards.server.console import Console
from dashboards.server.gate import REFRESH_HEADER
from dashboards.server.vitals import Vital
from tests.console.conftest import ORIGIN, Browser, Clock
from tests.console.desk_building import T0, after

SignedIn = Callable[[str], Browser]


def a_device(source: str, events: int, last: float, every: float = 2.0, subject: str = "BJ-1") -> DeviceRow:
    """A device that spoke every so many seconds up to `last` seconds behind T0."""
    return DeviceRow(subject, source, events, after(last - every * (events - 1)), after(last))


class Store:
    """Answers by the first word of what is asked for; or says that it is away."""

    def __init__(self, devices: Sequence[DeviceRow], faults: Sequence[FaultRow] = (), away: str = "") -> None:
        self.devices, self.faults, self.away = devices, faults, away

    def query(self, sql: str, parameters: Mapping[str, Parameter] | None = None) -> list[tuple[Any, ...]]:
        if self.away:
            raise ConnectionError(self.away)
        if "max(time) FROM events" in sql and "GROUP" not in sql:
            return [(max((d.last for d in self.devices), default=dt.datetime(1970, 1, 1, tzinfo=dt.UTC)),)]
        rows = self.faults if "findings" in sql else self.devices
        return [tuple(getattr(row, name) for name in row.__struct_fields__) for row in rows]


@pytest.mark.parametrize(
    ("still", "silence"),
    [(SHORTEST.total_seconds(), "speaks"), (SHORTEST.total_seconds() + 1, "silent")],
)
def test_a_device_is_silent_when_it_is_still_for_longer_than_it_ever_is(still: float, silence: str) -> None:
    (table,) = watched([a_device("reader", 100, -still), a_device("console", 100, 0.0)], [])
    assert [sensor.silence for sensor in table.sensors] == [silence, "speaks"]


def test_a_device_that_pauses_for_long_may_be_still_for_longer() -> None:
    pause = 10.0
    for still, silence in ((PAUSES * pause, "speaks"), (PAUSES * pause + 1, "silent")):
        (table,) = watched([a_device("tray", 100, -still, every=pause), a_device("shoe", 100, 0.0)], [])
        assert table.sensors[0].silence == silence


def test_a_device_that_said_little_has_no_usual_pause() -> None:
    (table,) = watched([a_device("tray", 3, -5_000), a_device("shoe", 100, 0.0)], [])
    assert table.sensors[0].silence == "rare"


def test_a_table_that_stands_still_as_a_whole_has_no_silent_sensor() -> None:
    tables = watched(
        [a_device("shoe", 100, -9_000, subject="BJ-1"), a_device("shoe", 100, 0.0, subject="BJ-2")], []
    )
    assert [table.silent for table in tables] == [0, 0]


@pytest.fixture
def served(console: Console, signed_in: SignedIn) -> Callable[..., str]:
    """The health page as surveillance reads it, of this store and these parts."""

    def read(store: Store, vitals: tuple[Vital, ...] = ()) -> str:
        browser = signed_in("hale")
        other = dataclasses.replace(console, records=store, vitals=lambda: vitals)
        with TestClient(console_app(other), base_url=ORIGIN) as client:
            client.cookies = browser.cookies
            answer = client.get("/status")
        assert answer.status_code == 200
        return answer.text

    return read


def test_a_silent_sensor_and_a_gap_are_told_at_their_table(served: Callable[..., str]) -> None:
    gap = FaultRow("BJ-1", "integrity.gap", 3, T0)
    page = served(Store([a_device("reader", 100, -900), a_device("shoe", 100, 0.0)], [gap]))
    assert "1 silent" in page
    assert "gap" in page
    assert page.index("reader") < page.index("shoe")


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
    assert "BJ-1" not in served(Store([a_device("shoe", 100, 0.0)]))


@pytest.mark.parametrize(("name", "status"), [("ann", 200), ("fay", 403), ("rex", 403)])
def test_who_reads_it(signed_in: SignedIn, name: str, status: int) -> None:
    assert signed_in(name).get("/status").status_code == status


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

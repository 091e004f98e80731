"""Names that a table's configuration has looked up: one that there is not is told once, and passes for no other."""

from __future__ import annotations

import csv
import datetime as dt
import io
from importlib import resources
from zoneinfo import ZoneInfo

import pytest

from dashboards.revenue.places import clock_of
from dashboards.wording.times import zone_called
from processors.pipeline import TablePipeline
from schemas.findings import Finding
from tests.mutations.rechain import Event, altered, heard, kind, load, rechained

STREAM = "lawful_free_bet_672a"


def _configured(**fields: object) -> list[Event]:
    events = load(STREAM)[:60]
    at = next(at for at, event in enumerate(events) if kind(event) == "table_configured")
    return altered(events, at, **fields)


def _named(events: list[Event]) -> list[Finding]:
    return [one for one in heard(list(rechained(events))).findings if one.check == "integrity.name"]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        (
            {"timezone": "Pennsylvania"},
            "The configuration names a time zone that there is not, 'Pennsylvania'; hours are told in UTC until a zone "
            "such as America/New_York is named.",
        ),
        (
            {"timezone": "America/New_Yrok"},
            "The configuration names a time zone that there is not, 'America/New_Yrok'; hours are told in UTC until a "
            "zone such as America/New_York is named.",
        ),
        (
            {"gaming_day_start": "24:00"},
            "The configuration names an hour of the day that there is not, '24:00'; gaming days begin at midnight "
            "until an hour from 00:00 to 23:59 is named.",
        ),
        (
            {"readings": {"A5": "half"}},
            "The configuration names a reading of A5 that there is not, 'half'; it is read collect, of collect or "
            "return.",
        ),
        (
            {"readings": {"A500": "return"}},
            "The configuration names a reading of A500 that there is not, 'return'; no such place is unclear.",
        ),
    ],
)
def test_a_name_that_there_is_not_is_told(fields: dict[str, object], message: str) -> None:
    [found] = _named(_configured(**fields))
    assert found.message == message
    assert found.verdict == ("indeterminate" if "readings" in fields else "breached")


@pytest.mark.parametrize(
    "name",
    ["US/Eastern", "Eastern Standard Time", "america/new york", "AMERICA/NEW_YORK", "America/New_York"],
)
def test_names_of_one_zone_are_one(name: str) -> None:
    events = _configured(timezone=name)
    pipeline = TablePipeline(str(events[0]["subject"]), detect=False)
    for line in rechained(events):
        assert pipeline.advance(line).findings == ()
    config = pipeline.state.config
    assert config is not None
    assert clock_of(config)[0] == "America/New_York"
    winter = dt.datetime(2026, 1, 1, 12, tzinfo=dt.UTC)
    assert winter.astimezone(zone_called(name)).utcoffset() == dt.timedelta(hours=-5)


def test_it_is_told_once_as_long_as_it_is_named() -> None:
    events = _configured(timezone="Nowhere")
    at = next(at for at, event in enumerate(events) if kind(event) == "table_configured")
    again = [*events, {**events[at], "id": "again", "time": events[-1]["time"]}]
    assert len(_named(again)) == 1
    other = [
        *again,
        *altered([{**events[at], "id": "other", "time": events[-1]["time"]}], 0, timezone="Elsewhere"),
    ]
    assert len(_named(other)) == 2


def test_the_list_has_every_zone_of_the_database_and_names_no_other() -> None:
    zones = set(resources.files("tzdata").joinpath("zones").read_text("utf-8").split()) - {"Factory"}
    text = resources.files("schemas").joinpath("zones.csv").read_text("utf-8")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert zones <= {row["name"] for row in rows}
    assert {row["zone"] for row in rows} <= zones
    for name in zones:
        for month in (1, 7):
            at = dt.datetime(2026, month, 1, 12, tzinfo=dt.UTC)
            assert (
                at.astimezone(zone_called(name)).utcoffset() == at.astimezone(ZoneInfo(name)).utcoffset()
            ), name

"""Lines that once stopped a part, each by itself."""

from __future__ import annotations

import datetime as dt
from pathlib import Path

import msgspec
import openpyxl
import pytest
from msgspec.structs import replace

from dashboards.tables.floor import line_of
from dashboards.tables.floor_map import pits_of
from processors.core.devices.health import missing_word
from processors.core.devices.pairing import lay_inferred
from processors.core.state import Logged, Round, Table
from processors.core.witnesses import Inferred, PendingFinding, Witness
from processors.detectors.families.preferential_shuffle import PLANS, Row, ratios
from processors.law.finding.awaiting import heard_again
from processors.law.judge.judge import Judge
from processors.law.rehear.lost_wagers import staked
from processors.law.rehear.waiting import decided, excuse
from processors.rack.problem import RackProblem, RackTable
from schemas.events import WagerSettled
from schemas.events.codec import decode
from schemas.values import MOST
from tests.accepted.lines import years_on
from tests.commands.run import Catwalk, catwalk
from tests.console.desk_building import a_finding
from tests.mutations.rechain import altered, inserted, kind, like, load, rechained
from tests.pipeline.streams import run

__all__ = ["catwalk"]  # a fixture
NAME = "lawful_free_bet_672a"


@pytest.mark.parametrize("chips", [MOST, MOST + 1, 2**64, 10**40])
def test_more_chips_than_any_store_holds_are_the_most_it_holds(chips: int) -> None:
    events = load(NAME)
    ended = [place for place, event in enumerate(events) if kind(event) == "round_ended"][1]
    fill = like(events[ended], "fill_received", slip="FL-1", cents=500, chips={"100": chips, "500": 1})
    lines = [*rechained(inserted(events, ended + 1, fill, {**fill, "id": "again"}))]
    assert decode(lines[ended + 1]).data.chips == {"100": MOST, "500": 1}
    seen, plain = run(events[0]["subject"], lines), run(events[0]["subject"], rechained(events))
    assert (seen.dead, len(seen.rounds)) == ([], len(plain.rounds))
    assert [(one.round, one.status) for one in seen.rounds] == [
        (one.round, one.status) for one in plain.rounds
    ]


@pytest.mark.parametrize(
    ("odds", "stake"),
    [
        ("1:1", 600),
        ("3:2", 400),
        ("2", 300),
        ("2:", 300),
        (" 3 : 2 ", 400),
        ("0:1", 600),
        ("''", 0),
        ("²", 0),
        ("-1:1", 0),
        ("9" * 200, 0),
    ],
)
def test_odds_that_are_no_odds_show_no_stake(odds: str, stake: int) -> None:
    settled = WagerSettled(seat=1, kind="main", outcome="pay", cents=600, odds=odds)
    log = [Logged(5, "console", settled, dt.datetime(2026, 3, 2, tzinfo=dt.UTC))]
    assert staked(log, 1, "main", None, 500) == ((stake,) if stake else ())


def test_where_nothing_lies_loose_nothing_is_laid() -> None:
    table = Table("T-1")
    table.round = Round(1, 1, shoe=1, day=dt.date(2026, 3, 2))
    lay_inferred(table, "1.1", dt.datetime(2026, 3, 2, tzinfo=dt.UTC))
    assert (table.round.hands, table.round.inferred) == ({}, [])


def test_a_stack_without_a_card_is_not_taken_for_one_that_was_laid() -> None:
    events = load(NAME)
    drawn = [place for place, event in enumerate(events) if kind(event) == "card_drawn"][20]
    placed = next(place for place in range(drawn, len(events)) if kind(events[place]) == "card_placed")
    stack = like(
        events[placed], "stack_delivered", position=events[placed]["data"]["hand"], cards=[], face_up=True
    )
    unread = altered(events, placed, card="??")[placed]
    late = [*events[:drawn], stack, unread, *events[drawn:placed], *events[placed + 1 :]]
    seen, plain = run(events[0]["subject"], rechained(late)), run(events[0]["subject"], rechained(events))
    assert (seen.dead, [one.round for one in seen.rounds]) == ([], [one.round for one in plain.rounds])


def test_what_lacks_no_word_is_in_no_doubt_for_the_words_of_other_parts() -> None:
    finding = a_finding(check="settlement.stake", verdict="indeterminate")
    waiting = [PendingFinding(finding, unheard="placements", rests_on_it=True)]
    assert heard_again(Table("T-1"), "placements", waiting, None, elsewhere=3) == (finding,)


@pytest.mark.parametrize("device", ["console", "reader"])
def test_what_follows_from_a_doubt_that_is_told_within_another_follows_from_that(device: Witness) -> None:
    lesser = a_finding(1, verdict="indeterminate", severity="minor")
    graver = a_finding(2, verdict="indeterminate", severity="major")
    follows = replace(a_finding(3, verdict="indeterminate"), because_of=lesser.finding_id)
    waiting = [
        PendingFinding(one, unheard=device, rests_on_it=True, words=("due before event 1",))
        for one in (lesser, graver, follows)
    ]
    told = heard_again(Table("T-1"), device, waiting, None)
    ids = [one.finding_id for one in told]
    assert ids == [graver.finding_id, follows.finding_id][: 1 + (device == "console")]
    assert {one.because_of for one in told[1:]} <= {*ids}


def test_what_follows_from_a_breach_that_the_silent_rack_covers_lacks_the_words_of_the_rack() -> None:
    noon, silent = dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC), "cards of the discard rack since event 1"
    table, round_ = Table("T-1", silent={"rack": silent}), Round(7, 1, shoe=1, day=noon.date())
    breach, other = a_finding(5), a_finding(6)
    covered, follows = (replace(one, verdict="indeterminate", money_cents=0) for one in (breach, other))
    follows = replace(follows, because_of=breach.finding_id)
    settled = WagerSettled(seat=1, kind="main", outcome="collect", cents=600)
    round_.log = [Logged(5, "console", settled, noon)]
    round_.inferred = [Inferred("1.1", "5h", drawn=4, time=noon)]
    round_.docket = [
        PendingFinding(breach, covered, until_racked=(4,)),
        PendingFinding(other, follows, cause=breach.finding_id),
    ]
    [told] = decided(table, round_, Judge(), over=True)
    assert (told.finding_id, told.because_of, told.missing) == (other.finding_id, msgspec.UNSET, (silent,))


def test_a_word_that_came_for_two_is_lacked_by_neither() -> None:
    round_ = Round(1, 1, shoe=1, day=dt.date(2026, 3, 2))
    round_.missing = {"A": ("a card of hand 1.1",), **dict.fromkeys("BC", (missing_word("placements"),))}
    for finding_id in "BC":
        excuse(round_, finding_id)
    assert round_.missing == {"A": ("a card of hand 1.1",)}


@pytest.mark.parametrize("drift", [400.0, -400.0])
def test_a_count_that_cannot_be_followed_tells_nothing(drift: float) -> None:
    rows = [Row(1000, 150, -300, drift), Row(9, 140, -300, 0.0)]
    assert ratios(rows, 160, chosen=True) == [1.0] * 2 * len(PLANS)


@pytest.mark.parametrize("years", [-96, -57, 81, 273])
def test_the_hours_of_a_table_are_those_of_its_clock_in_every_year(
    years: int, tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    told = []
    for moved in (0, years):
        monkeypatch.setenv("CATWALK_DATA", str(tmp_path / f"data{moved}"))
        events = years_on(load(NAME)[:260], moved)
        (tmp_path / "stream.ndjson").write_bytes(b"".join(line + b"\n" for line in rechained(events)))
        assert catwalk("record", "stream.ndjson").status == 0
        [day] = {event["data"]["gaming_day"] for event in events if kind(event) == "gaming_day_started"}
        report = catwalk("report", "revenue", "--day", day)
        assert report.status == 0, report.err
        told.append({name: report.json["total"][name] for name in ("hours", "handle", "win", "rounds")})
    assert told[0] == told[1]
    assert told[0]["hours"]


def test_the_header_of_a_workbook_holds_as_much_of_a_long_name_as_excel_takes(
    tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "data"))
    events = load(NAME)[:260]
    for event in events:
        if kind(event) == "table_configured":
            event["data"]["property"] = "&" * 200
    (tmp_path / "stream.ndjson").write_bytes(b"".join(line + b"\n" for line in rechained(events)))
    assert catwalk("record", "stream.ndjson").status == 0
    made = catwalk("report", "revenue", "--day", "2026-03-02", "--format", "xlsx", "--out", "r.xlsx")
    assert made.status == 0, made.err
    header = openpyxl.load_workbook(tmp_path / "r.xlsx").worksheets[0].oddHeader
    assert header is not None
    assert str(header.left.text).startswith("Revenue of &")


@pytest.mark.parametrize("report", ["revenue", "restitution", "readings"])
@pytest.mark.parametrize("day", ["0001-01-01", "1900-01-01", "2299-12-31", "9999-12-31"])
def test_a_day_that_the_store_holds_of_no_round_has_no_books(report: str, day: str, catwalk: Catwalk) -> None:
    refused = catwalk("report", report, "--day", day, "--period", "ytd")
    why = f"catwalk: report {report}: no books are kept of {day}; name a day from 1900-01-02 to 2299-12-30\n"
    assert (refused.status, refused.err) == (2, why)


def test_a_pit_is_ordered_by_its_number_where_its_name_is_one() -> None:
    pits = ("10", "9", "²", "٣", "A", "1" * 200)
    lines = [msgspec.structs.replace(line_of(Table(pit)), pit=pit) for pit in pits]
    shown = pits_of(lines, {}, {}, (), dt.datetime(2026, 3, 2, tzinfo=dt.UTC))
    assert [pit.name.removeprefix(" · Pit ") for pit in shown] == ["A", "²", "٣", "9", "10", "1" * 200]


@pytest.mark.timeout(60)
def test_a_table_of_a_thousand_million_seats_has_as_many_as_a_layout() -> None:
    config = next(event["data"] for event in load(NAME) if kind(event) == "table_configured")
    named = {name: config[name] for name in RackTable.__struct_fields__ if name in config}
    table = RackTable(**named | {"seats": 10**9})
    problem = RackProblem(ruleset="free_bet_672a", table=table, rack=("2c", "3c"))
    assert problem.occupied() == [tuple(range(1, count + 1)) for count in range(1, 10)]

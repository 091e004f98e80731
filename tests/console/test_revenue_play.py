"""What patrons' decisions gave the house is a figure of its own: no luck, and the same wherever it is told."""

from __future__ import annotations

import csv
import datetime as dt
import html
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import NamedTuple

import msgspec
import pypdf
import pytest
from msgspec import UNSET

from dashboards.accounts.accounts import Accounts
from dashboards.reader import revenue
from dashboards.reader.revenue import TakingRow
from dashboards.revenue.books import Assembly, statement
from dashboards.revenue.chart import draw_course
from dashboards.revenue.figures import Figures, mark
from dashboards.revenue.filing.line import report_of
from dashboards.revenue.statement import RevenueStatement
from dashboards.revenue.wanted import BYS, By, WantedRevenue
from dashboards.wording.money import dollars
from processors.runtime.store.warehouse import Warehouse
from schemas.rounds import RoundResult
from tests.console.books import store_of
from tests.console.conftest import Browser
from tests.console.decided import decided
from tests.console.reckoning import Reckoned
from tests.console.refolded import refolded
from tests.console.test_filing_sums import PLACES
from tests.console.test_revenue_behind import assert_it_opens_its_sum, link_to, number, opened
from tests.console.test_revenue_luck import DAY, UNTOLD, books

SignedIn = Callable[[str], Browser]
PLAY = 'data-figure="play"'
PLACES_OF_PLAY = ('<dl class="tiles">', '<table class="figures grouped">', '<h2 id="wagers">')


class Given(NamedTuple):
    """What decisions of a day gave at one table, in cents, and the cents staked on these wagers."""

    play: int
    handle: int


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    lines = {subject: list(stream) for subject, stream in books()[0].items()}
    with store_of(tmp_path_factory.mktemp("play"), lines) as held, refolded(held, "1", decided):
        yield held


def given_of(store: Warehouse, day: dt.date = DAY) -> dict[str, Given]:
    """By table what the records of the rounds say, read without the takings."""
    play: Counter[str] = Counter()
    handle: Counter[str] = Counter()
    for (record,) in store.query(
        "SELECT record FROM rounds FINAL WHERE gaming_day = {day:Date32}", {"day": day}
    ):
        result = msgspec.json.decode(record, type=RoundResult)
        for stake in result.stakes:
            if stake.play is not UNSET and stake.observed is not None:
                play[result.subject] += stake.play
                handle[result.subject] += stake.staked_cents
    return {subject: Given(play[subject], handle[subject]) for subject in handle}


def with_a_figure(given: dict[str, Given]) -> Given:
    known = [one for subject, one in given.items() if subject != UNTOLD]
    return Given(sum(one.play for one in known), sum(one.handle for one in known))


@pytest.mark.parametrize("by", BYS)
def test_play_is_that_of_the_records_at_wagers_with_a_figure_and_luck_is_what_is_left(
    by: By, store: Warehouse
) -> None:
    given = given_of(store)
    made = statement(store, WantedRevenue(day=DAY, by=by))
    whole, total = with_a_figure(given), made.total.figures
    assert given[UNTOLD].play > 0 < whole.play
    assert (total.play_cents, total.play_handle_cents) == (whole.play, whole.handle)
    assert 0 < total.play_handle_cents < total.covered_handle_cents
    lines = [line.figures for line in made.lines]
    assert sum(one.play_cents for one in lines) == total.play_cents
    wagers = [one.figures for one in made.wagers]
    assert sum(one.play_cents for one in wagers) == total.play_cents
    for one in (*lines, *wagers, total):
        if one.difference_cents is not None and one.luck_cents is not None:
            assert one.difference_cents == one.luck_cents + one.play_cents + one.covered_error_cents
    if by == "table":
        for line in made.lines:
            own = 0 if line.key == UNTOLD else given[line.key].play
            assert line.figures.play_cents == own, line.key


def test_page_json_and_files_tell_one_play(signed_in: SignedIn, store: Warehouse) -> None:
    rex, whole = signed_in("rex"), with_a_figure(given_of(store))
    play, handle = whole.play, whole.handle
    text = rex.get(f"/revenue?day={DAY}").text
    for name, cents in (("play", play), ("play_handle", handle)):
        assert number(link_to(rex, f"/revenue?day={DAY}", name).text) * 100 == cents, name
    card, lines, wagers = (
        text.split(one)[1].split("</dl>" if "<dl" in one else "</table>")[0] for one in PLACES_OF_PLAY
    )
    assert card.count(PLAY) == 1
    assert lines.count(PLAY) == len(statement(store, WantedRevenue(day=DAY)).lines) + 1, "and the total"
    assert 0 < wagers.count(PLAY) == wagers.count('data-figure="handle"')
    answer = rex.get(f"/api/revenue?day={DAY}").json()
    assert (answer["total"]["play"], answer["total"]["play_handle"]) == (play, handle)
    assert sum(line["play"] or 0 for line in answer["lines"]) == play
    assert sum(wager["figures"]["play"] or 0 for wager in answer["wagers"]) == play
    parts = ("luck", "play", "errors_for_house", "errors_for_patron")
    for line in (*answer["lines"], answer["total"]):
        assert (line["difference"] or 0) == sum(line[name] or 0 for name in parts), line["key"]
    *_, last = csv.DictReader(io.StringIO(rex.get(f"/revenue/export.csv?day={DAY}").text, newline=""))
    assert [number(last[name]) * 100 for name in ("play", "play_handle")] == [play, handle]
    file = Reckoned(rex.get(f"/revenue/export.xlsx?day={DAY}").content)
    for sheet in file.book.sheetnames:
        assert [file.at(sheet, "total", name) * 100 for name in ("play", "play_handle")] == [play, handle]
        assert sum(file.at(sheet, "total", name) for name in parts) == file.at(sheet, "total", "difference")
    printed = text_of(rex.get(f"/revenue/export.pdf?day={DAY}").content)
    assert dollars(play) in printed
    assert dollars(handle) in printed
    of_lines = [
        one for line in statement(store, WantedRevenue(day=DAY)).lines if (one := line.figures.play_cents)
    ]
    for cents in of_lines:
        assert f"play {dollars(cents)}" in text, "beside its bar"


def text_of(content: bytes) -> str:
    return " ".join("".join(one.extract_text() for one in pypdf.PdfReader(io.BytesIO(content)).pages).split())


def test_play_opens_the_rounds_whose_decisions_gave_something_and_they_come_to_it(
    signed_in: SignedIn, store: Warehouse, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revenue, "MOST", 15)
    rex = signed_in("rex")
    for path in (f"/revenue?day={DAY}", f"/revenue?day={DAY}&table=FB-1&period=month"):
        for name in ("play", "play_handle", "luck", "z"):
            assert_it_opens_its_sum(rex, link_to(rex, path, name))
    link = link_to(rex, f"/revenue?day={DAY}&table=FB-1", "play")
    listed = opened(rex, link)
    assert "in which decisions gave the house something" in listed.text
    assert all(number(cell) != 0 for cell in listed.cells)
    asked = "SELECT count() FROM takings FINAL WHERE gaming_day = {day:Date32} AND subject = 'FB-1' AND {of}"
    ((every,),) = store.query(asked.replace("{of}", "kind = 'main'"), {"day": DAY})
    ((rounds,),) = store.query(asked.replace("{of}", "play_cents != 0"), {"day": DAY})
    assert 15 < len(listed.rows) == rounds < every
    answer = rex.get(f"/api/revenue/hands?day={DAY}&table=FB-1&of=play").json()
    assert answer["total"] == rounds
    assert answer["value"] == int(number(link.text) * 100)


def played(luck: int, play: int, error: int) -> RevenueStatement:
    """A day of one stake: what came beside its theoretical win by luck, decisions and a wrong payment, in cents."""
    staked = 10_000_000
    theo = 58_000  # 0.58 % of it
    row = TakingRow(
        gaming_day=DAY, slot=dt.datetime(2026, 3, 2, 12, tzinfo=dt.UTC), subject="FB-1", terms=1,
        ruleset="free_bet_672a", dealer=None, kind="main", rounds=1, stakes=1, handle_cents=staked,
        seen_cents=staked, expected_cents=staked, squares=float(10**10), joint_squares=float(10**10), paid_cents=0,
        collected_cents=theo + luck + play + error, for_house_cents=max(error, 0), for_patron_cents=min(error, 0),
        judged=1, unknown=0, unknown_cents=0, play_cents=play, played_cents=staked,
    )  # fmt: skip
    made = Assembly(WantedRevenue(day=DAY), PLACES)
    made.take(row, DAY)
    made.go_on(row, DAY)
    return made.made([], (), ())


@pytest.mark.parametrize("play", [0, 10_000_000, -10_000_000])
@pytest.mark.parametrize("error", [0, 10_000_000, -10_000_000])
@pytest.mark.parametrize(
    ("luck", "outside"), [(0, False), (50_000, False), (-10_000_000, True), (9_999_999, True)]
)
def test_the_band_is_held_against_luck_and_neither_decisions_nor_wrong_payments_leave_it(
    luck: int, outside: bool, play: int, error: int
) -> None:
    made = played(luck, play, error)
    found = made.total.figures
    assert found.luck_cents == luck
    assert (found.band_cents or 0) > 50_000
    assert found.outside == outside
    assert (abs(found.z or 0) > 1.96) == outside
    drawn = str(draw_course(made.course, made.zone, "Course"))
    assert ("it is outside" in drawn, "it is inside" in drawn) == (outside, not outside)


def lines_of(deviations: Sequence[float]) -> list[Figures]:
    """Lines whose luck lies so many standard deviations from nought."""
    return [
        Figures(
            covered_stakes=1, covered_handle_cents=1, covered_win_cents=round(1_000 * z), variance=1_000_000.0
        )
        for z in deviations
    ]


@pytest.mark.parametrize(
    ("deviations", "marked"),
    [
        ((), []),
        ((1.95,), [False]),
        ((-1.97,), [True]),
        (
            (2.5, *[0.0] * 19),
            [False] * 20,
        ),  # chance alone brings one of twenty so far in each fifth statement
        ((3.1, *[0.0] * 19), [True, *[False] * 19]),
        ((3.1, -3.05, 2.0), [True, True, True]),  # what is left after a mark is held together anew
    ],
)
def test_a_mark_is_beyond_what_chance_brings_to_all_lines_together(
    deviations: Sequence[float], marked: list[bool]
) -> None:
    lines = lines_of(deviations)
    mark(lines)
    assert [line.marked for line in lines] == marked


def test_of_a_hundred_lines_chance_marks_none_in_95_of_100_statements() -> None:
    dice, alarms, outside = Random(5), 0, 0
    for _ in range(1_000):
        lines = lines_of([dice.gauss(0, 1) for _ in range(100)])
        mark(lines)
        alarms += any(line.marked for line in lines)
        outside += sum(line.outside for line in lines)
    assert 20 <= alarms <= 70
    assert outside == pytest.approx(5_000, rel=0.1)


def shown_play(text: str) -> list[tuple[int, str]]:
    """Seat and play of each stake of which the page of a hand says a play, or that it is not worked out."""
    rows = re.findall(r'<tr data-seat="(\d+)".*?data-label="Play">([^<]*)<', text, re.S)
    return [(int(seat), cell) for seat, cell in rows if cell]


@pytest.mark.parametrize("name", ["rex", "hale"])
def test_each_round_behind_play_says_which_seat_gave_how_much(
    name: str, signed_in: SignedIn, store: Warehouse
) -> None:
    rex, who, unknown = signed_in("rex"), signed_in(name), 0
    page = rex.get(link_to(rex, f"/revenue?day={DAY}&table=FB-1", "play").href).text
    hands = [html.unescape(one) for one in re.findall(r'<th scope="row"><a href="(/hands/[^"]+)">', page)]
    cells = re.findall(r'data-of="play">([^<]*)<', page)
    assert len(hands) == len(cells) >= 5
    for hand, cell in list(zip(hands, cells, strict=True))[:5]:
        asked = {"first": int(hand.rpartition("=")[2])}
        ((record,),) = store.query(
            "SELECT record FROM rounds FINAL WHERE subject = 'FB-1' AND first_sequence = {first:UInt64}",
            asked,
        )
        mains = [one for one in msgspec.json.decode(record, type=RoundResult).stakes if one.kind == "main"]
        shown = shown_play(who.get(hand).text)
        assert shown == [(one.seat, "–" if one.play is UNSET else f"${dollars(one.play)}") for one in mains]
        assert sum(number(text.removeprefix("$")) for _, text in shown) == number(cell) > 0
        unknown += sum(text == "–" for _, text in shown)
        answer = who.get(f"/api{hand}").json()["stakes"]
        told = [one.get("play_cents") for one in answer if one["kind"] == "Main"]
        assert told == [None if one.play is UNSET else one.play for one in mains]
    assert unknown, "a seat whose play is not worked out says so"


def test_under_another_reading_a_hand_says_no_play(signed_in: SignedIn) -> None:
    page = signed_in("rex").get(link_to(signed_in("rex"), f"/revenue?day={DAY}&table=FB-1", "play").href)
    hand = re.findall(r'<th scope="row"><a href="(/hands/[^"]+)">', page.text)[0]
    hale = signed_in("hale")
    assert shown_play(hale.get(hand).text)
    other = hale.get(f"{hand}&reading=A5:return").text
    assert "Payout check" in other
    assert shown_play(other) == []
    assert "decisions gave" not in other


def test_each_gaming_day_of_the_months_report_says_what_its_difference_consists_of(
    accounts: Accounts, signed_in: SignedIn, store: Warehouse
) -> None:
    otto, parts = signed_in("otto"), ("luck", "play", "errors_for_house", "errors_for_patron")
    days = report_of(statement(store, WantedRevenue(day=dt.date(2026, 3, 31), period="month", by="day")))
    printed = text_of(otto.get(f"/revenue/month.pdf?month={DAY:%Y-%m}").content)
    book = Reckoned(otto.get(f"/revenue/month.xlsx?month={DAY:%Y-%m}").content)
    heads, *rows = book.held["days"].iter_rows(values_only=True)
    cells = {row[1]: dict(zip(heads, row, strict=True)) for row in rows if row[0] == f"{DAY:%Y-%m}"}
    known = [line for line in days.lines if line.difference is not None]
    assert len(known) > 1
    assert sum(line.play != 0 for line in known) > 1
    for line in (*known, days.total):
        cents = [getattr(line, name) for name in ("difference", *parts)]
        assert cents[0] == sum(cents[1:]), line.key
        figures = [dollars(one) for one in (line.theoretical_handle, line.theoretical, *cents)]
        key = line.key or "total"
        assert f"{line.key or 'All'} {' '.join(figures)}" in printed, key
        assert [round(number(str(cells[key][name])) * 100) for name in ("difference", *parts)] == cents

"""Charts of the revenue say what its figures say: every square, bar and end of a line is held against the statement."""

from __future__ import annotations

import datetime as dt
import io
import re
from collections.abc import Callable, Iterator
from zoneinfo import ZoneInfo

import pypdf
import pytest

from dashboards.revenue.books import statement
from dashboards.revenue.chart import compared, draw_course
from dashboards.revenue.heat import Heat, HeatRow, draw_heat, heat_of
from dashboards.revenue.split import SplitRow, draw_split, split_of
from dashboards.revenue.statement import SLOT, RevenueStatement
from dashboards.revenue.time_axis import TimeAxis, axis_of
from dashboards.revenue.wanted import BYS, Period, WantedRevenue
from processors.runtime.store.warehouse import Warehouse
from tests.console.books import store_of
from tests.console.conftest import Browser
from tests.console.test_revenue_luck import DAY, LAST, books

SignedIn = Callable[[str], Browser]
NEW_YORK = ZoneInfo("America/New_York")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    lines = {subject: list(stream) for subject, stream in books()[0].items()}
    with store_of(tmp_path_factory.mktemp("charts"), lines) as held:
        yield held


def at(hour: int, minute: int = 0) -> dt.datetime:
    return dt.datetime(2026, 3, 2, hour, minute, tzinfo=dt.UTC)


def test_a_time_without_play_keeps_its_length_on_the_axis() -> None:
    axis = axis_of([at(10), at(10, 30), at(18)], SLOT, 0, 170)
    assert axis.begin == at(9, 30)
    assert [axis.x(one) for one in (at(9, 30), at(10), at(18))] == [0, 10, 170]
    days = axis_of([dt.date(2026, 3, 2), dt.date(2026, 3, 9)], SLOT, 0, 80)
    assert [days.x(dt.date(2026, 3, day)) for day in (1, 2, 9)] == [0, 10, 80]


def test_ticks_are_whole_hours_of_the_clock_on_the_wall_on_both_sides_of_its_change() -> None:
    begin = dt.datetime(2026, 11, 1, 3, 30, tzinfo=dt.UTC)  # 23:30; at 02:00 the clock goes back
    axis = TimeAxis(begin, begin + dt.timedelta(hours=5), 0, 1)
    assert [said for _, said in axis.ticks(NEW_YORK)] == ["00:00", "01:00", "01:00", "02:00", "03:00"]
    long = TimeAxis(begin, begin + dt.timedelta(hours=24), 0, 1)
    named = [said for _, said in long.ticks(NEW_YORK)]
    assert len(named) <= 9
    assert all(said.endswith(":00") for said in named)
    month = TimeAxis(dt.date(2026, 2, 28), dt.date(2026, 3, 31), 0, 1)
    days = [said for _, said in month.ticks(NEW_YORK)]
    assert (len(days) <= 9, days[-1]) == (True, "31 Mar")


@pytest.mark.parametrize("period", ["day", "month"])
@pytest.mark.parametrize("by", [one for one in BYS if one not in ("dealer", "shift")])
def test_the_lines_of_the_small_charts_end_at_their_figures_and_sum_to_the_course(
    store: Warehouse, by: str, period: Period
) -> None:
    made = wanted(store, DAY if period == "day" else LAST, by=by, period=period)
    drawn = [line for line in made.lines if line.course]
    assert drawn
    for line in drawn:
        end = line.course[-1].figures
        assert (end.win_cents, compared(end)) == (line.figures.win_cents, compared(line.figures))
        assert (end.band_cents, end.covered_handle_cents) == (
            line.figures.band_cents,
            line.figures.covered_handle_cents,
        )
    assert sum(line.course[-1].figures.win_cents for line in drawn) == made.course[-1].figures.win_cents


def wanted(store: Warehouse, day: dt.date, **more: object) -> RevenueStatement:
    return statement(store, WantedRevenue(day=day, **more))  # type: ignore[arg-type]


def test_squares_of_the_heat_add_up_to_the_wins_of_their_lines_and_of_their_times(store: Warehouse) -> None:
    made = wanted(store, LAST, period="month")
    heat = heat_of(made)
    assert heat is not None
    wins = {line.key: line.figures.win_cents for line in made.lines}
    assert {row.key: sum(cents or 0 for cents in row.wins) for row in heat.rows} == wins
    days = wanted(store, LAST, by="day", period="month").lines
    of_days = {line.key[-2:]: line.figures.win_cents for line in days}
    for place, name in enumerate(heat.columns):
        assert sum(row.wins[place] or 0 for row in heat.rows) == of_days.get(name, 0)
    svg = str(draw_heat(heat, "Win"))
    gains = sum((cents or 0) > 0 for row in heat.rows for cents in row.wins)
    losses = sum((cents or 0) < 0 for row in heat.rows for cents in row.wins)
    assert (svg.count('class="gain"'), svg.count('class="loss"')) == (gains, losses)
    assert gains
    assert losses


def test_the_area_of_a_square_is_the_amount_and_the_text_says_where_most_was_won_and_lost() -> None:
    rows = (HeatRow("FB-1", "FB-1", (10_000, None)), HeatRow("BJ-2", "BJ-2", (-2_500, 0)))
    svg = str(draw_heat(Heat(("09", "10"), rows, 0), "Win"))
    sides = [float(one) for one in re.findall(r'width="([\d.]+)" height="[\d.]+" class="(?:gain|loss)"', svg)]
    assert sides[0] == pytest.approx(2 * sides[1])
    assert len(sides) == 2
    assert "The most was won at FB-1 in 09: 100.00; the most was lost at BJ-2 in 09: 25.00." in svg


def test_bars_of_luck_play_and_errors_are_the_difference_and_say_so_in_words(store: Warehouse) -> None:
    made = wanted(store, DAY)
    rows = split_of(made.lines)
    of = {line.label: line.figures for line in made.lines if line.figures.luck_cents is not None}
    assert {row.label for row in rows} == of.keys()
    assert rows
    for row in rows:
        assert row.luck + row.play + row.for_house + row.for_patron == of[row.label].difference_cents
        assert row.band == of[row.label].band_cents
    one = SplitRow("T", 5_000, 4_000, 400, 200, -300, True)
    svg = str(draw_split([one], "Luck"))
    assert (
        "T: luck 50.00, play 4.00, errors for the house 2.00, for patrons −3.00. Luck beyond chance: T."
        in svg
    )
    assert re.findall(r">([^<]+)</text>", svg) == ["T", "50.00", "play 4.00", "errors −1.00"]
    bars = re.findall(r'width="([\d.]+)"[^>]*class="(luck|by-play|for-house|for-patron)"', svg)
    widths = {kind: float(width) for width, kind in bars}
    assert widths["luck"] / widths["for-house"] == pytest.approx(25, rel=0.02)
    assert widths["by-play"] / widths["for-house"] == pytest.approx(2, rel=0.02)
    assert widths["for-patron"] / widths["for-house"] == pytest.approx(1.5, rel=0.02)


def test_the_page_has_the_charts_each_with_a_name_a_text_and_its_figures(
    signed_in: SignedIn, store: Warehouse
) -> None:
    page = signed_in("rex").get(f"/revenue?day={LAST}&period=month").text
    drawings = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    made = wanted(store, LAST, period="month")
    assert len(drawings) >= 3 + len([line for line in made.lines if line.course])
    assert all("<title" in one and "<desc" in one for one in drawings)
    for said in ("on a scale of its own", "Luck, play and errors by table", "Win by gaming day"):
        assert said in page
    for name in ("luck", "play", "errors_for_house", "errors_for_patron"):
        assert f'data-figure="{name}"' in page
    year = signed_in("rex").get(f"/revenue?day={LAST}&period=year").text
    assert "on a scale of its own" not in year
    course = str(draw_course(made.course, made.zone, "Course"))
    assert course.count('class="axis"') > 2


def test_the_pdf_has_the_charts_of_the_lines_with_their_captions(
    signed_in: SignedIn, store: Warehouse
) -> None:
    rex = signed_in("rex")
    made = rex.get(f"/revenue/export.pdf?day={LAST}&period=month")
    assert made.status_code == 200
    text = " ".join(
        "".join(one.extract_text() for one in pypdf.PdfReader(io.BytesIO(made.content)).pages).split()
    )
    assert "Luck (hollow) by table" in text
    assert "Win by table and gaming day: black was won, hollow was lost" in text

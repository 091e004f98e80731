"""The difference of a revenue is luck, play and errors of the same wagers: those that have a theoretical figure."""

import csv
import datetime as dt
import io
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from functools import cache, partial

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dashboards.revenue import figures
from dashboards.revenue.books import statement
from dashboards.revenue.edges import EDGES, edge_of
from dashboards.revenue.figures import wager_of
from dashboards.revenue.wanted import BYS, PERIODS, By, Period, WantedRevenue
from processors.runtime.store.warehouse import Warehouse
from producers.simulator.floor.setup import usual_setup
from tests.console.books import simulated, store_of
from tests.console.conftest import Browser
from tests.console.refolded import called_off, refolded
from tests.console.test_revenue_behind import assert_it_opens_its_sum, links_of, number
from tests.drawing.streams import Event, changed, kind

SignedIn = Callable[[str], Browser]
DAY = dt.date(2026, 3, 2)
LAST = dt.date(2026, 3, 4)
UNTOLD = (
    "OLD-6"  # of four decks, for which its rules have no edge on file: not one of its wagers has a figure
)
SETUPS = (
    usual_setup("free_bet_672a", "FB-1", decks=6, open_hours=0.5, pit="1", number=1),
    usual_setup("down_under_685a", "DU-2", decks=8, open_hours=0.5, pit="2", number=2),
    usual_setup("free_bet_590", UNTOLD, decks=4, open_hours=0.5, pit="2", number=4, first_day=DAY),
)
DIRECTIONS = ("errors_for_house", "errors_for_patron")
PARTS = ("luck", "play", *DIRECTIONS)
WAGERS = sorted({wager_of(one.kind) for one in EDGES})
Errors = Counter[tuple[str, str, str]]  # cents for the house, by table, gaming day and kind of stake


@cache
def books() -> tuple[dict[str, tuple[bytes, ...]], Errors]:
    """Simulated books in which one settlement of six is wrong, up to $20 either way, and what was done to them."""
    dice = random.Random(11)
    held, errors = {}, Errors()
    for setup in SETUPS:
        day = ""

        def spoil(event: Event, subject: str = setup.subject) -> None:
            nonlocal day
            data = event["data"]
            if kind(event) == "gaming_day_started":
                day = data["gaming_day"]
            # By the old rules a hand may be surrendered: its stake is settled by two events, and neither is touched.
            touched = ("pay",) if subject == UNTOLD else ("pay", "collect")
            if kind(event) != "wager_settled" or data["outcome"] not in touched or dice.random() > 1 / 6:
                return
            wrong = max(dice.randrange(-2000, 2001), -data["cents"])
            data["cents"] += wrong
            errors[subject, day, data["kind"]] += wrong if data["outcome"] == "collect" else -wrong

        held[setup.subject] = changed(tuple(simulated(setup)), spoil)
    return held, errors


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    lines = {subject: list(stream) for subject, stream in books()[0].items()}
    with store_of(tmp_path_factory.mktemp("luck"), lines) as held:
        yield held


def errors_of(days: Callable[[str], bool], table: str = "", without: frozenset[str] = frozenset()) -> int:
    """What the wrong settlements came to, of wagers that have a figure."""
    return sum(
        cents
        for (subject, day, stake), cents in books()[1].items()
        if table in ("", subject) and subject != UNTOLD and days(day) and wager_of(stake) not in without
    )


@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    without=st.frozensets(st.sampled_from(WAGERS)),
    period=st.sampled_from(PERIODS),
    by=st.sampled_from(BYS),
    day=st.sampled_from([DAY, DAY + dt.timedelta(days=1), LAST]),
)
def test_the_difference_is_luck_play_and_the_errors_of_the_same_wagers_whichever_have_a_figure(
    without: frozenset[str], period: Period, by: By, day: dt.date, store: Warehouse
) -> None:
    known = tuple(one for one in EDGES if one.kind not in without)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "edge_of", partial(edge_of, edges=known))
        made = statement(store, WantedRevenue(day=day, period=period, by=by))
    first = str(made.wanted.first)
    parts = [line.figures for line in (*made.lines, made.total)] + [one.figures for one in made.wagers]
    for sums in parts:
        if sums.difference_cents is None:
            assert sums.luck_cents is None
            assert sums.covered_error_cents == 0
        else:
            assert sums.luck_cents is not None
            assert sums.difference_cents == sums.luck_cents + sums.play_cents + sums.covered_error_cents
    table = partial(errors_of, lambda one: first <= one <= str(day), without=without)
    assert made.total.figures.covered_error_cents == table()
    if by == "table":
        assert {line.key: line.figures.covered_error_cents for line in made.lines} == {
            line.key: table(line.key) for line in made.lines
        }


def test_page_csv_json_and_the_lists_behind_them_tell_one_split(
    signed_in: SignedIn, store: Warehouse
) -> None:
    rex, errors = signed_in("rex"), errors_of(lambda day: day == str(DAY))
    wrong = sum(cents for (_, day, _), cents in books()[1].items() if day == str(DAY))
    assert wrong != errors, "some errors are of wagers without a figure"
    sums = statement(store, WantedRevenue(day=DAY)).total.figures
    play, luck = sums.play_cents, (sums.difference_cents or 0) - sums.play_cents - errors
    text = rex.get(f"/revenue?day={DAY}").text
    links = {
        one.name: one for one in reversed(links_of(text))
    }  # of each name the first on the page: the total's
    told = {
        name: int(number(links[name].text) * 100)
        for name in (*PARTS, "errors", "covered_errors", "difference")
    }
    assert {name: told[name] for name in ("luck", "play", "errors", "covered_errors", "difference")} == {
        "luck": luck, "play": play, "errors": wrong, "covered_errors": errors, "difference": luck + play + errors,
    }  # fmt: skip
    assert sum(told[name] for name in DIRECTIONS) == errors
    assert told["errors_for_house"] > 0 > told["errors_for_patron"]
    for name in (*PARTS, "covered_errors", "difference"):
        assert_it_opens_its_sum(rex, links[name])
    rounds = rex.get(f"/revenue/hands?day={DAY}&of=luck").text
    for row in re.findall(r'<tr>\s*<th scope="row"><a.*?</tr>', rounds, re.S):
        cells = dict(re.findall(r'data-of="(\w+)">([^<]*)<', row))
        parts = sum(number(cells[name]) for name in PARTS)
        assert number(cells["difference"]) == parts
    *_, total = csv.DictReader(io.StringIO(rex.get(f"/revenue/export.csv?day={DAY}").text, newline=""))
    assert sum(Decimal(total[name]) for name in DIRECTIONS) * 100 == errors
    assert sum(Decimal(total[name]) for name in PARTS) == Decimal(total["difference"])
    answer = rex.get(f"/api/revenue?day={DAY}").json()
    for line in (*answer["lines"], answer["total"]):
        split = sum(line[name] or 0 for name in PARTS)
        assert (line["difference"] or 0) == split, line["key"]
    listed = rex.get(f"/api/revenue/hands?day={DAY}&of=luck").json()
    assert listed["value"] == luck
    assert sum(one["covered_error_cents"] for one in listed["rounds"]) == errors


def test_void_rounds_of_games_that_know_none_keep_handle_theoretical_win_and_luck(store: Warehouse) -> None:
    (plain,) = (one for one in statement(store, WantedRevenue(day=DAY)).lines if one.key == "FB-1")
    with refolded(store, "subject = 'FB-1'", called_off):
        made = statement(store, WantedRevenue(day=DAY))
    (line,) = (one for one in made.lines if one.key == "FB-1")
    assert line.figures.void == line.figures.rounds > 0
    for name in ("handle_cents", "theo_cents", "difference_cents", "luck_cents", "win_cents", "error_cents"):
        assert getattr(line.figures, name) == getattr(plain.figures, name) != 0, name
    known = [one.figures for one in made.lines if one.figures.difference_cents is not None]
    assert sum(one.difference_cents or 0 for one in known) == made.total.figures.difference_cents
    assert sum(one.luck_cents or 0 for one in known) == made.total.figures.luck_cents

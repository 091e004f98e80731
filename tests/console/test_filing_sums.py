"""The identities of a revenue report, to the cent, over any stakes, errors, void rounds, counts and divisions."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from dashboards.reader.cash import AccountRow, DropRow, EventLineRow
from dashboards.reader.revenue import ON_TOP, TakingRow
from dashboards.revenue.books import Assembly
from dashboards.revenue.figures import apportioned, rounded
from dashboards.revenue.filing.line import COUNTED, MONEY, RevenueLine, RevenueReport, report_of
from dashboards.revenue.places import Places
from dashboards.revenue.tax import rate_of
from dashboards.revenue.wanted import BYS, By, WantedRevenue
from schemas.events.codec import decode
from tests.console.books import SETUPS, simulated

FIRST = dt.date(2026, 3, 1)
DAYS = tuple(FIRST + dt.timedelta(days=number) for number in range(12))  # summer time begins on the 8th
RULES = {"FB-1": "free_bet_672a", "DU-2": "down_under_685a", "C4-3": "manual_shoe_657a8"}
KINDS = {
    "FB-1": ("main", "double", "lammer", "push22", "insurance"),
    "DU-2": ("main", "double", "match_dealer"),
    "C4-3": ("main", "six_card_bonus"),
}
COVERED = ("free_bet_672a", "down_under_685a")  # their main wagers have an edge
CENTS = st.integers(1, 500_000)
PARTS = ("luck", "play", "errors_for_house", "errors_for_patron")


class Book(NamedTuple):
    """Rows as the store would answer them, as finely told apart as it can."""

    takings: list[TakingRow]
    sheets: list[tuple[AccountRow, DropRow | None]]


def places() -> Places:
    lines = [next(iter(simulated(setup, 1))) for setup in SETUPS]
    events = [decode(line) for line in lines]
    return Places(
        EventLineRow(event.subject, event.sequence, event.time, line.decode())
        for event, line in zip(events, lines, strict=True)
    )


PLACES = places()


@st.composite
def takings(draw: st.DrawFn) -> TakingRow:
    subject = draw(st.sampled_from(sorted(RULES)))
    kind = draw(st.sampled_from(KINDS[subject]))
    staked = 0 if kind == "lammer" else draw(CENTS)
    void = draw(st.booleans()) and draw(st.booleans())
    unseen = draw(st.integers(0, staked)) if draw(st.booleans()) else 0
    paid, collected = draw(st.integers(0, 2_000_000)), draw(st.integers(0, max(staked - unseen, 0)))
    house, patron = draw(st.integers(0, 5_000)), -draw(st.integers(0, 5_000))
    seen = 0 if void else staked - unseen
    played = draw(st.integers(0, seen)) if kind == "main" else 0
    return TakingRow(
        gaming_day=draw(st.sampled_from(DAYS)),
        subject=subject,
        terms=1,
        ruleset=draw(st.sampled_from((RULES[subject], RULES[subject], None))),
        dealer=draw(st.sampled_from(("D-1", "D-2", None))),
        shift=draw(st.integers(1, 3)),
        kind=kind,
        rounds=3,
        hands=7,
        void=1,
        stakes=draw(st.integers(1, 50)),
        handle_cents=0 if void else staked,
        seen_cents=seen,
        expected_cents=0 if kind in ON_TOP else seen,
        squares=0.0 if kind in ON_TOP else float(staked),
        joint_squares=0.0 if kind in ON_TOP else float(staked),
        paid_cents=paid,
        collected_cents=collected,
        for_house_cents=house,
        for_patron_cents=patron,
        judged=1,
        unknown=int(unseen > 0),
        unknown_cents=unseen,
        play_cents=draw(st.integers(0, 2 * played)),
        played_cents=played,
    )


@st.composite
def sheets(draw: st.DrawFn) -> list[tuple[AccountRow, DropRow | None]]:
    found = []
    for day in draw(st.sets(st.sampled_from(DAYS), max_size=4)):
        for subject in draw(st.sets(st.sampled_from(sorted(RULES)))):
            sums = {
                name: draw(st.integers(0, 9_000_000))
                for name in ("opening_cents", "closing_cents", "fill_cents", "credit_cents", "cash_cents")
            }
            boxes = draw(st.integers(0, 2))
            row = AccountRow(
                gaming_day=day, subject=subject, last_sequence=9, openings=draw(st.integers(0, 1)),
                closings=draw(st.integers(0, 1)), begins_well=True, check_cents=0, voucher_cents=0, boxes=boxes,
                seconds=draw(st.integers(0, 86_400)), corrections=0, **sums,
            )  # fmt: skip
            counted = draw(st.integers(0, boxes))
            drop = DropRow(day, subject, counted, 0, draw(CENTS), draw(CENTS), 0) if counted else None
            found.append((row, drop))
    return found


@st.composite
def books(draw: st.DrawFn) -> Book:
    return Book(draw(st.lists(takings(), max_size=25)), draw(sheets()))


def report(book: Book, by: By) -> RevenueReport:
    made = Assembly(WantedRevenue(day=DAYS[-1], period="month", by=by), PLACES)
    for row in book.takings:
        made.take(row, FIRST)
    for sheet, drop in book.sheets:
        made.account(sheet, drop, PLACES.last(sheet.subject, sheet.last_sequence))
    return report_of(made.made([], (), ()))


def known(line: RevenueLine, name: str) -> int:
    value = getattr(line, name)
    return 0 if value is None else value


SUMS = [
    name
    for name in (*MONEY, "rounds", "hands", "stakes", "void_rounds", "unseen_stakes")
    if name != "band_95"
]
own = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@own
@given(books())
def test_lines_add_up_to_the_total_and_every_division_has_the_same_total(book: Book) -> None:
    totals = []
    for by in BYS:
        told = report(book, by)
        for name in SUMS:
            parts = [getattr(line, name) for line in told.lines]
            whole = getattr(told.total, name)
            moved = [line for line in told.lines if line.rounds or line.fills is not None]
            if name in COUNTED and any(getattr(line, name) is None for line in moved):
                assert whole is None, (by, name)
            elif whole is None:
                assert not any(part is not None for part in parts), (by, name)
            else:
                assert sum(part or 0 for part in parts) == whole, (by, name)
        hours = [line.hours for line in told.lines]
        if told.total.hours is not None:
            assert round(100 * sum(one or 0 for one in hours)) == round(100 * told.total.hours)
        totals.append({name: getattr(told.total, name) for name in SUMS if name not in COUNTED})
    assert all(one == totals[0] for one in totals)


@own
@given(books())
def test_the_identities_hold_on_every_line(book: Book) -> None:
    for by in BYS:
        told = report(book, by)
        for line in (*told.lines, told.total):
            assert line.win == line.handle - line.payout
            assert line.all_errors_for_house >= 0 >= line.all_errors_for_patron
            if line.theoretical is None:
                assert {line.difference, line.luck, line.errors_for_house, line.errors_for_patron} == {None}
                assert line.play == line.play_handle == 0
            else:
                assert None not in (parts := [getattr(line, name) for name in PARTS])
                assert line.difference == sum(parts)
                assert 0 <= line.play_handle <= line.theoretical_handle
                assert known(line, "errors_for_house") >= 0 >= known(line, "errors_for_patron")
            if line.net_win is not None and line.drop is not None and line.opening is not None:
                counted = known(line, "closing") + known(line, "credits") + line.drop
                assert line.net_win == counted - line.opening - known(line, "fills")
                assert line.unexplained == line.net_win - line.win
            assert line.tax == (
                None if line.net_win is None else known(line, "state_tax") + known(line, "local_tax")
            )


@own
@given(books())
def test_the_total_is_what_adding_up_gives_and_a_line_within_a_cent_of_its_own(book: Book) -> None:
    told = report(book, "table")
    assert told.total.handle == sum(row.handle_cents for row in book.takings)
    assert told.total.win == sum(row.collected_cents - row.paid_cents for row in book.takings)
    main = [row for row in book.takings if row.kind == "main" and row.ruleset in COVERED]
    assert known(told.total, "play") == sum(row.play_cents for row in main)
    assert told.total.play_handle == sum(row.played_cents for row in main)
    assert told.total.lammers == sum(row.paid_cents for row in book.takings if row.kind == "lammer")
    for line in told.lines:
        one = report(book._replace(takings=[r for r in book.takings if r.subject == line.key]), "table")
        alone = next((other for other in one.lines if other.key == line.key), None)
        if alone is not None and alone.theoretical is not None:
            assert abs(known(line, "theoretical") - alone.theoretical) <= 1
            assert line.play == alone.play


@given(st.lists(st.integers(-(10**9), 10**9), max_size=20), st.integers(1, 10**6))
def test_parts_are_rounded_so_that_they_add_up(parts: list[int], whole: int) -> None:
    found = apportioned(parts, whole)
    assert sum(found) == rounded(sum(parts), whole)
    assert all(abs(one * whole - part) <= whole for one, part in zip(found, parts, strict=True))


def test_a_second_box_of_one_table_is_not_the_box_that_another_lacks() -> None:
    sheet = AccountRow(
        gaming_day=FIRST, subject="FB-1", last_sequence=9, openings=1, opening_cents=5, closings=1, closing_cents=9,
        begins_well=True, fill_cents=0, credit_cents=0, cash_cents=0, check_cents=0, voucher_cents=0, boxes=2,
        seconds=9, corrections=0,
    )  # fmt: skip
    two = (sheet, DropRow(FIRST, "FB-1", 2, 0, 100, 0, 0))
    none = (replace(sheet, subject="DU-2", boxes=0, closings=0), None)
    for by in ("table", "game", "pit", "day"):
        assert report(Book([], [two]), by).total.drop == 100
        assert report(Book([], [two, none]), by).total.drop is None, by


def test_taxes_are_those_in_force_on_the_gaming_day() -> None:
    def rate(day: dt.date) -> tuple[int, ...]:
        return tuple(one.part if one else 0 for one in (rate_of(day, "state"), rate_of(day, "local")))

    assert rate(dt.date(2016, 7, 31)) == (120_000, 20_000)
    assert rate(dt.date(2016, 8, 1)) == (140_000, 20_000)
    assert rate(dt.date(2010, 1, 6)) == (0, 0)


def test_a_net_win_before_any_rate_has_no_tax() -> None:
    day = dt.date(2009, 5, 1)
    row = AccountRow(
        gaming_day=day, subject="FB-1", last_sequence=9, openings=1, opening_cents=5, closings=1, closing_cents=9,
        begins_well=True, fill_cents=0, credit_cents=0, cash_cents=0, check_cents=0, voucher_cents=0, boxes=1,
        seconds=9, corrections=0,
    )  # fmt: skip
    made = Assembly(WantedRevenue(day=day), PLACES)
    made.account(row, DropRow(day, "FB-1", 1, 0, 100, 0, 0), None)
    (line,) = report_of(made.made([], (), ())).lines
    assert (line.net_win, line.tax) == (104, None)

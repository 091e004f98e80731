"""The books: asks the store for the rounds and slips of a statement of revenue, and makes the statement."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Mapping
from typing import Literal

from msgspec import structs

from dashboards.accounts.visibility import DenyList
from dashboards.reader import cash, revenue
from dashboards.reader.question import Reader
from dashboards.reader.revenue import RevenueScope, TakingRow
from dashboards.revenue.account import Account, apportion
from dashboards.revenue.edges import EDGES, Edge
from dashboards.revenue.figures import WinCompared, edge_at, mark, state, wager_of
from dashboards.revenue.opened import unknown_of
from dashboards.revenue.places import Places
from dashboards.revenue.statement import SLOT, Point, RevenueStatement, StatementLine, Wager, running
from dashboards.revenue.time_axis import Moment
from dashboards.revenue.wanted import WantedRevenue
from schemas.events import TableConfigured
from schemas.rulesets import RULESETS

NOBODY = "nobody named"


def places_of(reader: Reader) -> Places:
    """All configurations that the store holds."""
    return Places(cash.configurations().ask(reader))


def newest_day(reader: Reader) -> dt.date | None:
    """The newest gaming day with a round; None where there is none."""
    rows = revenue.newest_day().ask(reader)
    return rows[0].gaming_day if rows else None


def scopes(wanted: WantedRevenue, places: Places, withheld: DenyList) -> Iterator[RevenueScope]:
    """The rounds that are wanted: one scope for each clock by which shifts change, and for each set of edges."""
    inside = frozenset(places.of_pit(wanted.pit)) if wanted.pit else None
    clocks = places.clocks() if wanted.shift or wanted.by == "shift" else places.clocks()[:1]
    elsewhere = tuple(place for _, held in clocks[1:] for place in held)
    for number, ((zone, start), held) in enumerate(clocks):
        chosen = None if number == 0 else held
        if inside is not None:
            chosen = tuple(one for one in (inside if chosen is None else chosen) if one in inside)
        for first, last in stretches(wanted.first, wanted.day):
            yield structs.replace(
                around(wanted, withheld),
                first=first,
                last=last,
                places=chosen,
                elsewhere=() if number else elsewhere,
                ruleset=wanted.game,
                dealer=wanted.dealer,
                shift=wanted.shift,
                zone=zone,
                day_start=start,
                lacks=wanted.lacking,
            )


def around(wanted: WantedRevenue, withheld: DenyList) -> RevenueScope:
    """The rounds around the days that are wanted, of a table or all, without any other filter."""
    return RevenueScope(
        first=wanted.first,
        last=wanted.day,
        subject=wanted.table,
        without_tables=named(withheld, "table"),
        without_dealers=named(withheld, "dealer"),
    )


def stretches(first: dt.date, last: dt.date) -> Iterator[tuple[dt.date, dt.date]]:
    """The days in runs over which no edge changes."""
    changes = sorted({one.since for one in EDGES if first < one.since <= last})
    for begin, end in zip([first, *changes], [*changes, last + dt.timedelta(days=1)], strict=True):
        yield begin, end - dt.timedelta(days=1)


def named(withheld: DenyList, kind: str) -> tuple[str, ...]:
    """Names of what of this kind is withheld."""
    return tuple(sorted(name for what, name in withheld if what == kind))


def statement(reader: Reader, wanted: WantedRevenue, withheld: DenyList = frozenset()) -> RevenueStatement:
    """The statement, without what is withheld.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    places = places_of(reader)
    maker = Assembly(wanted, places)
    apart = {"day": ("gaming_day",), "shift": ("shift",), "dealer": ("dealer",)}.get(wanted.by, ())
    for scope in scopes(wanted, places, withheld):
        times: Literal["slot", "gaming_day"] = "slot" if wanted.period == "day" else "gaming_day"
        for row in revenue.takings(scope, apart, times).ask(reader):
            take = maker.go_on if row.timed else maker.take
            take(row, scope.first)
    if not wanted.splits_tables:
        for sheet, drop, config in accounts(reader, wanted, places, withheld):
            maker.account(sheet, drop, config)
    whole = around(wanted, withheld)
    found = revenue.dealers(wanted.first, wanted.day, whole.without_tables).ask(reader)
    return maker.made(
        revenue.without_day(whole).ask(reader),
        tables=tuple(one for one in places.subjects if ("table", one) not in withheld),
        dealers=tuple(sorted(row.dealer for row in found if ("dealer", row.dealer) not in withheld)),
    )


def accounts(
    reader: Reader, wanted: WantedRevenue, places: Places, withheld: DenyList
) -> Iterator[tuple[cash.AccountRow, cash.DropRow | None, TableConfigured | None]]:
    """The sheets, each with what was in the boxes of its day."""
    drops = {(row.gaming_day, row.subject): row for row in cash.drops(wanted.first, wanted.day).ask(reader)}
    for sheet, config in sheets(reader, wanted, places, withheld):
        yield sheet, drops.get((sheet.gaming_day, sheet.subject)), config


def sheets(
    reader: Reader, wanted: WantedRevenue, places: Places, withheld: DenyList
) -> Iterator[tuple[cash.AccountRow, TableConfigured | None]]:
    """The gaming days of tables that are wanted, each with the configuration it ended under."""
    for sheet in cash.accounts(wanted.first, wanted.day, wanted.period == "day").ask(reader):
        config = places.last(sheet.subject, sheet.last_sequence)
        game, pit = ("", "") if config is None else (config.ruleset, config.pit)
        if (
            ("table", sheet.subject) not in withheld
            and wanted.table in ("", sheet.subject)
            and wanted.game in ("", game)
            and wanted.pit in ("", pit)
            and not any({"game": game, "pit": pit}.get(what) for what in wanted.lacking)
        ):
            yield sheet, config


class Assembly:
    """Makes a statement out of rows: pure, in any order of them; `made` once, when all are in."""

    def __init__(self, wanted: WantedRevenue, places: Places) -> None:
        self.wanted, self.places = wanted, places
        self.total = StatementLine("", "All")
        self._lines: dict[str, StatementLine] = {}
        self._wagers: dict[tuple[str, str], Wager] = {}
        self._courses: dict[str, dict[Moment, WinCompared]] = {}
        self._edges: dict[tuple[object, ...], Edge | None] = {}

    def take(self, row: TakingRow, day: dt.date) -> None:
        """Add rounds and stakes; `day` is one of those over which no edge changes, for rows that name none."""
        edge = self._edge(row, day)
        for figures in (self._line(row).figures, self.total.figures):
            figures.deal(row)
            figures.settle(row, edge)
        if row.kind:
            key = (row.ruleset or "", wager_of(row.kind))
            wager = self._wagers.setdefault(key, Wager(*key))
            wager.figures.settle(row, edge)
            if edge is not None and edge not in wager.edges:
                wager.edges.append(edge)

    def go_on(self, row: TakingRow, day: dt.date) -> None:
        """Add stakes to the course, by their half an hour or gaming day."""
        at = row.slot or row.gaming_day
        assert at is not None, "stakes are told apart by the time of the course"
        key = "" if self._is_of_parts else self._key(row) or ""
        parts = self._courses.setdefault(key, {})
        if (part := parts.get(at)) is None:
            part = parts[at] = WinCompared()
        part.compare(row, self._edge(row, day))

    def account(
        self, sheet: cash.AccountRow, drop: cash.DropRow | None, config: TableConfigured | None
    ) -> None:
        """Add a gaming day of a table, with what was in its boxes and the configuration it ended under."""
        game, pit = ("", "") if config is None else (config.ruleset, config.pit)
        lines = [self.total]
        if not self._is_of_parts:
            keys = {"table": sheet.subject, "game": game, "pit": pit, "day": sheet.gaming_day.isoformat()}
            key = keys[self.wanted.by]
            lines.append(self._keyed(key))
        for line in lines:
            line.account = line.account or Account(knows_sold=self.wanted.period == "day")
            line.account.add(sheet, drop)

    def made(
        self, dayless: list[revenue.DaylessRow], tables: tuple[str, ...], dealers: tuple[str, ...]
    ) -> RevenueStatement:
        """The statement, its lines rounded to whole cents so that they add up."""
        points: dict[Moment, WinCompared] = {}
        for parts in self._courses.values():
            for at, part in parts.items():
                points.setdefault(at, WinCompared()).include(part)
        times = sorted(points)
        for key, parts in self._courses.items():
            if self._is_of_parts:
                break
            line = self._keyed(key)
            line.wins = running(parts[at].win_cents if at in parts else 0 for at in times)
            if self.wanted.period != "year":
                line.course = list(_course(parts))
        lines = sorted(self._lines.values(), key=lambda line: (line.key == "", line.key))
        state([line.figures for line in lines])
        state([wager.figures for wager in self._wagers.values()])
        for together in (lines, list(self._wagers.values()), [self.total]):
            mark([one.figures for one in together])
        apportion([line.account for line in lines if line.account is not None])
        if self.total.account is not None:
            apportion([self.total.account])
            if not self.wanted.parts_tables:
                self.total.unknown = unknown_of(lines)
        return RevenueStatement(
            wanted=self.wanted,
            owner=", ".join(self.places.properties),
            lines=lines,
            total=self.total,
            wagers=[self._wagers[key] for key in sorted(self._wagers)],
            course=list(_course(points)),
            pits=self.places.pits,
            tables=tables,
            dealers=dealers,
            dayless=dayless,
            zone=self.places.zone,
        )

    @property
    def _is_of_parts(self) -> bool:
        """Whether its lines are parts of tables' days: such a line has no count and no course."""
        return self.wanted.by in ("shift", "dealer")

    def _edge(self, row: TakingRow, day: dt.date) -> Edge | None:
        """The figure of a row's wager, looked for once; `day` is of those over which no edge changes."""
        wager = (row.subject, row.terms, row.ruleset, row.kind, day)
        if wager not in self._edges:
            self._edges[wager] = edge_at(row, self.places.terms, day)
        return self._edges[wager]

    def _line(self, row: TakingRow) -> StatementLine:
        return self._keyed(self._key(row) or "")

    def _key(self, row: TakingRow) -> str | None:
        match self.wanted.by:
            case "table":
                return row.subject
            case "game":
                return row.ruleset
            case "dealer":
                return row.dealer
            case "shift":
                return str(row.shift)
            case "pit":
                config = self.places.terms(row.subject, row.terms)
                return None if config is None else config.pit
        # Half hours of one gaming day do not name it.
        day = row.gaming_day or (self.wanted.day if self.wanted.period == "day" else None)
        return None if day is None else day.isoformat()

    def _keyed(self, key: str) -> StatementLine:
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = StatementLine(key, label_of(self.wanted.by, key))
        return line


def _course(parts: Mapping[Moment, WinCompared]) -> Iterator[Point]:
    """The running sums, each at the end of its half an hour or at its gaming day."""
    so_far = WinCompared()
    for at in sorted(parts):
        before, so_far = so_far, WinCompared()
        so_far.include(before)
        so_far.include(parts[at])
        yield Point(at + SLOT if isinstance(at, dt.datetime) else at, so_far)


def label_of(by: str, key: str) -> str:
    """A line's name as people read it."""
    if not key:
        return NOBODY if by == "dealer" else f"no {by} named"
    if by == "game":
        return RULESETS[key].title + f" ({RULESETS[key].chapter})" if key in RULESETS else key
    return f"{by.capitalize()} {key}" if by in ("pit", "shift") else key

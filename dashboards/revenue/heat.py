"""The win of each line by hour, or by gaming day, as squares: their area is the amount, and a hollow one is a loss."""

from __future__ import annotations

import datetime as dt
import math
from collections import defaultdict
from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from dashboards.drawing.svg import Markup, document, element, label
from dashboards.revenue.statement import RevenueStatement, StatementLine
from dashboards.revenue.time_axis import Moment
from dashboards.wording.money import dollars

COLUMNS: Final = 31  # a month: of more there is no room
LINES: Final = 40
_WIDTH, _SIDE, _LEFT, _TOP, _TEXT = 960, 26, 150, 24, 14  # a month's columns fit


class HeatRow(Struct, frozen=True):
    """A line and its win in each column, cents; None where it had no stake in that time."""

    key: str
    label: str
    wins: tuple[int | None, ...]


class Heat(Struct, frozen=True):
    """Columns by their names in order of time, and the lines; `more` lines have no room."""

    columns: tuple[str, ...]
    rows: tuple[HeatRow, ...]
    more: int


def heat_of(made: RevenueStatement) -> Heat | None:
    """The win of each line by hour of the property's clock, or by gaming day; None where nothing can be compared."""
    lines = [line for line in made.lines if line.course]
    known = {_column(point.at, made.zone) for line in lines for point in line.course}
    times = _every(min(known), max(known)) if known else []
    if len(times) < 2 or len(times) > COLUMNS:
        return None
    rows = tuple(HeatRow(line.key, line.label, _wins(line, times, made.zone)) for line in lines[:LINES])
    return Heat(tuple(_said(at, made.zone) for at in times), rows, len(lines) - len(rows))


def _column(at: Moment, zone: dt.tzinfo) -> Moment:
    """The beginning of the hour that a half ending then belongs to; a gaming day as it is."""
    if not isinstance(at, dt.datetime):
        return at
    within = at - dt.timedelta(minutes=1)
    return within - dt.timedelta(minutes=within.astimezone(zone).minute)


def _every(first: Moment, last: Moment) -> list[Moment]:
    """Each hour, or each day, from one to the other: a time without play keeps its place."""
    step = dt.timedelta(hours=1) if isinstance(first, dt.datetime) else dt.timedelta(days=1)
    found = [first]
    while found[-1] < last:
        found.append(found[-1] + step)
    return found


def _said(at: Moment, zone: dt.tzinfo) -> str:
    return f"{at.astimezone(zone):%H}" if isinstance(at, dt.datetime) else f"{at:%d}"


def _wins(line: StatementLine, times: Sequence[Moment], zone: dt.tzinfo) -> tuple[int | None, ...]:
    found: dict[Moment, int] = defaultdict(int)
    so_far = 0
    for point in line.course:
        found[_column(point.at, zone)] += point.figures.win_cents - so_far
        so_far = point.figures.win_cents
    return tuple(found.get(at) for at in times)


def draw_heat(heat: Heat, title: str) -> Markup:
    """A square for each line and time, filled where the house gains, hollow where it loses, by area."""
    amounts = [
        (cents, row.label, at)
        for row in heat.rows
        for at, cents in zip(heat.columns, row.wins, strict=True)
        if cents
    ]
    most = max((abs(cents) for cents, *_ in amounts), default=1)
    height, right = _TOP + _SIDE * len(heat.rows) + 4, _LEFT + _SIDE * len(heat.columns)
    parts = []
    for place, name in enumerate(heat.columns):
        parts.append(label(_LEFT + _SIDE * (place + 0.5), 16, name, _TEXT, "currentColor", anchor="middle"))
    for down, row in enumerate(heat.rows):
        y = _TOP + _SIDE * down
        parts.append(
            label(
                _LEFT - 10,
                y + _SIDE / 2 + 5,
                row.label,
                _TEXT,
                "currentColor",
                anchor="end",
                width=_LEFT - 14,
            )
        )
        parts.append(element("line", x1=_LEFT, y1=y, x2=right, y2=y, class_="grid"))
        for place, cents in enumerate(row.wins):
            if cents:
                parts.append(_square(_LEFT + _SIDE * (place + 0.5), y + _SIDE / 2, cents, most))
    return document(parts, _WIDTH, height, title, _told(amounts))


def _square(x: float, y: float, cents: int, most: int) -> Markup:
    side = max(2.0, (_SIDE - 4) * math.sqrt(abs(cents) / most))
    kind = "gain" if cents > 0 else "loss"
    return element("rect", x=x - side / 2, y=y - side / 2, width=side, height=side, class_=kind)


def _told(amounts: Sequence[tuple[int, str, str]]) -> str:
    if not amounts:
        return "Nothing was won or lost."
    most, least = max(amounts), min(amounts)
    told = [f"The most was won at {most[1]} in {most[2]}: {dollars(most[0])}"] if most[0] > 0 else []
    told += [f"the most was lost at {least[1]} in {least[2]}: {dollars(-least[0])}"] if least[0] < 0 else []
    said = "; ".join(told)
    return f"{said[0].upper()}{said[1:]}."

"""The charts of the lines of a statement, as the page shows them: each small, luck, play and errors, win by time."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

from msgspec import Struct

from dashboards.drawing.svg import Markup
from dashboards.revenue.chart import MULTIPLE, draw_multiple
from dashboards.revenue.heat import draw_heat, heat_of
from dashboards.revenue.split import LINES, draw_split, split_of
from dashboards.revenue.statement import SLOT, RevenueStatement, StatementLine
from dashboards.revenue.time_axis import axis_of

SHOWN: Final = 24  # small charts: of more lines those whose luck is furthest out


class Multiples(Struct, frozen=True):
    """Lines with their small charts over one time axis, whose ends are named; `more` lines have none."""

    shown: tuple[tuple[StatementLine, Markup], ...]
    begin: str
    end: str
    more: int


def charts_of(made: RevenueStatement) -> dict[str, Any]:
    """What the page's charts are made of; a chart is left out where it has nothing to compare."""
    rows, heat = split_of(made.lines), heat_of(made)
    by = made.wanted.by
    shown = rows[:LINES]
    return {
        "multiples": _multiples(made),
        "split": draw_split(shown, f"Luck, play and errors by {by}") if shown else "",
        "split_rows": len(shown),
        "split_more": len(rows) - len(shown),
        "heat": heat,
        "heat_drawn": draw_heat(heat, f"Win of each {by} by time") if heat is not None else "",
    }


def _multiples(made: RevenueStatement) -> Multiples | None:
    lines = [line for line in made.lines if line.course]
    times = sorted({point.at for line in lines for point in line.course})
    if len(lines) < 2 or len(times) < 2:
        return None
    axis = axis_of(times, SLOT, 2, MULTIPLE[0] - 8)
    furthest = sorted(lines, key=lambda line: -abs(line.figures.z or 0))[:SHOWN]
    kept = {line.key for line in furthest}
    return Multiples(
        tuple((line, draw_multiple(line.course, axis, line.label)) for line in lines if line.key in kept),
        _said(axis.begin, made.zone),
        _said(axis.end, made.zone),
        len(lines) - len(kept),
    )


def _said(at: dt.datetime | dt.date, zone: dt.tzinfo) -> str:
    return f"{at.astimezone(zone):%H:%M}" if isinstance(at, dt.datetime) else f"{at:%-d %B}"

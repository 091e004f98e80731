"""Somebody against others: dealers of the same tables, tables of the same rules, the other seats of the same rounds."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median

from msgspec import Struct
from msgspec.structs import replace

from dashboards.drawing.svg import Markup
from dashboards.people.facts import Facts
from dashboards.people.trend import draw_trend
from dashboards.people.whose import Asked
from dashboards.reader import people
from dashboards.reader.people import FiguresRow
from dashboards.reader.question import Reader

Measure = Callable[[FiguresRow], float | None]


class Trend(Struct, frozen=True):
    """One figure by gaming day, as a drawing; `others` is the median of those compared, None where there are none."""

    what: str
    drawn: Markup
    others: float | None


class Peers(Struct, frozen=True):
    """Who is compared, each in a row, the one the page is about among them; of a patron all other seats as one."""

    rows: tuple[FiguresRow, ...] = ()
    trends: tuple[Trend, ...] = ()


def peers_of(records: Reader, asked: Asked, facts: Facts) -> Peers:
    """The others of the span, and the trend by day against them.

    Raises:
        Exception: the store does not answer.
    """
    scope = asked.scope
    if scope is None or facts.total is None:
        return Peers()
    if asked.kind == "patron":
        others = people.others_at_table(scope).ask(records)
        rows = [facts.total, *others]
    else:
        wide = replace(scope, tables=asked.compared)
        by = people.figures(wide, "dealer" if asked.kind == "dealer" else "table").ask(records)
        rows = [row for row in by if row.who]
        others = [row for row in rows if row.who != asked.name]
    trends = [_trend(facts, others, "Errors in 1,000 stakes", errors_in_1000)]
    if asked.kind != "patron":
        trends.append(_trend(facts, others, "Seconds a round", seconds_a_round))
    return Peers(tuple(rows), tuple(trends))


def errors_in_1000(row: FiguresRow) -> float | None:
    """Stakes settled wrong either way, in 1,000 that could be judged; None where none could."""
    return 1000 * (row.owed + row.overpaid) / row.judged if row.judged else None


def seconds_a_round(row: FiguresRow) -> float | None:
    """The median from round to round; None where there is none."""
    return row.pace_ms / 1000 if row.paces else None


def _trend(facts: Facts, others: list[FiguresRow], what: str, of: Measure) -> Trend:
    known = [value for row in others if (value := of(row)) is not None]
    level = median(known) if known else None
    days = [(str(day.day or "none begun"), of(day)) for day in facts.days]
    return Trend(what, draw_trend(days, level, f"{what} by gaming day"), level)

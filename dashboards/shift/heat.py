"""Alerts over the hours of the day, by table, dealer or check: counted, and drawn as a heat map with its figures."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from typing import Final, Literal

from msgspec import Struct

from dashboards.desk.alerts import Alert
from dashboards.drawing.palette import Palette
from dashboards.drawing.svg import Markup, cut, document, label, rect
from schemas.amounts import amount
from schemas.check_names import current

By = Literal["table", "dealer", "check"]
BYS: Final[tuple[By, ...]] = ("table", "dealer", "check")
MOST_ROWS: Final = 20
_NOBODY = "no dealer"
_CELL, _HIGH, _NAME = 44.0, 30.0, 190.0


class HeatRow(Struct, frozen=True, kw_only=True):
    """One table, dealer or check: alerts raised in each hour of the day, and in all."""

    name: str
    hours: tuple[int, ...]
    total: int


class Heat(Struct, frozen=True, kw_only=True):
    """Rows with most alerts first, `MOST_ROWS` at most; `hours` and `total` are of all alerts, also those left out."""

    by: By
    rows: tuple[HeatRow, ...]
    left_out: int
    hours: tuple[int, ...]
    days: tuple[tuple[dt.date, int], ...]
    total: int


def heat_of(alerts: Iterable[Alert], by: By, zone: dt.tzinfo, since: dt.datetime, until: dt.datetime) -> Heat:
    """Alerts by the hour and the day at which they were raised, each day from `since` to `until`, in this zone."""
    cells: dict[str, Counter[int]] = {}
    hours: Counter[int] = Counter()
    first, last = since.astimezone(zone).date(), until.astimezone(zone).date()
    days = Counter({first + dt.timedelta(days=day): 0 for day in range((last - first).days + 1)})
    for alert in alerts:
        here = alert.raised_at.astimezone(zone)
        cells.setdefault(_name(alert, by), Counter())[here.hour] += 1
        hours[here.hour] += 1
        days[here.date()] += 1
    ordered = sorted(cells.items(), key=lambda one: (-one[1].total(), one[0]))
    return Heat(
        by=by,
        rows=tuple(
            HeatRow(name=name, hours=tuple(counted[hour] for hour in range(24)), total=counted.total())
            for name, counted in ordered[:MOST_ROWS]
        ),
        left_out=max(0, len(ordered) - MOST_ROWS),
        hours=tuple(hours[hour] for hour in range(24)),
        days=tuple(sorted(days.items())),
        total=hours.total(),
    )


def _name(alert: Alert, by: By) -> str:
    if by == "table":
        return alert.finding.subject
    return (alert.dealer or _NOBODY) if by == "dealer" else current(alert.finding.check)


def draw_heat(heat: Heat, palette: Palette) -> Markup:
    """The heat map: a row each, a column for every hour, the number in every cell; the shade only repeats it."""
    most = max((count for row in heat.rows for count in row.hours), default=0)
    width, height = _NAME + 25 * _CELL, (len(heat.rows) + 2) * _HIGH
    parts = [_head(hour, palette) for hour in range(24)]
    parts.append(label(_NAME + 24.5 * _CELL, 20, "all", 14, palette.text, bold=True, anchor="middle"))
    for at, row in enumerate((*heat.rows, HeatRow(name="all", hours=heat.hours, total=heat.total)), 1):
        top = at * _HIGH
        last = at > len(heat.rows)
        parts.append(label(4, top + 20, cut(row.name, _NAME - 8, 14), 14, palette.text, bold=last))
        for hour, count in enumerate(row.hours):
            if not count:
                continue
            left = _NAME + hour * _CELL
            if not last:
                shade = round(0.1 + 0.35 * count / most, 2)
                parts.append(
                    rect(left + 1, top + 1, _CELL - 2, _HIGH - 2, fill=palette.edge, fill_opacity=f"{shade}")
                )
            parts.append(
                label(left + _CELL / 2, top + 20, f"{count:,}", 14, palette.text, bold=last, anchor="middle")
            )
        parts.append(
            label(
                _NAME + 24.5 * _CELL, top + 20, f"{row.total:,}", 14, palette.text, bold=True, anchor="middle"
            )
        )
    peak = max(range(24), key=heat.hours.__getitem__)
    said = f"{amount(heat.total, 'alert')}; most in the hour from {peak:02d}:00, {heat.hours[peak]:,}."
    return document(parts, width, height, f"Alerts by hour and {heat.by}", said, wide=width)


def _head(hour: int, palette: Palette) -> Markup:
    return label(_NAME + (hour + 0.5) * _CELL, 20, f"{hour:02d}", 14, palette.text, anchor="middle")


def draw_days(heat: Heat, palette: Palette) -> Markup:
    """The trend: a bar for each day with its number above."""
    most = max((count for _, count in heat.days), default=1)
    wide = 62.0
    parts: list[Markup] = []
    for at, (day, count) in enumerate(heat.days):
        tall = max(2.0, 90 * count / most)
        left = at * wide
        parts.append(rect(left + 8, 116 - tall, wide - 16, tall, fill=palette.edge, fill_opacity="0.45"))
        parts.append(label(left + wide / 2, 110 - tall, f"{count:,}", 14, palette.text, anchor="middle"))
        parts.append(label(left + wide / 2, 136, f"{day:%-d %b}", 14, palette.text, anchor="middle"))
    said = "; ".join(f"{day:%-d %b} {count:,}" for day, count in heat.days)
    width = max(1, len(heat.days)) * wide
    return document(parts, width, 144, "Alerts by day", said, wide=width)

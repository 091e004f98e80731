"""Events of tables' accounts for a made-up store: configurations, and each gaming day's counts, slips and drop."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from typing import Any

import msgspec

Row = tuple[object, ...]
DAY_SECONDS = 86_400
_CLOSES = dt.timedelta(hours=23)
_BOX = {"currency_cents": 1_250_000, "counter_check_cents": 0, "voucher_cents": 0}
# What a gaming day has, each with its place behind the day's first event.
_MORNING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("inventory_counted", {"moment": "opening", "cents": 5_000_000}),
    ("table_opened", {}),
    ("fill_received", {"slip": "F", "cents": 100_000}),
    ("credit_sent", {"slip": "C", "cents": 50_000}),
)
_NIGHT: tuple[tuple[str, dict[str, Any]], ...] = (
    ("table_closed", {}),
    ("inventory_counted", {"moment": "closing", "cents": 3_900_000}),
    ("drop_box_removed", {}),
    ("drop_counted", _BOX),
)


def configured(line: bytes, subject: str, at: dt.datetime) -> Row:
    """The row of an event that configures a table, made of another table's."""
    event = msgspec.json.decode(line) | {"subject": subject, "time": f"{at:%Y-%m-%dT%H:%M:%S.%fZ}"}
    return subject, 1, at, "table_configured", event["source"], event["id"], _text(event), 1, 0


def account_of(subject: str, first: int, last: int, begins: dt.datetime) -> Iterator[Row]:
    """Rows of a table's gaming day, whose events lie from sequence `first` to `last`."""
    day = {"gaming_day": str(begins.date())}
    for place, (kind, data) in enumerate((("gaming_day_started", day), *_MORNING)):
        yield _row(subject, first + place, begins + dt.timedelta(seconds=place), kind, data)
    for place, (kind, data) in enumerate(_NIGHT):
        boxed = {"box": f"{subject}/{begins:%j}"} if kind.startswith("drop") else {}
        at = begins + _CLOSES + dt.timedelta(seconds=place)
        yield _row(subject, last - len(_NIGHT) + place, at, kind, data | boxed)


def _row(subject: str, sequence: int, at: dt.datetime, kind: str, data: dict[str, Any]) -> Row:
    line = _text({"type": kind, "subject": subject, "sequence": sequence, "data": data})
    return subject, sequence, at, kind, "console", f"{subject}-{sequence}", line, 1, sequence


def _text(event: dict[str, Any]) -> str:
    return msgspec.json.encode(event).decode()

"""Values between the port's rows and the driver's columns."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from processors.runtime.store.text import parameter_text
from processors.runtime.store.warehouse import Parameter, Row
from schemas.warehouse import Relation
from schemas.warehouse.relation import MOMENT

_EPOCH: Final = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)
_MICROSECOND: Final = dt.timedelta(microseconds=1)
_BY_MONTH: Final = re.compile(r"toYYYYMM\((\w+)\)")
_QUOTED: Final = str.maketrans({"\\": r"\\", "'": r"\'"})
_WRAPPED: Final = re.compile(r"(?:Nullable|LowCardinality)\((.*)\)")
_Converter = Callable[[Any], Any]


class Literal:
    """A parameter's text that the driver sends as it is; of a `str` it would escape the escapes."""

    def __init__(self, value: Parameter) -> None:
        self._text = parameter_text(value).translate(_QUOTED)

    def __str__(self) -> str:
        """What stands between the quotes."""
        return self._text


def as_literals(values: Mapping[str, Parameter]) -> dict[str, Literal]:
    """Parameters of a query as the driver takes them."""
    return {name: Literal(value) for name, value in values.items()}


def columns(relation: Relation, rows: Sequence[Row]) -> list[list[Any]]:
    """Rows as the driver sends them fastest: column by column, times as whole microseconds."""
    by_column: list[list[Any]] = [list(column) for column in zip(*rows, strict=True)]
    for place, column in enumerate(relation.columns):
        if column.type == MOMENT:
            by_column[place] = [(value - _EPOCH) // _MICROSECOND for value in by_column[place]]
    return by_column


def chunks(relation: Relation, rows: Sequence[Row], partitions: int) -> Iterable[Sequence[Row]]:
    """Rows in parts that reach into so many partitions at most; the server refuses an insert into more.

    Raises:
        ValueError: a relation partitioned by something else than a month.
    """
    if not relation.partition_by:
        return [rows]
    by_month = _BY_MONTH.fullmatch(relation.partition_by)
    if by_month is None:
        raise ValueError(f"{relation.name}: rows are not told apart by {relation.partition_by}")
    moment_of = relation.of(by_month[1])
    months: dict[int, list[Row]] = {}
    for row in rows:
        moment = moment_of(row).astimezone(dt.UTC)
        months.setdefault(moment.year * 12 + moment.month, []).append(row)
    if len(months) <= partitions:
        return [rows]
    ordered = [months[month] for month in sorted(months)]
    groups = (ordered[start : start + partitions] for start in range(0, len(ordered), partitions))
    return [[row for month in group for row in month] for group in groups]


def answer(rows: Sequence[Sequence[Any]], types: Sequence[str]) -> list[Row]:
    """Rows of an answer as the port promises them."""
    converters = [(place, c) for place, name in enumerate(types) if (c := _converter(name)) is not None]
    if not converters:
        return [tuple(row) for row in rows]
    converted = []
    for row in rows:
        values = list(row)
        for place, convert in converters:
            if values[place] is not None:
                values[place] = convert(values[place])
        converted.append(tuple(values))
    return converted


@lru_cache(maxsize=256)
def _converter(name: str) -> _Converter | None:
    if wrapped := _WRAPPED.fullmatch(name):
        return _converter(wrapped[1])
    if name.startswith("Array("):
        inner = _converter(name[len("Array(") : -1])
        if inner is None:
            return tuple
        return lambda values: tuple(None if value is None else inner(value) for value in values)
    if name.startswith("DateTime"):
        # Without a zone in its type a time comes in the session's, which is UTC.
        return lambda value: (
            value.replace(tzinfo=dt.UTC) if value.tzinfo is None else value.astimezone(dt.UTC)
        )
    if name.startswith("Decimal"):
        return float
    if name.startswith("Tuple("):
        return lambda value: list(value) if isinstance(value, tuple) else value
    return str if name.startswith(("UUID", "IPv")) else None

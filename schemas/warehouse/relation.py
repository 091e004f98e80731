"""A relation of the warehouse as data: DDL, the check of inserted rows, and drift tests are made from it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from types import GenericAlias
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta

MOMENT: Final = "DateTime64(6, 'UTC')"
DAY: Final = "Date32"
EACH_MONTH: Final = "do_not_merge_across_partitions_select_final = 1"
"""A setting of questions with FINAL: versions of a row are merged within a month alone, where all of them should lie.

Of two rows of one key in two months both are read.
"""
_BOUNDS: Final = {
    "UInt8": (0, 2**8 - 1),
    "UInt16": (0, 2**16 - 1),
    "UInt32": (0, 2**32 - 1),
    "UInt64": (0, 2**63 - 1),  # half its range, so that every engine and reader has a type that holds it
    "Int64": (-(2**63), 2**63 - 1),
}
_PLAIN: Final[dict[str, Any]] = {
    "String": str,
    "Bool": bool,
    "Float64": float,
    MOMENT: Annotated[dt.datetime, Meta(tz=True)],
    DAY: dt.date,
}
_WRAPPERS: Final = ("LowCardinality(", "Nullable(", "Array(")


def python_type(column_type: str) -> Any:
    """The Python type that holds a value of this ClickHouse type, with its range.

    Raises:
        ValueError: a type that no relation uses.
    """
    for wrapper in _WRAPPERS:
        if column_type.startswith(wrapper):
            inner = python_type(column_type[len(wrapper) : -1])
            if wrapper == "Nullable(":
                return inner | None
            return GenericAlias(tuple, (inner, ...)) if wrapper == "Array(" else inner
    if column_type in _BOUNDS:
        low, high = _BOUNDS[column_type]
        return Annotated[int, Meta(ge=low, le=high)]
    if column_type not in _PLAIN:
        raise ValueError(f"{column_type} is no type of a column here; schemas.warehouse.relation lists them")
    return _PLAIN[column_type]


def row_maker(names: Sequence[str]) -> Callable[..., tuple[Any, ...]]:
    """A function that takes these names as keywords and returns their values as a tuple, in this order.

    It is compiled, as `namedtuple` compiles its constructor: the sink makes a row in a fifth of a microsecond by it,
    and in four times that by a named tuple.
    """
    listed = ", ".join(names)
    made: Callable[..., tuple[Any, ...]] = eval(f"lambda *, {listed}: ({listed},)", {})
    return made


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its ClickHouse type, what it means, and how it is compressed."""

    name: str
    type: str
    comment: str
    codec: str = ""


@dataclass(frozen=True, slots=True)
class Projection:
    """Some columns of a relation kept a second time in another order, for questions that do not begin with its key.

    The engine chooses it by itself, for questions that read without FINAL.
    """

    name: str
    columns: tuple[str, ...]
    order: tuple[str, ...]


@dataclass(frozen=True)
class Relation:
    """One relation.

    `key` is the natural key, derived from event identity: a row written twice is one row. Of two rows with
    one key the one with the larger `version` stays. `partition_by` and `shard_by` are expressions.
    """

    name: str
    grain: str
    columns: tuple[Column, ...]
    key: tuple[str, ...]
    version: str = "fold_version"
    partition_by: str = ""
    shard_by: str = "cityHash64(subject)"

    def __post_init__(self) -> None:
        names = [column.name for column in self.columns]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"{self.name}: declared twice: {', '.join(twice)}")
        unknown = sorted({*self.key, self.version} - set(names))
        if unknown:
            raise ValueError(f"{self.name}: no column of it: {', '.join(unknown)}")

    @cached_property
    def column_names(self) -> tuple[str, ...]:
        """Names of the columns, in the order of a row."""
        return tuple(column.name for column in self.columns)

    @cached_property
    def row(self) -> Callable[..., tuple[Any, ...]]:
        """Makes a row of its columns by name; a name too few or too many is a TypeError."""
        return row_maker(self.column_names)

    def at(self, column: str) -> int:
        """Place of a column in a row, from 0."""
        return self.column_names.index(column)

    def of(self, *columns: str) -> Callable[[tuple[Any, ...]], Any]:
        """Takes these columns out of a row: the value of one, a tuple of several."""
        return itemgetter(*map(self.at, columns))

    @cached_property
    def _rows_type(self) -> Any:
        row = GenericAlias(tuple, tuple(python_type(column.type) for column in self.columns))
        return GenericAlias(list, (row,))

    def refuse_misfits(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """Check rows against the columns; the engine itself would take 300 for a UInt8 and store 44.

        Raises:
            msgspec.ValidationError: a value that does not fit its column; the message says where it is.
        """
        msgspec.convert(rows, self._rows_type)

    def with_column(self, column: Column) -> Relation:
        """The relation with one more column at its end."""
        return replace(self, columns=(*self.columns, column))

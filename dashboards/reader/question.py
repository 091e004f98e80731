"""A question to the warehouse: SQL with named parameters, and the type of a row of its answer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

from msgspec import Struct

from schemas.warehouse import RELATIONS

MOMENT = "DateTime64(6, 'UTC')"  # the type of a parameter that is a moment
Scalar = str | int | float | bool | dt.date | dt.datetime | None
Parameter = Scalar | Sequence[Scalar] | Sequence[tuple[Scalar, ...]]
T = TypeVar("T", bound=Struct)


class RecordsAway(Exception):
    """The store of records does not answer; the desk and its alerts do not need it."""


class Reader(Protocol):
    """Whoever answers: a warehouse, or a connection that may only read."""

    def query(self, sql: str, parameters: Mapping[str, Parameter] = ...) -> list[tuple[Any, ...]]:
        """Rows of the answer."""


@dataclass(frozen=True, slots=True)
class Question(Generic[T]):
    """The SQL chooses the fields of `row`, in order (`columns`); parameters are passed beside it, never in it."""

    row: type[T]
    sql: str
    parameters: Mapping[str, Parameter] = field(default_factory=lambda: MappingProxyType({}))

    def ask(self, reader: Reader) -> list[T]:
        """The answer.

        Raises:
            Exception: what the reader raises when it has no answer.
        """
        names = self.row.__struct_fields__
        rows = reader.query(self.sql, self.parameters)
        return [self.row(**dict(zip(names, row, strict=True))) for row in rows]


def seconds_of(moment: str) -> str:
    """SQL for a moment in seconds since 1970, below 0 before; of every moment that the store holds."""
    return f"toUnixTimestamp64Second({moment})"


def columns(row: type[Struct], **computed: str) -> str:
    """The columns of a SELECT in the order of the row's fields; `computed` has the SQL of those that need one."""
    return ", ".join(computed.get(name, name) for name in row.__struct_fields__)


def stored(
    row: type[T], relation: str, rest: str, parameters: Mapping[str, Parameter] | None = None, **computed: str
) -> Question[T]:
    """Rows of a relation as they stand; `rest` is the SQL behind the relation's name.

    Raises:
        ValueError: a field of the row is neither computed nor a column of the relation.
    """
    unknown = set(row.__struct_fields__) - set(computed) - set(RELATIONS[relation].column_names)
    if unknown:
        raise ValueError(f"{relation} has no column {', '.join(sorted(unknown))}")
    return Question(row, f"SELECT {columns(row, **computed)} FROM {relation} FINAL {rest}", parameters or {})

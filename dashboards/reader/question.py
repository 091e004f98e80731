"""A question to the warehouse: SQL with named parameters, and the type of a row of its answer."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

import msgspec
from msgspec import Struct

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
    """Columns are the fields of `row`, in order; `parameters` are ever passed beside the SQL, never in it."""

    row: type[T]
    sql: str
    parameters: Mapping[str, Parameter] = field(default_factory=lambda: MappingProxyType({}))

    def ask(self, reader: Reader) -> list[T]:
        """The answer.

        Raises:
            Exception: what the reader raises when it has no answer.
        """
        names = [each.name for each in msgspec.structs.fields(self.row)]
        rows = reader.query(self.sql, self.parameters)
        return [self.row(**dict(zip(names, row, strict=True))) for row in rows]

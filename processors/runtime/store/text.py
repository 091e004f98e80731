"""ClickHouse's text forms: parameters of a query, and answers in `JSONCompactEachRowWithNamesAndTypes`."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from functools import lru_cache
from types import GenericAlias
from typing import Any, Final

import msgspec

from processors.runtime.store.warehouse import Parameter, Row
from schemas.warehouse import Relation, Topology

_KEYS: Final = 500  # rows that one statement takes out: it is text, and the engine limits its length
_ESCAPES = str.maketrans(
    {"\\": r"\\", "\n": r"\n", "\t": r"\t", "\r": r"\r", "\0": r"\0", "\b": r"\b", "\f": r"\f", "'": r"\'"}
)
_PLAIN: dict[str, Any] = {"String": str, "Bool": bool, "Date": dt.date, "Date32": dt.date}


def parameter_text(value: Parameter) -> str:
    """A parameter as the engine reads it in place of `{name:Type}`."""
    if isinstance(value, list | tuple):
        return "[" + ",".join(_element(part) for part in value) + "]"
    return r"\N" if value is None else _scalar(value)


def _element(value: Any) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, tuple):
        return "(" + ",".join(_element(part) for part in value) + ")"
    text = _scalar(value)
    return f"'{text}'" if isinstance(value, str | dt.date) else text


def _scalar(value: Any) -> str:
    if isinstance(value, str):
        return value.translate(_ESCAPES)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dt.datetime):
        return value.astimezone(dt.UTC).strftime("%Y-%m-%d %H:%M:%S.%f")
    return str(value)


def without(relation: Relation, keys: Sequence[Row], topology: Topology) -> Iterator[str]:
    """Statements that take the rows of these keys out of a relation, on all replicas before they return."""
    name = (
        f"`{relation.name}_local` ON CLUSTER `{topology.cluster}`"
        if topology.cluster
        else f"`{relation.name}`"
    )
    columns = ", ".join(f"`{column}`" for column in relation.key)
    for start in range(0, len(keys), _KEYS):
        listed = ", ".join(f"({', '.join(map(_element, key))})" for key in keys[start : start + _KEYS])
        yield (
            f"ALTER TABLE `{topology.database}`.{name} DELETE WHERE ({columns}) IN ({listed})"
            " SETTINGS mutations_sync = 2"
        )


def answer_rows(answer: bytes) -> list[Row]:
    """Rows of an answer that begins with a line of names and a line of types; none for a statement."""
    if not answer:
        return []
    _, types, rows = answer.split(b"\n", 2)
    return _decoder(types).decode_lines(rows)


@lru_cache(maxsize=256)
def _decoder(types: bytes) -> msgspec.json.Decoder[Row]:
    names = msgspec.json.decode(types, type=list[str])
    return msgspec.json.Decoder(GenericAlias(tuple, tuple(_python_type(name) for name in names)))


def _python_type(name: str) -> Any:
    if name.startswith(("LowCardinality(", "Nullable(")):
        inner = _python_type(name[name.index("(") + 1 : -1])
        return inner | None if name.startswith("Nullable(") and inner is not Any else inner
    if name.startswith("Array("):
        return GenericAlias(tuple, (_python_type(name[len("Array(") : -1]), ...))
    if name.startswith("DateTime"):
        return dt.datetime
    return _PLAIN.get(name, Any)

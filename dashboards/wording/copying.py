"""Views of records: a form for pages and programs, filled from the fields of the same names."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T", bound=Struct)


def copied(form: type[T], source: object, **given: Any) -> T:
    """A form with what is `given`, and its other fields from the attributes of `source` that bear their names.

    Raises:
        TypeError: a field that has no default is neither given nor an attribute of the source.
    """
    alike = _alike(form, type(source)) if isinstance(source, Struct) else _held(form, source)
    for name in alike:
        if name not in given:
            given[name] = getattr(source, name)
    return form(**given)


@cache
def _alike(form: type[Struct], source: type[Struct]) -> tuple[str, ...]:
    """Fields of a form that every struct of a class has: asked once, as lists hold thousands of one class."""
    return _held(form, source)


def _held(form: type[Struct], source: object) -> tuple[str, ...]:
    return tuple(name for name in form.__struct_fields__ if hasattr(source, name))

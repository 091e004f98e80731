"""Views of records: a form for pages and programs, filled from the fields of the same names."""

from __future__ import annotations

from typing import Any, TypeVar

from msgspec import Struct

T = TypeVar("T", bound=Struct)


def copied(form: type[T], source: object, **given: Any) -> T:
    """A form with what is `given`, and its other fields from the attributes of `source` that bear their names.

    Raises:
        TypeError: a field that has no default is neither given nor an attribute of the source.
    """
    names = (name for name in form.__struct_fields__ if name not in given and hasattr(source, name))
    return form(**{name: getattr(source, name) for name in names}, **given)

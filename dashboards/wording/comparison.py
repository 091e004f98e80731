"""Expected values beside observed ones, field by field, as people read them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from dashboards.wording.money import figures

NOTHING = "–"
COURSE = "evidence"  # of a suspicion: a drawing on its own page, and no figure to compare


class ComparedField(Struct, frozen=True):
    """One field of what was expected and what was observed; `differs` when both say something, and not the same."""

    name: str
    expected: str
    observed: str
    differs: bool


def compared(expected: Any, observed: Any) -> tuple[ComparedField, ...]:
    """The fields of both, those of what was expected first."""
    left = expected if isinstance(expected, Mapping) else {"": expected}
    right = observed if isinstance(observed, Mapping) else {"": observed}
    names = tuple(name for name in dict.fromkeys((*left, *right)) if name != COURSE)
    return tuple(
        ComparedField(
            _title(str(name)),
            _told(str(name), left[name]) if name in left else NOTHING,
            _told(str(name), right[name]) if name in right else NOTHING,
            name in left and name in right and left[name] != right[name],
        )
        for name in names
    )


def _title(name: str) -> str:
    words = name.replace("_", " ").removesuffix(" cents")
    return {"": "Value", "cents": "Amount"}.get(words, words[:1].upper() + words[1:])


def _told(name: str, value: Any) -> str:
    match value:
        case None:
            return "none"
        case bool():
            return "yes" if value else "no"
        case int() if name.endswith("cents"):
            return f"{'−' if value < 0 else ''}{figures(value, '$')}"
        case list() | tuple():
            return " ".join(_told("", each) for each in value) or "none"
        case Mapping():
            return (
                ", ".join(f"{_title(str(key))} {_told(str(key), each)}" for key, each in value.items())
                or "none"
            )
        case _:
            return str(value)

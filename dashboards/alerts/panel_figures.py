"""The figures of an alert's money: what was due, what moved, and the difference."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from dashboards.wording.money import figures

NOTHING = "nothing"
_DONE = {"pay": "paid", "collect": "collected", "return": "returned", "take_back": "taken back"}


class Figure(Struct, frozen=True):
    """One figure: what it is, and the amount; `wrong` is the one that should not be so."""

    name: str
    amount: str
    wrong: bool = False


def figures_of(expected: Any, observed: Any, money_cents: int) -> tuple[Figure, ...]:
    """Due, moved, and owed or overpaid; nothing where no money is wrong.

    Due and moved are told where the finding says both: `{"outcome": "pay", "cents": 20000}`, or None for nothing. Where
    they went different ways each says which. Of a finding that tells them otherwise the difference alone stands.
    """
    if not money_cents:
        return ()
    side = Figure("Owed to patron" if money_cents > 0 else "Overpaid", figures(money_cents, "$"))
    if not (_is_told(expected) and _is_told(observed)) or (expected is None and observed is None):
        return (side,)
    ways = [value.get("outcome") if value else None for value in (expected, observed)]
    alike = ways[0] == ways[1]
    due = "Due" if alike or not ways[0] else f"To be {_DONE.get(str(ways[0]), ways[0])}"
    moved = "Moved" if alike or not ways[1] else f"Was {_DONE.get(str(ways[1]), ways[1])}"
    return (Figure(due, _amount(expected)), Figure(moved, _amount(observed), wrong=True), side)


def _is_told(value: Any) -> bool:
    return value is None or (isinstance(value, Mapping) and type(value.get("cents")) is int)


def _amount(value: Mapping[str, Any] | None) -> str:
    return NOTHING if value is None else figures(value["cents"], "$")

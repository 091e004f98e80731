"""The five rulesets as dated data: every number that differs by chapter or by date."""

from __future__ import annotations

import datetime as dt
import tomllib
from importlib import resources
from typing import Any

import msgspec
from msgspec import Struct

from schemas.values import Ruleset


class Value(Struct, frozen=True):
    """One value in force from a gaming day on."""

    value: Any
    since: dt.date = dt.date.min


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ruleset: its chapter, the days it is in force, and its numbers."""

    name: Ruleset
    chapter: str
    family: str
    title: str
    since: dt.date
    until: dt.date | None = None
    values: dict[str, list[Value]]

    def get(self, key: str, day: dt.date | None = None) -> Any:
        """Value of `key` in force on the gaming day (the latest when the day is not known).

        Raises:
            KeyError: the ruleset has no such value, or none yet on that day.
        """
        dated = self.values[key]
        for entry in reversed(dated):
            if day is None or entry.since <= day:
                return entry.value
        raise KeyError(f"{self.name} has no {key} on {day}")


def _load(name: str) -> Rules:
    text = resources.files(__name__).joinpath(f"{name}.toml").read_text("utf-8")
    return msgspec.convert(tomllib.loads(text), Rules)


RULESETS: dict[str, Rules] = {
    name: _load(name)
    for name in ("free_bet_590", "free_bet_672a", "down_under_685a", "fortune_670a10", "manual_shoe_657a8")
}

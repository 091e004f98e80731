"""The rulesets as dated data: every number that differs by chapter or by date."""

from __future__ import annotations

import datetime as dt
import tomllib
from importlib import resources
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import Struct


class Value(Struct, frozen=True):
    """One value in force from a gaming day on."""

    value: Any
    since: dt.date = dt.date.min


class Rules(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One ruleset: its chapter, the days it is in force, and its numbers."""

    name: str
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


def _load() -> dict[str, Rules]:
    """Every ruleset of this folder: the Blackjack games first, the older before the newer."""
    files = [file for file in resources.files(__name__).iterdir() if file.name.endswith(".toml")]
    loaded = [msgspec.convert(tomllib.loads(file.read_text("utf-8")), Rules) for file in files]
    loaded.sort(key=lambda rules: (rules.family != "blackjack", rules.since, rules.name))
    return {rules.name: rules for rules in loaded}


RULESETS: dict[str, Rules] = _load()
if TYPE_CHECKING:
    Ruleset = str
else:
    Ruleset = Literal[tuple(RULESETS)]

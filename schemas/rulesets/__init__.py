"""The rulesets as dated data: every number that differs by chapter or by date (README.md beside this).

A number is read off the day on which it is in force: `RULESETS[name].on(day)`. No number can be read without a day.
"""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Mapping
from importlib import resources
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from schemas.rulesets.numbers import FAMILIES, Numbers


class RulesetError(ValueError):
    """A ruleset whose dates or numbers cannot be; the message says which number, and why."""


class Value(Struct, frozen=True, forbid_unknown_fields=True):
    """One value in force from a gaming day on; the first of a number has no day, and is in force before any other."""

    value: Any
    since: dt.date = dt.date.min


class Document(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One file of this folder, as it is written."""

    name: str
    chapter: str
    family: str
    title: str
    since: dt.date
    until: dt.date | None = None
    values: dict[str, tuple[Value, ...]]


class Era(NamedTuple):
    """The numbers that stand from a day on, until the next era begins."""

    since: dt.date
    numbers: Numbers


class Rules(Struct, frozen=True, kw_only=True):
    """One ruleset: its chapter, the days it is in force, and its numbers by era, the newest era first."""

    name: str
    chapter: str
    family: str
    title: str
    since: dt.date
    until: dt.date | None
    eras: tuple[Era, ...]

    def on(self, day: dt.date) -> Numbers:
        """The numbers in force on a gaming day; on days before the ruleset itself, those it began with."""
        for since, numbers in self.eras:
            if since <= day:
                return numbers
        raise LookupError(f"{self.name} has no numbers on {day}")

    def is_in_force(self, day: dt.date) -> bool:
        """Whether the chapter may be played on a gaming day."""
        return self.since <= day and (self.until is None or day <= self.until)


def rules_from(written: Mapping[str, Any]) -> Rules:
    """The ruleset that a document holds, as TOML is read.

    Raises:
        RulesetError: a number is missing, unknown or of the wrong kind on some day, or two of its values contradict.
        msgspec.ValidationError: the document itself lacks a field, or has one too many.
    """
    document = msgspec.convert(written, Document)
    for key, dated in document.values.items():
        _refuse_days(document, key, [value.since for value in dated])
    changes = {value.since for dated in document.values.values() for value in dated} | {dt.date.min}
    return Rules(
        name=document.name,
        chapter=document.chapter,
        family=document.family,
        title=document.title,
        since=document.since,
        until=document.until,
        eras=tuple(Era(day, _numbers(document, day)) for day in sorted(changes, reverse=True)),
    )


def _refuse_days(document: Document, key: str, days: list[dt.date]) -> None:
    where = f"{document.name}, {key}"
    if not days or days[0] != dt.date.min:
        raise RulesetError(
            f"{where}: the first value has a day, so that no value stands before; leave its day out"
        )
    for before, day in pairwise(days):
        if day <= before:
            raise RulesetError(
                f"{where}: the value of {day} stands behind that of {before}; order values by day"
            )
        if day <= document.since or (document.until is not None and day > document.until):
            raise RulesetError(
                f"{where}: the chapter is not in force before and after {day}, where a value changes"
            )


def _numbers(document: Document, day: dt.date) -> Numbers:
    family = FAMILIES.get(document.family)
    if family is None:
        raise RulesetError(
            f"{document.name}: no family is called {document.family}; there are {', '.join(FAMILIES)}"
        )
    stand = {
        key: next(value.value for value in reversed(dated) if value.since <= day)
        for key, dated in document.values.items()
    }
    try:
        return msgspec.convert(stand, family)
    except msgspec.ValidationError as error:
        raise RulesetError(f"{document.name}, from {day} on: {error}") from error


def _load() -> dict[str, Rules]:
    """Every ruleset of this folder: the Blackjack games first, the older before the newer."""
    files = [file for file in resources.files(__name__).iterdir() if file.name.endswith(".toml")]
    loaded = [rules_from(tomllib.loads(file.read_text("utf-8"))) for file in files]
    loaded.sort(key=lambda rules: (rules.family != "blackjack", rules.since, rules.name))
    return {rules.name: rules for rules in loaded}


RULESETS: dict[str, Rules] = _load()
if TYPE_CHECKING:
    Ruleset = str
else:
    Ruleset = Literal[tuple(RULESETS)]

"""The rulesets as their files have them, and made-up ones in which a number has a second value."""

from __future__ import annotations

import datetime as dt
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from typing import Any
from unittest import mock

from schemas.rulesets import RULESETS, Rules, rules_from
from tests.architecture.tracked import ROOT

DOCUMENTS: dict[str, dict[str, Any]] = {
    path.stem: tomllib.loads(path.read_text("utf-8"))
    for path in sorted((ROOT / "schemas" / "rulesets").glob("*.toml"))
}
NUMBERS = [(ruleset, key) for ruleset, document in DOCUMENTS.items() for key in document["values"]]
CHANGES = {ruleset: dt.date(2015 if ruleset == "free_bet_590" else 2027, 7, 1) for ruleset in DOCUMENTS}
"""A made-up day, within the days of each ruleset, on which a number of it changes."""
EVE = dt.timedelta(days=-1)


def written(ruleset: str, key: str, *values: tuple[object, dt.date | None]) -> dict[str, Any]:
    """The document of a ruleset with other values of one number, each with the day from which it holds."""
    document = deepcopy(DOCUMENTS[ruleset])
    document["values"][key] = [
        {"value": value} if since is None else {"value": value, "since": since} for value, since in values
    ]
    return document


def first_value(ruleset: str, key: str) -> object:
    """The value that a number has now."""
    return DOCUMENTS[ruleset]["values"][key][0]["value"]


def changed(ruleset: str, key: str, value: object) -> Rules:
    """The ruleset in which a number has a second value from the made-up day on."""
    return rules_from(written(ruleset, key, (first_value(ruleset, key), None), (value, CHANGES[ruleset])))


def always(ruleset: str, key: str, value: object) -> Rules:
    """The ruleset in which a number has had the second value all along."""
    return rules_from(written(ruleset, key, (value, None)))


@contextmanager
def in_force(rules: Rules) -> Iterator[None]:
    """The pipeline judges by this ruleset while the block runs."""
    with mock.patch.dict(RULESETS, {rules.name: rules}):
        yield

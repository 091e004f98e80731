"""A case of one variant: what its family knows at first, and what takes a round.

A round is honest or of the pattern. Where a family weighs shoes, counts or calls, one of these stands for a round.
Sizes of patterns are those of docs/power.md, where the pattern stands there.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from random import Random
from typing import Any, NamedTuple

import msgspec

from processors.detectors.family import LEVEL
from processors.detectors.shapes import Alarm, Observation

ALARM = 1 / LEVEL
SEEN = Observation(
    family="", whom={"dealer": "D", "player": "P"}, subject="T", round=1, sequence=1,
    time=dt.datetime(2026, 1, 1, tzinfo=dt.UTC), nth=1, note=msgspec.Raw(b""),
)  # fmt: skip
SHARE = 0.5  # of the level: of the first of whom a table's stream speaks


class Case(NamedTuple):
    """What is known before the first round, and what takes a round: the state, chance, whether it is of the pattern.

    A round gives the alarm that it raises.
    """

    begin: Callable[[], Any]
    play: Callable[[Any, Random, bool], Alarm | None]
    rounds: int = 1
    """How many rounds of a table each that is weighed stands for."""


def due(found: Iterable[object], variant: str) -> Alarm | None:
    """The alarm of the variant among what was said."""
    return next((one for one in list(found) if isinstance(one, Alarm) and one.variant == variant), None)

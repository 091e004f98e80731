"""The tax on table games as dated data: what the state and the local share take of a gaming day's net win."""

from __future__ import annotations

import datetime as dt
import tomllib
from importlib import resources
from typing import Literal

import msgspec
from msgspec import Struct

To = Literal["state", "local"]


class Rate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A rate in force from a gaming day on, `part` in millionths of the net win; `source` is the statute."""

    to: To
    part: int
    since: dt.date
    source: str


class _File(Struct, forbid_unknown_fields=True):
    rates: tuple[Rate, ...]


def _load() -> tuple[Rate, ...]:
    text = resources.files(__package__).joinpath("tax.toml").read_text("utf-8")
    found = msgspec.convert(tomllib.loads(text), _File).rates
    return tuple(sorted(found, key=lambda one: one.since, reverse=True))


RATES: tuple[Rate, ...] = _load()


def rate_of(day: dt.date, to: To) -> Rate | None:
    """The rate in force on a gaming day; None before there was one."""
    return next((one for one in RATES if one.to == to and one.since <= day), None)

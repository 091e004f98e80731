"""The time zones that a record may name: those of the IANA database, and the names that Windows has for them.

The list is part of the release, so that a name means the same on every machine.
"""

from __future__ import annotations

import csv
from importlib import resources

_TEXT = resources.files("schemas").joinpath("zones.csv").read_text("utf-8")


def _as_looked_up(name: str) -> str:
    return "_".join(name.split()).casefold()


_ZONES: dict[str, str] = {
    _as_looked_up(row["name"]): row["zone"] for row in csv.DictReader(_TEXT.splitlines())
}


def zone_named(name: str) -> str | None:
    """The IANA name of a zone, in whatever letters and with spaces or underscores; None where there is no such zone.

    `US/Eastern` and `Eastern Standard Time` are `America/New_York`.
    """
    return _ZONES.get(_as_looked_up(name))

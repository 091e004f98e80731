"""Theoretical edges as dated data: what a wager is worth to the house, how far results stray, and who says so."""

from __future__ import annotations

import datetime as dt
import tomllib
from importlib import resources

import msgspec
from msgspec import UNSET, Struct, field

from dashboards.reader.revenue import ON_TOP
from processors.games.readings import READINGS
from schemas.events import TableConfigured

WITH_MAIN = frozenset({"main", *ON_TOP})
SIDE_WAGERS = frozenset(
    {"push22", "match_dealer", "fortune_bonus", "progressive", "five_card_hand", "six_card_bonus"}
)


class Edge(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One wager's figure; `edge` in millionths of the stake, `deviation` and `together` in thousandths.

    `decks`, `paytable` and `readings` say which tables it holds for; `deviation` None: nobody has worked it out.
    """

    ruleset: str
    kind: str
    decks: int
    edge: int
    since: dt.date
    source: str
    paytable: str = ""
    readings: dict[str, str] = field(default_factory=dict)
    deviation: int | None = None
    together: int = 0
    spread: str = ""

    def holds_for(self, ruleset: str, kind: str, config: TableConfigured) -> bool:
        """Whether it is the figure of this wager at a table so configured."""
        chosen = {} if config.readings is UNSET else config.readings
        return (
            (self.ruleset, self.kind, self.decks) == (ruleset, kind, config.decks)
            and self.paytable in ("", config.paytables.get(kind, ""))
            and all(
                chosen.get(place, READINGS[place].default) == name for place, name in self.readings.items()
            )
        )


def _load() -> tuple[Edge, ...]:
    """The figures of the file, which has figures that several rulesets share once."""
    text = resources.files(__package__).joinpath("edges.toml").read_text("utf-8")
    found = [
        msgspec.convert(entry | {"ruleset": ruleset, "since": since}, Edge)
        for entry in tomllib.loads(text)["edges"]
        for ruleset, since in entry["since"].items()
    ]
    return tuple(sorted(found, key=lambda one: one.since, reverse=True))


EDGES: tuple[Edge, ...] = _load()


def edge_of(
    ruleset: str | None,
    kind: str,
    config: TableConfigured | None,
    day: dt.date,
    edges: tuple[Edge, ...] = EDGES,
) -> Edge | None:
    """The figure in force for a wager on this gaming day; None where there is none."""
    if ruleset is None or config is None:
        return None
    return next((one for one in edges if one.since <= day and one.holds_for(ruleset, kind, config)), None)

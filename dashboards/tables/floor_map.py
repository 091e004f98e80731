"""The floor as a map: pits with a tile for each table, and what of its open alerts stands on it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable, Mapping
from itertools import groupby
from typing import get_args

from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.accounts.visibility import visible
from dashboards.desk.index import waits
from dashboards.health.failures import Failure
from dashboards.tables.floor import TableLine
from dashboards.web.console import Console
from dashboards.wording.money import figures
from schemas.findings import Severity

_SEVERITIES: tuple[str, ...] = get_args(Severity)
ROOMY = 24  # tables up to which a tile has room for the game and the shoe


class OpenHere(Struct, frozen=True):
    """The open alerts of one table: how many, the gravest severity, the largest money (cents, + the house owes)."""

    count: int = 0
    gravest: str = ""
    cents: int = 0

    def and_one(self, severity: str, cents: int) -> OpenHere:
        """With one alert more."""
        grave = min((one for one in (self.gravest, severity) if one), key=_SEVERITIES.index)
        return OpenHere(self.count + 1, grave, max(self.cents, cents, key=abs))

    @property
    def money(self) -> tuple[str, str, str]:
        """The words of its money, `("owed", "to patron up to", "$45.00")`: the middle one only where there is room."""
        if not self.cents:
            return "", "", ""
        upto = " up to" if self.count > 1 else ""
        word, more = ("owed", f"to patron{upto}") if self.cents > 0 else ("overpaid", upto.strip())
        return word, more, figures(self.cents, "$")


class Tile(Struct, frozen=True):
    """A table on the map; `trouble` says in few words what of its devices or its record is not well, `age` in seconds.

    `moved` changes whenever something happened at the table.
    """

    line: TableLine
    dealer: str
    open: OpenHere
    trouble: tuple[str, ...]
    age: int | None

    @property
    def moved(self) -> str:
        """What is compared to tell that something happened."""
        return f"{self.line.last_event or ''}"


class Pit(Struct, frozen=True):
    """The tables of one pit of one property, by name."""

    name: str
    tiles: tuple[Tile, ...]

    @property
    def open(self) -> int:
        """How many of its alerts are open."""
        return sum(tile.open.count for tile in self.tiles)


def open_by_table(console: Console, user: User) -> dict[str, OpenHere]:
    """The open alerts of each table that the queue shows this user: shelved ones wait elsewhere."""
    role, withheld = console.role(user), console.desk.withheld_from(user.name)
    found: dict[str, OpenHere] = {}
    for alert in console.desk.snapshot().alerts:
        if role.reads_alerts and waits(alert) and visible(alert, role, withheld):
            finding = alert.finding
            here = found.get(finding.subject, OpenHere())
            found[finding.subject] = here.and_one(finding.severity, finding.money_cents)
    return found


def pits_of(
    lines: Iterable[TableLine],
    alerts: Mapping[str, OpenHere],
    failing: Mapping[str, Collection[Failure]],
    hidden_dealers: Collection[str],
    now: dt.datetime,
) -> tuple[Pit, ...]:
    """The map, pit by pit; tables that were not configured yet stand last."""

    def tile(line: TableLine) -> Tile:
        dealer = "" if line.dealer in hidden_dealers else line.dealer
        troubles = [
            f"{'✕' if one.state == 'silent' else '▲'} {one.device}" for one in failing.get(line.subject, ())
        ]
        if line.missing:
            troubles.append(f"✕ gap of {line.missing}")
        if line.count is not None and line.count.standing.sign == "✕":
            troubles.append("✕ cards of the shoe")
        trouble = tuple(dict.fromkeys(troubles))
        return Tile(line, dealer, alerts.get(line.subject, OpenHere()), trouble, age_of(line, now))

    def pit(line: TableLine) -> tuple[bool, str, tuple[int, str]]:
        number = int(line.pit) if line.pit.isdecimal() else 0
        return not line.pit, line.house, (number, line.pit)

    ordered = sorted(lines, key=lambda line: (pit(line), line.subject))
    return tuple(
        Pit(f"{house} · Pit {name}" if name else "Not configured", tuple(map(tile, of_pit)))
        for (_, house, (_, name)), of_pit in groupby(ordered, key=pit)
    )


def age_of(line: TableLine, now: dt.datetime) -> int | None:
    """Seconds since the last event of a table that is open; its clock may be ahead of ours."""
    if line.last_event is None or line.state == "closed":
        return None
    return max(0, int((now - line.last_event).total_seconds()))

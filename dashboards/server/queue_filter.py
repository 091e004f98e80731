"""Which alerts a list shows: a tab, severities and words, as they stand in its address."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Literal, get_args
from urllib.parse import urlencode

from msgspec import Struct

from dashboards.server.views import Row
from schemas.findings import Severity

Tab = Literal["open", "mine", "second", "acked", "shelved", "closed"]
TABS: dict[Tab, str] = {
    "open": "Open",
    "mine": "Mine",
    "second": "To confirm",
    "acked": "Acked",
    "shelved": "Shelved",
    "closed": "Closed",
}
SEVERITIES: tuple[Severity, ...] = get_args(Severity)
_TABLE = "table:"
_WORD = re.compile(r'table:"[^"]*"|\S+')


class Wanted(Struct, frozen=True, kw_only=True):
    """What a list shows; no severity means all, and each word must be somewhere in what is told of an alert.

    A word `table:BJ-1` names a table exactly; a name with spaces stands in quotes: `table:"BJ 1"`.
    """

    tab: Tab = "open"
    severities: tuple[str, ...] = ()
    words: str = ""

    def takes(self, row: Row) -> bool:
        """Whether severity and words fit."""
        if self.severities and row.severity not in self.severities:
            return False
        told, table = told_of(row), row.table.lower()
        words = _WORD.findall(self.words.lower())
        return all(
            word[len(_TABLE) :].strip('"') == table if word.startswith(_TABLE) else word in told
            for word in words
        )

    def address(self, tab: Tab) -> str:
        """Address of another tab with the same severities and words."""
        query: list[tuple[str, str]] = [("tab", tab)] if tab != "open" else []
        query += [("severity", each) for each in self.severities]
        query += [("q", self.words)] if self.words else []
        return f"/?{urlencode(query)}" if query else "/"


def of_table(name: str) -> str:
    """The address of the open alerts of one table, and of no other whose name begins alike."""
    shown = f'"{name}"' if any(letter.isspace() for letter in name) else name
    return f"/?{urlencode({'q': f'{_TABLE}{shown}'})}"


def wanted(tab: str, severities: Iterable[str], words: str) -> Wanted:
    """What an address asks for; what it says amiss is left out."""
    chosen = tuple(each for each in SEVERITIES if each in set(severities))
    return Wanted(
        tab=next((each for each in TABS if each == tab), "open"),
        severities=chosen if len(chosen) < len(SEVERITIES) else (),
        words=" ".join(words.split()),
    )


def told_of(row: Row) -> str:
    """What words are looked for in; the script of the page puts the same together."""
    parts = (row.table, row.dealer, row.check, row.hand, row.message, row.owner, row.by)
    round_ = f"round {row.round}" if row.round is not None else ""
    seat = f"seat {row.seat}" if row.seat is not None else ""
    return " ".join(part for part in (*parts, round_, seat, row.id) if part).lower()


def in_tab(row: Row, tab: Tab, me: str) -> bool:
    """Whether an open alert stands in a tab of this user."""
    waits = row.status in ("new", "acknowledged", "awaiting")
    match tab:
        case "open":
            return waits
        case "mine":
            return waits and row.owner == me
        case "second":
            return row.status == "awaiting" and row.proposed_by != me
        case "acked":
            return row.status == "acknowledged"
        case "shelved":
            return row.status == "shelved"
        case "closed":
            return row.status == "disposed"

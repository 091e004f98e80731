"""The filter of a list of alerts: a tab, severities and words, as they stand in the address."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, get_args
from urllib.parse import urlencode

from msgspec import Struct

from dashboards.alerts.queue_words import takes, terms_of, unread
from dashboards.alerts.views import AlertRow
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
FIELDS = ("tab", "severity", "q", "before", "alert")


class WantedAlerts(Struct, frozen=True, kw_only=True):
    """What a list shows; no severity means all, and each of the words must fit an alert.

    A word begins a name (of a table, a dealer, a check, a person, a hand), an id, or a word of the message; one with a
    digit stands whole. `table:BJ-1` names a table and nothing else, a name with spaces stands in quotes:
    `table:"BJ 1"`. `wrong` is what the address says amiss.
    """

    tab: Tab = "open"
    severities: tuple[str, ...] = ()
    words: str = ""
    wrong: tuple[str, ...] = ()

    def takes(self, row: AlertRow) -> bool:
        """Whether severity and words fit."""
        if self.severities and row.severity not in self.severities:
            return False
        return all(takes(term, row) for term in terms_of(self.words))

    def unread(self, rows: Sequence[AlertRow]) -> tuple[str, ...]:
        """A message for each word that fits none of these alerts."""
        return unread(terms_of(self.words), rows)

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


def wanted(tab: str, severities: Iterable[str], words: str) -> WantedAlerts:
    """The filter of an address, with a message for each part of it that cannot be read."""
    given = tuple(severities)
    chosen = tuple(each for each in SEVERITIES if each in given)
    none, known = "is no severity: there are", ", ".join(SEVERITIES)
    wrong = [f"“{each[:40]}” {none} {known}" for each in given if each not in SEVERITIES]
    if tab not in TABS:
        there_are = f"there are {', '.join(TABS)}; the open ones are shown"
        wrong.append(f"“{tab[:40]}” is no list of alerts: {there_are}")
    return WantedAlerts(
        tab=next((each for each in TABS if each == tab), "open"),
        severities=chosen if len(chosen) < len(SEVERITIES) else (),
        words=" ".join(words.split()),
        wrong=tuple(wrong),
    )


def in_tab(row: AlertRow, tab: Tab, me: str) -> bool:
    """Whether an open alert stands in a tab of this user."""
    match tab:
        case "open" | "mine":
            return row.status in ("new", "acknowledged", "awaiting") and (tab == "open" or row.owner == me)
        case "second":
            return row.status == "awaiting" and row.proposed_by != me
    return row.status == {"acked": "acknowledged", "shelved": "shelved", "closed": "disposed"}[tab]

"""The lists that a person arranges for themselves: their addresses, what is searched there, and their columns."""

from __future__ import annotations

from typing import Final
from urllib.parse import parse_qsl, urlencode

from msgspec import Struct

from dashboards.accounts.roles import Role
from dashboards.filters.fields import OF_ALERTS, OF_LOG
from dashboards.filters.hand_terms import FIELDS as OF_HANDS
from dashboards.ledger.personal_acts import ListName

_PLACES = ("before", "after", "alert", "order", "line")  # where in a list one is, and not what it shows


class Listed(Struct, frozen=True, kw_only=True):
    """One list; `columns` are its columns as they come, by name and heading, `always` is one that nobody hides.

    `of_cards` are columns that stand only before a role that sees cards.
    """

    path: str
    fields: tuple[str, ...]
    columns: dict[str, str]
    always: str
    of_cards: frozenset[str] = frozenset()

    def query(self, text: str) -> str:
        """The query of an address, as far as it says what is searched."""
        given = parse_qsl(text.lstrip("?"))
        return urlencode([(name, one) for name, one in given if name in self.fields and name not in _PLACES])

    def address(self, query: str) -> str:
        """The list with this search."""
        return f"{self.path}?{query}" if query else self.path

    def headings(self, role: Role) -> dict[str, str]:
        """The columns that this role may have, by name and heading."""
        hidden = frozenset() if role.sees_cards else self.of_cards
        return {name: heading for name, heading in self.columns.items() if name not in hidden}

    def chosen(self, columns: tuple[str, ...], role: Role) -> tuple[str, ...]:
        """These columns as far as this role has such; all of its own, as they come, where none is chosen."""
        headings = self.headings(role)
        known = tuple(name for name in columns if name in headings)
        if not known:
            return tuple(headings)
        return known if self.always in known else (self.always, *known)


LISTED: Final[dict[ListName, Listed]] = {
    "alerts": Listed(
        path="/",
        fields=OF_ALERTS,
        columns={
            "severity": "Severity", "event": "Time", "age": "Age", "alert": "What happened", "table": "Table",
            "seat": "Seat", "dealer": "Dealer", "owed": "Money", "status": "State",
        },
        always="alert",
    ),
    "hands": Listed(
        path="/hands",
        fields=(*OF_HANDS, "q"),
        columns={
            "ended": "Ended", "table": "Table", "round": "Round", "seats": "Seats", "dealt": "Dealer’s hand",
            "patrons": "Patrons", "status": "Status", "findings": "Findings", "dealer": "Dealer", "shoe": "Shoe",
        },
        always="round",
        of_cards=frozenset({"dealt"}),
    ),
    "log": Listed(
        path="/log",
        fields=OF_LOG,
        columns={
            "record": "Record", "time": "Time", "who": "Who", "what": "What", "about": "About",
            "moved": "Before → after", "told": "In detail", "film": "Recording", "hash": "Hash",
        },
        always="record",
    ),
}  # fmt: skip


def reads(role: Role, name: ListName) -> bool:
    """Whether a role reads a list."""
    return {"alerts": role.reads_alerts, "hands": role.reads_hands, "log": role.reads_log}[name]

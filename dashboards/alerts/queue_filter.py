"""The filter of a list of alerts: a tab, severities and words, as they stand in the address."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Sequence
from operator import attrgetter
from typing import Final, Literal, NamedTuple, get_args
from urllib.parse import urlencode

from msgspec import Struct

from dashboards.alerts.queue_words import (
    MONEY_FIELDS,
    STATES,
    Term,
    takes,
    timed_terms,
    understood,
    unread,
    unreadable,
    written,
)
from dashboards.filters.chips import Chip, FilterWord, Offers, chips, offered
from dashboards.filters.clocks import Clock
from dashboards.queue.views import AlertRow
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
# Minutes since an alert was raised -> what the page calls it.
RANGES: Final[dict[str, str]] = {
    "": "Raised at any time",
    "15": "Raised in 15 min",
    "60": "Raised in 1 h",
    "480": "Raised in 8 h",
    "1440": "Raised in 24 h",
}
_TABLE = "table:"
_SEEN = STATES[:3]  # the states of alerts that wait
_MOST_TABLES = 12  # that are offered


class WantedAlerts(Struct, frozen=True, kw_only=True):
    """What a list shows; no severity means all, and each of the words must fit an alert.

    A word begins a name (of a table, a dealer, a check, a person, a hand), an id, or a word of the message; one with a
    digit stands whole. `table:BJ-1` names a table and nothing else, a name with spaces stands in quotes:
    `table:"BJ 1"`. `terms` are what the words mean. `since` is a range in minutes and `begin` the moment it begins.
    `wrong` is what the address says amiss. `home` is the address of the open alerts without any filter.
    """

    tab: Tab = "open"
    severities: tuple[str, ...] = ()
    words: str = ""
    terms: tuple[Term, ...] = ()
    since: str = ""
    begin: dt.datetime | None = None
    wrong: tuple[str, ...] = ()
    home: str = "/"

    @property
    def understood(self) -> str:
        """What its times were understood as; empty where it names none."""
        return understood(self.terms)

    @property
    def narrows(self) -> bool:
        """Whether it leaves out any alert of a tab."""
        return bool(self.severities or self.words or self.since)

    def takes(self, row: AlertRow) -> bool:
        """Whether severity, time and words fit."""
        return self.takes_grave(row.severity) and self.takes_told(row)

    def takes_grave(self, severity: str) -> bool:
        """Whether a severity is one of those that were chosen."""
        return not self.severities or severity in self.severities

    def takes_told(self, row: AlertRow) -> bool:
        """Whether time and words fit, whatever its severity."""
        if self.begin is not None and row.raised_at < self.begin:
            return False
        return all(takes(term, row) for term in self.terms)

    def told(self, rows: Iterable[AlertRow]) -> list[AlertRow]:
        """Those of these alerts whose time and words fit, whatever their severity."""
        if self.begin is None and not self.terms:
            return list(rows)  # nearly always, of thousands of alerts
        return [one for one in rows if self.takes_told(one)]

    def unread(self, rows: Sequence[AlertRow]) -> tuple[str, ...]:
        """A message for each word that fits none of these alerts."""
        return unread(self.terms, rows)

    @property
    def chips(self) -> tuple[Chip, ...]:
        """A chip for each word."""
        return chips(self._words, self._with)

    def offers(self, at: Iterable[str]) -> tuple[Offers, ...]:
        """Words that can be clicked in; `at` has the table of each alert of the tab: the busiest are offered."""
        here = Counter(at)
        tables = sorted(here, key=lambda name: (-here[name], name))[:_MOST_TABLES]
        kinds = [
            ("Severity", ("severity",), [(f"severity:{one}", one.capitalize()) for one in SEVERITIES]),
            ("State", ("state", "status"), [(f"status:{one}", one.capitalize()) for one in _SEEN]),
            (
                "Money",
                MONEY_FIELDS,
                [("owed", "Owed"), ("overpaid", "Overpaid"), ("money:>100", "Over $100")],
            ),
            (
                "Event",
                ("time",),
                [("since:15min", "Last 15 min"), ("since:1h", "Last hour"), ("since:8h", "Last 8 hours")],
            ),
            ("Table", ("table",), [(table_word(one), one) for one in tables]),
        ]
        states = self.tab in ("open", "mine")
        return tuple(
            offered(name, fields, choices, self._words, self._with)
            for name, fields, choices in kinds
            if choices and (states or name != "State")
        )

    @property
    def _words(self) -> list[FilterWord]:
        return [
            FilterWord(
                field=term.field,
                written=written(term, self.words),
                meant=term.time.understood if term.time else "",
                wrong=" ".join(unreadable((term,))),
            )
            for term in self.terms
        ]

    def _with(self, words: str) -> str:
        return self.address(self.tab, words)

    def address(self, tab: Tab, words: str | None = None) -> str:
        """Address of another tab with the same severities and words, or with these words."""
        words = self.words if words is None else words
        query: list[tuple[str, str]] = [("tab", tab)] if tab != "open" else []
        query += [("severity", each) for each in self.severities]
        query += [("q", words)] if words else []
        query += [("since", self.since)] if self.since else []
        return f"/?{urlencode(query)}" if query else self.home


def of_table(name: str) -> str:
    """The address of the open alerts of one table, and of no other whose name begins alike."""
    return f"/?{urlencode({'q': table_word(name)})}"


def table_word(name: str) -> str:
    """The word that names a table."""
    return f'{_TABLE}"{name}"' if any(letter.isspace() for letter in name) else f"{_TABLE}{name}"


def wanted(
    tab: str,
    severities: Iterable[str],
    words: str,
    clock: Clock,
    since: str = "",
    now: dt.datetime | None = None,
    start: str | None = None,
) -> WantedAlerts:
    """The filter of an address, its times read by `clock`, with a message for each part that cannot be read.

    `start` is where the address without a word leads, if not to all open alerts.
    """
    given, words = tuple(severities), " ".join(words.split())
    chosen = tuple(each for each in SEVERITIES if each in given)
    none, known = "is no severity: there are", ", ".join(SEVERITIES)
    wrong = [f"“{each[:40]}” {none} {known}" for each in given if each not in SEVERITIES]
    if tab not in TABS:
        there_are = f"there are {', '.join(TABS)}; the open ones are shown"
        wrong.append(f"“{tab[:40]}” is no list of alerts: {there_are}")
    if since not in RANGES:
        there_are = ", ".join(filter(None, RANGES))
        wrong.append(
            f"“{since[:40]}” is no range in minutes: there are {there_are}; alerts of any time are shown"
        )
    return WantedAlerts(
        tab=next((each for each in TABS if each == tab), "open"),
        severities=chosen if len(chosen) < len(SEVERITIES) else (),
        words=words,
        terms=timed_terms(words, clock),
        since=since if since in RANGES else "",
        begin=now - dt.timedelta(minutes=int(since))
        if now is not None and since and since in RANGES
        else None,
        wrong=tuple(wrong),
        home="/?tab=open" if start else "/",
    )


class Standing(NamedTuple):
    """What of an alert says in which tab it is, and its severity: thousands of alerts have few of these."""

    status: str
    severity: str
    owner: str | None
    proposed_by: str


Tally = Counter[Standing]


def tallied(rows: Iterable[AlertRow]) -> Tally:
    """How many of these alerts stand alike."""
    told = Counter(map(attrgetter(*Standing._fields), rows))
    return Counter({Standing(*one): many for one, many in told.items()})


def in_tab(row: AlertRow | Standing, tab: Tab, me: str) -> bool:
    """Whether an open alert stands in a tab of this user."""
    match tab:
        case "open" | "mine":
            return row.status in ("new", "acknowledged", "awaiting") and (tab == "open" or row.owner == me)
        case "second":
            return row.status == "awaiting" and row.proposed_by != me
    return row.status == {"acked": "acknowledged", "shelved": "shelved", "closed": "disposed"}[tab]

"""What the words of one search find in each list that a person reads: how many, and what of them is not understood."""

from __future__ import annotations

import logging
from urllib.parse import urlencode

from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.alerts.api import rows_of
from dashboards.alerts.queue_times import clock_of
from dashboards.alerts.queue_words import takes, timed_terms, understood, unread, unreadable
from dashboards.filters.hand_terms import HandTerms
from dashboards.hands.addresses import list_address
from dashboards.hands.search import Asking
from dashboards.log.search import WantedRecords, search
from dashboards.log.words import log_terms
from dashboards.web.console import Console
from schemas.amounts import amount, verb

_log = logging.getLogger("catwalk.console")


class FoundList(Struct, frozen=True, kw_only=True):
    """One list: its address with the search, empty where it does not understand it; `fitting` is how many it has."""

    name: str
    href: str
    told: str
    fitting: int = 0
    understood: str = ""
    unread: tuple[str, ...] = ()


def lists_of(console: Console, user: User, text: str) -> tuple[FoundList, ...]:
    """The lists that the user reads, each with what the words find there; the open alerts stand first."""
    role = console.role(user)
    found = [_alerts(console, user, text)] if role.reads_alerts else []
    found += [_hands(console, user, text)] if role.reads_hands else []
    found += [_records(console, user, text)] if role.reads_log else []
    return tuple(found)


def _alerts(console: Console, user: User, text: str) -> FoundList:
    rows = rows_of(console, user)
    terms = timed_terms(text, clock_of(console, lambda: rows))
    fitting = sum(all(takes(term, row) for term in terms) for row in rows)
    wrong = unreadable(terms)
    return FoundList(
        name="Alerts",
        href="" if wrong or not fitting else f"/?{urlencode({'q': text})}",
        told=f"{fitting:,} of {len(rows):,} open fit",
        fitting=fitting,
        understood=understood(terms),
        unread=() if fitting else wrong or unread(terms, rows),
    )


def _hands(console: Console, user: User, text: str) -> FoundList:
    try:
        role, asking = console.role(user), Asking(console, user.name, console.role(user))
        told = asking.told(text)
        terms = HandTerms(**told.terms)
        if told.unread or not told.terms or (terms.is_of_cards and not role.sees_cards):
            return FoundList(
                name="Hands", href="", told="not looked for", unread=tuple(str(one) for one in told.unread)
            )
        answer = asking.answer(terms)
    except Exception as error:  # whatever the store raises: the other lists are told all the same
        _log.warning("hands cannot be looked for: %s", error)
        return FoundList(name="Hands", href="", told="the store of hands does not answer")
    found = answer.matched or 0
    many = f"more than {amount(found, 'hand')}" if answer.more else amount(found, "hand")
    return FoundList(
        name="Hands",
        href=list_address(told.terms, text),
        told=many,
        fitting=found,
        understood=answer.understood,
        unread=tuple(why.rstrip(".") for why in answer.wrong.values()),
    )


def _records(console: Console, user: User, text: str) -> FoundList:
    terms = log_terms(console, text)
    wrong = unreadable(terms)
    found = search(console, user, WantedRecords(words=text, terms=terms))
    fits = "fit" if found.further else verb(len(found.rows), "fits")
    many = f"{'more than ' if found.further else ''}{len(found.rows):,}"
    return FoundList(
        name="Audit log",
        href="" if wrong else f"/log?{urlencode({'q': text})}",
        told=f"{many} of the newest {amount(found.newest - found.oldest + 1, 'record')} {fits}",
        fitting=len(found.rows),
        understood=understood(terms),
        unread=wrong,
    )

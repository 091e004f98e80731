"""The words of the log's filter, which are those of the alerts': what each means of a record."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable

from dashboards.accounts.accounts import User
from dashboards.alerts.queue_words import Term, takes, timed_terms, unreadable
from dashboards.desk.summary import LogEntry
from dashboards.filters.clocks import Clock
from dashboards.filters.names import stands_in
from dashboards.filters.when import AskedTime, asked_time
from dashboards.ledger.acts import Accessed, DeskRecord, EvidenceKept, OnAlert, PageSent, Raised
from dashboards.queue.views import AlertRow, row
from dashboards.web.console import Console

_OF_ALERTS = ("severity", "state", "money")
_CALLED = {"player": "patron"}  # what a record calls it


def log_terms(console: Console, words: str) -> tuple[Term, ...]:
    """The terms of a filter of the log, whose clock is UTC."""
    return timed_terms(words, _clock(console))


def unread_of_log(terms: Iterable[Term]) -> str:
    """What of the terms the log cannot read, in one sentence; empty where it reads all."""
    return "; ".join(unreadable(terms))


def span_of(terms: Iterable[Term]) -> tuple[dt.datetime, dt.datetime] | None:
    """From when to when the times of these terms reach altogether; None where they name none."""
    spans = [span for term in terms if term.time is not None for span in term.time.spans]
    return (min(start for start, _ in spans), max(end for _, end in spans)) if spans else None


def of_alert(console: Console, user: User, record: DeskRecord) -> AlertRow | None:
    """The alert that a record is about, as its reader may see it."""
    act = record.data
    match act:
        case Raised():
            name = act.finding.finding_id
        case PageSent() | EvidenceKept():
            name = act.alert
        case Accessed(what="alert" | "action"):
            name = act.object.split(" ")[-1]
        case _ if isinstance(act, OnAlert):
            name = act.alert
        case _:
            return None
    alert = console.desk.alert(name)
    return row(alert, console.role(user)) if alert is not None and console.sees(user, alert) else None


def fits(term: Term, told: LogEntry, name: str, alert: AlertRow | None) -> bool:
    """Whether a record is one that the term asks for: by its own time, its words, or the alert that it is about."""
    if term.time is not None:
        return term.time.takes(told.at)
    if alert is not None and takes(term, alert):
        return True
    if term.field in _OF_ALERTS:
        return False
    said = " ".join((name, told.about, told.actor, told.action, told.tag, *told.detail))
    if term.field in ("", "clause"):
        return stands_in(term.text, said)
    called = (term.field, _CALLED.get(term.field, term.field))
    if term.field == "owner":
        return told.actor.lower() == term.text
    return any(stands_in(f"{one}{mark}{term.text}", said) for one in called for mark in (" ", ": "))


def _clock(console: Console) -> Clock:
    def read(text: str) -> tuple[AskedTime, dt.tzinfo]:
        return asked_time(text, dt.UTC, console.clock()), dt.UTC

    return read

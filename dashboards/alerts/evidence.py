"""The evidence of an alert: the records its finding cites, with their hashes, and its history at the desk."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterator, Sequence

from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.accounts.roles import Role
from dashboards.desk.alerts import Alert
from dashboards.desk.summary import LogEntry, entry
from dashboards.ledger.acts import DeskRecord, Raised
from dashboards.reader.rounds import events_between, round_numbered
from dashboards.web.console import Console
from dashboards.wording.copying import copied
from schemas.amounts import amount, verb
from schemas.events.codec import record_hash
from schemas.findings import Finding

MOST_EVENTS = 60
MOST_HISTORY = 200
_NEAR = 20  # events between two of a finding's, up to which both are asked for at once
_log = logging.getLogger("catwalk.console")


class SourceEvent(Struct, frozen=True, kw_only=True):
    """One record of the table; `line` is empty for who may not read it, and while its round goes on."""

    sequence: int
    time: dt.datetime
    type: str
    source: str
    hash: str
    line: str


class Sources(Struct, frozen=True):
    """The records; `why` says in words why they are not all there."""

    events: tuple[SourceEvent, ...]
    why: str


class Kept(Struct, frozen=True, kw_only=True):
    """One entry of the history, or several looks of one person one after the other."""

    entry: LogEntry
    times: int


def sources(console: Console, alert: Alert, role: Role) -> Sources:
    """The records that the alert's finding rests on."""
    finding = alert.finding
    try:
        rows = [
            one
            for first, last in _runs(finding.sequences[:MOST_EVENTS])
            for one in events_between(finding.subject, first, last).ask(console.records)
        ]
        # Before its round is over a record may hold a card that lies face down.
        readable = role.sees_cards and _is_over(console, finding)
    except Exception as error:  # whatever the store raises: the alert is shown without them
        _log.warning("events of alert %s cannot be had: %s", alert.id, error)
        return Sources((), "The store does not answer: the records cannot be shown now.")
    wanted = set(finding.sequences)
    found = tuple(
        copied(SourceEvent, one, hash=record_hash(one.line.encode()), line=one.line if readable else "")
        for one in rows
        if one.sequence in wanted
    )
    all_there = len(found) == len(wanted)
    return Sources(
        found,
        ""
        if all_there
        else f"{len(found)} of the {amount(len(wanted), 'record')} {verb(len(wanted), 'is')} in the store.",
    )


def history(console: Console, user: User, alert: str) -> tuple[Kept, ...]:
    """What was kept about an alert, the oldest first; looks of one person in a row are one entry.

    Of a later alert that rose from it only what this user may see.

    Raises:
        DeskUnavailable: it cannot be read.
    """
    told: list[Kept] = []
    for record in console.desk.history(alert, MOST_HISTORY):
        if _rose_unseen(console, user, alert, record):
            continue
        one = entry(record)
        last = told[-1].entry if told else None
        same = last is not None and (one.action, one.actor) == (last.action, last.actor)
        times = told.pop().times if same and one.action.startswith("alert") else 0
        told.append(Kept(entry=one, times=times + 1))
    return tuple(told)


def _rose_unseen(console: Console, user: User, alert: str, record: DeskRecord) -> bool:
    """Whether a record tells of another alert, and that one is not there for this user."""
    if not isinstance(record.data, Raised) or record.data.finding.finding_id == alert:
        return False
    risen = console.desk.alert(record.data.finding.finding_id)
    return risen is None or not console.sees(user, risen)


def _runs(sequences: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = last = 0
    for sequence in sorted(sequences):
        if first and sequence - last > _NEAR:
            yield first, last
            first = 0
        first, last = first or sequence, sequence
    if first:
        yield first, last


def _is_over(console: Console, finding: Finding) -> bool:
    if finding.round is None:
        return False
    rounds = round_numbered(finding.subject, finding.round).ask(console.records)
    return any(one.first_sequence <= finding.sequence <= one.last_sequence for one in rounds)

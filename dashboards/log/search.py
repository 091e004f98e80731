"""The search in the audit log: by words, by day and by time of day, the newest records first."""

from __future__ import annotations

import datetime as dt
from contextlib import suppress
from urllib.parse import unquote_plus

import msgspec
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.alerts.queue_words import Term
from dashboards.debts.seen import is_theirs
from dashboards.desk.casework import is_hidden
from dashboards.desk.desk import Desk
from dashboards.desk.summary import LogEntry, entry
from dashboards.desk.watch_fold import denied_by
from dashboards.filters.names import near, same, stands_in
from dashboards.ledger.acts import Accessed, DeskRecord, EvidenceKept, OnAlert, PageSent, Raised
from dashboards.ledger.case_acts import CaseAct, CaseOpened
from dashboards.ledger.dispute_acts import DisputeAct, DisputeOpened
from dashboards.ledger.personal_acts import SearchSaved
from dashboards.ledger.watch_acts import WatchAct
from dashboards.log.names import STATES, named
from dashboards.log.recordings import Recording, recordings
from dashboards.log.words import fits, of_alert, span_of
from dashboards.queue.views import AlertRow
from dashboards.web.console import Console
from schemas.events.codec import record_hash

PAGE = 100  # records shown at once
SEARCHED = 20_000  # records looked through for one page of a filtered log: some 100 ms
AT_ONCE = 2_000
_DAY = 24 * 60 * 60  # seconds
_BEGUN = {Raised: "new", DisputeOpened: "open", CaseOpened: "open"}
_PROBED = 50  # records looked at for one whose time can be read
_read = msgspec.json.Decoder(DeskRecord).decode


class LogRow(Struct, frozen=True, kw_only=True):
    """One line of the log; `entry` is None where the record is withheld from the reader: its hash still counts.

    `before` and `after` are the states of what the act was upon, `name` and `href` what the pages call it and where
    it is shown; both are empty where the record says its own name. `spoilt`: what stands there is no record any more.
    """

    sequence: int
    hash: str
    entry: LogEntry | None
    before: str = ""
    after: str = ""
    name: str = ""
    href: str = ""
    recording: Recording | None = None
    spoilt: bool = False


class FoundRecords(Struct, frozen=True, kw_only=True):
    """A page of the log, the newest first; `further` is where the next page begins, None where there is no more.

    `newest` and `oldest` are the records that were looked at; there is none of them when `oldest` is above `newest`.
    `hint` says that nobody of the name that was asked for is on record, and `names` who may have been meant.
    """

    rows: tuple[LogRow, ...]
    further: int | None
    newest: int
    oldest: int
    hint: str = ""
    names: tuple[str, ...] = ()


class WantedRecords(Struct, frozen=True, kw_only=True):
    """Which records: all empty means every one; `before` a number, day and times of day in UTC.

    `words` are those of the filter of the alerts, and `terms` what they mean. `who` is a whole user name in any case.
    `what` and `about` are words that stand in the record as they are.

    `until` is told to the minute, and its minute belongs to it; one before `since` is that of the next morning.
    """

    words: str = ""
    terms: tuple[Term, ...] = ()
    who: str = ""
    what: str = ""
    about: str = ""
    day: dt.date | None = None
    since: dt.time | None = None
    until: dt.time | None = None
    before: int | None = None

    @property
    def clock(self) -> tuple[int, int]:
        """Seconds of the day from which and up to which; the second is beyond a day's where midnight is passed."""
        begin = 0 if self.since is None else _seconds(self.since)
        end = _DAY if self.until is None else _seconds(self.until.replace(second=0)) + 60
        return begin, end if end > begin else end + _DAY

    @property
    def is_everything(self) -> bool:
        """Whether no record in reach is left out: a day's records are in reach, and looked for by their numbers."""
        timed = self.day is None and not (self.since is None and self.until is None)
        return not (self.terms or self.who or self.what or self.about or timed)

    def takes(self, one: LogEntry, name: str = "", alert: AlertRow | None = None) -> bool:
        """Whether a record in reach is one of them.

        `name` is what the pages call the thing that it is about, `alert` the alert that this is.
        """
        return (
            all(fits(term, one, name, alert) for term in self.terms)
            and (not self.who or same(self.who, one.actor))
            and (not self.what or stands_in(self.what, f"{one.action} {one.tag}"))
            and (not self.about or stands_in(self.about, " ".join((name, one.about, *one.detail))))
            and (self.day is not None or self._at_its_time(one.at))
        )

    def _at_its_time(self, at: dt.datetime) -> bool:
        begin, end = self.clock
        second = _seconds(at.astimezone(dt.UTC).time())
        return begin <= second < end or begin <= second + _DAY < end

    def in_words(self) -> str:
        """The search in words, for the record of the look."""
        given = {
            "day": self.day or "",
            "from": "" if self.since is None else f"{self.since:%H:%M}",
            "to": "" if self.until is None else f"{self.until:%H:%M}",
            "before record": self.before or "",
            "words": self.words,
            "who": self.who,
            "what": self.what,
            "about": self.about,
        }
        return ", ".join(f"{name} {value}" for name, value in given.items() if value)


def search(console: Console, user: User, wanted: WantedRecords) -> FoundRecords:
    """The newest records that are wanted, of those before `wanted.before`."""
    desk = console.desk
    if wanted.who and not any(same(wanted.who, one) for one in desk.actors()):
        hint = f"Nobody of the name {wanted.who} is on record; a name is looked for as it stands, and whole."
        names, last = near(wanted.who, desk.actors()), desk.records
        return FoundRecords(rows=(), further=None, newest=last, oldest=last + 1, hint=hint, names=names)
    oldest, newest = _reach(desk, wanted)
    if wanted.before is not None:
        newest = min(newest, wanted.before - 1)
    taken: list[tuple[DeskRecord | None, LogRow]] = []
    reached, everything = newest + 1, wanted.is_everything
    while reached > oldest and len(taken) < PAGE and newest - reached < SEARCHED:
        first = max(oldest, reached - (PAGE if everything else AT_ONCE))
        for sequence, line in reversed(tuple(enumerate(desk.lines(first, reached - first), first))):
            if len(taken) == PAGE:
                break
            record, row = _row(console, user, line, sequence)
            reached = sequence
            if everything or row.spoilt or _takes(console, user, wanted, record, row):
                taken.append((record, row))
    readable = (record for record, row in taken if record is not None and row.entry is not None)
    filmed = recordings(console, readable)
    rows = tuple(msgspec.structs.replace(row, recording=filmed.get(row.sequence)) for _, row in taken)
    further = reached if reached > oldest else None
    return FoundRecords(rows=rows, further=further, newest=newest, oldest=reached)


def _takes(
    console: Console, user: User, wanted: WantedRecords, record: DeskRecord | None, row: LogRow
) -> bool:
    if row.entry is None or record is None:
        return False
    return wanted.takes(row.entry, row.name, of_alert(console, user, record) if wanted.terms else None)


def first_from(desk: Desk, moment: dt.datetime) -> int:
    """Number of the first record of this moment or later; one beyond the last where there is none.

    Records are in the order of their times, so that a few of them are read, however many there are.
    """
    low, high = 1, desk.records + 1
    while low < high:
        middle = (low + high) // 2
        at = _time_from(desk, middle)
        if at is None or at >= moment:
            high = middle
        else:
            low = middle + 1
    return low


def _reach(desk: Desk, wanted: WantedRecords) -> tuple[int, int]:
    """The first and the last record of the day or the times that are wanted, or of all days."""
    if wanted.day is None:
        span = span_of(wanted.terms)
        return (
            (1, desk.records) if span is None else (first_from(desk, span[0]), first_from(desk, span[1]) - 1)
        )
    midnight = dt.datetime.combine(wanted.day, dt.time(), dt.UTC)
    begin, end = wanted.clock
    try:
        last = first_from(desk, midnight + dt.timedelta(seconds=end)) - 1
    except OverflowError:  # the last day there is
        last = desk.records
    return first_from(desk, midnight + dt.timedelta(seconds=begin)), last


class _When(Struct):
    time: dt.datetime


def _time_from(desk: Desk, sequence: int) -> dt.datetime | None:
    """When this record was written, or the first behind it that can be read; None where none can."""
    for first, most in ((sequence, 1), (sequence + 1, _PROBED)):  # nearly always the first one can be read
        for line in desk.lines(first, most):
            with suppress(msgspec.MsgspecError):
                return msgspec.json.decode(line, type=_When).time
    return None


def _row(console: Console, user: User, line: bytes, sequence: int) -> tuple[DeskRecord | None, LogRow]:
    digest = record_hash(line)
    try:
        record = _read(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None, LogRow(sequence=sequence, hash=digest, entry=None, spoilt=True)
    if not _readable(console, user, record):
        return record, LogRow(sequence=sequence, hash=digest, entry=None)
    before, after = console.desk.moved(sequence) or ("", _BEGUN.get(type(record.data), ""))
    thing = named(console, user, record)
    row = LogRow(
        sequence=sequence,
        hash=digest,
        entry=entry(record),
        before=STATES.get(before, before),
        after=STATES.get(after, after),
        name=thing.name,
        href=thing.href,
    )
    return record, row


def _readable(console: Console, user: User, record: DeskRecord) -> bool:
    act = record.data
    if isinstance(act, Raised | EvidenceKept | OnAlert | PageSent):
        name = act.finding.finding_id if isinstance(act, Raised) else act.alert
        alert = console.desk.alert(name)
        return alert is not None and console.sees(user, alert)
    if isinstance(act, DisputeAct):
        dispute = console.desk.dispute(act.dispute)
        return dispute is not None and is_theirs(console, user, dispute)
    if isinstance(act, Accessed):
        return not _names_withheld(console, user, f"{act.object} {act.reason}")
    if isinstance(act, SearchSaved):
        return not _names_withheld(console, user, unquote_plus(act.query))
    if isinstance(act, WatchAct):
        return denied_by(act.kind, act.value) not in console.desk.withheld_from(user.name)
    if isinstance(act, CaseAct):
        return not is_hidden(console.desk, user.name, act.case)
    return True


def _names_withheld(console: Console, user: User, text: str) -> bool:
    """Whether a look or search names a dealer, patron, table or alert that is withheld from the reader."""
    withheld = console.desk.withheld_from(user.name)
    return any(stands_in(value, text) for _, value in withheld)


def _seconds(at: dt.time) -> int:
    return at.hour * 3600 + at.minute * 60 + at.second

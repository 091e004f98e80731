"""The state of a stored table before any of its events, and now, by folding its record from the nearest opening."""

from __future__ import annotations

import base64
import binascii
import threading
import zlib
from collections import OrderedDict
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from itertools import groupby

import msgspec
from msgspec import Struct

from dashboards.folding.openings import Opening, Openings
from dashboards.reader.question import Reader
from dashboards.reader.rounds import (
    BLOCK,
    ProgressRow,
    RecordLine,
    StoredStateRow,
    lines_behind,
    lines_between,
    progress_of,
    progress_of_all,
    progress_of_some,
    unreadable_behind,
)
from dashboards.reader.search import tables
from dashboards.replayer.admitting import Before, admitted
from processors.core.snapshots import restore, snapshot
from processors.core.state import Table
from processors.games.whichever.taking import Taking
from schemas.events.codec import record_hash
from schemas.events.envelope import PAYLOADS

EVERY = 1_000  # events between two openings: reading and folding as many takes some 20 ms
_MOST_LIVE = 512  # a floor of 500 tables is looked over as a whole
_MOST_BEFORE = 64
_LOCKS = 32
_TOGETHER = 50  # tables asked for in one question


class UnknownTable(LookupError):
    """The store holds no event of a table of this name."""


class Now(Struct, frozen=True):
    """A table behind its newest stored event, `sequence`; the state is shared and only to be read."""

    table: Table
    sequence: int


class _Walk:
    """A table while its record is folded; `sequence` is the last line's, `head` the SHA-256 of its bytes."""

    __slots__ = ("_taking", "head", "kept", "sequence", "table")

    def __init__(self, table: Table, sequence: int = 0, head: str = "") -> None:
        self.table, self._taking = table, Taking(table)
        self.sequence, self.head = sequence, head
        self.kept = sequence

    def take(self, one: RecordLine) -> None:
        self.sequence, self.head = max(one.sequence, self.sequence), record_hash(one.line)
        event = admitted(self.table, one.line)
        if event is not None:
            self._taking.take(event)

    @property
    def is_due(self) -> bool:
        """Whether an opening should be kept here: between two rounds it is small."""
        since = self.sequence - self.kept
        whole = self.table.chain.head == self.head  # not behind a line that is no event
        return whole and (since >= 2 * EVERY or (since >= EVERY and self.table.round is None))


class _Zoned(Struct):
    timezone: str = ""


class _Configured(Struct):
    config: _Zoned | None = None


_CONFIGURED = msgspec.msgpack.Decoder(tuple[_Configured, msgspec.Raw])


def _zone_in(row: StoredStateRow) -> str:
    """The zone that a stored state names, read without the rest of it; empty where it names none."""
    try:
        config = _CONFIGURED.decode(base64.b64decode(row.snapshot_base64))[0].config
    except (msgspec.MsgspecError, binascii.Error):
        return ""
    return config.timezone if config is not None else ""


def _stored_now(subject: str, row: ProgressRow | StoredStateRow) -> Now | None:
    """The table where its stored state stands; None where that is of another release, or none was stored."""
    try:
        table = restore(base64.b64decode(row.snapshot_base64), PAYLOADS)
    except (msgspec.MsgspecError, binascii.Error):
        return None
    if table.subject != subject or table.chain.unread:
        return None
    return Now(table, row.next_sequence - 1)


class States:
    """States of stored tables; from any thread, and each table at one thread's time."""

    def __init__(self, reader: Reader, openings: Openings | None = None) -> None:
        """Ask `reader`; without `openings` they are kept in memory."""
        self._reader = reader
        self._openings = openings or Openings()
        self._live: OrderedDict[str, Now] = OrderedDict()
        self._before: OrderedDict[tuple[str, int], Before] = OrderedDict()
        self._zones: dict[str, str] = {}  # they stand for years, and a state may be forgotten
        self._locks = tuple(threading.RLock() for _ in range(_LOCKS))
        self._shared = threading.Lock()

    def before(self, subject: str, sequence: int) -> Before:
        """The table's state before the event of this sequence."""
        with self._shared:
            known = self._before.get((subject, sequence))
        if known is not None:
            return known
        with self._alone(subject):
            walk = self._nearest(subject, sequence - 1)
            self._fold(walk, lines_between(self._reader, subject, walk.sequence + 1, sequence - 1))
        found = Before(snapshot(walk.table))
        with self._shared:
            self._before[subject, sequence] = found
            while len(self._before) > _MOST_BEFORE:
                self._before.popitem(last=False)
        return found

    def now(self, subject: str) -> Now:
        """The table behind its newest stored event; a second look folds only what came since.

        Raises:
            UnknownTable: no event of it is stored.
        """
        with self._alone(subject):
            with self._shared:
                found = self._live.get(subject)
            if found is None:
                found = self._from_progress(subject)
            walk = None
            if found is None:
                walk = self._nearest(subject, 2**31 - 1)
                found = Now(walk.table, walk.sequence)
            lines = lines_between(self._reader, subject, found.sequence + 1)
            first = next(lines, None)
            if first is not None:
                if walk is None:  # others still read the state that was found
                    copy = restore(snapshot(found.table), PAYLOADS)
                    walk = _Walk(copy, found.sequence, copy.chain.head)
                walk.take(first)
                self._fold(walk, lines)
                found = Now(walk.table, walk.sequence)
            if not found.sequence:
                raise UnknownTable(f"no table {subject}")
            self._keep_live(subject, found)
            return found

    def now_of(self, subjects: Collection[str]) -> dict[str, Now]:
        """Several tables as `now` has them, without those of which no event is stored.

        A few questions are asked for all of them: one by one each table takes two, and its bytes are the least of it.
        """
        wanted = sorted(subjects)
        found: dict[str, Now] = {}
        for place in range(0, len(wanted), _TOGETHER):
            found |= self._some(wanted[place : place + _TOGETHER])
        return found

    def _some(self, subjects: Sequence[str]) -> dict[str, Now]:
        with self._shared:
            found = {one: self._live[one] for one in subjects if one in self._live}
        unknown = [one for one in subjects if one not in found]
        for row in progress_of_some(unknown).ask(self._reader) if unknown else ():
            stored = _stored_now(row.subject, row)
            if stored is not None:
                found[row.subject] = stored
                self._keep_live(row.subject, stored)
        after = {one: found[one].sequence for one in subjects if one in found}
        lines = lines_behind(after, BLOCK).ask(self._reader) if after else []
        # What is far behind, was never folded, or has lines that are no events is read table by table.
        alone = set(subjects) - set(found)
        alone |= {row.subject for row in unreadable_behind(after).ask(self._reader)} if after else set()
        alone |= {row.subject for row in lines[-1:]} if len(lines) == BLOCK else set()
        last = lines[-1].subject if len(lines) == BLOCK else None
        alone |= {one for one in after if last is not None and one > last}
        for subject, rows in groupby(lines, key=lambda row: row.subject):
            if subject not in alone:
                news = tuple(RecordLine(row.sequence, row.line.encode()) for row in rows)
                found[subject] = self._moved(subject, found[subject], news)
        for subject in alone:
            found.pop(subject, None)
            with suppress(UnknownTable):
                found[subject] = self.now(subject)
        return found

    def _moved(self, subject: str, now: Now, lines: Sequence[RecordLine]) -> Now:
        """A table behind these lines as well; others still read the state that was found."""
        with self._alone(subject):
            with self._shared:
                known = self._live.get(subject)
            if known is not None and known.sequence >= lines[-1].sequence:
                return known
            copy = restore(snapshot(now.table), PAYLOADS)
            walk = _Walk(copy, now.sequence, copy.chain.head)
            self._fold(walk, lines)
            moved = Now(walk.table, walk.sequence)
            self._keep_live(subject, moved)
            return moved

    def fold_ahead(self, subject: str, events: int) -> tuple[int, bool]:
        """Fold so many events behind the table's last opening: the sequence reached, and whether no more is stored."""
        with self._alone(subject):
            walk = self._nearest(subject, 2**31 - 1)
            last = walk.sequence + events
            self._fold(walk, lines_between(self._reader, subject, walk.sequence + 1, last))
        return walk.sequence, walk.sequence < last

    def names(self) -> tuple[str, ...]:
        """The tables of the store."""
        return tuple(one.subject for one in tables().ask(self._reader))

    def zone(self, subject: str) -> str | None:
        """The time zone that the table's configuration names, as far as it was read; None where there is none."""
        with self._shared:
            known = self._live.get(subject)
            if known is None and subject in self._zones:
                return self._zones[subject]
        if known is None:
            with self._alone(subject):
                known = self._from_progress(subject)  # without what came since: a zone stands for years
        if known is None or known.table.config is None:
            try:
                known = self.now(subject)
            except UnknownTable:
                return None
        else:
            self._keep_live(subject, known)
        return known.table.config.timezone if known.table.config is not None else None

    def zones(self, subjects: Collection[str]) -> dict[str, str | None]:
        """The time zone of each of these tables, as `zone` has it; those that were never looked at by one question."""
        with self._shared:
            unknown = [one for one in subjects if one not in self._live and one not in self._zones]
        if unknown:
            told = {
                row.subject: zone
                for row in progress_of_all(unknown).ask(self._reader)
                if (zone := _zone_in(row))
            }
            with self._shared:
                self._zones |= told
        return {one: self.zone(one) for one in subjects}

    def _keep_live(self, subject: str, now: Now) -> None:
        with self._shared:
            kept = self._live.get(subject)
            if kept is None or kept.sequence <= now.sequence:
                self._live[subject] = now
            self._live.move_to_end(subject)
            while len(self._live) > _MOST_LIVE:
                self._live.popitem(last=False)

    def _alone(self, subject: str) -> threading.RLock:
        return self._locks[zlib.crc32(subject.encode()) % _LOCKS]

    def _fold(self, walk: _Walk, lines: Iterable[RecordLine]) -> None:
        for one in lines:
            walk.take(one)
            if walk.is_due:
                walk.kept = walk.sequence
                opening = Opening(walk.sequence, walk.head, snapshot(walk.table))
                self._openings.keep(walk.table.subject, opening)

    def _nearest(self, subject: str, most: int) -> _Walk:
        """The table at the last opening behind a sequence not above `most`, or before its first line."""
        opening = self._openings.newest(subject, most)
        if opening is not None:
            at = opening.sequence
            # The record must still hold the very line the opening stands behind: else it is another record's.
            if any(
                record_hash(one.line) == opening.head for one in lines_between(self._reader, subject, at, at)
            ):
                return _Walk(restore(opening.snapshot, PAYLOADS), at, opening.head)
            self._openings.forget(subject)
        return _Walk(Table(subject=subject))

    def _from_progress(self, subject: str) -> Now | None:
        """The state that the fold itself stored, where it did."""
        rows = progress_of(subject).ask(self._reader)
        return next((now for row in rows if (now := _stored_now(subject, row)) is not None), None)

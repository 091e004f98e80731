"""The states of dealers, players and pairs out of the analyst's compacted topic, followed for whoever asks.

They lie in a file, since a property may know more people than fit into memory. It is made anew whenever the topic is
read from its first record: at each start, and after a full disk or damage. The topic holds the last state of everybody.
"""

from __future__ import annotations

import datetime as dt
import sqlite3
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from dashboards.web.vitals import Vital
from processors.runtime.analyst.people import is_of_person, known_person
from processors.runtime.brokers.claimed import FollowedTopic
from producers.log import LedgerError, LedgerUnusable
from schemas.amounts import amount, verb

PEOPLE_FILE: Final = "people.db"
PART: Final = "People"  # as the page of health names it
LATE: Final = dt.timedelta(seconds=10)  # without having read all: more than a moment's
STUCK: Final = dt.timedelta(seconds=60)  # without an answer to any question
TORN: Final = (msgspec.MsgspecError, ValueError, TypeError, LookupError, RecursionError)
"""What reading a state raises whose bytes are damaged, be it that they are no message, no text or no whole state."""
_WAIT: Final = 0.5
_PAUSE: Final = 0.5
LOOK: Final = dt.timedelta(seconds=1)  # an end that was reached may have been asked for so long ago
_SCHEMA: Final = """
CREATE TABLE states (
    key TEXT PRIMARY KEY, one TEXT, other TEXT, fold INTEGER, behind INTEGER, written INTEGER,
    change INTEGER, state BLOB
) WITHOUT ROWID;
CREATE INDEX of_one ON states (one);
CREATE INDEX of_other ON states (other);
"""
# A worker that had lost the partition may have written behind its successor.
_KEEP: Final = """
INSERT INTO states VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
    fold = excluded.fold, behind = excluded.behind, written = excluded.written, change = excluded.change,
    state = excluded.state
    WHERE excluded.behind >= behind
"""
_ASK: Final = """
SELECT key, fold, state, written, change FROM states WHERE key = :name OR one = :name OR other = :name
    ORDER BY key = :name DESC, written DESC, key LIMIT :most
"""
_LAST: Final = "SELECT key, fold, state, written, change FROM states WHERE key = ? AND change > ?"


class KnownState(NamedTuple):
    """The state of one of them under its key; `fold` is the version that wrote it, 0 where nobody knows.

    `written` is when, in milliseconds by the brokers' clock.
    `change` numbers all that was read, in order; it never falls, also where all is read again.
    """

    key: str
    fold: int
    state: bytes
    written: int = 0
    change: int = 0


class FollowedPeople:
    """Everybody's last state; one thread follows, any may ask."""

    def __init__(
        self,
        opened: Callable[[int], FollowedTopic],
        fold: Callable[[], int],
        file: Path,
        clock: Callable[[], dt.datetime],
    ) -> None:
        """`opened` follows the states of a version, `fold` says which is in force."""
        self._opened, self._wanted, self._file, self._clock = opened, fold, file, clock
        self._topic: FollowedTopic | None = None
        self._store: sqlite3.Connection | None = None
        self._fold = self._change = 0
        self._lock = threading.Lock()
        self._read_at: dt.datetime | None = None
        self._moved = clock()
        self._trouble: tuple[str, str] | None = None
        self._mended = False  # reading goes on since the trouble

    def follow(self, ended: threading.Event) -> None:
        """Read until `ended`; brokers that are away, and a disk that is full, are waited for."""
        while not ended.is_set():
            try:
                self.step(_WAIT)
            except (LedgerError, sqlite3.Error, OSError):
                ended.wait(_PAUSE)

    def step(self, seconds: float) -> None:
        """Read what is new.

        Raises:
            LedgerError: the brokers do not answer, or have no such topic.
            sqlite3.Error, OSError: the file cannot be written; the next step makes it anew, and reads all again.
        """
        asked = self._moved = self._clock()
        try:
            if self._topic is None or self._store is None or self._fold != self._wanted():
                self._begin()
            assert self._topic is not None
            self._keep(self._topic.take(seconds), asked, self._topic)
            self._mended = True
        except LedgerError as error:
            if isinstance(error, LedgerUnusable):  # the topic was made anew
                self._let_go()
            self._mended = False
            self._trouble = str(error), "runbook lost-broker: it goes on by itself when they are back"
            raise
        except (sqlite3.Error, OSError) as error:  # what was taken is not kept, so all is read again
            self._let_go()
            remedy = "make room, or see that the folder can be written: the file is then made anew by itself"
            self._mended = False
            self._trouble = f"{self._file}: {error}", remedy
            raise

    def of(self, name: str, most: int) -> tuple[list[KnownState], dt.datetime | None]:
        """The state of somebody (`dealer:D-1`), then those of pairs with others, the last written first.

        And a moment up to which all states were read, None while the topic was not read to its end, or again.
        """
        with self._lock:
            rows = self._asked(_ASK, {"name": name, "most": most})
            return [KnownState(*row) for row in rows], self._read_at

    def last(self, key: str, since: int = 0) -> tuple[KnownState | None, dt.datetime | None]:
        """The last state under a key, as far as the topic was read; None where it is no later than change `since`.

        And a moment up to which all states were read, as of `of`.
        """
        with self._lock:
            rows = self._asked(_LAST, (key, since))
            return next((KnownState(*row) for row in rows), None), self._read_at

    def vital(self) -> Vital:
        """How reading is, for the page of health."""
        now, read_at, topic = self._clock(), self._read_at, self._topic
        behind = topic.behind if topic is not None else 0
        waits = f"{amount(behind, 'state')} {verb(behind, 'waits')}"
        if self._trouble is not None and not self._mended:
            return Vital(PART, "failed", *self._trouble)
        if now - self._moved > STUCK:
            told = f"nothing was asked for {(now - self._moved).total_seconds():,.0f} s; {waits}"
            return Vital(PART, "failed", told, "start this console again")
        if read_at is None:
            after = f" again, after {self._trouble[0]}" if self._trouble is not None else ""
            return Vital(
                PART, "warning", f"read{after} from the first state on; {waits}", "wait until all are read"
            )
        if now - read_at > LATE:
            told = f"all was read {(now - read_at).total_seconds():,.0f} s ago; {waits}"
            return Vital(PART, "warning", told, "wait until it has caught up")
        return Vital(PART, "well", f"the evidence about people is read; {waits}")

    def close(self) -> None:
        """Let go of the brokers and of the file."""
        self._let_go()

    def _begin(self) -> None:
        self._let_go()
        with self._lock:
            self._file.unlink(missing_ok=True)
            self._store = sqlite3.connect(self._file, check_same_thread=False)
            self._store.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_SCHEMA}")
        self._fold = self._wanted()
        self._topic = self._opened(self._fold)

    def _let_go(self) -> None:
        with self._lock:
            topic, self._topic = self._topic, None
            self._let_go_of_file()
        if topic is not None:
            topic.close()

    def _let_go_of_file(self) -> None:
        store, self._store, self._read_at = self._store, None, None
        if store is not None:
            with suppress(sqlite3.Error):
                store.close()

    def _asked(self, sql: str, parameters: Any) -> list[Any]:
        """Rows of the file; none where it is damaged: the next step makes it anew."""
        if self._store is None:
            return []
        try:
            return self._store.execute(sql, parameters).fetchall()
        except sqlite3.Error:
            self._let_go_of_file()
            return []

    def _keep(self, records: Iterable[Any], asked: dt.datetime, topic: FollowedTopic) -> None:
        with self._lock:
            if self._store is None:  # whoever asked found it damaged
                return
            with self._store:
                for record in records:
                    if record.key is not None and is_of_person(record.key):
                        self._keep_one(self._store, record)
            if not topic.behind:
                self._read_at, self._trouble = asked - LOOK, None

    def _keep_one(self, store: sqlite3.Connection, record: Any) -> None:
        key = record.key.decode(errors="replace")
        if not record.value:
            store.execute("DELETE FROM states WHERE key = ?", (key,))
            return
        self._change += 1
        fold, behind, state = _read(record.value)
        one, other = _pair(key)
        store.execute(_KEEP, (key, one, other, fold, behind, record.timestamp, self._change, state))


def _read(value: bytes) -> tuple[int, int, bytes]:
    try:
        known = known_person(value)
    except TORN:
        return 0, 0, b""
    return known.fold_version, known.offset, known.state


def _pair(key: str) -> tuple[str, str]:
    """The dealer and the player of a pair; of anybody else whom the key names, and nobody."""
    dealer, pair, player = key.partition("|player:")
    return (dealer, f"player:{player}") if pair else (key, "")

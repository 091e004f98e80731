"""The states of dealers, players and pairs out of the analyst's compacted topic, followed for whoever asks.

They lie in a file, since a property may know more people than fit into memory. It is made anew at each start: the topic
holds the last state of everybody.
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

from processors.runtime.analyst.people import is_of_person, known_person
from processors.runtime.brokers.claimed import FollowedTopic
from producers.log import LedgerError, LedgerUnusable

PEOPLE_FILE: Final = "people.db"
_WAIT: Final = 0.5
_PAUSE: Final = 0.5
_LOOK: Final = dt.timedelta(seconds=1)  # an end that was reached may have been asked for so long ago
_SCHEMA: Final = """
CREATE TABLE states (
    key TEXT PRIMARY KEY, one TEXT, other TEXT, fold INTEGER, behind INTEGER, written INTEGER, state BLOB
) WITHOUT ROWID;
CREATE INDEX of_one ON states (one);
CREATE INDEX of_other ON states (other);
"""
# A worker that had lost the partition may have written behind its successor.
_KEEP: Final = """
INSERT INTO states VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) DO UPDATE SET
    fold = excluded.fold, behind = excluded.behind, written = excluded.written, state = excluded.state
    WHERE excluded.behind >= behind
"""
_ASK: Final = """
SELECT key, fold, state FROM states WHERE key = :name OR one = :name OR other = :name
    ORDER BY key = :name DESC, written DESC, key LIMIT :most
"""
_LAST: Final = "SELECT key, fold, state, written FROM states WHERE key = ?"


class KnownState(NamedTuple):
    """The state of one of them under its key; `fold` is the version that wrote it, 0 where nobody knows.

    `written` is when, in milliseconds by the brokers' clock, 0 where that is not asked for.
    """

    key: str
    fold: int
    state: bytes
    written: int = 0


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
        self._opened, self._wanted, self._clock = opened, fold, clock
        self._topic: FollowedTopic | None = None
        self._fold = 0
        self._lock = threading.Lock()
        with suppress(FileNotFoundError):
            file.unlink()
        self._store = sqlite3.connect(file, check_same_thread=False)
        self._store.executescript(f"PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; {_SCHEMA}")
        self._read_at: dt.datetime | None = None

    def follow(self, ended: threading.Event) -> None:
        """Read until `ended`; brokers that are away are waited for, and what was read before is told."""
        while not ended.is_set():
            try:
                self.step(_WAIT)
            except LedgerError:
                ended.wait(_PAUSE)
            except sqlite3.Error:  # a disk that is full: what was taken is not kept, so all is read again
                self._let_go()
                ended.wait(_PAUSE)

    def step(self, seconds: float) -> None:
        """Read what is new.

        Raises:
            LedgerError: the brokers do not answer, or have no such topic.
            sqlite3.Error: the file cannot be written.
        """
        if self._topic is None or self._fold != self._wanted():
            self._begin()
        assert self._topic is not None
        asked = self._clock()
        try:
            records = self._topic.take(seconds)
        except LedgerUnusable:  # the topic was made anew
            self._let_go()
            raise
        self._keep(records)
        if not self._topic.behind:
            self._read_at = asked - _LOOK

    def of(self, name: str, most: int) -> tuple[list[KnownState], dt.datetime | None]:
        """The state of somebody (`dealer:D-1`), then those of pairs with others, the last written first.

        And a moment up to which all states were read, None while the topic was not read to its end.
        """
        with self._lock:
            rows = self._store.execute(_ASK, {"name": name, "most": most}).fetchall()
            return [KnownState(*row) for row in rows], self._read_at

    def last(self, key: str) -> KnownState | None:
        """The last state under a key, as far as the topic was read; None also while the file cannot be read."""
        with self._lock, suppress(sqlite3.Error):
            row = self._store.execute(_LAST, (key,)).fetchone()
            return None if row is None else KnownState(*row)
        return None

    def close(self) -> None:
        """Let go of the brokers and of the file."""
        self._let_go()
        with self._lock:
            self._store.close()

    def _begin(self) -> None:
        self._let_go()
        with self._lock, self._store:
            self._store.execute("DELETE FROM states")
        self._fold = self._wanted()
        self._topic = self._opened(self._fold)

    def _let_go(self) -> None:
        with self._lock:
            topic, self._topic, self._read_at = self._topic, None, None
        if topic is not None:
            topic.close()

    def _keep(self, records: Iterable[Any]) -> None:
        with self._lock, self._store:
            for record in records:
                if record.key is None or not is_of_person(record.key):
                    continue
                key = record.key.decode(errors="replace")
                if record.value:
                    fold, behind, state = _read(record.value)
                    one, other = _pair(key)
                    self._store.execute(_KEEP, (key, one, other, fold, behind, record.timestamp, state))
                else:
                    self._store.execute("DELETE FROM states WHERE key = ?", (key,))


def _read(value: bytes) -> tuple[int, int, bytes]:
    try:
        known = known_person(value)
    except msgspec.MsgspecError:
        return 0, 0, b""
    return known.fold_version, known.offset, known.state


def _pair(key: str) -> tuple[str, str]:
    """The dealer and the player of a pair; of anybody else whom the key names, and nobody."""
    dealer, pair, player = key.partition("|player:")
    return (dealer, f"player:{player}") if pair else (key, "")

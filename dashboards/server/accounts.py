"""Users and their sign-ins in one SQLite file; passwords as Argon2id, sign-ins as hashes of opaque tokens.

They stand apart from the desk's ledger because they must be forgettable: nothing in that one is.
"""

from __future__ import annotations

import datetime as dt
import hashlib
import re
import secrets
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from dashboards.server.roles import ROLE_NAMES

FAILURES = 5
LOCKED_FOR = dt.timedelta(minutes=15)
IDLE = dt.timedelta(minutes=30)
LONGEST = dt.timedelta(hours=12)  # a shift and its hand-over
SHORTEST_PASSWORD = 12
LONGEST_PASSWORD = 256  # characters: Argon2 would hash a megabyte just as gladly
NOBODY = "nobody"  # who failed to sign in under no user's name
RESERVED = frozenset({"desk", NOBODY})

_TOUCH_EVERY = dt.timedelta(seconds=15)  # a use is written down so often: idle time-outs are that exact
_name = re.compile(r"[a-z][a-z0-9._-]{0,31}", re.ASCII).fullmatch
_RELATIONS = """
CREATE TABLE IF NOT EXISTS users (
    name TEXT PRIMARY KEY, role TEXT NOT NULL, password TEXT NOT NULL, disabled INTEGER NOT NULL DEFAULT 0,
    failures INTEGER NOT NULL DEFAULT 0, locked_until REAL NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS sign_ins (
    token TEXT PRIMARY KEY, name TEXT NOT NULL REFERENCES users ON DELETE CASCADE, csrf TEXT NOT NULL,
    begun REAL NOT NULL, used REAL NOT NULL
) STRICT, WITHOUT ROWID;
"""


class AccountError(Exception):
    """What was asked of an account cannot be done; the text says why."""


class User(NamedTuple):
    """A user as the console knows them while signed in; `csrf` must come with every request that changes something."""

    name: str
    role: str
    csrf: str


class Checked(NamedTuple):
    """What came of a name and a password: `name` is None for no user's name, `refused` None when they are right."""

    name: str | None
    refused: str | None


class Accounts:
    """The users of one console; several processes may hold the same file."""

    def __init__(
        self, path: Path, clock: Callable[[], dt.datetime], hasher: PasswordHasher | None = None
    ) -> None:
        """Open or create the file, readable by its owner alone."""
        self._clock = clock
        self._hasher = hasher or PasswordHasher()
        self._guard = threading.Lock()
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch(mode=0o600)
        self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
        self._file.execute("PRAGMA busy_timeout = 10000")
        self._file.execute("PRAGMA journal_mode = WAL")
        self._file.execute("PRAGMA foreign_keys = ON")
        self._file.executescript(_RELATIONS)
        # Verified against when no user has the name, so that an answer takes as long and tells nothing.
        self._dummy = self._hasher.hash(secrets.token_urlsafe())

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    def add(self, name: str, role: str, password: str) -> None:
        """Create a user.

        Raises:
            AccountError: name, role or password will not do, or the name is taken.
        """
        if not _name(name) or name in RESERVED:
            raise AccountError(
                f"{name!r} is no user name: a-z, then a-z 0-9 . _ -, at most 32, not a reserved one"
            )
        if role not in ROLE_NAMES:
            raise AccountError(f"no role {role!r}; the roles are {', '.join(ROLE_NAMES)}")
        hashed = self._hashed(name, password)
        with self._transaction() as file:
            if file.execute("SELECT 1 FROM users WHERE name = ?", (name,)).fetchone():
                raise AccountError(f"there is a user {name} already")
            file.execute("INSERT INTO users (name, role, password) VALUES (?, ?, ?)", (name, role, hashed))

    def set_password(self, name: str, password: str) -> None:
        """Give a user another password; whoever was signed in under the old one no longer is."""
        hashed = self._hashed(name, password)
        self._change(
            name, "UPDATE users SET password = ?, failures = 0, locked_until = 0 WHERE name = ?", hashed
        )

    def disable(self, name: str) -> None:
        """Let a user in no more, and out at once."""
        self._change(name, "UPDATE users SET disabled = ? WHERE name = ?", 1)

    def users(self) -> tuple[tuple[str, str, bool], ...]:
        """Name, role and whether disabled, of all users."""
        with self._transaction() as file:
            rows = file.execute("SELECT name, role, disabled FROM users ORDER BY name").fetchall()
        return tuple((name, role, bool(disabled)) for name, role, disabled in rows)

    def check(self, name: str, password: str) -> Checked:
        """Whether name and password belong together; five failures in a row lock the user for a while."""
        with self._transaction() as file:
            row = file.execute(
                "SELECT password, disabled, locked_until FROM users WHERE name = ?", (name,)
            ).fetchone()
        hashed, disabled, locked_until = row or (self._dummy, 0, 0.0)
        right = len(password) <= LONGEST_PASSWORD and self._verified(hashed, password)
        if row is None:
            return Checked(None, "no such user")
        now = self._clock()
        if now.timestamp() < locked_until:
            return Checked(name, "locked")
        if not right:
            return Checked(name, "wrong password" + (", now locked" if self._failed(name, now) else ""))
        if disabled:
            return Checked(name, "disabled")
        with self._transaction() as file:
            file.execute("UPDATE users SET failures = 0 WHERE name = ?", (name,))
        return Checked(name, None)

    def sign_in(self, name: str) -> str:
        """Begin a sign-in; the token is in the answer alone, the file holds its hash."""
        token, now = secrets.token_urlsafe(32), self._clock().timestamp()
        with self._transaction() as file:
            file.execute("DELETE FROM sign_ins WHERE begun < ?", (now - LONGEST.total_seconds(),))
            row = (_digest(token), name, secrets.token_urlsafe(32), now, now)
            file.execute("INSERT INTO sign_ins VALUES (?, ?, ?, ?, ?)", row)
        return token

    def signed_in(self, token: str, *, in_use: bool = True) -> User | None:
        """Who holds this token, None if it is over or was never given; `in_use` puts off its idle time-out."""
        now, digest = self._clock().timestamp(), _digest(token)
        with self._transaction() as file:
            row = file.execute(
                "SELECT name, role, csrf, begun, used FROM sign_ins JOIN users USING (name)"
                " WHERE token = ? AND NOT disabled",
                (digest,),
            ).fetchone()
            if row is None:
                return None
            name, role, csrf, begun, used = row
            if now - begun >= LONGEST.total_seconds() or now - used >= IDLE.total_seconds():
                file.execute("DELETE FROM sign_ins WHERE token = ?", (digest,))
                return None
            if in_use and now - used >= _TOUCH_EVERY.total_seconds():
                file.execute("UPDATE sign_ins SET used = ? WHERE token = ?", (now, digest))
        return User(name, role, csrf)

    def sign_out(self, token: str) -> None:
        """End a sign-in."""
        with self._transaction() as file:
            file.execute("DELETE FROM sign_ins WHERE token = ?", (_digest(token),))

    def _change(self, name: str, statement: str, value: str | int) -> None:
        with self._transaction() as file:
            if not file.execute(statement, (value, name)).rowcount:
                raise AccountError(f"there is no user {name}")
            file.execute("DELETE FROM sign_ins WHERE name = ?", (name,))

    def _failed(self, name: str, now: dt.datetime) -> bool:
        with self._transaction() as file:
            (failures,) = file.execute(
                "UPDATE users SET failures = failures + 1 WHERE name = ? RETURNING failures", (name,)
            ).fetchone()
            locked = int(failures) >= FAILURES
            if locked:
                until = (now + LOCKED_FOR).timestamp()
                file.execute("UPDATE users SET failures = 0, locked_until = ? WHERE name = ?", (until, name))
        return locked

    def _hashed(self, name: str, password: str) -> str:
        if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
            raise AccountError(f"a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters")
        if name in password.lower():
            raise AccountError("a password does not hold the user's name")
        return self._hasher.hash(password)

    def _verified(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except (VerificationError, InvalidHashError):
            return False

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._guard:
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield self._file
                self._file.execute("COMMIT")
            finally:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()

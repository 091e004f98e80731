"""Sign-ins: opaque tokens, stored as hashes, each with its end; and first steps that wait for the second."""

from __future__ import annotations

import datetime as dt
import secrets
from typing import NamedTuple

from dashboards.accounts.accounts_file import Kept, digest, new_token

IDLE = dt.timedelta(minutes=30)
LONGEST = dt.timedelta(hours=12)  # a shift and its hand-over
MOST = 10  # of one user at a time; the one that was used the longest ago ends
PENDING_FOR = dt.timedelta(minutes=10)  # from the password to the end of the second step
PENDING_FAILURES = 5  # wrong codes, then the password is asked for again

_TOUCH_EVERY = dt.timedelta(seconds=15)  # a use is written down so often: idle time-outs are that exact


class User(NamedTuple):
    """A user as the console knows them while signed in; `csrf` must come with every request that changes something."""

    name: str
    role: str
    csrf: str


class SignedIn(NamedTuple):
    """One sign-in as its user reads it: how, from where, by which browser, since when; `current` is the reader's."""

    id: str
    by: str
    address: str
    browser: str
    begun: dt.datetime
    used: dt.datetime
    current: bool


class Pending(NamedTuple):
    """Who has given a password and still owes a second step; `by` is how they began."""

    name: str
    role: str
    by: str


class SignIns(Kept):
    """The sign-ins of one console."""

    def begin(self, name: str, by: str = "password", address: str = "", browser: str = "") -> str:
        """Begin one; the token is in the answer alone."""
        token, now = new_token(), self._clock().timestamp()
        with self._file.transaction() as file:
            file.execute("DELETE FROM sign_ins WHERE begun < ?", (now - LONGEST.total_seconds(),))
            kept = "SELECT token FROM sign_ins WHERE name = ? ORDER BY used DESC, token LIMIT ?"
            others = f"DELETE FROM sign_ins WHERE name = ? AND token NOT IN ({kept})"
            file.execute(others, (name, name, MOST - 1))
            identifier, csrf = secrets.token_hex(8), new_token()
            row = (digest(token), name, csrf, now, now, identifier, by, address, browser[:200])
            file.execute("INSERT INTO sign_ins VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
        return token

    def user(self, token: str, *, in_use: bool = True) -> User | None:
        """Who holds this token, None if it is over or was never given; `in_use` puts off its idle time-out."""
        now, kept = self._clock().timestamp(), digest(token)
        with self._file.transaction() as file:
            row = file.execute(
                "SELECT name, role, csrf, begun, used FROM sign_ins JOIN users USING (name)"
                " WHERE token = ? AND NOT disabled",
                (kept,),
            ).fetchone()
            if row is None:
                return None
            begun, used = row["begun"], row["used"]
            if now - begun >= LONGEST.total_seconds() or now - used >= IDLE.total_seconds():
                file.execute("DELETE FROM sign_ins WHERE token = ?", (kept,))
                return None
            if in_use and now - used >= _TOUCH_EVERY.total_seconds():
                file.execute("UPDATE sign_ins SET used = ? WHERE token = ?", (now, kept))
        return User(row["name"], row["role"], row["csrf"])

    def of(self, name: str, token: str = "") -> tuple[SignedIn, ...]:
        """Where this user is signed in, the latest used first; `token` is the reader's own."""
        now, current = self._clock().timestamp(), digest(token)
        rows = self._file.rows(
            "SELECT id, by, address, browser, begun, used, token FROM sign_ins"
            " WHERE name = ? AND begun > ? AND used > ? ORDER BY used DESC, id",
            (name, now - LONGEST.total_seconds(), now - IDLE.total_seconds()),
        )
        return tuple(
            SignedIn(
                id=row["id"],
                by=row["by"],
                address=row["address"],
                browser=row["browser"],
                begun=_moment(row["begun"]),
                used=_moment(row["used"]),
                current=row["token"] == current,
            )
            for row in rows
        )

    def end(self, token: str) -> None:
        """End the one of this token."""
        self._file.change("DELETE FROM sign_ins WHERE token = ?", (digest(token),))

    def end_one(self, name: str, which: str) -> int:
        """End one of a user by its id; returns how many, 0 or 1."""
        return self._file.change("DELETE FROM sign_ins WHERE name = ? AND id = ?", (name, which))

    def end_all(self, name: str, but: str = "") -> int:
        """End all of a user but the one of this token; returns how many."""
        with self._file.transaction() as file:
            file.execute("DELETE FROM pending WHERE name = ?", (name,))
            others = "DELETE FROM sign_ins WHERE name = ? AND token <> ?"
            return self._file.change(others, (name, digest(but)))

    def wait_for_second_step(self, name: str, by: str) -> str:
        """Keep that the first step is done; the token is in the answer alone."""
        token, now = new_token(), self._clock().timestamp()
        with self._file.transaction() as file:
            file.execute("DELETE FROM pending WHERE begun <= ?", (now - PENDING_FOR.total_seconds(),))
            row = (digest(token), name, by, now)
            file.execute("INSERT INTO pending (token, name, by, begun) VALUES (?, ?, ?, ?)", row)
        return token

    def pending(self, token: str) -> Pending | None:
        """Who holds this token of a first step; None if it is over."""
        since = self._clock().timestamp() - PENDING_FOR.total_seconds()
        row = self._file.row(
            "SELECT name, role, by FROM pending JOIN users USING (name)"
            " WHERE token = ? AND begun > ? AND failures < ? AND NOT disabled",
            (digest(token), since, PENDING_FAILURES),
        )
        return None if row is None else Pending(**row)

    def second_step_failed(self, token: str) -> None:
        """Count a wrong code; after some the first step is owed again."""
        self._file.change("UPDATE pending SET failures = failures + 1 WHERE token = ?", (digest(token),))

    def second_step_done(self, token: str) -> bool:
        """End the waiting; False if another request was faster, and this one gets nothing."""
        return bool(self._file.change("DELETE FROM pending WHERE token = ?", (digest(token),)))


def _moment(timestamp: float) -> dt.datetime:
    return dt.datetime.fromtimestamp(timestamp, dt.UTC)

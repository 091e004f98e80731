"""Links that sign a user in once: the first user of a demonstration, and users an administrator added."""

from __future__ import annotations

import datetime as dt
from typing import Literal, NamedTuple

from dashboards.accounts.accounts_file import Kept, digest, new_token

VALID_FOR = dt.timedelta(minutes=15)
# The token stands behind `#`: browsers send that part to no server, so that it is in no log, and no preview uses it up.
PATH = "/sign-in/once"

Purpose = Literal["sign-in", "password"]


class Taken(NamedTuple):
    """What a link was for, and for whom."""

    name: str
    purpose: Purpose


class OneTime(Kept):
    """The links of one console that nobody has used; whoever may write its file may make one."""

    def make(self, name: str, purpose: Purpose) -> str:
        """A token for this user, in the place of any before it of the same purpose."""
        token, until = new_token(), (self._clock() + VALID_FOR).timestamp()
        with self._file.transaction() as file:
            file.execute("DELETE FROM one_time WHERE name = ? AND purpose = ?", (name, purpose))
            file.execute("INSERT INTO one_time VALUES (?, ?, ?, ?)", (digest(token), name, purpose, until))
        return token

    def look(self, token: str) -> Taken | None:
        """What a token would be good for; it stays good."""
        row = self._file.row(
            "SELECT name, purpose FROM one_time JOIN users USING (name)"
            " WHERE token = ? AND until > ? AND NOT disabled",
            (digest(token), self._clock().timestamp()),
        )
        return None if row is None else Taken(**row)

    def take(self, token: str) -> Taken | None:
        """Use a token up; None if it is over, or somebody was faster."""
        taken = self.look(token)
        gone = self._file.change("DELETE FROM one_time WHERE token = ?", (digest(token),))
        return taken if gone else None

"""Sign-ins begun at an identity provider and not finished: a state is valid once, for the browser that got it."""

from __future__ import annotations

import datetime as dt
from typing import NamedTuple

from dashboards.accounts.accounts_file import Kept, digest, new_token

VALID_FOR = dt.timedelta(minutes=10)


class Begun(NamedTuple):
    """What a browser is sent away with: `state` and `nonce` go to the provider, `browser` into a cookie."""

    state: str
    browser: str
    nonce: str
    verifier: str


class Flows(Kept):
    """The sign-ins of one console that are on their way."""

    def begin(self) -> Begun:
        """A new one; all four are random and of 256 bits."""
        begun, now = Begun(*(new_token() for _ in range(4))), self._clock()
        with self._file.transaction() as file:
            file.execute("DELETE FROM flows WHERE until <= ?", (now.timestamp(),))
            row = (digest(begun.state), digest(begun.browser), begun.nonce, begun.verifier)
            file.execute("INSERT INTO flows VALUES (?, ?, ?, ?, ?)", (*row, (now + VALID_FOR).timestamp()))
        return begun

    def take(self, state: str, browser: str) -> Begun | None:
        """End the one of this state; None if it is over, was never begun, or by another browser."""
        taken = "DELETE FROM flows WHERE state = ? AND until > ? RETURNING browser, nonce, verifier"
        row = self._file.row(taken, (digest(state), self._clock().timestamp()))
        if row is None or row["browser"] != digest(browser):
            return None
        return Begun(state, browser, row["nonce"], row["verifier"])

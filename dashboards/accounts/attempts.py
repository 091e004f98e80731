"""Failed sign-ins, counted by name and address: guessing is stopped, and a stranger locks nobody out."""

from __future__ import annotations

import datetime as dt
import ipaddress

from dashboards.accounts.accounts_file import Kept

FAILURES = 5  # of one name from one address, in a row
LOCKED_FOR = dt.timedelta(minutes=15)
ADDRESS_FAILURES = 30  # of all names from one address, within the same time: a control room may share one
NAME_FAILURES = 100  # of one name from everywhere within an hour
NAME_WITHIN = dt.timedelta(hours=1)
KNOWN_FOR = dt.timedelta(days=30)
UNKNOWN_NAME = ""  # what was typed for a name is not kept: it may be a password


class Attempts(Kept):
    """The failures of the last hour, and from where each user has signed in within the last month."""

    def address_stopped(self, address: str) -> bool:
        """Whether so much has failed from this address that nothing from it is looked at for a while."""
        since = (self._clock() - LOCKED_FOR).timestamp()
        return self._failures("address = ? AND at > ?", origin_of(address), since) >= ADDRESS_FAILURES

    def locked(self, name: str, address: str) -> bool:
        """Whether this name is not let in from this address for now, whatever is given with it.

        Five failures in a row lock a name for the address they came from. A hundred within an hour, from wherever,
        lock it for all addresses its user has not come from before: who guesses with many machines is stopped,
        and the user goes on working.
        """
        now, origin = self._clock(), origin_of(address)
        lately, within, known = ((now - ago).timestamp() for ago in (LOCKED_FOR, NAME_WITHIN, KNOWN_FOR))
        with self._file.transaction():
            if self._failures("name = ? AND address = ? AND at > ?", name, origin, lately) >= FAILURES:
                return True
            if self._failures("name = ? AND at > ?", name, within) < NAME_FAILURES:
                return False
            from_there = "SELECT 1 FROM known WHERE name = ? AND address = ? AND at > ?"
            return self._file.row(from_there, (name, origin, known)) is None

    def _failures(self, where: str, *values: object) -> int:
        return int(self._file.rows(f"SELECT count(*) AS n FROM failures WHERE {where}", values)[0]["n"])

    def failed(self, name: str, address: str) -> None:
        """Count a failure; `UNKNOWN_NAME` where no user has the name."""
        now = self._clock()
        with self._file.transaction() as file:
            file.execute("DELETE FROM failures WHERE at <= ?", ((now - NAME_WITHIN).timestamp(),))
            file.execute("INSERT INTO failures VALUES (?, ?, ?)", (name, origin_of(address), now.timestamp()))

    def succeeded(self, name: str, address: str) -> None:
        """The user is in: what failed from there before was a slip, and the address is theirs."""
        now, origin = self._clock(), origin_of(address)
        with self._file.transaction() as file:
            file.execute("DELETE FROM failures WHERE name = ? AND address = ?", (name, origin))
            file.execute("DELETE FROM known WHERE at <= ?", ((now - KNOWN_FOR).timestamp(),))
            file.execute("INSERT OR REPLACE INTO known VALUES (?, ?, ?)", (name, origin, now.timestamp()))

    def forgive(self, name: str) -> None:
        """Forget all failures of this name: an administrator has looked into it."""
        self._file.change("DELETE FROM failures WHERE name = ?", (name,))


def origin_of(address: str) -> str:
    """What counts as one address: an IPv6 subscriber has a whole /64 of them."""
    try:
        parsed = ipaddress.ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv6Address) and parsed.ipv4_mapped is None:
        return str(ipaddress.ip_network((parsed, 64), strict=False).network_address)
    return str(parsed)

"""Users of the console: their names, roles and passwords (Argon2id).

They stand apart from the desk's ledger because they must be forgettable: nothing in that one is.
"""

from __future__ import annotations

import datetime as dt
import re
import secrets
import sqlite3
import unicodedata
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from dashboards.accounts.accounts_file import AccountsFile
from dashboards.accounts.attempts import UNKNOWN_NAME, Attempts
from dashboards.accounts.factors import Factors
from dashboards.accounts.flows import Flows
from dashboards.accounts.one_time import OneTime
from dashboards.accounts.passwords import LONGEST as LONGEST_PASSWORD
from dashboards.accounts.passwords import objection
from dashboards.accounts.preferences import Preferences
from dashboards.accounts.roles import ROLE_NAMES, ROLES, Role
from dashboards.accounts.sign_ins import LONGEST, SignIns, User

__all__ = ["LONGEST", "NOBODY", "AccountError", "Accounts", "Checked", "Person", "User"]

NOBODY = "nobody"  # who failed to sign in under no user's name
RESERVED = frozenset({"desk", NOBODY})
_NO_PASSWORD = ""  # no hash of anything

_name = re.compile(r"[a-z][a-z0-9._-]{0,31}", re.ASCII).fullmatch
_provider_name = re.compile(r"[a-z0-9][a-z0-9._@+-]{0,63}", re.ASCII).fullmatch


class AccountError(Exception):
    """An act upon an account that cannot be done; the text says why."""


class Checked(NamedTuple):
    """Result of a check of name and password: `name` is None if no user has it, `refused` None if both are right."""

    name: str | None
    refused: str | None


class Person(NamedTuple):
    """A user as an administrator reads them; `issuer` is who vouches for them, empty for this console."""

    name: str
    role: str
    disabled: bool
    factor: bool
    password: bool
    issuer: str


class Accounts:
    """The users of one console; several processes may hold the same file."""

    def __init__(
        self,
        path: Path,
        clock: Callable[[], dt.datetime],
        hasher: PasswordHasher | None = None,
        factor_key: bytes | None = None,
    ) -> None:
        """Open or create the file, readable by its owner alone."""
        self._file = AccountsFile(path)
        self._hasher = hasher or PasswordHasher()
        self.sign_ins = SignIns(self._file, clock)
        self.attempts = Attempts(self._file, clock)
        self.factors = Factors(self._file, clock, factor_key)
        self.one_time = OneTime(self._file, clock)
        self.flows = Flows(self._file, clock)
        self.preferences = Preferences(self._file, clock)
        # Verified against when no user has the name, so that an answer takes as long and tells nothing.
        self._dummy = self._hasher.hash(secrets.token_urlsafe())

    def together(self) -> AbstractContextManager[object]:
        """All that is done within happens, or nothing: an act upon an account and the record of it."""
        return self._file.transaction()

    def close(self) -> None:
        """Release the file."""
        self._file.close()

    def add(self, name: str, role: str, password: str | None = None) -> None:
        """Create a user; one without a password has a one-time link to begin with.

        Raises:
            AccountError: name, role or password will not do, or the name is taken.
        """
        if not _name(name) or name in RESERVED:
            raise AccountError(
                f"{name!r} is no user name: a-z, then a-z 0-9 . _ -, at most 32, not a reserved one"
            )
        _require_role(role)
        hashed = _NO_PASSWORD if password is None else self._hashed(name, password)
        with self._file.transaction() as file:
            if self._row(name) is not None:
                raise AccountError(f"there is a user {name} already")
            file.execute("INSERT INTO users (name, role, password) VALUES (?, ?, ?)", (name, role, hashed))

    def vouched_for(self, issuer: str, subject: str, name: str, role: str) -> None:
        """Make the user an identity provider vouches for, or give them the role it says.

        Raises:
            AccountError: the name is no name, or another's; or the user is disabled here.
        """
        if not _provider_name(name) or name in RESERVED:
            raise AccountError("the provider's name is no name of a user")
        _require_role(role)
        with self._file.transaction() as file:
            named = "SELECT name FROM identities WHERE issuer = ? AND subject = ?"
            known = self._file.row(named, (issuer, subject))
            row = self._row(name)
            if known is None and row is not None:
                raise AccountError(f"there is another user {name}")
            if known is not None and known["name"] != name:
                raise AccountError(f"the provider named this user {known['name']} before")
            if row is not None and row["disabled"]:
                raise AccountError("disabled")
            if row is None:
                file.execute("INSERT INTO users (name, role, password) VALUES (?, ?, '')", (name, role))
                file.execute("INSERT INTO identities VALUES (?, ?, ?)", (issuer, subject, name))
            elif row["role"] != role:
                self._require_another_admin(name, row["role"], role)
                file.execute("UPDATE users SET role = ? WHERE name = ?", (role, name))

    def set_password(self, name: str, password: str, but: str = "") -> None:
        """Give a user another password; whoever was signed in under the old one no longer is, but for one token."""
        issuer = self._file.row("SELECT issuer FROM identities WHERE name = ?", (name,))
        if issuer is not None:
            raise AccountError(f"{name} signs in at {issuer['issuer']} and has no password here")
        hashed = self._hashed(name, password)
        self._change(name, "UPDATE users SET password = ? WHERE name = ?", hashed, but=but)
        self.attempts.forgive(name)

    def set_role(self, name: str, role: str) -> None:
        """Give a user another role; they sign in again to have it.

        Raises:
            AccountError: there is no such role or user, or it would leave nobody who gives out rights.
        """
        _require_role(role)
        self._change(name, "UPDATE users SET role = ? WHERE name = ?", role, role)

    def disable(self, name: str) -> None:
        """Let a user in no more, and out at once.

        Raises:
            AccountError: there is no such user, or nobody would be left who gives out rights.
        """
        self._change(name, "UPDATE users SET disabled = ? WHERE name = ?", 1, None)

    def enable(self, name: str) -> None:
        """Let a user in again, and forget what failed."""
        self._change(name, "UPDATE users SET disabled = ? WHERE name = ?", 0)
        self.attempts.forgive(name)

    def reset_factor(self, name: str) -> None:
        """Take the second factor away, with all sign-ins: the user enrols again, or asks to be let in."""
        if self._row(name) is None:
            raise AccountError(f"there is no user {name}")
        self.factors.reset(name)
        self.sign_ins.end_all(name)

    def users(self) -> tuple[tuple[str, str, bool], ...]:
        """Name, role and whether disabled, of all users."""
        return tuple((person.name, person.role, person.disabled) for person in self.people())

    def people(self) -> tuple[Person, ...]:
        """All users by name."""
        rows = self._file.rows(
            "SELECT users.name AS name, role, disabled, factors.name IS NOT NULL AS factor,"
            " password <> '' AS password, coalesce(issuer, '') AS issuer"
            " FROM users LEFT JOIN factors ON factors.name = users.name"
            " LEFT JOIN identities ON identities.name = users.name ORDER BY users.name"
        )
        flags = ("disabled", "factor", "password")  # SQLite has no truth values
        return tuple(Person(**dict(row) | {flag: bool(row[flag]) for flag in flags}) for row in rows)

    def person(self, name: str) -> Person | None:
        """The user of this name, None if there is none."""
        return next((person for person in self.people() if person.name == name), None)

    def check(self, name: str, password: str, address: str = "") -> Checked:
        """Whether name and password belong together; failures are counted by name and address."""
        row = self._file.row("SELECT password, disabled FROM users WHERE name = ?", (name,))
        hashed = self._dummy if row is None else row["password"]
        right = len(password) <= LONGEST_PASSWORD and self._verified(hashed or self._dummy, password)
        if row is None:
            self.attempts.failed(UNKNOWN_NAME, address)
            return Checked(None, "no such user")
        if self.attempts.locked(name, address):
            return Checked(name, "locked")
        if not right or not hashed:
            self.attempts.failed(name, address)
            locked = self.attempts.locked(name, address)
            return Checked(name, "wrong password" + (", now locked" if locked else ""))
        return Checked(name, "disabled" if row["disabled"] else None)

    def make_one_time(self, name: str) -> str:
        """A token that signs this user in once, within a quarter of an hour, at `one_time.PATH#TOKEN`.

        Raises:
            AccountError: there is no such user, or they are disabled.
        """
        person = self.person(name)
        if person is None or person.disabled:
            raise AccountError(f"there is no user {name} who may sign in")
        return self.one_time.make(name, "sign-in")

    def _change(
        self, name: str, statement: str, value: str | int, role: str | None = "admin", but: str = ""
    ) -> None:
        """`role` is what the user is afterwards, None for nobody."""
        with self._file.transaction() as file:
            row = self._row(name)
            if row is None:
                raise AccountError(f"there is no user {name}")
            if not row["disabled"]:
                self._require_another_admin(name, row["role"], role)
            file.execute(statement, (value, name))
            self.sign_ins.end_all(name, but)

    def _row(self, name: str) -> sqlite3.Row | None:
        """Role of a user, and whether disabled."""
        return self._file.row("SELECT role, disabled FROM users WHERE name = ?", (name,))

    def _require_another_admin(self, name: str, role: str, becomes: str | None) -> None:
        if not _gives_out_rights(role) or _gives_out_rights(becomes):
            return
        others = self._file.rows("SELECT role FROM users WHERE NOT disabled AND name <> ?", (name,))
        if not any(_gives_out_rights(other["role"]) for other in others):
            raise AccountError(f"{name} is the last who gives out rights: make another one first")

    def _hashed(self, name: str, password: str) -> str:
        password = _composed(password)
        why = objection(name, password)
        if why is not None:
            raise AccountError(why)
        return self._hasher.hash(password)

    def _verified(self, hashed: str, password: str) -> bool:
        """Whether it is the password, in whatever Unicode form; hashes of earlier releases are of what was typed."""
        return any(self._matches(hashed, form) for form in dict.fromkeys((_composed(password), password)))

    def _matches(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except (VerificationError, InvalidHashError):
            return False


def _composed(password: str) -> str:
    """The one form of all that read the same (NFKC, NIST SP 800-63B): systems compose marked letters otherwise."""
    return unicodedata.normalize("NFKC", password)


def _require_role(role: str) -> None:
    if role not in ROLE_NAMES:
        raise AccountError(f"no role {role!r}; the roles are {', '.join(ROLE_NAMES)}")


def _gives_out_rights(role: str | None) -> bool:
    return ROLES.get(role or "", Role()).manages_users

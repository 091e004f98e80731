"""The second factor: one-time codes of a phone (TOTP, RFC 6238), each valid once, and recovery codes."""

from __future__ import annotations

import base64
import datetime as dt
import hmac
import secrets
from collections.abc import Callable
from typing import Final

import pyotp
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from dashboards.accounts.accounts_file import AccountsFile, Kept, digest

STEP: Final = 30  # seconds a code is shown
RECOVERY_CODES: Final = 10
CANDIDATE_FOR: Final = dt.timedelta(minutes=10)
ISSUER: Final = "Catwalk"
KEY_BYTES: Final = 32

_PLAIN, _SEALED = "plain:", "aes-256-gcm:"
_LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"  # nothing that is read for something else
_RECOVERY_LENGTH = 24  # of 31 letters: 118 bits, more than what needs a slow hash


class FactorKeyError(Exception):
    """The key for the secrets of second factors is not the one they were sealed with, or no key at all."""


class Factors(Kept):
    """The second factors of the users of one console."""

    def __init__(
        self, file: AccountsFile, clock: Callable[[], dt.datetime], key: bytes | None = None
    ) -> None:
        """`key`, of 32 bytes, seals secrets at rest; without it the rights of the file alone protect them."""
        if key is not None and len(key) != KEY_BYTES:
            raise FactorKeyError(f"the key has {len(key)} bytes, not {KEY_BYTES}")
        super().__init__(file, clock)
        self._cipher = None if key is None else AESGCM(key)

    def has(self, name: str) -> bool:
        """Whether this user has one."""
        return self._file.row("SELECT 1 FROM factors WHERE name = ?", (name,)) is not None

    def left(self, name: str) -> int:
        """How many recovery codes this user has left."""
        return len(self._file.rows("SELECT 1 FROM recovery_codes WHERE name = ?", (name,)))

    def begin(self, name: str, holder: str) -> str:
        """The secret to enrol with, the same until it is confirmed or over; `holder` is the token it is shown to."""
        with self._file.transaction() as file:
            found = self.candidate(name, holder)
            if found is not None:
                return found
            secret, until = pyotp.random_base32(), (self._clock() + CANDIDATE_FOR).timestamp()
            file.execute("DELETE FROM candidates WHERE until <= ?", (self._clock().timestamp(),))
            row = (digest(holder), name, self._sealed(name, secret), until)
            file.execute("INSERT OR REPLACE INTO candidates VALUES (?, ?, ?, ?)", row)
        return secret

    def candidate(self, name: str, holder: str) -> str | None:
        """The secret this holder is enrolling with, if they are."""
        row = self._file.row(
            "SELECT secret FROM candidates WHERE holder = ? AND name = ? AND until > ?",
            (digest(holder), name, self._clock().timestamp()),
        )
        return None if row is None else self._opened(name, row["secret"])

    def confirm(self, name: str, holder: str, code: str) -> tuple[str, ...] | None:
        """Make the candidate the factor if the code is of it; the answer holds its recovery codes."""
        with self._file.transaction() as file:
            secret = self.candidate(name, holder)
            counter = None if secret is None else self._counter(secret, code)
            if secret is None or counter is None:
                return None
            codes = tuple(_recovery_code() for _ in range(RECOVERY_CODES))
            file.execute("DELETE FROM candidates WHERE name = ?", (name,))
            file.execute("DELETE FROM recovery_codes WHERE name = ?", (name,))
            row = (name, self._sealed(name, secret), counter)
            file.execute("INSERT OR REPLACE INTO factors VALUES (?, ?, ?)", row)
            file.executemany(
                "INSERT INTO recovery_codes VALUES (?, ?)", [(_kept(name, code), name) for code in codes]
            )
        return codes

    def accept(self, name: str, code: str) -> str | None:
        """`code` or `recovery code` if this one opens, and never will again; None if it does not."""
        with self._file.transaction() as file:
            row = file.execute("SELECT secret, last FROM factors WHERE name = ?", (name,)).fetchone()
            if row is None:
                return None
            secret, last = self._opened(name, row["secret"]), int(row["last"])
            counter = self._counter(secret, code)
            if counter is not None and counter > last:
                # Sealed anew each time: a key that was given later takes hold.
                values = (counter, self._sealed(name, secret), name)
                file.execute("UPDATE factors SET last = ?, secret = ? WHERE name = ?", values)
                return "code"
            used = file.execute("DELETE FROM recovery_codes WHERE code = ?", (_kept(name, code),)).rowcount
        return "recovery code" if used else None

    def reset(self, name: str) -> bool:
        """Take the factor and its recovery codes away; whether there was one."""
        with self._file.transaction() as file:
            file.execute("DELETE FROM candidates WHERE name = ?", (name,))
            file.execute("DELETE FROM recovery_codes WHERE name = ?", (name,))
            return bool(file.execute("DELETE FROM factors WHERE name = ?", (name,)).rowcount)

    def _counter(self, secret: str, code: str) -> int | None:
        """The step of time a code belongs to: the one before, this, or the next, as clocks of phones go."""
        given = "".join(code.split())
        if not (given.isascii() and given.isdigit()):
            return None
        now, codes = int(self._clock().timestamp()) // STEP, pyotp.TOTP(secret)
        found = None
        for counter in (now - 1, now, now + 1):
            if hmac.compare_digest(codes.generate_otp(counter), given):
                found = counter
        return found

    def _sealed(self, name: str, secret: str) -> str:
        if self._cipher is None:
            return _PLAIN + secret
        nonce = secrets.token_bytes(12)
        sealed = self._cipher.encrypt(nonce, secret.encode(), name.encode())
        return _SEALED + base64.b64encode(nonce + sealed).decode()

    def _opened(self, name: str, kept: str) -> str:
        if kept.startswith(_PLAIN):
            return kept.removeprefix(_PLAIN)
        if self._cipher is None:
            raise FactorKeyError("secrets of second factors are sealed, and no key was given")
        both = base64.b64decode(kept.removeprefix(_SEALED))
        try:
            return self._cipher.decrypt(both[:12], both[12:], name.encode()).decode()
        except InvalidTag as error:
            raise FactorKeyError("secrets of second factors were sealed with another key") from error


def enrolment_uri(name: str, secret: str) -> str:
    """What a phone reads from the QR code."""
    return pyotp.TOTP(secret).provisioning_uri(name=name, issuer_name=ISSUER)


def _recovery_code() -> str:
    letters = "".join(secrets.choice(_LETTERS) for _ in range(_RECOVERY_LENGTH))
    return "-".join(letters[at : at + 6] for at in range(0, _RECOVERY_LENGTH, 6))


def _kept(name: str, code: str) -> str:
    return digest(f"{name} {''.join(c for c in code.lower() if c in _LETTERS)}")

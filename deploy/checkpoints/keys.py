"""Key files: made, and read for signing or verifying."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from deploy.errors import UserError
from schemas.tlog.keys import KeyUnusable, SignerKey, VerifierKey, read_signer, read_verifier

_REMEDY = "`catwalk keygen --name NAME --out FILE` makes a signer key and prints its verifier key"


class Signing(NamedTuple):
    """Who signs a log, and the keys of the same name that signed it before."""

    key: SignerKey
    earlier: tuple[VerifierKey, ...] = ()

    @property
    def verifiers(self) -> tuple[VerifierKey, ...]:
        """All keys whose signatures the log may bear."""
        return self.key.verifier, *self.earlier


def write_key(path: Path, key: SignerKey) -> None:
    """Write a secret key to a file that is not there yet, for its user alone, on the disk when this returns.

    Raises:
        UserError: there is such a file: nothing writes over a key.
    """
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError as error:
        why = "there is such a file, and no key is written over"
        raise UserError(str(path), why, "name another file with --out") from error
    with os.fdopen(handle, "wb") as file:
        file.write(f"{key.text}\n".encode())
        file.flush()
        os.fsync(handle)


def read_signing(path: Path) -> Signing:
    """The signer key of a file; lines behind it are verifier keys that signed before it.

    Raises:
        UserError: the file cannot be read, or is no such file.
    """
    first, *others = _lines(path) or [""]
    try:
        key = read_signer(first)
        earlier = tuple(read_verifier(line) for line in others)
    except KeyUnusable as error:
        raise UserError(f"signer key {path}", str(error), _REMEDY) from error
    for one in earlier:
        if one.name != key.name:
            why = f"its key is of {key.name}, an earlier one of {one.name}"
            raise UserError(
                f"signer key {path}", why, "a log keeps its name: make the new key with that name"
            )
    return Signing(key, earlier)


def read_verifiers(given: Sequence[str], option: str = "--key") -> tuple[VerifierKey, ...]:
    """Verifier keys as they are given: each itself, or a file with one a line.

    Raises:
        UserError: one is neither.
    """
    keys: list[VerifierKey] = []
    for text in given:
        named = Path(text)
        lines = _lines(named) if "+" not in text or named.is_file() else [text]
        try:
            keys += [read_verifier(line) for line in lines]
        except KeyUnusable as error:
            raise UserError(f"{option} {text}"[:200], str(error), _REMEDY) from error
        if not lines:
            raise UserError(f"{option} {text}", "no key stands in it", _REMEDY)
    return tuple(dict.fromkeys(keys))


def _lines(path: Path) -> list[str]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise UserError(f"key {path}", error.strerror or "unreadable", "name a readable key file") from error
    except UnicodeDecodeError as error:
        raise UserError(f"key {path}", "no text", _REMEDY) from error
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]

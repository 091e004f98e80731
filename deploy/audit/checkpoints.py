"""Checkpoints of a chain: what a signature over a table's head proves, and by whose key."""

from __future__ import annotations

import base64
import binascii
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Struct, field

from deploy.errors import UserError
from schemas.events import ChainCheckpointed
from schemas.events.envelope import GENESIS

Keys = Mapping[str, Ed25519PublicKey]
Fault = tuple[int, str]
_DIGEST_BYTES = 32


class Tally(Struct, kw_only=True):
    """How many checkpoints a given key signed, how many could not be verified, and the keys not given.

    Events up to `signed_up_to` are those that were signed; 0: none is known to be.
    """

    verified: int = 0
    unverified: int = 0
    signed_up_to: int = 0
    unknown_keys: list[str] = field(default_factory=list)


class Checkpoints:
    """Holds each checkpoint of one table against the records before it and the key it names."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._digests = bytearray()  # one of each record, as long as each is known to stand in its place
        self._in_place = True
        self.tally = Tally()

    def note(self, sequence: int, digest: str, unread: Sequence[str]) -> None:
        """Note the hash of event `sequence`, and of the lines before it that could not be read."""
        if not self._in_place:
            return
        missing = sequence - len(self._digests) // _DIGEST_BYTES - 1
        between = unread if missing == len(unread) else ()
        self._digests += bytes.fromhex("".join((*between, digest)))
        self._in_place = len(self._digests) == sequence * _DIGEST_BYTES

    def hold(self, subject: str, sequence: int, checkpoint: ChainCheckpointed) -> Fault | None:
        """Count the checkpoint; the first bad sequence and why, if it contradicts the record."""
        upto, key_id = checkpoint.upto, checkpoint.key_id
        key, head = self._keys.get(key_id), self._head_at(upto)
        self.tally.unverified += 1
        if key is None and key_id not in self.tally.unknown_keys:
            self.tally.unknown_keys.append(key_id)
        if key is not None and not is_signed(subject, checkpoint, key):
            return sequence, f"the signature of checkpoint {sequence} is not by key {key_id}"
        if upto >= sequence:
            return sequence, f"checkpoint {sequence} names event {upto}, which was not yet written"
        if head is not None and head != checkpoint.head:
            since = self.tally.signed_up_to + 1
            anew = f"events from {since} on may have been written anew"
            return max(upto, 1), f"event {upto} is not the one that checkpoint {sequence} names: {anew}"
        if head is not None and key is not None:
            self.tally.unverified -= 1
            self.tally.verified += 1
            self.tally.signed_up_to = max(self.tally.signed_up_to, upto)
        return None

    def _head_at(self, sequence: int) -> str | None:
        if sequence == 0:
            return GENESIS
        end = sequence * _DIGEST_BYTES
        return self._digests[end - _DIGEST_BYTES : end].hex() if end <= len(self._digests) else None


def is_signed(subject: str, checkpoint: ChainCheckpointed, key: Ed25519PublicKey) -> bool:
    """Whether the key signed `<subject>|<upto>|<head>`; the signature may be written in hex or base64."""
    signature = _signature_bytes(checkpoint.signature)
    try:
        key.verify(signature, f"{subject}|{checkpoint.upto}|{checkpoint.head}".encode())
    except InvalidSignature:
        return False
    return True


def _signature_bytes(text: str) -> bytes:
    try:
        if len(text) == 128:
            return bytes.fromhex(text)
        return base64.b64decode(text.rstrip("=") + "==", altchars=b"-_" if set(text) & {"-", "_"} else None)
    except (ValueError, binascii.Error):
        return b""


def read_keys(path: Path) -> Keys:
    """Public keys by key id from a TOML file of `key_id = "64 hex digits"` lines.

    Raises:
        UserError: the file cannot be read, or a key is no Ed25519 public key.
    """
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UserError(str(path), error.strerror or "unreadable", "name a readable key file") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(str(path), f"not TOML: {error}", 'write lines of key_id = "HEX"') from error
    keys = {}
    for key_id, text in content.items():
        try:
            keys[key_id] = Ed25519PublicKey.from_public_bytes(bytes.fromhex(text))
        except (ValueError, TypeError) as error:
            remedy = "give its 32 bytes as 64 hex digits"
            raise UserError(f"{path}: {key_id}", "no Ed25519 public key", remedy) from error
    return keys

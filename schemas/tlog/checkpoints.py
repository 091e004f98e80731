"""Checkpoints of a log (C2SP tlog-checkpoint), signed by it and cosigned by witnesses (C2SP tlog-cosignature)."""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from schemas.tlog.keys import COSIGNATURE, SignerKey, VerifierKey
from schemas.tlog.notes import Note, NoteMalformed, Signature

_SIZE = re.compile(r"0|[1-9][0-9]{0,18}")
_TIME_BYTES: Final = 8
_SIGNATURE_BYTES: Final = 64
_ROOT_BYTES: Final = 32


class Checkpoint(Struct, frozen=True):
    """What a log is at one moment: its origin, how many entries it has, and the root of their tree, 32 bytes."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The note's text."""
        return f"{self.origin}\n{self.size}\n{base64.b64encode(self.root).decode()}\n"


def read_checkpoint(note: Note) -> Checkpoint:
    """What a note says of a log; lines beyond the third are extensions, which nothing here knows.

    Raises:
        NoteMalformed: it is no checkpoint.
    """
    lines = note.text.split("\n")
    if len(lines) < 4 or not all(lines[:-1]):
        raise NoteMalformed("no origin, size and root")
    origin, size, encoded = lines[:3]
    if not _SIZE.fullmatch(size):
        raise NoteMalformed(f"{size[:40]!r} is no size of a log")
    try:
        root = base64.b64decode(encoded, validate=True)
    except (ValueError, binascii.Error) as error:
        raise NoteMalformed("its root is no base64") from error
    if len(root) != _ROOT_BYTES or base64.b64encode(root).decode() != encoded:
        raise NoteMalformed(f"its root is no hash of {_ROOT_BYTES} bytes")
    return Checkpoint(origin, int(size), root)


def signed(checkpoint: Checkpoint, key: SignerKey) -> Note:
    """The checkpoint as a note that the log signed."""
    text = checkpoint.text
    verifier = key.verifier
    return Note(text, (Signature(key.name, verifier.key_id, key.sign(text.encode())),))


def cosigned(note: Note, key: SignerKey, time: int) -> Note:
    """The note with a witness' word that it saw no other log than this one until `time`, seconds since 1970."""
    cosigner = key.cosigner
    stamp = time.to_bytes(_TIME_BYTES, "big")
    content = stamp + cosigner.sign(_cosigned_text(note.text, time))
    line = Signature(key.name, cosigner.verifier.key_id, content)
    return replace(note, signatures=(*note.signatures, line))


def signed_by(note: Note, key: VerifierKey) -> bool:
    """Whether the key signed, or as a witness' cosigned, the note.

    Raises:
        NoteMalformed: a signature says that it is by the key, and is not.
    """
    return any(_is_by(note, one, key) for one in note.signatures)


def cosigned_at(note: Note, key: VerifierKey) -> int | None:
    """When the witness of this key cosigned the note, seconds since 1970; None if it did not.

    Raises:
        NoteMalformed: a cosignature says that it is by the key, and is not.
    """
    for one in note.signatures:
        if one.is_of(key.cosigner) and _is_by(note, one, key.cosigner):
            return int.from_bytes(one.content[:_TIME_BYTES], "big")
    return None


def _is_by(note: Note, signature: Signature, key: VerifierKey) -> bool:
    if signature.is_of(key.cosigner):
        stamp, content = signature.content[:_TIME_BYTES], signature.content[_TIME_BYTES:]
        message = _cosigned_text(note.text, int.from_bytes(stamp, "big"))
    elif key.algorithm != COSIGNATURE and signature.is_of(key):
        content, message = signature.content, note.text.encode()
    else:
        return False
    if len(content) != _SIGNATURE_BYTES or not key.verifies(message, content):
        raise NoteMalformed(f"the signature of {signature.name} is not by the key {key.text}")
    return True


def _cosigned_text(text: str, time: int) -> bytes:
    return f"cosignature/v1\ntime {time}\n{text}".encode()

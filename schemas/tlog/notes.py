"""Signed notes (C2SP signed-note): a text, an empty line, and a line for each signature."""

from __future__ import annotations

import base64
import binascii
from typing import Final

from msgspec import Struct

from schemas.tlog.keys import VerifierKey

MOST_SIGNATURES: Final = 100
_DASH: Final = "— "
_ID_BYTES: Final = 4


class NoteMalformed(ValueError):
    """Bytes that are no signed note, or whose text is not what such a note must say."""


class Signature(Struct, frozen=True):
    """A signature as its line has it: whose, by which key, and its bytes, unverified."""

    name: str
    key_id: bytes
    content: bytes

    @property
    def line(self) -> str:
        """The line, with its end."""
        return f"{_DASH}{self.name} {base64.b64encode(self.key_id + self.content).decode()}\n"

    def is_of(self, key: VerifierKey) -> bool:
        """Whether it says that it is by this key."""
        return (self.name, self.key_id) == (key.name, key.key_id)


class Note(Struct, frozen=True):
    """A note: its text, which ends a line, and its signatures, unverified."""

    text: str
    signatures: tuple[Signature, ...]

    @property
    def content(self) -> bytes:
        """The note's bytes."""
        return (self.text + "\n" + "".join(one.line for one in self.signatures)).encode()


def read_note(content: bytes) -> Note:
    """A note, its signatures not yet verified.

    Raises:
        NoteMalformed: the bytes are none.
    """
    try:
        whole = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NoteMalformed(f"invalid UTF-8 at byte {error.start}") from error
    if any(letter < " " and letter != "\n" for letter in whole):
        raise NoteMalformed("it holds a control character")
    text, gap, signed = whole.rpartition("\n\n")
    lines = [f"{line}\n" for line in signed.removesuffix("\n").split("\n")] if signed.endswith("\n") else []
    if not gap or not text or not lines:
        raise NoteMalformed("no text, an empty line and signatures")
    if len(lines) > MOST_SIGNATURES:
        raise NoteMalformed(f"{len(lines)} signatures; at most {MOST_SIGNATURES}")
    return Note(text + "\n", tuple(_signature(line) for line in lines))


def _signature(line: str) -> Signature:
    name, space, encoded = line.removeprefix(_DASH).rstrip("\n").rpartition(" ")
    if not line.startswith(_DASH) or not line.endswith("\n") or not space or not name or " " in name:
        raise NoteMalformed(f"a line that is no signature: {line[:80]!r}")
    try:
        content = base64.b64decode(encoded, validate=True)
    except (ValueError, binascii.Error) as error:
        raise NoteMalformed(f"the signature of {name} is no base64") from error
    found = Signature(name, content[:_ID_BYTES], content[_ID_BYTES:])
    if not found.content or found.line != line:
        raise NoteMalformed(f"the signature of {name} is too short, or not written the one way")
    return found

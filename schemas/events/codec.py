"""Bytes to events and back: strict decoding (RFC 7493, the contract's schema) whose errors name the path."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NoReturn, TypeVar, Union

import msgspec
from msgspec import UNSET, Raw, Struct, UnsetType

from schemas.events.calendar import BOUNDED, within
from schemas.events.envelope import CHAINED, UNCHAINED, DeviceEnvelope, Envelope
from schemas.values import EARLIEST, LATEST

MAX_LINE_BYTES = 1 << 19  # an event of 1,000 cards has 7 kB; half a megabyte is no event of a table
MAX_DEPTH = (
    64  # objects and lists in one another; an event needs three, and no stack decides what is a record
)

_Event = TypeVar("_Event", Envelope, DeviceEnvelope)
_CHAINED: msgspec.json.Decoder[Envelope] = msgspec.json.Decoder(Union[CHAINED])  # noqa: UP007 - built from a tuple
_DECODE_CHAINED = _CHAINED.decode
_UNCHAINED: msgspec.json.Decoder[DeviceEnvelope] = msgspec.json.Decoder(Union[UNCHAINED])  # noqa: UP007 - as above
_ENCODE = msgspec.json.Encoder().encode
_BACKSLASH = ord("\\")
_TOO_DEEP = f"nested more than {MAX_DEPTH} levels deep"
_PATH = re.compile(r" - at `(.*)`$")
_LEAP_SECOND = re.compile(r"(\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:)60(?:\.\d+)?([Zz]|[+-]\d{2}:\d{2})", re.ASCII)
_hex64 = re.compile(r"[0-9a-f]{64}").fullmatch
_subject = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}").fullmatch
_sha256 = hashlib.sha256
# Quotation marks of an envelope beside its data: nine names and seven strings, or seven and six from a device.
_QUOTES: dict[type, int] = {**dict.fromkeys(CHAINED, 32), **dict.fromkeys(UNCHAINED, 26)}


class Malformed(ValueError):
    """A line that is no event of the contract: `reason` says what was found, `path` (`$.data.seat`) where."""

    def __init__(self, reason: str, path: str = "$") -> None:
        super().__init__(f"{reason} (at {path})")
        self.reason = reason
        self.path = path


def too_long(length: int) -> str:
    """Why a line of so many bytes is no event."""
    return f"a line of {length} bytes; an event has at most {MAX_LINE_BYTES}"


def record_hash(line: bytes) -> str:
    """SHA-256 of a record's exact bytes without line end, hex: what the next record's `prevhash` must say."""
    return _sha256(line).hexdigest()


def decode(line: bytes, head: str = "", subject: str = "") -> Envelope:
    """Decode one chained line strictly; `head` and `subject`, which it is expected to carry, only save work.

    Raises:
        Malformed: not UTF-8, not I-JSON (a name twice, NaN, a lone surrogate), or not the contract's schema.
    """
    if len(line) > MAX_LINE_BYTES:
        raise Malformed(too_long(len(line)))
    try:
        event = _DECODE_CHAINED(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        event = _decode_slowly(line, _CHAINED)
    if event.prevhash != head and not _hex64(event.prevhash):
        raise Malformed("prevhash is not 64 lower-case hex digits", "$.prevhash")
    if event.subject != subject:
        _check_subject(event.subject)
    # As `_quotes_due`, without the call.
    due = _QUOTES[type(event)] if event.recordedtime is UNSET else _QUOTES[type(event)] + 4
    if line.count(b'"') != _ENCODE(event.data).count(b'"') + due or _BACKSLASH in line:
        strict_json(line)
    recorded = event.recordedtime
    if (
        not EARLIEST < event.time < LATEST
        or (recorded is not UNSET and not EARLIEST < recorded < LATEST)
        or type(event.data) in BOUNDED
    ):
        return within(event)
    return event


def decode_device(line: bytes) -> DeviceEnvelope:
    """Decode one event as a device sends it, without `sequence` and `prevhash`.

    Raises:
        Malformed: as `decode`, or the event already carries a sequence or a chain.
    """
    if len(line) > MAX_LINE_BYTES:
        raise Malformed(too_long(len(line)))
    try:
        event = _UNCHAINED.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        event = _decode_slowly(line, _UNCHAINED)
    _check_subject(event.subject)
    if _BACKSLASH in line or line.count(b'"') != _quotes_due(event):
        fields = strict_json(line)  # a name too many has its quotation marks, or is written with a backslash
        if "sequence" in fields or "prevhash" in fields:
            raise Malformed("a device event that already carries sequence or prevhash; send it chained", "$")
    return within(event)


class _Links(Struct):
    sequence: Raw | UnsetType = UNSET
    prevhash: Raw | UnsetType = UNSET


_read_links = msgspec.json.Decoder(_Links).decode


def carries_chain(line: bytes) -> bool:
    """Whether a JSON object has the name `sequence` or `prevhash`, however its letters are written.

    False for what is no JSON object.
    """
    try:
        links = _read_links(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return False
    return links.sequence is not UNSET or links.prevhash is not UNSET


@lru_cache(maxsize=4096)
def _subject_is_named_rightly(subject: str) -> bool:
    return _subject(subject) is not None


def _check_subject(subject: str) -> None:
    if not _subject_is_named_rightly(subject):
        raise Malformed(f"subject {subject[:80]!r} is no table name", "$.subject")


def _quotes_due(event: Envelope | DeviceEnvelope) -> int:
    """Quotation marks of a line that holds this event and nothing twice.

    Without escapes every quotation mark is structural, so a line that holds exactly as many as its decoded
    content needs cannot hold a name twice; anything else is parsed again, slowly.
    """
    due = _ENCODE(event.data).count(b'"') + _QUOTES[type(event)]
    return due if event.recordedtime is UNSET else due + 4


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    content = dict(pairs)
    if len(content) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                raise Malformed(f"the name {name[:80]!r} stands twice in one object", f"$..{name[:80]}")
            seen.add(name)
    return content


def _no_constant(name: str) -> NoReturn:
    raise Malformed(f"{name} is no number of JSON")


def strict_json(line: bytes) -> dict[str, Any]:
    """Parse one I-JSON object (RFC 7493) the slow way; names are compared as they read, not as they are spelt.

    Raises:
        Malformed: with the first thing that is wrong.
    """
    if line.startswith(b"\xef\xbb\xbf"):
        raise Malformed("the line begins with a byte order mark")
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Malformed(f"invalid UTF-8 at byte {error.start}") from error
    try:
        content = json.loads(text, object_pairs_hook=_pairs, parse_constant=_no_constant)
    except RecursionError as error:
        raise Malformed(_TOO_DEEP) from error
    except Malformed:
        raise
    except json.JSONDecodeError as error:
        raise Malformed(f"not JSON: {error}") from error
    except ValueError as error:  # of an integer; Python says how many digits, and how to allow more
        raise Malformed("a number of thousands of digits") from error
    if not isinstance(content, dict):
        raise Malformed("not a JSON object")
    if line.count(b"{") + line.count(b"[") > MAX_DEPTH and not _is_within(content, MAX_DEPTH):
        raise Malformed(_TOO_DEEP)
    _refuse_surrogates(content)
    return content


def _is_within(value: Any, levels: int) -> bool:
    """Whether objects and lists are nested at most so many levels deep."""
    if not isinstance(value, dict | list):
        return True
    inner = value.values() if isinstance(value, dict) else value
    return levels > 0 and all(_is_within(one, levels - 1) for one in inner)


def _refuse_surrogates(content: dict[str, Any]) -> None:
    try:
        json.dumps(content, ensure_ascii=False).encode("utf-8")
    except UnicodeEncodeError as error:
        raise Malformed("a lone surrogate is no character") from error


def _decode_slowly(line: bytes, decoder: msgspec.json.Decoder[_Event]) -> _Event:
    """Decode what the contract allows and the fast decoder does not, or say why the line is no event.

    Reasons come in the order a person would look: text, JSON, then the contract.
    """
    content = strict_json(line)
    try:
        return decoder.decode(_ENCODE(_plain(content)))
    except RecursionError as error:
        raise Malformed(_TOO_DEEP) from error
    except msgspec.MsgspecError as error:
        text = str(error)
        found = _PATH.search(text)
        path = found.group(1) if found else "$"
        reason = _PATH.sub("", text)
        if reason.startswith("Invalid value "):
            reason = f"unknown event type {content.get('type')!r}"[:200]
            path = "$.type"
        raise Malformed(reason, path) from error


def _plain(value: Any) -> Any:
    """Write numbers and times the one way the fast decoder knows.

    In JSON Schema 5.0 is an integer; in RFC 3339 a leap second ends in 60, which Python's clock has not: the
    last microsecond before it stands for it here, and the record's bytes stay as they are.
    """
    match value:
        case float() if value.is_integer():
            return int(value)
        case str() if _LEAP_SECOND.fullmatch(value):
            return _LEAP_SECOND.sub(r"\g<1>59.999999\g<2>", value)
        case dict():
            return {name: _plain(inner) for name, inner in value.items()}
        case list():
            return [_plain(inner) for inner in value]
    return value


def split_lines(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Byte offset and content of each line that is not empty; LF or CRLF ends a line."""
    offset = 0
    for raw in data.split(b"\n"):
        line = raw[:-1] if raw.endswith(b"\r") else raw
        if line:
            yield offset, line
        offset += len(raw) + 1

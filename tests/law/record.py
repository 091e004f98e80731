"""A table's record under construction: chained contract lines, a clock that ticks, and edits to single events."""

from __future__ import annotations

import datetime as dt
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import msgspec

from schemas.events.codec import record_hash
from schemas.events.envelope import GENESIS, PAYLOADS, utc_text
from schemas.payload import WIRE_PREFIX

SUBJECT = "T-1"
TICK = dt.timedelta(seconds=1)
SOURCES = {
    "shoe": ("card_drawn", "cover_card_reached", "shoe_emptied", "stack_dispensed", "stub_removed"),
    "layout": (
        "card_placed", "cards_racked", "hole_card_revealed", "stack_delivered", "wager_altered", "wager_moved",
        "wager_placed",
    ),
    "cage": ("fill_received", "credit_sent"),
    "count-room": ("drop_counted",),
}  # fmt: skip
WITNESS = {kind: device for device, kinds in SOURCES.items() for kind in kinds}
_EDIT = re.compile(r" (without|with|from|until) ((?:(?! (?:without|with|from|until) ).)+)")
_TARGET = re.compile(r"([a-z0-9_]+)(?:#(\d+))?")


class ScriptError(ValueError):
    """A step that cannot be played: what it says, and what to write instead."""


@dataclass
class Edit:
    """What a step's suffix changes of the events it makes; `#n` counts the events of one type within the step."""

    dropped: set[tuple[str, int | None]] = field(default_factory=set)
    changed: list[tuple[str, int | None, str, str]] = field(default_factory=list)
    first: tuple[str, int] | None = None
    last: tuple[str, int] | None = None
    seen: Counter[str] = field(default_factory=Counter)
    used: set[object] = field(default_factory=set)

    def passes(self, kind: str) -> bool:
        """Whether the next event of this type is to happen."""
        self.seen[kind] += 1
        place = self.seen[kind]
        if self.last is not None and self.seen[self.last[0]] >= self.last[1]:
            self.used.add(self.last)
            return False
        if self.first is not None and self.seen[self.first[0]] < self.first[1]:
            return False
        self.used.add(self.first)
        gone = {(kind, None), (kind, place)} & self.dropped
        self.used |= gone
        return not gone

    def apply(self, kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
        """The fields as the step wants them."""
        found = dict(fields)
        for change in self.changed:
            if change[0] == kind and change[1] in (None, self.seen[kind]):
                found[change[2]] = change[3]
                self.used.add(change)
        return found

    def unused(self) -> list[object]:
        """Edits that met no event: misspelt, or of an event the step does not make."""
        wanted = {*self.dropped, *self.changed, self.first, self.last} - {None}
        return sorted(wanted - self.used, key=str)


def _target(text: str) -> tuple[str, int | None]:
    found = _TARGET.fullmatch(text)
    if found is None or found[1] not in PAYLOADS:
        raise ScriptError(f"{text!r} is no event type; see the contract's list")
    return found[1], int(found[2]) if found[2] else None


def split_edits(step: str) -> tuple[str, Edit]:
    """A step without its suffixes ` without TYPE`, ` with TYPE.field=value`, ` from TYPE`, ` until TYPE`."""
    edit = Edit()
    for found in _EDIT.finditer(step):
        word, rest = found[1], found[2].strip()
        if word == "without":
            edit.dropped |= {_target(name) for name in rest.split()}
        elif word == "with":
            where, _, value = rest.partition("=")
            name, _, field_name = where.partition(".")
            edit.changed.append((*_target(name), field_name, value))
        else:
            kind, place = _target(rest)
            if word == "from":
                edit.first = (kind, place or 1)
            else:
                edit.last = (kind, place or 1)
    return _EDIT.sub("", step), edit


@cache
def fields_of(kind: str) -> tuple[msgspec.inspect.Field, ...]:
    """Fields of an event type, which takes a while to find out."""
    return tuple(msgspec.inspect.type_info(PAYLOADS[kind]).fields)  # type: ignore[attr-defined]  # a Struct's


@cache
def lists_of(kind: str) -> frozenset[str]:
    """Fields of an event type that hold several values."""
    return frozenset(
        field.encode_name for field in fields_of(kind) if isinstance(field.type, msgspec.inspect.VarTupleType)
    )


def payload_of(kind: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as the contract has them: texts of a script turned into the field's own type.

    Raises:
        ScriptError: the event type does not exist, or a field is missing, unknown or wrong.
    """
    if kind not in PAYLOADS:
        raise ScriptError(f"{kind!r} is no event type")
    payload, listed = PAYLOADS[kind], lists_of(kind)
    ready = {
        name: tuple(filter(None, value.split(","))) if name in listed and isinstance(value, str) else value
        for name, value in fields.items()
    }
    try:
        made = msgspec.convert(ready, payload, strict=False)
    except msgspec.ValidationError as error:
        raise ScriptError(f"{kind}: {error}") from error
    built: dict[str, Any] = msgspec.to_builtins(made)
    return built


class Record:
    """Lines of one table, each chained to the one before it."""

    def __init__(self, start: dt.datetime) -> None:
        self.lines: list[bytes] = []
        self.kinds: list[str] = []
        self.now = start
        self.sequence = 0
        self.losing = False
        self.gaps = 0
        self._head = GENESIS
        self._edit: Edit | None = None

    @contextmanager
    def edited(self, edit: Edit) -> Iterator[None]:
        """Play what follows with the edits of one step.

        Raises:
            ScriptError: an edit met no event.
        """
        outer, self._edit = self._edit, edit
        try:
            yield
        finally:
            self._edit = outer
        if edit.unused():
            raise ScriptError(f"no event of this step is {edit.unused()[0]}")

    def event(self, kind: str, /, **fields: Any) -> dict[str, Any] | None:
        """Write one event; None when an edit leaves it out."""
        if self._edit is not None:
            if not self._edit.passes(kind):
                return None
            fields = self._edit.apply(kind, fields)
        data = payload_of(kind, fields)
        self._write(kind, data)
        return data

    def gap(self) -> None:
        """Let one event be lost that nobody knows."""
        self.losing, before = True, self.losing
        self._write("player_request", {"seat": 9, "wish": "see_cards"})
        self.losing = before

    def _write(self, kind: str, data: Mapping[str, Any]) -> None:
        self.now += TICK
        self.sequence += 1
        device = WITNESS.get(kind, "console")
        if kind == "hole_card_read":
            device = "masque" if data["device"] == "masque_reader" else "reader"
        line = msgspec.json.encode(
            {
                "specversion": "1.0",
                "id": f"{SUBJECT}-{self.sequence}",
                "source": f"pa/parkside/pit-2/{SUBJECT}/{device}",
                "type": WIRE_PREFIX + kind,
                "subject": SUBJECT,
                "time": utc_text(self.now),
                "sequence": self.sequence,
                "prevhash": self._head,
                "data": data,
            }
        )
        self._head = record_hash(line)
        if self.losing:
            self.gaps += 1
            return
        self.lines.append(line)
        self.kinds.append(kind)

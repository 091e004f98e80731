"""What people work on by acts, a case or a dispute: each act with its record, and what every act changes."""

from __future__ import annotations

import datetime as dt
from typing import Any, Generic, TypeVar

import msgspec
from msgspec import Struct

from dashboards.wording.copying import copied

ActKind = TypeVar("ActKind", bound=Struct)


class ActEntry(Struct, Generic[ActKind], frozen=True, kw_only=True):
    """One act, with the place and the hash of its record in the desk's ledger."""

    sequence: int
    hash: str
    at: dt.datetime
    actor: str
    act: ActKind

    @property
    def name(self) -> str:
        """What it is called: `opened`, `member added`."""
        return tag_of(self.act).partition("_")[2].replace("_", " ")


class WorkedOn(Struct, Generic[ActKind], frozen=True, kw_only=True):
    """What was done, and what stands: `version` grows by one with each act but printing.

    `history` is complete, the oldest first; `prints` are reports that left the console.
    """

    id: str
    version: int = 1
    opened_at: dt.datetime
    opened_by: str
    history: tuple[ActEntry[ActKind], ...]
    prints: tuple[ActEntry[ActKind], ...] = ()

    @property
    def last_act(self) -> str:
        """The last act but printing, as the ledger names it: `case_opened`."""
        return tag_of(self.history[-1].act)

    @property
    def last_actor(self) -> str:
        """Who did the last act but printing."""
        return self.history[-1].actor

    @property
    def last_at(self) -> dt.datetime:
        """When the last act but printing was done."""
        return self.history[-1].at


Kind = TypeVar("Kind", bound=WorkedOn[Any])


def begun(form: type[Kind], name: str, entry: ActEntry[Any], **given: object) -> Kind:
    """A case or a dispute as it is opened, with the fields of the act that opens it."""
    opening = {"opened_at": entry.at, "opened_by": entry.actor, "history": (entry,)}
    return copied(form, entry.act, id=name, **opening, **given)


def acted(before: Kind, entry: ActEntry[Any], fields: dict[str, object] | None) -> Kind:
    """A case or a dispute behind an act that gives it these fields; None: it was printed."""
    if fields is None:
        return msgspec.structs.replace(before, prints=(*before.prints, entry))
    return msgspec.structs.replace(
        before, version=before.version + 1, history=(*before.history, entry), **fields
    )


def tag_of(act: Struct) -> str:
    """The kind of an act, as the ledger names it."""
    return str(act.__struct_config__.tag)

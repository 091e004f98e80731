"""Which version of the fold is in force, from the records of its topic: switches, comparisons, removals.

Two versions fold one ledger beside each other, each into topics and a database of its own. What people are shown, and
what alerts are raised from, is what one of them makes: the last switch says which.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import msgspec
from msgspec import Struct, field

from schemas.answers import FOLD_VERSION
from schemas.values import When

KEY: Final = b"fold"


class Switched(Struct, frozen=True, kw_only=True, tag="switched", tag_field="what"):
    """From here on `fold` is in force, if `before` was until then: of two who switch at once one does, and once.

    `before` is 0 where none was named yet. `comparison` is the one that whoever switched had seen, "" for the first.
    """

    fold: int
    before: int
    at: When
    by: str
    comparison: str = ""


class VersionsCompared(Struct, frozen=True, kw_only=True, tag="compared", tag_field="what"):
    """Results of two versions were compared: how many rows are the same, changed, made by one of the two alone.

    `digest` is the comparison's, SHA-256 in hex.
    """

    old: int
    new: int
    at: When
    by: str
    digest: str
    same: int
    changed: int
    added: int
    gone: int


class Retired(Struct, frozen=True, kw_only=True, tag="retired", tag_field="what"):
    """The topics, groups and rows of a version are being removed."""

    fold: int
    at: When
    by: str


Entry = Switched | VersionsCompared | Retired


class VersionsStanding(Struct, frozen=True, kw_only=True):
    """What the records say: `switch` is the one in force, `earlier` those before it that counted, the oldest first."""

    switch: Switched | None = None
    earlier: tuple[Switched, ...] = ()
    compared: dict[tuple[int, int], VersionsCompared] = field(default_factory=dict)
    retired: dict[int, Retired] = field(default_factory=dict)

    @property
    def fold(self) -> int:
        """The version in force; this release's own where none was ever named."""
        return self.switch.fold if self.switch is not None else FOLD_VERSION

    def left_at(self, fold: int) -> When | None:
        """When this version was last in force; None if it is, or never was."""
        switches = (*self.earlier, *((self.switch,) if self.switch is not None else ()))
        return max((one.at for one in switches if one.before == fold), default=None)

    def then(self, entry: Entry) -> VersionsStanding:
        """What holds behind one more record; a switch that was decided on another standing changes nothing."""
        match entry:
            case Switched():
                if entry.before != (self.switch.fold if self.switch is not None else 0):
                    return self
                earlier = (*self.earlier, *((self.switch,) if self.switch is not None else ()))
                return msgspec.structs.replace(self, switch=entry, earlier=earlier)
            case VersionsCompared():
                return msgspec.structs.replace(
                    self, compared={**self.compared, (entry.old, entry.new): entry}
                )
            case Retired():
                return msgspec.structs.replace(self, retired={**self.retired, entry.fold: entry})


_ENCODE = msgspec.json.Encoder().encode
_DECODE = msgspec.json.Decoder(Entry).decode


def encoded(entry: Entry) -> bytes:
    """The entry as its record holds it."""
    return _ENCODE(entry)


def read(values: Iterable[bytes | None], after: VersionsStanding | None = None) -> VersionsStanding:
    """What the records say, in order, behind what others said; one that nobody can read changes nothing."""
    found = after or VersionsStanding()
    for value in values:
        try:
            found = found.then(_DECODE(value or b""))
        except msgspec.MsgspecError:
            continue
    return found

"""The acts upon the watch list: somebody or a table put on it with a reason and an end, changed, taken off."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from schemas.values import LongText, Text, When

Kind = Literal["dealer", "player", "table"]
Reason = Annotated[LongText, Meta(min_length=1)]
Version = Annotated[int, Meta(ge=1)]
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


# The same tag field as all acts of the desk: one union reads them.
class _Act(Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True):
    kind: Kind
    value: Text
    reason: Reason
    address: Annotated[str, Meta(max_length=64)] = ""


class WatchPut(_Act, frozen=True, kw_only=True, tag="watch_put"):
    """A dealer, a patron or a table is watched from now on, for this reason and until this time."""

    until: When


class WatchChanged(_Act, frozen=True, kw_only=True, tag="watch_changed"):
    """Reason and end as they now stand, by someone who saw the entry at this version."""

    version: Version
    until: When


class WatchTaken(_Act, frozen=True, kw_only=True, tag="watch_taken"):
    """It is watched no more, before its end, by someone who saw the entry at this version."""

    version: Version


WatchAct = WatchPut | WatchChanged | WatchTaken

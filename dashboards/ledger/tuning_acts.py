"""The acts upon how alerts of a check are handled for a while: asked for, confirmed by another, declined, ended."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from schemas.values import LongText, Text, When

Words = Annotated[LongText, Meta(min_length=1)]
Way = Literal["wait", "group", "page always", "page never"]
Minutes = Annotated[int, Meta(ge=1, le=240)]

WAYS: Final[tuple[Way, ...]] = get_args(Way)


class _OnTuning(Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True):
    tuning: Text


class TuningAsked(_OnTuning, frozen=True, kw_only=True, tag="tuning_asked"):
    """Someone wants alerts of a check handled otherwise until a moment; nothing is until another person confirms.

    `wait`: for `minutes` on the shelf when they are raised, but not critical ones. `group`: those of a table on one
    line. `page always`, `page never`: sent to mailboxes and pagers whatever their severity, or not at all.
    """

    check: Text
    way: Way
    minutes: Minutes | None = None
    until: When
    reason: Words


class TuningConfirmed(_OnTuning, frozen=True, kw_only=True, tag="tuning_confirmed"):
    """A second person agrees: it is in force until its end."""


class TuningDeclined(_OnTuning, frozen=True, kw_only=True, tag="tuning_declined"):
    """A second person does not agree."""

    reason: Words


class TuningEnded(_OnTuning, frozen=True, kw_only=True, tag="tuning_ended"):
    """It is over before its end, or whoever asked for it takes that back; one person is enough for that."""


TuningAct = TuningAsked | TuningConfirmed | TuningDeclined | TuningEnded

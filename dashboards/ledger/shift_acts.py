"""The acts of a handover between shifts: handed over, taken over by another, withdrawn."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from schemas.values import Count, LongText, Text, When

Words = Annotated[LongText, Meta(min_length=1)]


class _OnShift(Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True):
    shift: Text


class ShiftHandedOver(_OnShift, frozen=True, kw_only=True, tag="shift_handed_over"):
    """Who goes says what the next one has to know; the counts are of the alerts that this person saw.

    `raised` and `closed` are of the time from `since` to `until`, `open` is how many were open at `until`.
    """

    since: When
    until: When
    note: Words
    raised: Count
    closed: Count
    open: Count


class ShiftTaken(_OnShift, frozen=True, kw_only=True, tag="shift_taken"):
    """Who comes has read it and takes over, perhaps with a remark."""

    remark: LongText = ""


class ShiftWithdrawn(_OnShift, frozen=True, kw_only=True, tag="shift_withdrawn"):
    """Who handed over takes that back before anybody took over."""


ShiftAct = ShiftHandedOver | ShiftTaken | ShiftWithdrawn

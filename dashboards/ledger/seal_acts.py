"""The act that seals figures: the money of a gaming day or of a month, as it was known when somebody signed for it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from schemas.values import Day, LongText, Text

SealedBy = Literal["table", "day"]
Value = int | float | None
Columns = Annotated[tuple[Text, ...], Meta(min_length=1, max_length=200)]
Values = Annotated[tuple[Value, ...], Meta(max_length=200)]


class SealedLine(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One line: a value for each column, in their order, null where it was not known; `lacks` says why."""

    key: Annotated[str, Meta(max_length=200)]
    values: Values
    lacks: tuple[LongText, ...] = ()


class SealedDivision(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All lines of one division."""

    by: SealedBy
    lines: tuple[SealedLine, ...]


# The same tag field as all acts of the desk: one union reads them.
class FiguresSealed(
    Struct, frozen=True, kw_only=True, tag_field="act", tag="figures_sealed", forbid_unknown_fields=True
):
    """The figures of the gaming days `first` to `last`, which nothing changes from now on.

    `columns` name the values of all lines and of the total: money in cents, the house's view, hours in hours.
    `records` is, by table, the last event of its account that the figures know: what comes after it corrects them.
    """

    first: Day
    last: Day
    property: str
    columns: Columns
    total: SealedLine
    divisions: tuple[SealedDivision, ...]
    records: dict[str, int]
    note: LongText = ""
    address: Annotated[str, Meta(max_length=64)] = ""

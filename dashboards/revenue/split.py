"""What the difference of each line is made of, as bars about nought: luck beside its band, play, errors either way."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from dashboards.drawing.svg import Markup, document, element, label
from dashboards.revenue.statement import StatementLine
from dashboards.wording.money import dollars

LINES: Final = 40
_WIDTH, _LEFT, _RIGHT, _ROW, _TEXT = 960, 150, 130, 52, 14


class SplitRow(Struct, frozen=True):
    """What the difference of a line is made of, cents, the house's view; `band` None: not known.

    `marked`: luck is beyond what chance brings to all lines together.
    """

    label: str
    luck: int
    band: int | None
    play: int
    for_house: int
    for_patron: int
    marked: bool = False


def split_of(lines: Sequence[StatementLine]) -> list[SplitRow]:
    """The lines whose luck is known."""
    found = []
    for line in lines:
        figures, luck = line.figures, line.figures.luck_cents
        if luck is not None:
            house, patron = figures.covered_for_house_cents, figures.covered_for_patron_cents
            found.append(
                SplitRow(
                    line.label, luck, figures.band_cents, figures.play_cents, house, patron, figures.marked
                )
            )
    return found


def draw_split(rows: Sequence[SplitRow], title: str) -> Markup:
    """A row of bars for each line: luck wide and hollow, its band between two strokes, below it play, then errors."""
    most = max((max(abs(one) for one in _values(row)) for row in rows), default=0) or 1
    middle = _LEFT + (_WIDTH - _LEFT - _RIGHT) / 2
    half = (_WIDTH - _LEFT - _RIGHT) / 2

    def x(cents: int) -> float:
        return middle + half * cents / most

    height = 8 + _ROW * len(rows)
    parts = [element("line", x1=middle, y1=0, x2=middle, y2=height, class_="axis")]
    for place, row in enumerate(rows):
        y = 8 + _ROW * place
        parts.append(
            label(_LEFT - 10, y + 17, row.label, _TEXT, "currentColor", anchor="end", width=_LEFT - 14)
        )
        parts.append(_bar(x(0), x(row.luck), y + 4, 14, "luck"))
        if row.band is not None:
            for edge in (x(-row.band), x(row.band)):
                parts.append(element("line", x1=edge, y1=y, x2=edge, y2=y + 22, class_="limit"))
        parts.append(_bar(x(0), x(row.play), y + 24, 7, "by-play"))
        parts.append(_bar(x(0), x(row.for_house), y + 36, 7, "for-house"))
        parts.append(_bar(x(0), x(row.for_patron), y + 36, 7, "for-patron"))
        said = [dollars(row.luck), f"play {dollars(row.play)}" if row.play else ""]
        if row.for_house or row.for_patron:
            said.append(f"errors {dollars(row.for_house + row.for_patron)}")
        for below, text in zip((15, 31, 46), said, strict=False):
            if text:
                parts.append(label(_WIDTH - _RIGHT + 10, y + below, text, _TEXT, "currentColor"))
    return document(parts, _WIDTH, height, title, _told(rows))


def _values(row: SplitRow) -> tuple[int, ...]:
    return (row.luck, row.band or 0, row.play, row.for_house, row.for_patron)


def _bar(begin: float, end: float, y: float, height: float, kind: str) -> Markup:
    return element("rect", x=min(begin, end), y=y, width=abs(end - begin), height=height, class_=kind)


def _told(rows: Sequence[SplitRow]) -> str:
    marked = [row.label for row in rows if row.marked]
    told = [
        f"{row.label}: luck {dollars(row.luck)}, play {dollars(row.play)}, "
        f"errors for the house {dollars(row.for_house)}, for patrons {dollars(row.for_patron)}"
        for row in rows
    ]
    beyond = f" Luck beyond chance: {', '.join(marked)}." if marked else ""
    return "; ".join(told) + "." + beyond

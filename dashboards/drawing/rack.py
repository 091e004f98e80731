"""The discard rack: what a round put there, bottom first, and where that first differs from what the log says."""

from __future__ import annotations

from msgspec import Struct

from dashboards.drawing.cards import BACK, RATIO, STEP, draw_card, symbols
from dashboards.drawing.geometry import Box
from dashboards.drawing.palette import Palette
from dashboards.drawing.scene import Card, Felt
from dashboards.drawing.svg import Markup, document, element, group, label, rect
from dashboards.drawing.words import LINE, TEXT
from schemas.amounts import amount

MOST = 38.0  # width of a card in the strip


class RackRow(Struct, frozen=True):
    """One place of the rack, from 0 at the bottom: whose card the log puts there, and what lies there."""

    place: int
    expected: Card | None
    observed: Card | None
    hand: str | None = None
    first: bool = False
    compared: bool = True

    @property
    def agrees(self) -> bool:
        """Whether the same card is in both, or one of them was not read, or nothing was expected."""
        if not self.compared:
            return True
        if self.expected is None or self.observed is None:
            return self.expected is self.observed
        names = (self.expected.name, self.observed.name)
        return names[0] == names[1] or "??" in names or not (self.expected.face_up and self.observed.face_up)


def draw_tray(felt: Felt, box: Box, palette: Palette) -> Markup:
    """The rack on the table: a pile as high as the cards in it, and the count of all cards."""
    count = felt.count
    tray = Box(box.x, box.y + 28, 66, 92)
    parts = [
        label(box.x, box.y + 18, "Discard rack", TEXT, palette.on_felt, bold=True),
        rect(*tray.sides, rx=4, fill=palette.panel, stroke=palette.edge),
    ]
    if count is not None:
        held = count.discard + (count.burnt or 0)
        high = (tray.height - 4) * min(held / max(count.total, 1), 1.0)
        pile = Box(tray.x + 4, tray.y + tray.height - 2 - high, tray.width - 8, high)
        parts.append(rect(*pile.sides, fill=palette.back, stroke=palette.edge))
        rows = [("discard", count.discard), ("table", count.table), ("shoe", count.shoe)]
        if count.burnt is not None:
            rows.insert(2, ("burn", count.burnt))
        for row, (word, cards) in enumerate(rows):
            parts.append(_sum(tray.x + 82, tray.y + 12 + LINE * row, word, str(cards), palette))
        line = tray.y + 12 + LINE * len(rows)
        good = {"✓": True, "✕": False}.get(count.sign)
        parts.append(_sum(tray.x + 82, line, "total", f"{count.total} {count.sign}", palette, good))
    return group(parts, class_="tray")


def _sum(x: float, y: float, word: str, number: str, palette: Palette, agrees: bool | None = None) -> Markup:
    fill = palette.agrees if agrees else palette.on_felt if agrees is None else palette.ink
    parts = [] if agrees is not False else [rect(x + 88, y - 17, 70, LINE, rx=3, fill=palette.wrong)]
    end = x + (130 if agrees is None else 152)
    parts.append(label(x, y, word, TEXT, palette.quiet))
    parts.append(label(end, y, number, TEXT, fill, bold=True, anchor="end"))
    return group(parts)


def draw_strip(cards: tuple[Card, ...], box: Box, palette: Palette) -> Markup:
    """The round's cards in the rack side by side, the bottom one leftmost."""
    words = "Racked this round, bottom first" if cards else "Nothing racked yet in this round"
    parts = [
        rect(*box.sides, rx=6, fill=palette.panel),
        label(box.x + 12, box.y + 30, words[:18], TEXT, palette.text),
        label(box.x + 12, box.y + 30 + LINE, words[18:].strip(), TEXT, palette.text),
    ]
    room = box.width - 230 - MOST
    step = min(room / max(len(cards) - 1, 1), MOST + 3)
    width = min(MOST, step / STEP, (box.height - 14) / RATIO)
    for place, card in enumerate(cards):
        parts.append(draw_card(card, box.x + 218 + place * step, box.y + 8, width, palette))
    return group(parts, class_="strip")


def draw_rack(
    rows: tuple[RackRow, ...],
    palette: Palette,
    title: str = "Discard rack",
    *,
    standalone: bool = True,
    columns: int = 24,
) -> Markup:
    """Expected above observed, `columns` places to a line; the first place that differs is boxed and named."""
    step = 52.0
    lines = -(-max(len(rows), 1) // columns)
    height = 62 + lines * 198
    names = sorted(
        {c.name if c.face_up else BACK for r in rows for c in (r.expected, r.observed) if c is not None}
    )
    width = 150 + step * columns
    parts = [
        symbols(palette, names) if standalone else Markup(""),
        element("rect", width=width, height=height, fill=palette.panel),
        label(12, 30, title, 20, palette.text, bold=True),
    ]
    for line in range(lines):
        top = 56 + line * 198
        parts.append(label(12, top + 34, "By the log", TEXT, palette.text))
        parts.append(label(12, top + 108, "In the rack", TEXT, palette.text))
        for column, row in enumerate(rows[line * columns : (line + 1) * columns]):
            parts.append(_place(row, 140 + column * step, top, palette))
    return document(parts, width, height, title, _differs(rows))


def _place(row: RackRow, x: float, top: float, palette: Palette) -> Markup:
    parts = []
    for card, y in ((row.expected, top), (row.observed, top + 74)):
        drawn = {"fill": "none", "stroke": palette.text, "stroke_dasharray": "4 3"}
        empty = rect(x, y, 38, 38 * RATIO, rx=4, **drawn)
        parts.append(empty if card is None else draw_card(card, x, y, 38, palette))
    parts.append(label(x + 19, top + 150, row.hand or "", 17, palette.text, anchor="middle", width=52))
    if row.first:  # what follows the first difference is mostly shifted by it
        parts.append(label(x + 19, top + 170, "✕", TEXT, palette.wrong, bold=True, anchor="middle"))
        parts.append(rect(x - 3, top - 4, 44, 136, rx=5, fill="none", stroke=palette.wrong, stroke_width=3))
        parts.append(label(x + 19, top + 188, "first", TEXT, palette.wrong, bold=True, anchor="middle"))
    return group(parts)


def _differs(rows: tuple[RackRow, ...]) -> str:
    first = next((row for row in rows if row.first), None)
    if first is None:
        return f"{amount(len(rows), 'card')}, bottom first."
    return f"{amount(len(rows), 'card')}, bottom first; the rack first differs at place {first.place + 1}."

"""The shoe: how many cards are left of those loaded, and where the cover card lies."""

from __future__ import annotations

from dashboards.drawing.cards import draw_fan, fan_width, fitting_width
from dashboards.drawing.geometry import Box
from dashboards.drawing.palette import Palette
from dashboards.drawing.scene import DrawnShoe
from dashboards.drawing.svg import Markup, element, folded, group, label, rect
from dashboards.drawing.words import LINE, TEXT


def draw_shoe(shoe: DrawnShoe, box: Box, palette: Palette) -> Markup:
    """The shoe as a bar that empties from the left, where the cards come out; the cover card is a line across it."""
    bar = Box(box.x, box.y + 28, box.width, 26)
    name, of_all = f"Shoe {shoe.number}" if shoe.number else "Shoe", f"{shoe.left} of {shoe.loaded}"
    parts = [
        label(bar.x, box.y + 18, name, TEXT, palette.on_felt, bold=True),
        label(bar.x + bar.width, box.y + 18, of_all, TEXT, palette.on_felt, anchor="end"),
        rect(*bar.sides, rx=4, fill=palette.panel, stroke=palette.edge),
    ]
    if shoe.loaded > 0:
        left = bar.width * min(max(shoe.left / shoe.loaded, 0.0), 1.0)
        cards = (bar.x + bar.width - left, bar.y, left, bar.height)
        parts.append(rect(*cards, rx=4, fill=palette.back, stroke=palette.edge))
        if shoe.cover_below is not None:
            cut = bar.x + bar.width * (1 - min(shoe.cover_below / shoe.loaded, 1.0))
            ends = {"x1": cut, "y1": bar.y - 5, "x2": cut, "y2": bar.y + bar.height + 5}
            parts.append(element("line", **ends, stroke=palette.on_felt, stroke_width=4))
    parts.append(label(bar.x, bar.y + 48, _cover(shoe), TEXT, palette.quiet, width=box.width))
    if shoe.loose:
        width = fitting_width(shoe.loose, box.width - 110, 44)
        parts.extend(draw_fan(shoe.loose, box.x, box.y + 86, width, palette))
        more = f" ({len(shoe.loose)})" if len(shoe.loose) > 1 else ""
        hidden = ", face down" if any(card.inferred for card in shoe.loose) else ""
        left = box.x + fan_width(shoe.loose, width) + 10
        room = box.x + box.width - left
        for row, said in enumerate(folded(f"drawn{more}{hidden}", room, TEXT, 2)):
            parts.append(label(left, box.y + 112 + LINE * row, said, TEXT, palette.quiet))
    return group(parts, class_="shoe")


def _cover(shoe: DrawnShoe) -> str:
    if shoe.cover_out:
        return "cover out: last round"
    if shoe.cover_below is None:
        return ""
    return f"cover: {shoe.cover_below} behind it"

"""One seat and the dealer cut out of a felt: what an alert is about, small enough to stand beside it."""

from __future__ import annotations

from msgspec.structs import replace

from dashboards.drawing.cards import symbols
from dashboards.drawing.felt import described, draw_dealer, draw_seat, names_of, stacks
from dashboards.drawing.geometry import DEALER_TOP, HANDS_TOP, WIDTH, lay_out
from dashboards.drawing.palette import Palette
from dashboards.drawing.scene import DrawnSeat, Felt
from dashboards.drawing.svg import Markup, document, group, label, rect
from dashboards.drawing.words import TEXT

_WIDTH = 440  # a third of the felt: letters of 18 units are 15 px beside the list of alerts
_TITLE = 28
_MARGIN = 8


def draw_part(felt: Felt, seat: int, palette: Palette) -> Markup:
    """The dealer and, below, this seat; 0 stands for the dealer alone. A drawing that stands by itself."""
    chosen = next((one for one in felt.seats if one.number == seat), None)
    # Between two others a seat has a third of the table; only the middle one is drawn.
    seats = (DrawnSeat(0), chosen or DrawnSeat(0), DrawnSeat(0))
    shown = replace(felt, seats=seats, rack=(), shoe=replace(felt.shoe, loose=()))
    geometry = lay_out(shown)
    place = geometry.seats[1]
    left, top = (WIDTH - _WIDTH) / 2, DEALER_TOP - _TITLE - _MARGIN
    bottom = float(HANDS_TOP)
    seated = rail = Markup("")
    if chosen is not None:
        highest = min((one.box.y for one in place.hands), default=place.column.y + place.column.height - 80)
        lift = highest - HANDS_TOP - _MARGIN
        seated = group([draw_seat(place, palette)], transform=f"translate(0 {-lift:.1f})")
        bottom = place.plate.y + place.plate.height - lift + _MARGIN
        high = place.plate.height + _MARGIN + 4
        rail = rect(left, place.plate.y - lift - 4, _WIDTH, high, fill=palette.rail)
    parts = [
        symbols(palette, sorted(names_of(shown))),
        stacks(palette),
        rect(left, top, _WIDTH, bottom - top, fill=palette.felt),
        rail,
        label(left + _MARGIN, top + 20, felt.title, TEXT, palette.on_felt, bold=True, width=_WIDTH - 100),
        label(left + _WIDTH - _MARGIN, top + 20, felt.phase, TEXT, palette.on_felt, anchor="end"),
        draw_dealer(shown, geometry.dealer, palette),
        seated,
    ]
    return document(parts, _WIDTH, bottom - top, felt.title, described(shown), (left, top))

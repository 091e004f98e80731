"""One seat and the dealer cut out of a felt: what an alert is about, small enough to stand beside it."""

from __future__ import annotations

from msgspec.structs import replace

from dashboards.drawing.cards import symbols
from dashboards.drawing.felt import dealer_foot, described, draw_dealer, draw_seat, names_of, stacks
from dashboards.drawing.geometry import DEALER_TOP, Box, dealer_in, lay_out
from dashboards.drawing.palette import Palette
from dashboards.drawing.scene import DrawnSeat, Felt
from dashboards.drawing.svg import Markup, document, group, label, rect
from dashboards.drawing.words import TEXT

_WIDTH = 470.0  # letters of 18 units are 13 px on a phone and where the panel of an alert is narrowest
_SEATS = 5  # at a table of so many a seat is as wide as half of this drawing
_DEALER_HEIGHT = 158.0
_TITLE = 28
_MARGIN = 8


def draw_part(felt: Felt, seat: int, palette: Palette) -> Markup:
    """The dealer and, beside, this seat; 0 stands for the dealer alone. A drawing that stands by itself."""
    chosen = next((one for one in felt.seats if one.number == seat), None)
    seats = (chosen or DrawnSeat(0), *(DrawnSeat(0) for _ in range(_SEATS - 1)))
    shown = replace(felt, seats=seats, rack=(), shoe=replace(felt.shoe, loose=()))
    top = DEALER_TOP - _TITLE - _MARGIN
    place = lay_out(shown).seats[0]
    left = _WIDTH - _MARGIN - place.column.width if chosen is not None else _WIDTH
    dealer = dealer_in(felt.dealer.hand, Box(_MARGIN, DEALER_TOP, left - 2 * _MARGIN, _DEALER_HEIGHT))
    bottom = DEALER_TOP + _DEALER_HEIGHT + TEXT + _MARGIN
    seated = rail = Markup("")
    if chosen is not None:
        highest = min((one.box.y for one in place.hands), default=place.column.y + place.column.height - 80)
        right = left - place.column.x
        # Where a hand has no cards its seat comes up less far: the rail is below the name of the dealer.
        down = max(DEALER_TOP - highest, dealer_foot(shown, dealer) + _MARGIN - place.plate.y)
        seated = group([draw_seat(place, palette)], transform=f"translate({right:.1f} {down:.1f})")
        plate = place.plate.y + down
        bottom = max(bottom, plate + place.plate.height + _MARGIN)
        rail = rect(0, plate - 4, _WIDTH, place.plate.height + _MARGIN + 4, fill=palette.rail)
    parts = [
        symbols(palette, sorted(names_of(shown))),
        stacks(palette),
        rect(0, top, _WIDTH, bottom - top, fill=palette.felt),
        rail,
        label(_MARGIN, top + 20, felt.title, TEXT, palette.on_felt, bold=True, width=_WIDTH - 120),
        label(_WIDTH - _MARGIN, top + 20, felt.phase, TEXT, palette.on_felt, anchor="end"),
        draw_dealer(shown, dealer, palette),
        seated,
    ]
    return document(parts, _WIDTH, bottom - top, felt.title, described(shown), (0, top))

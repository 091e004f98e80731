"""The felt turned to stand upright, for a phone: the dealer, the seat in question below, the other seats under it."""

from __future__ import annotations

from msgspec.structs import replace

from dashboards.drawing.felt import described, draw_dealer, draw_seat
from dashboards.drawing.geometry import DEALER_TOP, HANDS_TOP, WIDTH, Geometry, SeatPlace, lay_out
from dashboards.drawing.palette import Palette
from dashboards.drawing.scene import DrawnSeat, Felt
from dashboards.drawing.svg import Markup, document, group, rect

_WIDTH = 440.0  # letters of 18 units are 14 px on a phone of 360 px
_MARGIN = 8.0
# Seats of a table whose columns are no wider than half of this drawing, and than all of it.
_HALVES, _WHOLE = 6, 3


def draw_tall(felt: Felt, seat: int, palette: Palette) -> Markup:
    """One frame; a page of frames needs what they share once. Seat 0 puts none before the others."""
    left, top = (WIDTH - _WIDTH) / 2, DEALER_TOP - _MARGIN
    chosen = next((one for one in felt.seats if one.number == seat), None)
    shown = replace(felt, shoe=replace(felt.shoe, loose=()))
    wide = _laid(shown, [chosen] if chosen is not None else [], _WHOLE)
    parts = [draw_dealer(shown, wide.dealer, palette)]
    lower = float(HANDS_TOP)
    if chosen is not None:
        lower = _put(parts, wide.seats[0], left + _WIDTH / 2, lower, _WIDTH, palette)
    others = [
        other for other in felt.seats if other is not chosen and (other.hands or other.bets or other.player)
    ]
    for place in range(0, len(others), 2):
        pair = _laid(shown, others[place : place + 2], _HALVES)
        rows = [
            _put(parts, one, left + _WIDTH * (1 + 2 * column) / 4, lower, _WIDTH / 2, palette)
            for column, one in enumerate(pair.seats[: len(others[place : place + 2])])
        ]
        lower = max(rows)
    ground = rect(left, top, _WIDTH, lower - top, rx=8, fill=palette.felt)
    return document([ground, *parts], _WIDTH, lower - top, felt.title, described(shown), (left, top))


def _laid(felt: Felt, seats: list[DrawnSeat], of: int) -> Geometry:
    """Places of these seats as they are at a table of so many."""
    return lay_out(replace(felt, seats=(*seats, *(DrawnSeat(0) for _ in range(of - len(seats))))))


def _put(
    parts: list[Markup], place: SeatPlace, middle: float, upper: float, width: float, palette: Palette
) -> float:
    """Draw a seat with its middle there and its highest part at `upper`; where it ends."""
    column, plate = place.column, place.plate
    highest = min((one.box.y for one in place.hands), default=column.y + column.height - 80)
    right, down = middle - (column.x + column.width / 2), upper + _MARGIN - highest
    end = plate.y + plate.height + down + _MARGIN
    rail = rect(
        middle - width / 2 + 2, plate.y + down - 4, width - 4, plate.height + 8, rx=4, fill=palette.rail
    )
    parts += [rail, group([draw_seat(place, palette)], transform=f"translate({right:.1f} {down:.1f})")]
    return end

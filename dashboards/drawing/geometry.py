"""Where everything on a felt lies: no two hands, nor a hand and anything else, share a place."""

from __future__ import annotations

from msgspec import Struct

from dashboards.drawing.cards import RATIO, fan_width, fitting_width
from dashboards.drawing.scene import DrawnHand, DrawnSeat, Felt
from dashboards.drawing.svg import CHAR_WIDTH
from dashboards.drawing.words import LINE, TEXT, Lines, lines_of, side_lines

WIDTH, HEIGHT = 1280, 680
TABLE_TOP, TABLE_LEFT, TABLE_RIGHT = 46, 16, 1264
EDGE, SAG = 498, 30  # where the rail's inner edge lies at the sides, and how much lower in the middle
RAIL = 34
DEALER_TOP, HANDS_TOP = 58, 218
TEXT_MARGIN = 8  # above the first line's letters and below the last line's
STRIP_TOP = 576
TABLE = (0.0, TABLE_TOP - 6.0, float(WIDTH), EDGE + SAG + RAIL + 14.0 - TABLE_TOP)
"""The table alone, without title and rack: left, top, width, height."""
GAP = 6
MOST_CARD = 104.0  # width of a card; the least is what the room leaves
DEALER_CARD = 78.0


class Box(Struct, frozen=True):
    """A rectangle in the units of the drawing."""

    x: float
    y: float
    width: float
    height: float

    @property
    def sides(self) -> tuple[float, float, float, float]:
        """Left, top, width and height."""
        return self.x, self.y, self.width, self.height

    def meets(self, other: Box) -> bool:
        """Whether the two share a place."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )

    def holds(self, other: Box) -> bool:
        """Whether the other lies wholly within."""
        return (
            self.x <= other.x + 0.01
            and self.y <= other.y + 0.01
            and other.x + other.width <= self.x + self.width + 0.01
            and other.y + other.height <= self.y + self.height + 0.01
        )


class HandPlace(Struct, frozen=True):
    """A hand's box, its cards at the top of it, its lines of text below them."""

    hand: DrawnHand
    box: Box
    card_width: float
    cards: Box
    lines: Lines


class SeatPlace(Struct, frozen=True):
    """A seat's column from the hands down to the plate on the rail."""

    seat: DrawnSeat
    column: Box
    hands: tuple[HandPlace, ...]
    sides: Box
    plate: Box
    said: tuple[tuple[str, bool], ...] = ()


class Geometry(Struct, frozen=True):
    """Places of everything on one felt."""

    seats: tuple[SeatPlace, ...]
    dealer: HandPlace
    bonus: HandPlace | None
    shoe: Box
    tray: Box
    strip: Box


def curve(x: float) -> float:
    """Height of the rail's inner edge above a point: the table's players' side is an arc."""
    along = (x - TABLE_LEFT) / (TABLE_RIGHT - TABLE_LEFT)
    return EDGE + 4 * SAG * along * (1 - along)


def printed_at(row: int, said: str) -> Box:
    """Where a line of what is printed on the layout stands."""
    width = len(said) * (TEXT if row else 20) * CHAR_WIDTH
    return Box((WIDTH - width) / 2, HANDS_TOP + 4 + LINE * row, width, LINE)


def lay_out(felt: Felt) -> Geometry:
    """Places for everything; seat 1 lies at the dealer's far left, which players see at their right."""
    count = max(len(felt.seats), 1)
    room = (TABLE_RIGHT - TABLE_LEFT - 2 * GAP) / count
    seats = []
    for place, seat in enumerate(felt.seats):
        left = TABLE_RIGHT - GAP - (place + 1) * room
        seats.append(_seat(seat, Box(left + GAP / 2, HANDS_TOP, room - GAP, 0)))
    dealer_left = 330.0 if felt.bonus is None else 470.0
    bonus = dealer_in(felt.bonus, Box(300, DEALER_TOP, 150, 158)) if felt.bonus is not None else None
    return Geometry(
        seats=tuple(seats),
        dealer=dealer_in(felt.dealer.hand, Box(dealer_left, DEALER_TOP, 970 - dealer_left, 158)),
        bonus=bonus,
        shoe=Box(1000, DEALER_TOP, 248, 152),
        tray=Box(32, DEALER_TOP, 248, 152),
        strip=Box(TABLE_LEFT, STRIP_TOP, TABLE_RIGHT - TABLE_LEFT, 70),
    )


def _seat(seat: DrawnSeat, column: Box) -> SeatPlace:
    middle = column.x + column.width / 2
    bottom = min(curve(column.x), curve(column.x + column.width))
    said = tuple(side_lines(seat, column.width))
    lines = max(len(said), 1)
    sides = Box(column.x, bottom - lines * LINE - 6, column.width, lines * LINE)
    lower = sides.y - GAP
    column = Box(column.x, column.y, column.width, lower - column.y)
    plate = Box(column.x + 3, curve(middle) + 5, column.width - 6, RAIL - 10)
    return SeatPlace(seat, column, _stack(seat.hands, column), sides, plate, said)


def _stack(hands: tuple[DrawnHand, ...], column: Box) -> tuple[HandPlace, ...]:
    """Hands of one seat above each other, the first nearest to the player."""
    places: list[HandPlace] = []
    lower = column.y + column.height
    share = column.height / max(len(hands), 1)
    for hand in hands:
        lines = lines_of(hand, column.width, of=len(hands))
        text = lines.count * LINE + TEXT_MARGIN
        room = (min(share, MOST_CARD * RATIO + text + GAP) - GAP - text) / RATIO
        width = fitting_width(hand.cards, column.width - 10, min(room, MOST_CARD))
        height = (width * RATIO if hand.cards else LINE) + text + GAP
        box = Box(column.x, lower - height, column.width, height - GAP)
        places.append(_placed(hand, box, width, 2, lines))
        lower -= height
    return tuple(places)


def dealer_in(hand: DrawnHand, box: Box) -> HandPlace:
    """The dealer's hand in this box, its cards as large as there is room."""
    return _placed(hand, box, fitting_width(hand.cards, box.width - 12, DEALER_CARD), 4, Lines())


def _placed(hand: DrawnHand, box: Box, width: float, top: float, lines: Lines) -> HandPlace:
    """The hand in its box, cards of this `width` in the middle and `top` below its upper side."""
    fan = fan_width(hand.cards, width)
    lies = Box(box.x + (box.width - fan) / 2, box.y + top, fan, width * RATIO if hand.cards else 0.0)
    return HandPlace(hand, box, width, lies, lines)

"""The felt: seats, hands, wagers, the dealer, shoe and discard rack of one moment as one drawing."""

from __future__ import annotations

from dashboards.drawing import geometry as table
from dashboards.drawing.cards import BACK, draw_fan, reasoned, spoken_card, symbols
from dashboards.drawing.geometry import (
    HEIGHT,
    TABLE_LEFT,
    TABLE_RIGHT,
    WIDTH,
    Box,
    Geometry,
    HandPlace,
    SeatPlace,
)
from dashboards.drawing.palette import Palette
from dashboards.drawing.rack import draw_strip, draw_tray
from dashboards.drawing.scene import Card, DrawnHand, DrawnSeat, Felt
from dashboards.drawing.shoe import draw_shoe
from dashboards.drawing.svg import CHAR_WIDTH, FONT, Markup, document, element, folded, group, label, rect
from dashboards.drawing.words import BADGE, HIGHEST, LINE, TEXT, WrittenStake, inferred, named

_UNDER_CARDS, _DESCENT = (
    130,
    6,
)  # from the top of the dealer's place to the first line; of letters below their line
READABLE = 930.0  # px: the least width at which its smallest letters have 13


def draw_felt(felt: Felt, palette: Palette, *, standalone: bool = False) -> Markup:
    """One frame; a page of frames needs what they share (`shared`) once, and says title, step and rack beside it.

    A `standalone` one has it all.
    """
    places = table.lay_out(felt)
    parts = [
        *(
            (symbols(palette, sorted(names_of(felt))), backdrop(palette), stacks(palette))
            if standalone
            else ()
        ),
        element("use", href="#cw-table"),
        _print(felt, places, palette),
        *((_heads(felt, palette), draw_strip(felt.rack, places.strip, palette)) if standalone else ()),
        draw_tray(felt, places.tray, palette),
        draw_shoe(felt.shoe, places.shoe, palette),
        draw_dealer(felt, places.dealer, palette),
        *([_bonus(places.bonus, palette)] if places.bonus is not None else []),
        *(draw_seat(place, palette) for place in places.seats),
    ]
    if standalone:
        return document(parts, WIDTH, HEIGHT, felt.title, described(felt), wide=READABLE)
    left, top, width, height = table.TABLE
    return document(parts, width, height, felt.title, described(felt), (left, top))


def _cards(felt: Felt) -> list[Card]:
    hands = [felt.dealer.hand, *(hand for seat in felt.seats for hand in seat.hands)]
    if felt.bonus is not None:
        hands.append(felt.bonus)
    return [*(card for hand in hands for card in hand.cards), *felt.rack, *felt.shoe.loose]


def names_of(felt: Felt) -> set[str]:
    """Names of the symbols that a drawing of the felt refers to."""
    return {card.name if card.face_up else BACK for card in _cards(felt)}


def described(felt: Felt) -> str:
    """The felt in words, for those who do not see it."""
    said = [felt.caption]
    hands = ((f"Hand {hand.name}", hand) for seat in felt.seats for hand in seat.hands)
    for name, hand in (("Dealer", felt.dealer.hand), *hands):
        if hand.cards:
            cards = ", ".join(spoken_card(card) + reasoned(card) for card in hand.cards)
            said.append(f"{name}: {cards}{f'; {hand.total}' if hand.total else ''}.")
    if felt.count is not None:
        said.append(f"{felt.count}.")
    return " ".join(said)


def shared(palette: Palette) -> Markup:
    """What all frames of a page refer to, as a drawing that shows nothing: to be put into the page once."""
    return element(
        "svg", symbols(palette), backdrop(palette), stacks(palette), xmlns="http://www.w3.org/2000/svg", width=0,
        height=0, aria_hidden="true", font_family=FONT,
    )  # fmt: skip


def backdrop(palette: Palette) -> Markup:
    """The table without anything on it."""
    left, right, top = TABLE_LEFT, TABLE_RIGHT, table.TABLE_TOP

    def shape(out: float) -> str:
        low = table.EDGE + out
        return (
            f"M{left} {top + 14}Q{left} {top} {left + 14} {top}H{right - 14}Q{right} {top} {right} {top + 14}"
            f"V{low}Q640 {low + 2 * table.SAG} {left} {low}Z"
        )

    ground = element("rect", width=WIDTH, height=HEIGHT, fill=palette.ground)
    rail = element("path", d=shape(table.RAIL), fill=palette.rail, stroke=palette.rail, stroke_width=9)
    felt = element("path", d=shape(0), fill=palette.felt, stroke=palette.rail, stroke_width=9)
    return element("defs", element("g", ground, rail, felt, id="cw-table"))


def stacks(palette: Palette) -> Markup:
    """Stacks of chips of every height, to be referred to."""
    return element(
        "defs", *(group(_chips(count, palette), id=f"cw-chips-{count}") for count in range(1, HIGHEST + 1))
    )


def _print(felt: Felt, places: Geometry, palette: Palette) -> Markup:
    """What is printed on the layout, as far as no hand lies on it: half a line is not read."""
    middle, top, quiet = WIDTH / 2, table.HANDS_TOP + 22, palette.quiet
    printed = [
        label(middle, top + LINE * row, said, TEXT if row else 20, quiet, anchor="middle", bold=not row)
        for row, said in enumerate(felt.print)
        if not any(
            hand.box.meets(table.printed_at(row, said)) for seat in places.seats for hand in seat.hands
        )
    ]
    return group(printed, class_="print")


def _heads(felt: Felt, palette: Palette) -> Markup:
    """Above the table which round and step, below it the first of what is noted."""
    return group(
        [
            label(TABLE_LEFT + 2, 29, felt.title, 20, palette.text, bold=True, width=260),
            label(TABLE_LEFT + 280, 29, felt.caption, TEXT, palette.text, width=850),
            label(TABLE_RIGHT - 2, 29, felt.phase, 20, palette.text, bold=True, anchor="end"),
            *(
                label(TABLE_LEFT + 2, HEIGHT - 10, note, TEXT, palette.wrong, width=WIDTH - 40, bold=True)
                for note in felt.notes[:1]
            ),
        ],
        class_="heads",
    )


def _said_of_dealer(felt: Felt) -> str:
    hand = felt.dealer.hand
    return " · ".join(said for said in (hand.total, hand.state, *inferred(hand), *felt.dealer.words) if said)


def _dealer_lines(felt: Felt, place: HandPlace) -> tuple[str, ...]:
    return tuple(folded(_said_of_dealer(felt), place.box.width - 60, TEXT, 2)) or ("",)


def dealer_foot(felt: Felt, place: HandPlace) -> float:
    """How far down the letters of the dealer's name reach."""
    return place.box.y + _UNDER_CARDS + LINE * len(_dealer_lines(felt, place)) + _DESCENT


def draw_dealer(felt: Felt, place: HandPlace, palette: Palette) -> Markup:
    """The dealer's hand, what is said of it, and who deals."""
    dealer, box = felt.dealer, place.box
    middle = box.x + box.width / 2
    words = _said_of_dealer(felt)
    under = box.y + _UNDER_CARDS
    parts = _dealt(place, palette)
    lines = _dealer_lines(felt, place)
    parts += [
        label(middle, under + LINE * row, line, TEXT, palette.on_felt, bold=True, anchor="middle")
        for row, line in enumerate(lines)
    ]
    name = under + LINE * len(lines)
    parts.append(label(middle, name, dealer.name, TEXT, palette.quiet, anchor="middle", width=box.width))
    width = min(max(place.cards.width + 28, len(words) * TEXT * CHAR_WIDTH + 60, 300.0), box.width)
    parts.extend(_marks(place.hand, Box(middle - width / 2, box.y, width, box.height), palette, under - 17))
    return group(parts, class_="hand dealer", data_seat=0)


def _bonus(place: HandPlace, palette: Palette) -> Markup:
    box = place.box
    name = label(box.x + box.width / 2, box.y + 130, "Six Card", TEXT, palette.on_felt, anchor="middle")
    return group([*_dealt(place, palette), name], class_="hand bonus")


def _dealt(place: HandPlace, palette: Palette) -> list[Markup]:
    """The cards of a hand, or the frame in which its first card will lie."""
    box = place.box
    if place.hand.cards:
        return draw_fan(place.hand.cards, place.cards.x, place.cards.y, place.card_width, palette)
    frame = (box.x + box.width / 2 - 33, box.y + 6, 66, 92)
    return [rect(*frame, rx=6, fill="none", stroke=palette.edge, stroke_width=1.5)]


def draw_seat(place: SeatPlace, palette: Palette) -> Markup:
    """A seat with its hands, wagers and plate."""
    seat, column, plate = place.seat, place.column, place.plate
    middle = column.x + column.width / 2
    parts = [_hand(hand, palette) for hand in place.hands]
    if not seat.hands:
        radius = min(34.0, column.width / 3)
        low = column.y + column.height - radius - 8
        parts.append(
            element("circle", cx=middle, cy=low, r=radius, fill="none", stroke=palette.edge, stroke_width=1.5)
        )
    for row, (said, wrong) in enumerate(place.said):
        quiet = palette.on_felt if seat.bets else palette.quiet
        parts.append(_tag(said, wrong, middle, place.sides.y + 17 + row * LINE, palette, quiet))
    shift, room = _beside(seat, plate.width)
    x, y, name = middle - shift, plate.y + 18, named(seat, room)
    parts.append(label(x, y, name, TEXT, palette.on_rail, bold=True, anchor="middle"))
    parts.extend(_marks(seat, plate, palette, plate.y + 3))
    return group(parts, class_="seat", data_seat=seat.number)


def _hand(place: HandPlace, palette: Palette) -> Markup:
    hand, box, lines = place.hand, place.box, place.lines
    parts = draw_fan(hand.cards, place.cards.x, place.cards.y, place.card_width, palette)
    under = place.cards.y + place.cards.height if hand.cards else box.y + box.height - lines.count * LINE - 6
    first = under + 18
    middle = box.x + box.width / 2
    shift, _ = _beside(hand, box.width)
    y = first
    for words in lines.words:
        parts.append(label(middle - shift, y, words, TEXT, palette.on_felt, bold=True, anchor="middle"))
        y += LINE
    for row in lines.stakes:
        parts.append(_stakes(row, middle, y, palette))
        y += LINE
    for text in lines.moved:
        parts.append(_tag(text, lines.wrong, middle, y, palette, palette.on_felt))
        y += LINE
    parts.extend(_marks(hand, box, palette, first - 16))
    return group(parts, class_="hand")


def _marks(subject: DrawnHand | DrawnSeat, box: Box, palette: Palette, badge: float) -> list[Markup]:
    """A ring about what the step is about, and a filled badge at height `badge` where something is wrong."""
    parts = []
    if subject.now:
        place = (box.x + 1, box.y - 1, box.width - 2, box.height + 2)
        parts.append(rect(*place, rx=8, fill="none", stroke=palette.ring, stroke_width=2.5, class_="now"))
    if subject.fault:
        x = box.x + box.width - BADGE - 4
        middle, base = x + BADGE / 2, badge + 16.5
        parts.append(rect(x, badge, BADGE, BADGE, rx=4, fill=palette.wrong, class_="fault"))
        parts.append(label(middle, base, subject.fault, TEXT, palette.ink, bold=True, anchor="middle"))
    return parts


def _beside(subject: DrawnHand | DrawnSeat, width: float) -> tuple[float, float]:
    """How far a line moves to the left for a badge, and the room it has then."""
    return ((BADGE + 6) / 2, width - BADGE - 6) if subject.fault else (0.0, width)


def _stakes(row: tuple[WrittenStake, ...], middle: float, y: float, palette: Palette) -> Markup:
    """Stakes of a hand in a row: a stack of chips before money, a lammer as a button with its word."""
    one = CHAR_WIDTH * TEXT
    x = middle - (sum(stake.length for stake in row) - 0.4 * one) / 2
    parts = []
    for stake in row:
        fill, ink, rx = palette.chip, palette.chip_text, 10
        if stake.lammer:
            fill, ink, rx = palette.lammer, palette.lammer_text, 2
        place = (x, y - 16, stake.length - 0.4 * one, 20)
        dash = "3 2" if stake.inferred else None
        parts.append(rect(*place, rx=rx, fill=fill, stroke=palette.edge, stroke_dasharray=dash))
        if stake.lammer:
            parts.append(label(x + one, y, stake.said, TEXT, ink, bold=True))
        else:
            stack = element("use", href=f"#cw-chips-{stake.chips}", x=x + 14, y=y - 3)
            parts += [stack, label(x + 27, y, stake.said, TEXT, ink)]
        x += stake.length
    return group(parts)


def _chips(count: int, palette: Palette) -> list[Markup]:
    """A stack of chips as one sees it from the seat, the middle of the lowest at the origin."""
    drawn = []
    for place in range(count):
        form = {"cy": -4.2 * place, "rx": 8.5, "ry": 3.4}
        drawn.append(
            element("ellipse", **form, fill=palette.disc, stroke=palette.card_edge, stroke_width=0.8)
        )
        drawn.append(
            element(
                "ellipse",
                **form,
                fill="none",
                stroke=palette.disc_mark,
                stroke_width=1.4,
                stroke_dasharray="3 4",
            )
        )
    return drawn


def _tag(text: str, wrong: bool, middle: float, y: float, palette: Palette, fill: str) -> Markup:
    shown = label(middle, y, text, TEXT, palette.ink if wrong else fill, anchor="middle", bold=wrong)
    if not wrong:
        return shown
    length = len(text) * TEXT * CHAR_WIDTH + 8
    ground = rect(middle - length / 2, y - 16.5, length, LINE, rx=3, fill=palette.wrong)
    return group([ground, shown], class_="wrong")

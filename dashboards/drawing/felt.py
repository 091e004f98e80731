"""The felt: seats, hands, wagers, the dealer, shoe and discard rack of one moment as one drawing."""

from __future__ import annotations

from dashboards.drawing.cards import BACK, draw_fan, symbols
from dashboards.drawing.geometry import (
    EDGE,
    HANDS_TOP,
    HEIGHT,
    LINE,
    RAIL,
    SAG,
    SIDE_LINES,
    TABLE_LEFT,
    TABLE_RIGHT,
    TABLE_TOP,
    WIDTH,
    Box,
    HandPlace,
    SeatPlace,
    is_split,
    lay_out,
)
from dashboards.drawing.money import KINDS, dollars, settled, signed
from dashboards.drawing.palette import Palette
from dashboards.drawing.rack import draw_strip, draw_tray
from dashboards.drawing.scene import Bet, Card, Felt, Hand, Seat
from dashboards.drawing.shoe import draw_shoe
from dashboards.drawing.suits import spoken
from dashboards.drawing.svg import CHAR_WIDTH, FONT, Markup, document, element, group, label

BADGE = 18


def draw_felt(felt: Felt, palette: Palette, *, standalone: bool = False) -> Markup:
    """One frame; a page of frames needs what they share (`shared`) once, a `standalone` one has it all."""
    geometry = lay_out(felt)
    parts = [_table(felt, palette), draw_tray(felt, geometry.tray, palette)]
    parts.append(draw_shoe(felt.shoe, geometry.shoe, palette))
    parts.append(draw_dealer(felt, geometry.dealer, palette))
    if geometry.bonus is not None:
        parts.append(_bonus(geometry.bonus, palette))
    parts.extend(draw_seat(place, palette) for place in geometry.seats)
    parts.append(draw_strip(felt.rack, geometry.strip, palette))
    if standalone:
        parts.insert(0, Markup(symbols(palette, sorted(names_of(felt))) + backdrop(palette)))
    return document(parts, WIDTH, HEIGHT, felt.title, described(felt))


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
    for name, hand in [
        ("Dealer", felt.dealer.hand),
        *((f"Hand {h.name}", h) for s in felt.seats for h in s.hands),
    ]:
        if hand.cards:
            cards = ", ".join(
                spoken(card.name) if card.face_up else "a card face down" for card in hand.cards
            )
            said.append(f"{name}: {cards}{f'; {hand.total}' if hand.total else ''}.")
    if felt.count is not None:
        said.append(f"{felt.count}.")
    return " ".join(said)


def shared(palette: Palette) -> Markup:
    """What all frames of a page refer to, as a drawing that shows nothing: to be put into the page once."""
    return element(
        "svg", symbols(palette), backdrop(palette), xmlns="http://www.w3.org/2000/svg", width=0, height=0,
        aria_hidden="true", font_family=FONT,
    )  # fmt: skip


def backdrop(palette: Palette) -> Markup:
    """The table without anything on it."""
    left, right, top = TABLE_LEFT, TABLE_RIGHT, TABLE_TOP

    def shape(out: float) -> str:
        low = EDGE + out
        return (
            f"M{left} {top + 14}Q{left} {top} {left + 14} {top}H{right - 14}Q{right} {top} {right} {top + 14}"
            f"V{low}Q640 {low + 2 * SAG} {left} {low}Z"
        )

    ground = element("rect", width=WIDTH, height=HEIGHT, fill=palette.ground)
    rail = element("path", d=shape(RAIL), fill=palette.rail)
    felt = element("path", d=shape(0), fill=palette.felt, stroke=palette.edge, stroke_width=1.5)
    return element("defs", element("g", ground, rail, felt, id="cw-table"))


def _table(felt: Felt, palette: Palette) -> Markup:
    middle = WIDTH / 2
    printed = [
        label(
            middle, HANDS_TOP + 12 + 20 * row, line, 15 if row else 17, palette.quiet, anchor="middle", bold=not row
        )
        for row, line in enumerate(felt.print)
    ]  # fmt: skip
    return group(
        [
            element("use", href="#cw-table"),
            label(TABLE_LEFT + 2, 29, felt.title, 17, palette.text, bold=True, width=240),
            label(TABLE_LEFT + 270, 29, felt.caption, 16, palette.text, width=860),
            label(TABLE_RIGHT - 2, 29, felt.phase, 16, palette.text, bold=True, anchor="end"),
            *printed,
            *(
                label(TABLE_LEFT + 2, HEIGHT - 9, note, 14, palette.wrong, width=WIDTH - 40, bold=True)
                for note in felt.notes[:1]
            ),
        ],
        class_="table",
    )


def draw_dealer(felt: Felt, place: HandPlace, palette: Palette) -> Markup:
    """The dealer's hand, what is said of it, and who deals."""
    dealer, box = felt.dealer, place.box
    middle = box.x + box.width / 2
    words = " · ".join(
        w for w in (dealer.hand.total, dealer.hand.state, *_inferred(dealer.hand), *dealer.words) if w
    )
    under = box.y + 130
    parts = draw_fan(place.hand.cards, place.cards.x, place.cards.y, place.card_width, palette)
    if not place.hand.cards:
        parts.append(_empty(Box(middle - 33, box.y + 6, 66, 92), palette))
    parts.append(
        label(middle, under, words, 16, palette.on_felt, bold=True, anchor="middle", width=box.width)
    )
    parts.append(label(middle, under + 20, dealer.name, 13, palette.quiet, anchor="middle", width=box.width))
    width = min(max(place.cards.width + 28, len(words) * 16 * CHAR_WIDTH + 60, 300.0), box.width)
    parts.extend(_marks(place.hand, Box(middle - width / 2, box.y, width, box.height), palette, under - 15))
    return group(parts, class_="hand dealer", data_seat=0)


def _bonus(place: HandPlace, palette: Palette) -> Markup:
    box = place.box
    parts = draw_fan(place.hand.cards, place.cards.x, place.cards.y, place.card_width, palette)
    if not place.hand.cards:
        parts.append(_empty(Box(box.x + box.width / 2 - 33, box.y + 6, 66, 92), palette))
    parts.append(
        label(box.x + box.width / 2, box.y + 130, "Six Card Bonus", 14, palette.on_felt, anchor="middle")
    )
    return group(parts, class_="hand bonus")


def _empty(box: Box, palette: Palette) -> Markup:
    return element(
        "rect", x=box.x, y=box.y, width=box.width, height=box.height, rx=6, fill="none",
        stroke=palette.edge, stroke_width=1.5,
    )  # fmt: skip


def draw_seat(place: SeatPlace, palette: Palette) -> Markup:
    """A seat with its hands, wagers and plate."""
    seat, column, plate = place.seat, place.column, place.plate
    middle = column.x + column.width / 2
    parts = [_hand(hand, palette) for hand in place.hands]
    if not seat.hands:
        radius = min(34.0, column.width / 3)
        parts.append(
            element(
                "circle", cx=middle, cy=column.y + column.height - radius - 8, r=radius,
                fill="none", stroke=palette.edge, stroke_width=1.5,
            )
        )  # fmt: skip
    for row, bet in enumerate(seat.bets[:SIDE_LINES]):
        parts.append(_side(bet, column.x, place.sides.y + 13 + row * LINE, column.width, palette))
    name = f"Seat {seat.number}" + (f" · {seat.player}" if seat.player else "")
    shift, room = _beside(seat, plate.width)
    parts.append(
        label(middle - shift, plate.y + 17, name, 14, palette.on_rail, bold=True, anchor="middle", width=room)
    )
    if seat.note and not seat.bets:
        parts.append(
            label(
                middle, place.sides.y + 13, seat.note, 13, palette.quiet, anchor="middle", width=column.width
            )
        )
    parts.extend(_marks(seat, plate, palette, plate.y + 3))
    return group(parts, class_="seat", data_seat=seat.number)


def _hand(place: HandPlace, palette: Palette) -> Markup:
    hand, box = place.hand, place.box
    parts = draw_fan(hand.cards, place.cards.x, place.cards.y, place.card_width, palette)
    below = LINE * (bool(hand.bets) + any(bet.moved is not None for bet in hand.bets))
    line = place.cards.y + place.cards.height + 14 if hand.cards else box.y + box.height - 6 - below
    middle = box.x + box.width / 2
    words = " · ".join(word for word in (hand.total, hand.state, *_inferred(hand)) if word)
    if is_split(hand):
        words = f"{hand.name}: {words}" if words else hand.name
    if words:
        shift, room = _beside(hand, box.width - 8)
        parts.append(
            label(middle - shift, line, words, 15, palette.on_felt, bold=True, anchor="middle", width=room)
        )
    else:
        line -= LINE
    if hand.bets:
        parts.append(_stakes(hand.bets, middle, line + LINE, box.width - 8, palette))
        text, wrong = settled(hand.bets)
        if text:
            parts.append(_tag(text, wrong, middle, line + 2 * LINE, box.width - 4, palette))
    parts.extend(_marks(hand, box, palette, line - 14 if words else line + 3))
    return group(parts, class_="hand")


def _marks(subject: Hand | Seat, box: Box, palette: Palette, badge: float) -> list[Markup]:
    """A ring about what the step is about, and a filled badge at height `badge` where something is wrong."""
    parts = []
    if subject.now:
        parts.append(
            element(
                "rect", x=box.x + 1, y=box.y - 1, width=box.width - 2, height=box.height + 2, rx=8,
                fill="none", stroke=palette.ring, stroke_width=2.5, class_="now",
            )
        )  # fmt: skip
    if subject.fault:
        x = box.x + box.width - BADGE - 4
        parts.append(
            element("rect", x=x, y=badge, width=BADGE, height=BADGE, rx=4, fill=palette.wrong, class_="fault")
        )
        parts.append(
            label(x + BADGE / 2, badge + 14, subject.fault, 14, palette.ink, bold=True, anchor="middle")
        )
    return parts


def _beside(subject: Hand | Seat, width: float) -> tuple[float, float]:
    """How far a line moves to the left for a badge, and the room it has then."""
    return ((BADGE + 6) / 2, width - BADGE - 6) if subject.fault else (0.0, width)


def _words(bet: Bet) -> str:
    kind = KINDS.get(bet.kind, bet.kind.replace("_", " "))
    if bet.lammer:
        return kind or "lammer"
    return f"{dollars(bet.cents)} {kind}".rstrip()


def _stakes(bets: tuple[Bet, ...], middle: float, y: float, width: float, palette: Palette) -> Markup:
    """Stakes of a hand in a row: a round chip before money, a lammer as a button with its word."""
    words = [_words(bet) for bet in bets]
    units = sum(len(word) + 2.6 for word in words)
    size = min(13.5, width / (CHAR_WIDTH * units))
    one = CHAR_WIDTH * size
    x = middle - units * one / 2
    parts = []
    for bet, word in zip(bets, words, strict=True):
        length = (len(word) + 2) * one
        dash = "3 2" if bet.inferred else None
        parts.append(
            element(
                "rect", x=x, y=y - size, width=length, height=size * 1.3, rx=2 if bet.lammer else size * 0.65,
                fill=palette.lammer if bet.lammer else palette.chip, stroke=palette.edge,
                stroke_dasharray=dash,
            )
        )  # fmt: skip
        fill = palette.lammer_text if bet.lammer else palette.chip_text
        parts.append(label(x + one, y, word, size, fill, bold=bet.lammer))
        x += length + 0.6 * one
    return group(parts)


def _tag(text: str, wrong: bool, middle: float, y: float, width: float, palette: Palette) -> Markup:
    size = min(14.0, (width - 8) / (CHAR_WIDTH * len(text)))
    shown = label(
        middle, y, text, size, palette.ink if wrong else palette.on_felt, anchor="middle", bold=wrong
    )
    if not wrong:
        return shown
    length = len(text) * size * CHAR_WIDTH + 8
    ground = element(
        "rect",
        x=middle - length / 2,
        y=y - size + 0.5,
        width=length,
        height=size * 1.25,
        rx=3,
        fill=palette.wrong,
    )
    return group([ground, shown], class_="wrong")


def _side(bet: Bet, x: float, y: float, width: float, palette: Palette) -> Markup:
    kind = KINDS.get(bet.kind, bet.kind)
    text, wrong = settled((bet,))
    if wrong:
        said = f"✕ {kind} {signed(bet.moved or 0)}, due {signed(bet.due or 0)}"
    elif text:
        said = f"{kind} {text}"
    else:
        said = kind if bet.lammer else f"{kind} {dollars(bet.cents)}"
    said = " · ".join(part for part in (said, bet.word, bet.inferred) if part)
    return _tag(said, wrong, x + width / 2, y, width, palette)


def _inferred(hand: Hand) -> list[str]:
    """What was not seen of the hand's cards and stakes, each said once."""
    said = [card.inferred for card in hand.cards] + [bet.inferred for bet in hand.bets]
    return list(dict.fromkeys(word for word in said if word))

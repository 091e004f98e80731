"""Playing cards in words and as symbols, each drawn once for a page and referred to wherever the card lies.

The suits are paths in a box of ten by ten: no font is needed, every screen and page shows the same.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import MappingProxyType

from dashboards.drawing.palette import Palette
from dashboards.drawing.scene import Card
from dashboards.drawing.svg import Markup, Value, element, group, label, rect
from schemas.values import CARD_NAMES, JOKER, UNKNOWN

WIDTH, HEIGHT = 50, 70
RATIO = HEIGHT / WIDTH
STEP = 0.44  # of a card's width: how much of a card the next one in a hand leaves to be seen
BACK = "back"
_ID = {UNKNOWN: "unknown"}
SUIT_PATHS = MappingProxyType(
    {
        "h": "M5 9.6C2.6 7.2 .2 5.3 .2 3A2.45 2.45 0 0 1 5 2.2A2.45 2.45 0 0 1 9.8 3C9.8 5.3 7.4 7.2 5 9.6Z",
        "d": "M5 .2L8.8 5L5 9.8L1.2 5Z",
        "s": "M5 .2C7.4 2.6 9.8 4.3 9.8 6.3A2.2 2.2 0 0 1 5.6 7.3C5.7 8.4 6.1 9.2 7 9.8L3 9.8"
        "C3.9 9.2 4.3 8.4 4.4 7.3A2.2 2.2 0 0 1 .2 6.3C.2 4.3 2.6 2.6 5 .2Z",
        "c": "M5 .2A2.2 2.2 0 0 1 7 3.9A2.2 2.2 0 1 1 5.6 7C5.7 8.3 6.1 9.2 7 9.8L3 9.8"
        "C3.9 9.2 4.3 8.3 4.4 7A2.2 2.2 0 1 1 3 3.9A2.2 2.2 0 0 1 5 .2Z",
    }
)
SUIT_WORDS = MappingProxyType({"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"})
RANK_WORDS = MappingProxyType(
    {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "10"} | {r: r for r in "23456789"}
)


def card_id(name: str) -> str:
    """Id of the card's symbol in a page."""
    return f"cw-{_ID.get(name, name)}"


def spoken(card: str) -> str:
    """The card in words: `queen of spades`, `joker`, `a card not known`."""
    if card == "Jo":
        return "joker"
    if card[1:] not in SUIT_WORDS or card[0] not in RANK_WORDS:
        return "a card not known"
    return f"{RANK_WORDS[card[0]]} of {SUIT_WORDS[card[1]]}"


def spoken_card(card: Card) -> str:
    """A card in words as it lies: one that lies face down has no name."""
    return spoken(card.name) if card.face_up else "a card face down"


def reasoned(card: Card) -> str:
    """Behind a card in words: what was not seen of it, and how it is known that it lies there."""
    return f" ({card.inferred}: {card.why})" if card.why else ""


def symbols(palette: Palette, names: Iterable[str] = (*CARD_NAMES, BACK)) -> Markup:
    """The symbols that drawings of these cards refer to; a page of several drawings needs them once."""
    return element("defs", *(_symbol(name, palette) for name in names))


def _symbol(name: str, palette: Palette) -> Markup:
    if name == BACK:
        parts = _back(palette)
    elif name == UNKNOWN:
        parts = (
            _sheet(palette, dash="5 3"),
            label(4.5, 21, "?", 24, palette.card_black, bold=True),
            label(24, 62, "?", 34, palette.card_black, bold=True),
        )
    elif name == JOKER:
        star = "M25 24L29 35L41 35L31 42L35 54L25 47L15 54L19 42L9 35L21 35Z"
        parts = (
            _sheet(palette),
            label(5, 17, "JOKER", 12, palette.card_black, bold=True),
            element("path", d=star, fill=palette.card_black),
        )
    else:
        parts = _face(name, palette)
    return element("symbol", *parts, id=card_id(name), viewBox=f"0 0 {WIDTH} {HEIGHT}")


def _sheet(palette: Palette, dash: str | None = None) -> Markup:
    return _outline(fill=palette.card, stroke=palette.card_edge, stroke_width=1.5, stroke_dasharray=dash)


def _outline(**attributes: Value) -> Markup:
    return rect(0.75, 0.75, WIDTH - 1.5, HEIGHT - 1.5, rx=5, **attributes)


def _face(name: str, palette: Palette) -> tuple[Markup, ...]:
    rank, suit = name[0], name[1]
    fill = palette.card_red if suit in "dh" else palette.card_black
    path = SUIT_PATHS[suit]
    # A ten has two figures in the width of one letter: the next card of a hand leaves no more of it to be seen.
    if rank == "T":
        digits = (label(1, 20, "1", 22, fill, bold=True), label(10, 20, "0", 22, fill, bold=True))
        index = Markup("".join(digits))
    else:
        index = label(4.5, 21, rank, 24, fill, bold=True)
    return (
        _sheet(palette),
        index,
        element("path", d=path, fill=fill, transform="translate(4.5 25) scale(1.4)"),
        element("path", d=path, fill=fill, transform="translate(23.5 41) scale(2.3)"),
    )


def _back(palette: Palette) -> tuple[Markup, ...]:
    lines = "M8 22L22 8M8 36L36 8M8 50L42 16M8 62L42 28M20 62L42 40M32 62L42 52"
    return (
        _outline(fill=palette.back, stroke=palette.back_mark, stroke_width=1.5),
        element("path", d=lines, stroke=palette.back_mark, stroke_width=1.5, fill="none"),
        rect(6, 6, 38, 58, rx=3, fill="none", stroke=palette.back_mark),
    )


def draw_card(card: Card, x: float, y: float, width: float, palette: Palette) -> Markup:
    """One card with its upper left corner at (x, y); laid across it is as wide as others are high."""
    name = card.name if card.face_up else BACK
    height = width * RATIO
    turn = None
    if card.across:
        # A quarter turn about the middle of the place it takes up.
        x, y = x + (height - width) / 2, y + height - width - (height - width) / 2
        turn = f"rotate(90 {x + width / 2:.1f} {y + height / 2:.1f})"
    drawn = element("use", href=f"#{card_id(name)}", x=x, y=y, width=width, height=height, transform=turn)
    if not card.inferred:
        return drawn
    frame = rect(
        x - 2, y - 2, width + 4, height + 4, rx=4, fill="none",
        stroke=palette.ring, stroke_width=2, stroke_dasharray="4 3", transform=turn,
    )  # fmt: skip
    if not card.why:
        return Markup(drawn + frame)
    return group([element("title", f"{spoken_card(card)}{reasoned(card)}"), drawn, frame], class_="inferred")


def fan_width(cards: tuple[Card, ...], width: float) -> float:
    """Width that a hand of cards takes up when each is as wide as `width`."""
    if not cards:
        return 0.0
    return width * (STEP * (len(cards) - 1) + (RATIO if cards[-1].across else 1))


def fitting_width(cards: tuple[Card, ...], room: float, most: float) -> float:
    """The greatest width of a card at which the hand takes no more than `room`, at most `most`."""
    return min(most, room / max(fan_width(cards, 1.0), 1.0))


def draw_fan(cards: tuple[Card, ...], x: float, y: float, width: float, palette: Palette) -> list[Markup]:
    """A hand, first card leftmost, each over the one before; no index is covered."""
    return [draw_card(card, x + place * STEP * width, y, width, palette) for place, card in enumerate(cards)]

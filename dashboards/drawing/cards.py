"""Playing cards: one symbol each, drawn once for a page, and referred to wherever the card lies."""

from __future__ import annotations

from collections.abc import Iterable

from dashboards.drawing.palette import Palette
from dashboards.drawing.scene import Card
from dashboards.drawing.suits import SUIT_PATHS
from dashboards.drawing.svg import Markup, element, label
from schemas.values import CARD_NAMES, JOKER, UNKNOWN

WIDTH, HEIGHT = 50, 70
RATIO = HEIGHT / WIDTH
STEP = 0.44  # of a card's width: how much of a card the next one in a hand leaves to be seen
BACK = "back"
_ID = {UNKNOWN: "unknown"}


def card_id(name: str) -> str:
    """Id of the card's symbol in a page."""
    return f"cw-{_ID.get(name, name)}"


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
    return element(
        "rect", x=0.75, y=0.75, width=WIDTH - 1.5, height=HEIGHT - 1.5, rx=5,
        fill=palette.card, stroke=palette.card_edge, stroke_width=1.5, stroke_dasharray=dash,
    )  # fmt: skip


def _face(name: str, palette: Palette) -> tuple[Markup, ...]:
    rank, suit = name[0], name[1]
    fill = palette.card_red if suit in "dh" else palette.card_black
    path = SUIT_PATHS[suit]
    if (
        rank == "T"
    ):  # two figures in the width of one letter: the next card of a hand leaves no more to be seen
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
        element(
            "rect", x=0.75, y=0.75, width=WIDTH - 1.5, height=HEIGHT - 1.5, rx=5,
            fill=palette.back, stroke=palette.back_mark, stroke_width=1.5,
        ),
        element("path", d=lines, stroke=palette.back_mark, stroke_width=1.5, fill="none"),
        element("rect", x=6, y=6, width=38, height=58, rx=3, fill="none", stroke=palette.back_mark),
    )  # fmt: skip


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
    frame = element(
        "rect", x=x - 2, y=y - 2, width=width + 4, height=height + 4, rx=4, fill="none",
        stroke=palette.ring, stroke_width=2, stroke_dasharray="4 3", transform=turn,
    )  # fmt: skip
    return Markup(drawn + frame)


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

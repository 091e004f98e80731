"""Any felt that a table may show, for properties of its drawing."""

from __future__ import annotations

from collections import Counter
from xml.etree import ElementTree

from hypothesis import strategies as st
from msgspec.structs import replace

from dashboards.drawing.scene import (
    FACE_DOWN,
    Bet,
    Card,
    CardCount,
    DrawnDealer,
    DrawnHand,
    DrawnSeat,
    DrawnShoe,
    Felt,
)
from schemas.values import CARD_NAMES

SVG = "{http://www.w3.org/2000/svg}"
cards = st.one_of(st.sampled_from(CARD_NAMES).map(Card), st.just(FACE_DOWN))
cents = st.integers(0, 100_000_000)
results = st.none() | st.integers(-5_000_000, 5_000_000)
bets = st.builds(
    Bet,
    kind=st.sampled_from(["main", "double", "split", "free_double"]),
    cents=cents,
    moved=results,
    due=results,
    lammer=st.booleans(),
)
sides = st.builds(
    Bet, kind=st.sampled_from(["push22", "insurance", "match_dealer"]), cents=cents, moved=results
)
texts = st.text(max_size=24)


@st.composite
def hands(draw: st.DrawFn, name: str) -> DrawnHand:
    dealt: list[Card] = draw(st.lists(cards, max_size=11))
    across: bool = draw(st.booleans())
    if dealt and across:
        dealt[-1] = Card(dealt[-1].name, dealt[-1].face_up, across=True)
    return DrawnHand(
        name=name,
        cards=tuple(dealt),
        total=draw(texts),
        state=draw(texts),
        bets=tuple(draw(st.lists(bets, max_size=4))),
        now=draw(st.booleans()),
        fault=draw(st.sampled_from(["", "✕"])),
    )


@st.composite
def felts(draw: st.DrawFn) -> Felt:
    seats = []
    for seat in range(1, draw(st.integers(1, 9)) + 1):
        own = [draw(hands(f"{seat}.{number}")) for number in range(1, draw(st.integers(0, 4)) + 1)]
        seats.append(
            DrawnSeat(
                seat,
                draw(texts),
                tuple(own),
                tuple(draw(st.lists(sides, max_size=5))),
                now=draw(st.booleans()),
            )
        )
    return Felt(
        title=draw(texts),
        phase="Settle",
        caption=draw(texts),
        seats=tuple(seats),
        dealer=DrawnDealer(draw(texts), draw(hands("D")), tuple(draw(st.lists(texts, max_size=2)))),
        shoe=DrawnShoe(
            number=1,
            left=draw(st.integers(-3, 416)),
            loaded=draw(st.integers(0, 416)),
            cover_below=draw(st.none() | st.integers(0, 400)),
            loose=tuple(draw(st.lists(cards, max_size=9))),
        ),
        rack=tuple(draw(st.lists(cards, max_size=60))),
        count=CardCount(60, 20, draw(st.none() | st.just(1)), 231, 312),
        bonus=draw(st.none() | hands("bonus")),
        notes=tuple(draw(st.lists(texts, max_size=1))),
    )


def shown(felt: Felt) -> Counter[str]:
    """The cards of a felt as their symbols are called."""
    own = [felt.dealer.hand, *(hand for seat in felt.seats for hand in seat.hands)]
    own += [felt.bonus] if felt.bonus is not None else []
    lying = [card for hand in own for card in hand.cards] + [*felt.rack, *felt.shoe.loose]
    names = {"??": "unknown"}
    return Counter(names.get(card.name, card.name) if card.face_up else "back" for card in lying)


def on_page(felt: Felt) -> Counter[str]:
    """The cards that a page's drawing shows: it tells of the rack beside it."""
    return shown(replace(felt, rack=()))


def drawn(markup: str) -> Counter[str]:
    """The cards a drawing refers to, as their symbols are called."""
    root = ElementTree.fromstring(markup)
    named = (use.attrib["href"].removeprefix("#cw-") for use in root.iter(f"{SVG}use"))
    found = Counter(one for one in named if not one.startswith("chips-"))
    del found["table"]
    return found

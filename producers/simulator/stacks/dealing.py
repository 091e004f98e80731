"""The deal of stacks from an automated shoe (670a.10(b)-(c)), and of cards from a manual one (657a.8(c)-(d))."""

from __future__ import annotations

from producers.simulator.floor.decks.deck import fresh_cards
from producers.simulator.stacks.table import StackTable
from schemas.events import CardDrawn, CardPlaced, StackDelivered, StackDispensed, StartingPositionSet
from schemas.values import BONUS, DEALER, UNKNOWN


def change_deck(table: StackTable) -> None:
    """A card is lost, or a foreign one got in, since the deck was shuffled."""
    order = table.shoe.order
    if table.differs.deck < 0:
        del order[table.rng.randrange(len(order))]
    elif table.differs.deck > 0:
        order.insert(table.rng.randrange(len(order)), table.rng.choice(fresh_cards(1)))


def _sizes(table: StackTable, spots: list[str]) -> dict[str, int]:
    """Cards each spot gets, with this round's misdeals at random spots."""
    sizes = dict.fromkeys(spots, table.rules.hand)
    changes = table.differs.hands
    for spot, change in zip(table.rng.sample(spots, len(changes)), changes, strict=True):
        sizes[spot] += change
    if table.differs.skips_position:
        sizes[table.rng.choice([spot for spot in spots if spot != DEALER])] = 0
    return sizes


def deal_stacks(table: StackTable) -> None:
    """A stack to every position and the dealer, clockwise from the start (670a.10(b)-(c))."""
    seats = [str(seat) for seat in range(1, table.setup.seats + 1)]
    on_circuit = table.setup.dealer_stop == "circuit"
    circuit = [*seats, DEALER] if on_circuit else seats
    start = table.rng.randrange(len(circuit))
    method = table.rng.choice(("rng", "rng", "dice"))
    table.say(StartingPositionSet(position=circuit[start], method=method))
    start += table.differs.wrong_start
    spots = circuit[start:] + circuit[:start]
    spots = spots if on_circuit else [*spots, DEALER]
    for spot, size in _sizes(table, spots).items():
        if not size:
            continue
        table.hands[spot] = [table.shoe.draw() for _ in range(size)]
        shown = table.differs.face_up and spot == spots[0]
        cards = tuple(table.hands[spot]) if shown else (UNKNOWN,) * size
        table.say(StackDispensed(cards=cards))
        table.say(StackDelivered(position=spot, cards=cards, face_up=shown))


def deal_cards(table: StackTable) -> None:
    """A bonus card if wagered on, then passes over wagered seats and dealer (657a.8(c)-(d))."""
    spots = [*(table.spot(seat) for seat in sorted(table.wagers)), DEALER]
    if table.staked("six_card_bonus") and not table.differs.bonus_missing:
        _deal_card(table, BONUS)
    sizes = _sizes(table, spots)
    for nth in range(1, max(sizes.values()) + 1):
        for spot in spots:
            if sizes[spot] >= nth:
                _deal_card(table, spot)


def _deal_card(table: StackTable, spot: str) -> None:
    card = table.shoe.draw()
    face_up = table.differs.face_up and not table.hands
    table.hands.setdefault(spot, []).append(card)
    shown = card if face_up else UNKNOWN
    table.say(CardDrawn(card=shown, from_hand="other" if table.differs.wrong_hand else "shoe_side"))
    table.say(CardPlaced(hand=spot, card=shown, face_up=face_up, by_hand="other"))

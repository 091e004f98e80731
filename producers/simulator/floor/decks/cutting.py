"""The cut, the cover card, the load of the shoe and the burn (5(b)-(f), 7(c))."""

from __future__ import annotations

from typing import Literal

from producers.simulator.floor.decks.cards import TableCards
from producers.simulator.floor.decks.deck import cut
from producers.simulator.floor.decks.shuffling import shuffle_by_hand
from schemas import events
from schemas.values import DEALER


def load(cards: TableCards, batch: str, cutters: list[int] | None) -> None:
    """Cut, set the cover card, load the shoe and burn one card.

    `cutters` are the seats to offer the cut to, in order; None where 5(h) lifts the cut.
    """
    stack = cards.stacks.pop(batch)
    below = None
    if cutters is not None:
        stack = _cut(cards, stack, cutters)
        below = _insert_cover(cards, len(stack))
    cards.cover_at = None
    _load_shoe(cards, batch, stack, below)
    burn(cards, "load")


def load_deck(cards: TableCards, batch: str) -> None:
    """The dealer cuts a poker deck and loads the dealing shoe."""
    _load_shoe(cards, batch, _cut(cards, cards.stacks.pop(batch), []), None)


def burn(cards: TableCards, reason: Literal["load", "new_dealer", "reload"]) -> None:
    """Move the next card to the rack, unseen (7(c))."""
    cards.shoe.to_rack([cards.shoe.draw()])
    cards.writer.emit(events.CardBurned(card="??", reason=reason))


def reload_mid_round(cards: TableCards) -> None:
    """The shoe ran out in a round: the rack is shuffled, cut, loaded and one card burned (12(f), A46)."""
    batch = cards.shoe.batch
    cards.writer.emit(events.ShoeEmptied(cards=()))
    cards.stacks[batch] = cards.shoe.take_rack()
    cards.writer.emit(events.StackShuffledFromRack(cards=len(cards.stacks[batch])))
    shuffle_by_hand(cards, batch)
    cards.stack(batch)
    stack = _cut(cards, cards.stacks.pop(batch), cutters_after_cover(cards))
    _load_shoe(cards, batch, stack, _insert_cover(cards, len(stack)))
    burn(cards, "reload")


def cutters_from_right(cards: TableCards) -> list[int]:
    """Seats from the dealer's right on, counterclockwise (5(c)(3)-(4))."""
    return sorted((seat for patron in cards.seated for seat in patron.seats), reverse=True)


def cutters_from(cards: TableCards, seat: int) -> list[int]:
    """The seat first; on a refusal the offer goes on counterclockwise, or the dealer cuts (A17)."""
    if cards.writer.rng.random() < 0.5:
        return [seat]
    return [seat, *(other for other in cutters_from_right(cards) if other < seat)]


def cutters_after_cover(cards: TableCards) -> list[int]:
    """Whom the cut is offered to after the cover card came out (5(c)(2)-(3))."""
    if cards.cover_at is None or cards.cover_at == DEALER:
        return cutters_from_right(cards)
    return cutters_from(cards, int(cards.cover_at))


def _cut(cards: TableCards, stack: list[str], cutters: list[int]) -> list[str]:
    """Offer the cut until one takes it, else the dealer cuts; the floor may order a recut (5(b)-(e))."""
    rng, habits = cards.writer.rng, cards.setup.habits
    by = DEALER
    for seat in cutters:
        cards.writer.emit(events.CutOffered(seat=seat))
        # Only who has no other box refuses: whether the offer then passes to that box is nowhere said.
        single_box = any(patron.seats == (seat,) for patron in cards.seated)
        if rng.random() >= habits.refuses_cut or not single_box:
            by = str(seat)
            break
        cards.writer.emit(events.CutRefused(seat=seat))
    stack = _cut_once(cards, stack, by)
    if cutters and rng.random() < habits.recuts:
        reason = rng.choice(("cards slipped during the cut", "part of the stack was seen"))
        cards.writer.emit(events.RecutOrdered(staff=cards.staff.floorperson, reason=reason), after=5.0)
        stack = _cut_once(cards, stack, by)
    return stack


def _cut_once(cards: TableCards, stack: list[str], by: str) -> list[str]:
    size = len(stack)
    on_top = cards.places.of_cut(cards.writer.rng, size, by)
    cards.writer.emit(events.CutMade(by=by, cards_on_top=on_top, stack=size))
    return cut(stack, on_top)


def _insert_cover(cards: TableCards, size: int) -> int:
    below = cards.places.of_cover(cards.writer.rng, size)
    cards.writer.emit(events.CoverCardInserted(cards_below=below, stack=size))
    return below


def _load_shoe(cards: TableCards, batch: str, stack: list[str], below: int | None) -> None:
    cards.shoe.load(batch, stack, below)
    cards.writer.emit(events.ShoeLoaded(shoe=cards.shoe.number, batch=batch, cards=len(stack)))

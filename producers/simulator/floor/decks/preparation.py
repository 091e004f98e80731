"""Decks from arrival to removal: inspection, spread, wash, the swap of batches (3(b), 4), idle tables (5(g))."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from producers.simulator.floor.decks import shuffling
from producers.simulator.floor.decks.cards import TableCards
from producers.simulator.floor.decks.deck import fresh_cards
from schemas import events

COLOURS = ("red", "blue")
Others = Callable[[], None]  # lets the other players arrive while the first one's cards are made ready


def receive(cards: TableCards, *, preshuffled: bool = False) -> list[str]:
    """Receive a day's batches and inspect them; return their names in the order of play (4(a))."""
    names = []
    for colour in COLOURS[: cards.setup.batches]:
        cards.received += 1
        batch = f"B{cards.received}"
        names.append(batch)
        stack = cards.stacks[batch] = fresh_cards(cards.setup.decks, cards.setup.game.joker)
        arrival = events.DecksReceived(
            batch=batch,
            decks=cards.setup.decks,
            cards=len(stack),
            back_colour=colour,
            design="bee-92",
            opened_at=cards.writer.now.replace(microsecond=0) - dt.timedelta(minutes=5),
            preinspected=preshuffled,
            preshuffled=preshuffled,
        )
        cards.writer.emit(arrival)
        if preshuffled:
            cards.writer.rng.shuffle(stack)
        else:
            inspect(cards, batch)
    return names


def inspect(cards: TableCards, batch: str) -> None:
    """The dealer looks the cards over, and the floorperson confirms it (4(a))."""
    cards.writer.emit(events.CardsInspected(batch=batch, staff=cards.staff.dealer, defects=0), after=60.0)
    cards.writer.emit(events.InspectionVerified(batch=batch, staff=cards.staff.floorperson))


def show(cards: TableCards, batch: str, seat: int, *, in_sequence: bool) -> None:
    """Spread face up and let the player look (4(b))."""
    cards.writer.emit(events.CardsSpread(batch=batch, face_up=True, in_sequence=in_sequence), after=20.0)
    cards.writer.emit(events.PlayerViewingGiven(batch=batch, seat=seat))


def wash(cards: TableCards, batch: str) -> None:
    """Mix face down by hand and square up (4(c))."""
    cards.writer.rng.shuffle(cards.stacks[batch])
    cards.writer.emit(events.CardsWashed(batch=batch), after=20.0)
    cards.stack(batch)


def open_batches(cards: TableCards, batches: list[str], seat: int, others: Others) -> None:
    """Spread, view, wash and shuffle whole batches, one after the other (4(b)-(d)).

    Of two, the first is left on the table and the second in the shuffler (3(b)(3)).
    """
    for batch in batches:
        show(cards, batch, seat, in_sequence=True)
        wash(cards, batch)
        if len(batches) == 1:
            others()
            shuffling.shuffle(cards, batch)
            return
        shuffling.store(cards, batch)
        if batch != batches[-1]:
            cards.stack(shuffling.unload_stored(cards))
    others()


def open_preshuffled(cards: TableCards, batches: list[str], seat: int, others: Others) -> None:
    """Make preinspected and preshuffled batches ready; 685a spreads them all the same (4(e), A14)."""
    for batch in batches:
        if cards.setup.game.spreads_anew:
            show(cards, batch, seat, in_sequence=False)
        cards.stack(batch)
    if len(batches) > 1:
        shuffling.store(cards, batches[-1])
    others()


def clear_shoe(cards: TableCards) -> str:
    """The rest of the shoe to the rack, the rack to one stack; return the batch, whole again."""
    batch = cards.shoe.batch
    if cards.setup.is_blackjack:
        cards.writer.emit(events.ShoeEmptied(cards=tuple(cards.shoe.empty())))
    cards.stacks[batch] = cards.shoe.take_rack()
    return batch


def swap(cards: TableCards, outgoing: str) -> str:
    """Exchange the batch just dealt with the one in the shuffler (3(b)(4)); return the one to deal."""
    cards.stack(outgoing)
    fresh = shuffling.unload_stored(cards)
    cards.stack(fresh)
    shuffling.store(cards, outgoing, may_run_on=True)
    return fresh


def remove(cards: TableCards, batch: str) -> None:
    """The batch leaves the table."""
    cards.writer.emit(events.DecksRemoved(batch=batch, cards=len(cards.stacks.pop(batch))))


def spread_idle(cards: TableCards) -> str:
    """No activity: the cards leave shoe and rack and lie face down on the table (5(g))."""
    batch = clear_shoe(cards)
    cards.writer.emit(events.CardsSpread(batch=batch, face_up=False, in_sequence=False), after=20.0)
    return batch


def resume(cards: TableCards, idle: str, seat: int, others: Others) -> str:
    """The first player to arrive looks, and the cards are made ready again; return the batch to deal.

    Free Bet washes and shuffles, or swaps batches (5(g)(1)-(2)); 685a.5(g) does the whole opening again.
    """
    if _asks(cards):
        cards.writer.emit(events.PlayerRequest(seat=seat, wish="face_up_spread"))
        cards.writer.emit(events.CardsSpread(batch=idle, face_up=True, in_sequence=False), after=20.0)
    cards.writer.emit(events.PlayerViewingGiven(batch=idle, seat=seat), after=5.0)
    if cards.setup.game.spreads_anew:
        batches = [idle] if cards.stored is None else [shuffling.unload_stored(cards), idle]
        for batch in batches:
            inspect(cards, batch)
        open_batches(cards, batches, seat, others)
        return batches[0]
    if cards.stored is not None:
        return _resume_swapped(cards, idle, seat, others)
    wash(cards, idle)
    others()
    shuffling.shuffle(cards, idle)
    return idle


def _resume_swapped(cards: TableCards, idle: str, seat: int, others: Others) -> str:
    shuffling.finish_running(cards)
    fresh = cards.stored or ""
    cards.stack(idle)
    # 5(g)(2) puts the idle batch in before it takes the waiting one out; the device has two chambers.
    cards.writer.emit(events.ShufflerLoaded(batch=idle))
    cards.writer.emit(events.ShufflerUnloaded(batch=fresh))
    cards.stack(fresh)
    cards.stored = idle
    shuffling.start_device(cards, idle)
    shuffling.finish_device(cards, idle)
    if _asks(cards):
        cards.writer.emit(events.PlayerRequest(seat=seat, wish="reshuffle"))
        show(cards, fresh, seat, in_sequence=False)
        wash(cards, fresh)
        shuffling.shuffle_by_hand(cards, fresh)
        cards.stack(fresh)
    others()
    return fresh


def _asks(cards: TableCards) -> bool:
    return cards.writer.rng.random() < cards.setup.habits.asks_at_spread

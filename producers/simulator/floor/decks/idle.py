"""The idle table: cards lie spread until somebody comes (5(g))."""

from __future__ import annotations

from producers.simulator.floor.decks.cards import TableCards
from producers.simulator.floor.decks.preparation import Others, clear_shoe, inspect, open_batches, show, wash
from producers.simulator.floor.decks.shuffling import (
    finish_device,
    finish_running,
    shuffle,
    shuffle_by_hand,
    start_device,
    unload_stored,
)
from schemas import events


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
        batches = [idle] if cards.stored is None else [unload_stored(cards), idle]
        for batch in batches:
            inspect(cards, batch)
        open_batches(cards, batches, seat, others)
        return batches[0]
    if cards.stored is not None:
        return _resume_swapped(cards, idle, seat, others)
    wash(cards, idle)
    others()
    shuffle(cards, idle)
    return idle


def _resume_swapped(cards: TableCards, idle: str, seat: int, others: Others) -> str:
    finish_running(cards)
    fresh = cards.stored or ""
    cards.stack(idle)
    # 5(g)(2) puts the idle batch in before it takes the waiting one out; the device has two chambers.
    cards.writer.emit(events.ShufflerLoaded(batch=idle))
    cards.writer.emit(events.ShufflerUnloaded(batch=fresh))
    cards.stack(fresh)
    cards.stored = idle
    start_device(cards, idle)
    finish_device(cards, idle)
    if _asks(cards):
        cards.writer.emit(events.PlayerRequest(seat=seat, wish="reshuffle"))
        show(cards, fresh, seat, in_sequence=False)
        wash(cards, fresh)
        shuffle_by_hand(cards, fresh)
        cards.stack(fresh)
    others()
    return fresh


def _asks(cards: TableCards) -> bool:
    return cards.writer.rng.random() < cards.setup.habits.asks_at_spread

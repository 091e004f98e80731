"""The shuffle, by hand or by a device that may jam or break (5(a), 12(k)-(l))."""

from __future__ import annotations

from typing import Literal

from msgspec import UNSET

from producers.simulator.floor.decks.cards import TableCards
from schemas import events

SHUFFLE_SECONDS_A_CARD = 0.2
JAMS: tuple[Literal["jam", "stopped", "incomplete_cycle"], ...] = ("jam", "stopped", "incomplete_cycle")


def shuffle(cards: TableCards, batch: str) -> None:
    """Shuffle a batch on the table by the table's method, and square it."""
    if cards.setup.shuffler == "none":
        shuffle_by_hand(cards, batch)
    elif _meets(cards, "breaks", cards.setup.habits.breaks):
        _take_out_of_service(cards)
        shuffle_by_hand(cards, batch)
        cards.writer.emit(events.DeviceRestored(device="shuffler", how="replaced"), after=300.0)
    else:
        start_device(cards, batch)
        finish_device(cards, batch)
    cards.stack(batch)


def shuffle_by_hand(cards: TableCards, batch: str) -> None:
    """Shuffle by hand."""
    cards.writer.rng.shuffle(cards.stacks[batch])
    cards.writer.emit(events.ShuffleStarted(batch=batch, method="manual"), after=10.0)
    seconds = SHUFFLE_SECONDS_A_CARD * len(cards.stacks[batch])
    cards.writer.emit(events.ShuffleCompleted(batch=batch, method="manual"), after=seconds)


def store(cards: TableCards, batch: str, *, may_run_on: bool = False) -> None:
    """Load a stacked batch into the shuffler, which shuffles it; it may still run in the next rounds.

    A shuffler that breaks is covered or signed before the batch is shuffled by hand (12(k)-(l)).
    """
    cards.stored = batch
    cards.writer.emit(events.ShufflerLoaded(batch=batch))
    if _meets(cards, "breaks", cards.setup.habits.breaks):
        _take_out_of_service(cards)
        cards.writer.emit(events.ShufflerUnloaded(batch=batch))
        shuffle_by_hand(cards, batch)
        cards.stack(batch)
        cards.writer.emit(events.DeviceRestored(device="shuffler", how="replaced"), after=300.0)
        cards.writer.emit(events.ShufflerLoaded(batch=batch))
        return
    start_device(cards, batch)
    if may_run_on and cards.writer.rng.random() < cards.setup.habits.shuffles_on:
        cards.running = batch
    else:
        finish_device(cards, batch)


def unload_stored(cards: TableCards) -> str:
    """Take the shuffled batch out of the shuffler.

    Raises:
        ValueError: the shuffler holds none.
    """
    finish_running(cards)
    batch, cards.stored = cards.stored, None
    if batch is None:
        raise ValueError("no batch waits in the shuffler")
    cards.writer.emit(events.ShufflerUnloaded(batch=batch))
    return batch


def finish_running(cards: TableCards) -> None:
    """The device finishes what it was still shuffling."""
    if cards.running is not None:
        batch, cards.running = cards.running, None
        finish_device(cards, batch, after=2.0)


def return_rack(cards: TableCards) -> None:
    """The rack goes back into a device that reshuffles by itself (5(h), A39)."""
    batch = cards.shoe.batch
    cards.writer.emit(events.ShufflerLoaded(batch=batch))
    cards.stacks[batch] = cards.shoe.order[cards.shoe.drawn :] + cards.shoe.take_rack()
    start_device(cards, batch)
    finish_device(cards, batch, after=5.0)
    cards.stack(batch)
    cards.shoe.order, cards.shoe.drawn = cards.stacks.pop(batch), 0


def start_device(cards: TableCards, batch: str) -> None:
    """Start the device; one that jams is cleared, and the cards are shuffled anew (12(k))."""
    cards.writer.rng.shuffle(cards.stacks[batch])
    cards.writer.emit(events.ShuffleStarted(batch=batch, method="device"), after=10.0)
    if _meets(cards, "jam", cards.setup.habits.jams):
        cards.writer.emit(
            events.DeviceFault(device="shuffler", fault=cards.writer.rng.choice(JAMS)), after=10.0
        )
        cards.writer.emit(events.DeviceRestored(device="shuffler", how="cleared"), after=60.0)
        cards.writer.emit(events.ShuffleStarted(batch=batch, method="device"))


def finish_device(cards: TableCards, batch: str, after: float | None = None) -> None:
    """The device is done, after a time that grows with the batch unless `after` is given, in seconds."""
    size = len(cards.stacks[batch])
    counted = size if cards.setup.shuffler_counts else UNSET
    seconds = SHUFFLE_SECONDS_A_CARD * size if after is None else after
    cards.writer.emit(events.ShuffleCompleted(batch=batch, method="device", counted=counted), after=seconds)


def _meets(cards: TableCards, trouble: Literal["jam", "breaks"], chance: float) -> bool:
    if cards.trouble == trouble:
        cards.trouble = None
        return True
    return cards.writer.rng.random() < chance


def _take_out_of_service(cards: TableCards) -> None:
    cards.writer.emit(events.DeviceFault(device="shuffler", fault="malfunction"), after=10.0)
    how: Literal["covered", "signed"] = "covered" if cards.writer.rng.random() < 0.5 else "signed"
    cards.writer.emit(events.DeviceOutOfServiceMarked(device="shuffler", how=how), after=10.0)

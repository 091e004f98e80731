"""Shuffle, cut, cover card, load and burn: the physical stacks and the events that tell of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from msgspec import UNSET

from producers.simulator.floor.deck import PhysicalShoe, cut
from producers.simulator.floor.patrons import Patron
from producers.simulator.floor.setup import TableSetup
from producers.simulator.floor.writer import TableWriter
from schemas.events import (
    CardBurned,
    CardsStacked,
    CoverCardInserted,
    CutMade,
    CutOffered,
    CutRefused,
    DeviceFault,
    DeviceOutOfServiceMarked,
    DeviceRestored,
    RecutOrdered,
    ShoeEmptied,
    ShoeLoaded,
    ShuffleCompleted,
    ShufflerLoaded,
    ShufflerUnloaded,
    ShuffleStarted,
    StackShuffledFromRack,
)
from schemas.values import DEALER

SHUFFLE_SECONDS_A_CARD = 0.2


@dataclass(slots=True)
class Staff:
    """Who deals and who answers for the table now."""

    dealer: str = ""
    floorperson: str = ""


class Shuffling:
    """The stacks of one table and what is done with them between two shoes.

    `stacks` are the batches that lie neither in the shoe nor in the rack, top card first; `stored` is the
    batch in the shuffler, `running` one whose shuffle the device has not finished. `cover_at` is the seat
    number or D where the cover card came out, until the next full load. `trouble` makes the next device
    shuffle fail.
    """

    def __init__(
        self,
        writer: TableWriter,
        setup: TableSetup,
        shoe: PhysicalShoe,
        staff: Staff,
        seated: list[Patron],
    ) -> None:
        self.writer, self.setup, self.shoe, self.staff = writer, setup, shoe, staff
        self._seated = seated
        self.stacks: dict[str, list[str]] = {}
        self.stored: str | None = None
        self.running: str | None = None
        self.cover_at: str | None = None
        self.trouble: Literal["jam", "breaks"] | None = None

    # Shuffle

    def stack(self, batch: str) -> None:
        """Square a batch into one stack."""
        self.writer.emit(CardsStacked(batch=batch, cards=len(self.stacks[batch])))

    def shuffle(self, batch: str) -> None:
        """Shuffle a batch on the table by the table's method."""
        if self.setup.shuffler == "none":
            self.shuffle_by_hand(batch)
        elif self._meets("breaks", self.setup.habits.breaks):
            self._take_out_of_service()
            self.shuffle_by_hand(batch)
            self.writer.emit(DeviceRestored(device="shuffler", how="replaced"), after=300.0)
        else:
            self._start(batch)
            self._finish(batch)

    def shuffle_by_hand(self, batch: str) -> None:
        """Shuffle by hand."""
        self.writer.rng.shuffle(self.stacks[batch])
        self.writer.emit(ShuffleStarted(batch=batch, method="manual"), after=10.0)
        seconds = SHUFFLE_SECONDS_A_CARD * len(self.stacks[batch])
        self.writer.emit(ShuffleCompleted(batch=batch, method="manual"), after=seconds)

    def store(self, batch: str, *, may_run_on: bool = False) -> None:
        """Load a stacked batch into the shuffler, which shuffles it; it may still run in the next rounds.

        A shuffler that breaks is covered or signed before the batch is shuffled by hand (12(k)-(l)).
        """
        self.stored = batch
        self.writer.emit(ShufflerLoaded(batch=batch))
        if self._meets("breaks", self.setup.habits.breaks):
            self._take_out_of_service()
            self.writer.emit(ShufflerUnloaded(batch=batch))
            self.shuffle_by_hand(batch)
            self.stack(batch)
            self.writer.emit(DeviceRestored(device="shuffler", how="replaced"), after=300.0)
            self.writer.emit(ShufflerLoaded(batch=batch))
            return
        self._start(batch)
        if may_run_on and self.writer.rng.random() < self.setup.habits.shuffles_on:
            self.running = batch
        else:
            self._finish(batch)

    def unload_stored(self) -> str:
        """Take the shuffled batch out of the shuffler.

        Raises:
            ValueError: the shuffler holds none.
        """
        self.finish_running()
        batch, self.stored = self.stored, None
        if batch is None:
            raise ValueError("no batch waits in the shuffler")
        self.writer.emit(ShufflerUnloaded(batch=batch))
        return batch

    def finish_running(self) -> None:
        """The device finishes what it was still shuffling."""
        if self.running is not None:
            batch, self.running = self.running, None
            self._finish(batch, after=2.0)

    def _meets(self, trouble: Literal["jam", "breaks"], chance: float) -> bool:
        if self.trouble == trouble:
            self.trouble = None
            return True
        return self.writer.rng.random() < chance

    def _take_out_of_service(self) -> None:
        self.writer.emit(DeviceFault(device="shuffler", fault="malfunction"), after=10.0)
        how: Literal["covered", "signed"] = "covered" if self.writer.rng.random() < 0.5 else "signed"
        self.writer.emit(DeviceOutOfServiceMarked(device="shuffler", how=how), after=10.0)

    def _start(self, batch: str) -> None:
        """Start the device; one that jams is cleared, and the cards are shuffled anew (12(k))."""
        self.writer.rng.shuffle(self.stacks[batch])
        self.writer.emit(ShuffleStarted(batch=batch, method="device"), after=10.0)
        if self._meets("jam", self.setup.habits.jams):
            faults: tuple[Literal["jam", "stopped", "incomplete_cycle"], ...]
            faults = ("jam", "stopped", "incomplete_cycle")
            self.writer.emit(DeviceFault(device="shuffler", fault=self.writer.rng.choice(faults)), after=10.0)
            self.writer.emit(DeviceRestored(device="shuffler", how="cleared"), after=60.0)
            self.writer.emit(ShuffleStarted(batch=batch, method="device"))

    def _finish(self, batch: str, after: float | None = None) -> None:
        cards = len(self.stacks[batch])
        counted = cards if self.setup.shuffler_counts else UNSET
        seconds = SHUFFLE_SECONDS_A_CARD * cards if after is None else after
        self.writer.emit(ShuffleCompleted(batch=batch, method="device", counted=counted), after=seconds)

    # Cut and load

    def load(self, batch: str, cutters: list[int] | None) -> None:
        """Cut, set the cover card, load the shoe and burn one card.

        `cutters` are the seats to offer the cut to, in order; None where 5(h) lifts the cut.
        """
        stack = self.stacks.pop(batch)
        below = None
        if cutters is not None:
            stack = self._cut(stack, cutters)
            below = self._insert_cover(len(stack))
        self.cover_at = None
        self._into_shoe(batch, stack, below)
        self.burn("load")

    def load_stacks(self, batch: str) -> None:
        """The dealer cuts a poker deck and loads the dealing shoe."""
        self._into_shoe(batch, self._cut(self.stacks.pop(batch), []), None)

    def burn(self, reason: Literal["load", "new_dealer", "reload"]) -> None:
        """Move the next card to the rack, unseen (7(c))."""
        self.shoe.to_rack([self.shoe.draw()])
        self.writer.emit(CardBurned(card="??", reason=reason))

    def cutters_from_right(self) -> list[int]:
        """Seats from the dealer's right on, counterclockwise (5(c)(3)-(4))."""
        return sorted((seat for patron in self._seated for seat in patron.seats), reverse=True)

    def cutters_from(self, seat: int) -> list[int]:
        """The seat first; on a refusal the offer goes on counterclockwise, or the dealer cuts (A17)."""
        if self.writer.rng.random() < 0.5:
            return [seat]
        return [seat, *(other for other in self.cutters_from_right() if other < seat)]

    def cutters_after_cover(self) -> list[int]:
        """Whom the cut is offered to after the cover card came out (5(c)(2)-(3))."""
        if self.cover_at is None or self.cover_at == DEALER:
            return self.cutters_from_right()
        return self.cutters_from(int(self.cover_at))

    def _cut(self, stack: list[str], cutters: list[int]) -> list[str]:
        """Offer the cut until one takes it, else the dealer cuts; the floor may order a recut (5(b)-(e))."""
        rng, habits = self.writer.rng, self.setup.habits
        by = DEALER
        for seat in cutters:
            self.writer.emit(CutOffered(seat=seat))
            if rng.random() >= habits.refuses_cut or not self._single_box(seat):
                by = str(seat)
                break
            self.writer.emit(CutRefused(seat=seat))
        stack = self._cut_once(stack, by)
        if cutters and rng.random() < habits.recuts:
            reason = rng.choice(("cards slipped during the cut", "part of the stack was seen"))
            self.writer.emit(RecutOrdered(staff=self.staff.floorperson, reason=reason), after=5.0)
            stack = self._cut_once(stack, by)
        return stack

    def _single_box(self, seat: int) -> bool:
        """Whether the player has no other box: whether an offer then passes to that box is nowhere said."""
        return any(patron.seats == (seat,) for patron in self._seated)

    def _cut_once(self, stack: list[str], by: str) -> list[str]:
        size = len(stack)
        on_top = self.writer.rng.randint(10, size - 10) if size >= 20 else size // 2
        self.writer.emit(CutMade(by=by, cards_on_top=on_top, stack=size))
        return cut(stack, on_top)

    def _insert_cover(self, size: int) -> int:
        least = -(-size // 4)
        below = self.writer.rng.randint(least, least + size // 10)
        self.writer.emit(CoverCardInserted(cards_below=below, stack=size))
        return below

    def _into_shoe(self, batch: str, stack: list[str], below: int | None) -> None:
        self.shoe.load(batch, stack, below)
        self.writer.emit(ShoeLoaded(shoe=self.shoe.number, batch=batch, cards=len(stack)))

    # In play

    def reload_mid_round(self) -> None:
        """The shoe ran out in a round: the rack is shuffled, cut, loaded and one card burned (12(f), A46)."""
        batch = self.shoe.batch
        self.writer.emit(ShoeEmptied(cards=()))
        self.stacks[batch] = self.shoe.take_rack()
        self.writer.emit(StackShuffledFromRack(cards=len(self.stacks[batch])))
        self.shuffle_by_hand(batch)
        self.stack(batch)
        stack = self._cut(self.stacks.pop(batch), self.cutters_after_cover())
        self._into_shoe(batch, stack, self._insert_cover(len(stack)))
        self.burn("reload")

    def return_rack(self) -> None:
        """The rack goes back into a device that reshuffles by itself (5(h), A39)."""
        batch = self.shoe.batch
        self.writer.emit(ShufflerLoaded(batch=batch))
        self.stacks[batch] = self.shoe.order[self.shoe.drawn :] + self.shoe.take_rack()
        self._start(batch)
        self._finish(batch, after=5.0)
        self.stack(batch)
        self.shoe.order, self.shoe.drawn = self.stacks.pop(batch), 0

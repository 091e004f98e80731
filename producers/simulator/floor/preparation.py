"""Decks from arrival to removal: inspection, spread, wash, the swap of batches, the idle table."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from producers.simulator.floor.deck import fresh_cards
from producers.simulator.floor.shuffling import Shuffling
from schemas.events import (
    CardsInspected,
    CardsSpread,
    CardsWashed,
    DecksReceived,
    DecksRemoved,
    InspectionVerified,
    PlayerRequest,
    PlayerViewingGiven,
    ShoeEmptied,
    ShufflerLoaded,
    ShufflerUnloaded,
)

COLOURS = ("red", "blue")
Others = Callable[[], None]  # lets the other players arrive while the first one's cards are made ready


class Preparation(Shuffling):
    """What makes decks ready for play, and puts them away again."""

    received: int = 0

    def receive(self, *, preshuffled: bool = False) -> list[str]:
        """Receive a day's batches and inspect them; return their names in the order of play (4(a))."""
        names = []
        for colour in COLOURS[: self.setup.batches]:
            self.received += 1
            batch = f"B{self.received}"
            names.append(batch)
            self.stacks[batch] = cards = fresh_cards(self.setup.decks, self.setup.joker)
            opened = self.writer.now.replace(microsecond=0) - dt.timedelta(minutes=5)
            arrival = DecksReceived(
                batch=batch,
                decks=self.setup.decks,
                cards=len(cards),
                back_colour=colour,
                design="bee-92",
                opened_at=opened,
                preinspected=preshuffled,
                preshuffled=preshuffled,
            )
            self.writer.emit(arrival)
            if preshuffled:
                self.writer.rng.shuffle(cards)
            else:
                self.inspect(batch)
        return names

    def inspect(self, batch: str) -> None:
        """The dealer looks the cards over, and the floorperson confirms it (4(a))."""
        self.writer.emit(CardsInspected(batch=batch, staff=self.staff.dealer, defects=0), after=60.0)
        self.writer.emit(InspectionVerified(batch=batch, staff=self.staff.floorperson))

    def show(self, batch: str, seat: int, *, in_sequence: bool) -> None:
        """Spread face up and let the player look (4(b))."""
        self.writer.emit(CardsSpread(batch=batch, face_up=True, in_sequence=in_sequence), after=20.0)
        self.writer.emit(PlayerViewingGiven(batch=batch, seat=seat))

    def wash(self, batch: str) -> None:
        """Mix face down by hand and square up (4(c))."""
        self.writer.rng.shuffle(self.stacks[batch])
        self.writer.emit(CardsWashed(batch=batch), after=20.0)
        self.stack(batch)

    def open_batches(self, batches: list[str], seat: int, others: Others) -> None:
        """Spread, view, wash and shuffle whole batches, one after the other (4(b)-(d)).

        Of two, the first is left on the table and the second in the shuffler (3(b)(3)).
        """
        for batch in batches:
            self.show(batch, seat, in_sequence=True)
            self.wash(batch)
            if len(batches) == 1:
                others()
                self.shuffle(batch)
                self.stack(batch)
                return
            self.store(batch)
            if batch != batches[-1]:
                self.stack(self.unload_stored())
        others()

    def open_preshuffled(self, batches: list[str], seat: int, others: Others) -> None:
        """Make preinspected and preshuffled batches ready; 685a spreads them all the same (4(e), A14)."""
        for batch in batches:
            if self.setup.ruleset == "down_under_685a":
                self.show(batch, seat, in_sequence=False)
            self.stack(batch)
        if len(batches) > 1:
            self.store(batches[-1])
        others()

    def clear_shoe(self) -> str:
        """The rest of the shoe to the rack, the rack to one stack; return the batch, whole again."""
        batch = self.shoe.batch
        if self.setup.is_blackjack:
            self.writer.emit(ShoeEmptied(cards=tuple(self.shoe.empty())))
        self.stacks[batch] = self.shoe.take_rack()
        return batch

    def swap(self, outgoing: str) -> str:
        """Exchange the batch just dealt with the one in the shuffler (3(b)(4)); return the one to deal."""
        self.stack(outgoing)
        fresh = self.unload_stored()
        self.stack(fresh)
        self.store(outgoing, may_run_on=True)
        return fresh

    def remove(self, batch: str) -> None:
        """The batch leaves the table."""
        self.writer.emit(DecksRemoved(batch=batch, cards=len(self.stacks.pop(batch))))

    def remove_all(self) -> None:
        """Every batch leaves the table."""
        self.remove(self.clear_shoe())
        if self.stored is not None:
            self.remove(self.unload_stored())

    def spread_idle(self) -> str:
        """No activity: the cards leave shoe and rack and lie face down on the table (5(g))."""
        batch = self.clear_shoe()
        self.writer.emit(CardsSpread(batch=batch, face_up=False, in_sequence=False), after=20.0)
        return batch

    def resume(self, idle: str, seat: int, others: Others) -> str:
        """The first player to arrive looks, and the cards are made ready again; return the batch to deal.

        Free Bet washes and shuffles, or swaps batches (5(g)(1)-(2)); 685a.5(g) does the whole opening again.
        """
        if self._asks():
            self.writer.emit(PlayerRequest(seat=seat, wish="face_up_spread"))
            self.writer.emit(CardsSpread(batch=idle, face_up=True, in_sequence=False), after=20.0)
        self.writer.emit(PlayerViewingGiven(batch=idle, seat=seat), after=5.0)
        if self.setup.ruleset == "down_under_685a":
            batches = [idle] if self.stored is None else [self.unload_stored(), idle]
            for batch in batches:
                self.inspect(batch)
            self.open_batches(batches, seat, others)
            return batches[0]
        if self.stored is not None:
            return self._resume_swapped(idle, seat, others)
        self.wash(idle)
        others()
        self.shuffle(idle)
        self.stack(idle)
        return idle

    def _resume_swapped(self, idle: str, seat: int, others: Others) -> str:
        self.finish_running()
        fresh = self.stored or ""
        self.stack(idle)
        # 5(g)(2) puts the idle batch in before it takes the waiting one out; the device has two chambers.
        self.writer.emit(ShufflerLoaded(batch=idle))
        self.writer.emit(ShufflerUnloaded(batch=fresh))
        self.stack(fresh)
        self.stored = idle
        self._start(idle)
        self._finish(idle)
        if self._asks():
            self.writer.emit(PlayerRequest(seat=seat, wish="reshuffle"))
            self.show(fresh, seat, in_sequence=False)
            self.wash(fresh)
            self.shuffle_by_hand(fresh)
            self.stack(fresh)
        others()
        return fresh

    def _asks(self) -> bool:
        return self.writer.rng.random() < self.setup.habits.asks_at_spread

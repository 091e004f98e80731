"""The patrons at one table between the rounds: who sits, who waits, and the chips they buy, tip and exchange."""

from __future__ import annotations

from producers.simulator.day.account import TENDERS, TableAccount
from producers.simulator.floor.patrons import Patron, PatronPool
from producers.simulator.floor.setup import TableSetup
from producers.simulator.floor.writer import TableWriter
from schemas import events

REFUSED = 0.3  # chance a round that a patron who has to wait tries to bet


class Guests:
    """The patrons seated at one table."""

    def __init__(self, writer: TableWriter, setup: TableSetup, account: TableAccount) -> None:
        self._writer, self._setup, self._account = writer, setup, account
        self._rng = writer.rng
        self._pool = PatronPool(writer.rng, setup)
        self.seated: list[Patron] = []
        self._gone: set[str] = set()  # who left since the last round was begun, and may have wagered on it
        self._fresh = True  # no round was begun since the shuffle: nobody can have sat one out (6(b))
        writer.watch(events.RoundStarted, self._betting_opened)

    @property
    def betting(self) -> list[Patron]:
        """Who may bet, by seat."""
        return sorted((p for p in self.seated if not p.waiting), key=lambda patron: patron.seats)

    def occupied_seats(self) -> list[int]:
        """Seats taken, ascending."""
        return sorted(seat for patron in self.seated for seat in patron.seats)

    @property
    def _has_room(self) -> bool:
        return len(self.occupied_seats()) < self._setup.seats

    def arrive(self) -> int:
        """A patron sits down and buys in; return the first seat."""
        taken = self.occupied_seats()
        patron = self._pool.arrive([seat for seat in range(1, self._setup.seats + 1) if seat not in taken])
        self.seated.append(patron)
        for seat in patron.seats:
            self._writer.emit(events.PlayerArrived(seat=seat, player=patron.name))
        self._buy_in(patron)
        return patron.seats[0]

    def others_arrive(self) -> None:
        """The table fills to a usual number of patrons."""
        for _ in range(self._rng.randint(*self._setup.patrons) - len(self.seated)):
            if self._has_room:
                self.arrive()

    def leave(self, patron: Patron) -> None:
        """The patron leaves with the chips there are."""
        self.seated.remove(patron)
        self._gone.add(patron.name)
        for seat in patron.seats:
            self._writer.emit(events.PlayerLeft(seat=seat, player=patron.name))
        self._account.chips_of.pop(patron.name, None)
        self._pool.leave(patron)

    def all_leave(self) -> None:
        """Everybody leaves."""
        for patron in list(self.seated):
            self.leave(patron)

    def come_and_go(self) -> None:
        """Now and then a patron leaves, though never the last one, and another comes."""
        habits = self._setup.habits
        for patron in list(self.seated):
            if len(self.seated) > 1 and self._rng.random() < habits.leaves:
                self.leave(patron)
        if self._has_room and self._rng.random() < habits.arrives:
            self.arrive()
            # After the shuffle a house may bar those who did not bet on the round before (6(b)).
            barred = self._setup.is_blackjack and not self._setup.mid_shoe_entry and not self._fresh
            self.seated[-1].waiting = barred and self.seated[-1].name not in self._gone

    def shuffled(self) -> None:
        """After a shuffle everybody may wager again (6(b)(2))."""
        self._fresh = True
        self.let_in()

    def let_in(self) -> None:
        """Nobody has to wait any longer."""
        for patron in self.seated:
            patron.waiting = False

    def _betting_opened(self, _event: events.RoundStarted) -> None:
        self._fresh = False
        self._gone.clear()
        for patron in self.seated:
            if patron.waiting and self._rng.random() < REFUSED:
                self._writer.emit(events.WagerRefused(seat=patron.seats[0], reason="mid_shoe_entry"))

    def move_chips(self) -> None:
        """Patrons buy more chips where they lack them, exchange some, and tip."""
        habits, rng, chips_of = self._setup.habits, self._rng, self._account.chips_of
        for patron in self.seated:
            chips = chips_of[patron.name]
            if chips < patron.chips_wanted(self._setup) // 2 or rng.random() < habits.buys_more:
                self._buy_in(patron)
            elif chips >= 20_000 and rng.random() < habits.colours_up:
                self._writer.emit(events.ChipsExchanged(seat=patron.seats[0], cents=10_000))
            if chips >= 1_000 and rng.random() < habits.tips:
                cents = max(self._setup.chip_cents, rng.choice((100, 500, 1_000)))
                chips_of[patron.name] -= cents
                self._writer.emit(events.TokeReceived(cents=cents))

    def _buy_in(self, patron: Patron) -> None:
        missing = patron.chips_wanted(self._setup) - self._account.chips_of[patron.name]
        cents = max(10_000, -(-missing // 10_000) * 10_000)
        tender = "cash" if self._rng.random() < 0.85 else self._rng.choice(TENDERS)
        bought = events.ChipsBought(seat=patron.seats[0], player=patron.name, cents=cents, tender=tender)
        self._writer.emit(bought)

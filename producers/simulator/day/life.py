"""A table's day around the rounds: opening, people, devices, chips, shoes, idle hours, closing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from producers.simulator.day.account import Moment, TableAccount
from producers.simulator.day.guests import Guests
from producers.simulator.floor.decks import cutting, preparation, shuffling
from producers.simulator.floor.decks.cards import Staff, TableCards
from producers.simulator.floor.decks.deck import PhysicalShoe
from producers.simulator.floor.patrons import Patron
from producers.simulator.floor.setup import TableSetup
from producers.simulator.floor.writer import TableWriter
from schemas import events

RESHUFFLE_REASONS = ("count of the shoe in doubt", "request of surveillance", "spilled drink")


class TableLife:
    """One table's people, chips and cards between the rounds; lawful under all five rulesets.

    Rounds use its `patrons`, `floorperson` and `reload`; a session calls `configure` once, `open_day`,
    then `prepare_round` before every round, and `close_day`. `wants_reshuffle` is asked before every round that the
    floor may begin with a reshuffle.
    """

    def __init__(self, writer: TableWriter, setup: TableSetup, shoe: PhysicalShoe) -> None:
        self.writer, self.setup, self.shoe = writer, setup, shoe
        self.rng = writer.rng
        self.account = TableAccount(writer, setup)
        self.staff = Staff(writer, setup)
        self.guests = Guests(writer, setup, self.account)
        self.cards = TableCards(writer, setup, shoe, self.staff, self.guests.seated)
        self.wants_reshuffle: Callable[[], bool] = self._reshuffles_at_whim
        self.condemned = False  # the deck of a stack game was found not to be whole
        self._rounds_today = 0
        self._closing = writer.now
        writer.watch(events.CoverCardReached, self._cover_card)

    # What rounds turn to

    @property
    def patrons(self) -> list[Patron]:
        """Who may bet, by seat."""
        return self.guests.betting

    @property
    def floorperson(self) -> str:
        """The floorperson answerable for the table."""
        return self.staff.floorperson

    def reload(self) -> None:
        """The shoe ran out in a round: the rack is shuffled into it and one card burned."""
        cutting.reload_mid_round(self.cards)
        self.guests.shuffled()

    # The day

    def configure(self) -> None:
        """The rules submission, and the approvals that the table needs."""
        self.writer.emit(self.setup.configuration())
        for approval in self.setup.approvals():
            self.writer.emit(approval)

    def open_day(self, day: dt.date) -> None:
        """From the first event of the gaming day to a loaded shoe."""
        setup, cards = self.setup, self.cards
        self.writer.pass_time(max(0.0, (setup.opening_time(day) - self.writer.now).total_seconds()))
        self._closing = self.writer.now + dt.timedelta(hours=setup.hours_open(day))
        self._rounds_today = 0
        self.writer.emit(events.GamingDayStarted(gaming_day=day))
        self.staff.dealer_arrives()
        self.staff.floorperson_comes()
        if setup.game.reader is not None:
            self.writer.emit(
                events.DeviceInspected(setup.game.reader, self.floorperson, working=True, tampered=False)
            )
        self._count_tray("opening")
        preshuffled = not setup.reshuffles_itself and self.rng.random() < setup.habits.preshuffled
        preshuffled = preshuffled and setup.is_blackjack
        batches = preparation.receive(cards, preshuffled=preshuffled)
        self.writer.emit(events.TableOpened())
        first = self.guests.arrive()
        make_ready = preparation.open_preshuffled if preshuffled else preparation.open_batches
        make_ready(cards, batches, first, self.guests.others_arrive)
        self._load(batches[0], cutting.cutters_from(cards, first))

    def day_is_over(self) -> bool:
        """Whether the table has been open long enough."""
        return self.writer.now >= self._closing

    def close_day(self) -> None:
        """From the last round to the count of the drop box."""
        batch = preparation.clear_shoe(self.cards)
        self.guests.all_leave()
        self._count_tray("closing")
        self.writer.emit(events.TableClosed())
        preparation.remove(self.cards, batch)
        if self.cards.stored is not None:
            preparation.remove(self.cards, shuffling.unload_stored(self.cards))
        self.staff.dealer_leaves()
        self.account.drop()

    def prepare_round(self) -> None:
        """Everything between two rounds: cards first, then chips and people."""
        if self._rounds_today:
            self._prepare_cards()
            tray = self.account.tray_cents
            self.guests.move_chips()
            self.account.level(tray)
            self.guests.come_and_go()
            self._change_staff()
        self._rounds_today += 1
        if not self.patrons:  # the house lets a latecomer in after all (6(b)(1))
            self.guests.let_in()

    def _count_tray(self, moment: Moment) -> None:
        """Dealer and floorperson count the table inventory."""
        self.account.count(moment, (self.staff.dealer, self.floorperson))

    def _change_staff(self) -> None:
        if self.staff.dealer_is_due and self._may_change_dealer():
            self.staff.dealer_leaves()
            self.staff.dealer_arrives()
            if self.setup.is_blackjack:  # before anybody gets a card (7(c))
                cutting.burn(self.cards, "new_dealer")
        if self.staff.shift_is_over:
            self.staff.floorperson_comes()
            self._count_tray("shift")

    def _may_change_dealer(self) -> bool:
        """Whether a new dealer's burn can neither meet the cover card nor be the second of a new load (A15).

        A burn that meets the cover card would open a round that never comes.
        """
        shoe = self.shoe
        room = shoe.cards_below is None or shoe.remaining > shoe.cards_below + 1
        dealt_from = self.setup.reshuffles_itself or shoe.drawn > 1 or not self.setup.is_blackjack
        return room and self.cards.cover_at is None and dealt_from

    # Cards between rounds

    def _prepare_cards(self) -> None:
        setup, habits, rng, cards = self.setup, self.setup.habits, self.rng, self.cards
        if rng.random() < habits.idles and cards.cover_at is None and not self.condemned:
            self._idle()
        elif not setup.is_blackjack:
            self._next_deck()
        elif setup.reshuffles_itself:
            shuffling.return_rack(cards)
        elif cards.cover_at is not None:
            self._next_shoe(cutting.cutters_after_cover(cards))
        elif self.wants_reshuffle():
            reason = rng.choice(RESHUFFLE_REASONS)
            self.writer.emit(events.ReshuffleOrdered(staff=self.floorperson, reason=reason), after=5.0)
            self._next_shoe(cutting.cutters_from_right(cards))
        elif cards.running is not None and rng.random() < 0.5:
            shuffling.finish_running(cards)

    def _reshuffles_at_whim(self) -> bool:
        """Whether the floor has the shoe reshuffled before its cover card, for a reason of its own."""
        return self.rng.random() < self.setup.habits.floor_reshuffles

    def _cover_card(self, event: events.CoverCardReached) -> None:
        self.cards.cover_at = event.at

    def _load(self, batch: str, cutters: list[int]) -> None:
        if self.setup.is_blackjack:
            cutting.load(self.cards, batch, None if self.setup.reshuffles_itself else cutters)
        else:
            cutting.load_deck(self.cards, batch)
        self.guests.shuffled()

    def _next_shoe(self, cutters: list[int]) -> None:
        batch = preparation.clear_shoe(self.cards)
        if self.cards.stored is not None:
            batch = preparation.swap(self.cards, batch)
        else:
            shuffling.shuffle(self.cards, batch)
        self._load(batch, cutters)

    def _next_deck(self) -> None:
        """Shuffle the deck for the next round; one that was not whole is replaced (657a.8(h), 670a.10(e))."""
        batch = preparation.clear_shoe(self.cards)
        if self.condemned:
            self.condemned = False
            preparation.remove(self.cards, batch)
            [batch] = preparation.receive(self.cards)
            preparation.open_batches(self.cards, [batch], self.guests.occupied_seats()[0], lambda: None)
        else:
            shuffling.shuffle(self.cards, batch)
        cutting.load_deck(self.cards, batch)

    def _idle(self) -> None:
        """All patrons leave; the cards lie spread until somebody comes (5(g))."""
        self.guests.all_leave()
        self.writer.emit(events.TableIdle())
        stays_in_device = self.setup.reshuffles_itself and self.setup.is_blackjack
        if stays_in_device:
            shuffling.return_rack(self.cards)
        else:
            spread = preparation.spread_idle(self.cards)
        self.writer.pass_time(60.0 * self.rng.randint(5, 45))
        first = self.guests.arrive()
        if stays_in_device:
            self.guests.others_arrive()
        else:
            batch = preparation.resume(self.cards, spread, first, self.guests.others_arrive)
            self._load(batch, cutting.cutters_from(self.cards, first))

"""A table's day around the rounds: opening, people, devices, chips, shoes, idle hours, closing."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from producers.simulator.floor.account import TENDERS, Moment, TableAccount
from producers.simulator.floor.deck import PhysicalShoe
from producers.simulator.floor.patrons import Patron, PatronPool
from producers.simulator.floor.preparation import Preparation
from producers.simulator.floor.setup import Habits, TableSetup
from producers.simulator.floor.shuffling import Staff
from producers.simulator.floor.writer import TableWriter
from schemas.events import (
    ApprovalRecorded,
    ChipsExchanged,
    CoverCardReached,
    DealerArrived,
    DealerLeft,
    DeviceInspected,
    FloorpersonAssigned,
    FloorpersonNotified,
    GamingDayStarted,
    PlayerArrived,
    PlayerLeft,
    ReshuffleOrdered,
    RoundStarted,
    TableClosed,
    TableIdle,
    TableOpened,
    TokeReceived,
    WagerRefused,
)

__all__ = ["Habits", "TableLife", "TableSetup"]

LOW_TRAY = 0.4  # of the opening inventory: below, a fill comes
HIGH_TRAY = 1.8  # above, a credit goes
Matter = Literal[
    "layout",
    "rules_submission",
    "shoe_location",
    "shuffler",
    "self_shuffling_device",
    "signage",
    "box_location",
    "preshuffled_decks",
]


class TableLife:
    """One table's people, chips and cards between the rounds; lawful under all five rulesets.

    Rounds ask it for `patrons`, `floorperson` and `reload`; a session calls `configure` once, `open_day`,
    then `prepare_round` before every round, and `close_day`.
    """

    def __init__(self, writer: TableWriter, setup: TableSetup, shoe: PhysicalShoe) -> None:
        self.writer, self.setup, self.shoe = writer, setup, shoe
        self.rng = writer.rng
        self.habits = setup.habits
        self.account = TableAccount(writer, setup)
        self.staff = Staff()
        self.seated: list[Patron] = []
        self.cards = Preparation(writer, setup, shoe, self.staff, self.seated)
        self.pool = PatronPool(writer.rng, setup)
        self.rounds_today = 0
        self.condemned = False  # the deck of a stack game was found not to be whole
        self._gone: set[str] = set()  # who left since the last round was begun, and may have wagered on it
        self._fresh = True  # no round was begun since the shuffle: nobody can have sat one out (6(b))
        self._dealers = 0
        self._dealer_since = self._shift_since = self._closing = writer.now
        writer.watch(CoverCardReached, self._cover_card)
        writer.watch(RoundStarted, self._betting_opened)

    # What rounds ask for

    @property
    def patrons(self) -> list[Patron]:
        """Who may bet, by seat."""
        return sorted((p for p in self.seated if not p.waiting), key=lambda patron: patron.seats)

    @property
    def floorperson(self) -> str:
        """The floorperson answerable for the table."""
        return self.staff.floorperson

    @property
    def dealer(self) -> str:
        """The dealer at the table."""
        return self.staff.dealer

    def reload(self) -> None:
        """The shoe ran out in a round: the rack is shuffled into it and one card burned."""
        self.cards.reload_mid_round()
        self._shuffled()

    def notify(self, matter: str) -> None:
        """The dealer calls the floorperson."""
        self.writer.emit(FloorpersonNotified(matter=matter, staff=self.floorperson))

    def occupied_seats(self) -> list[int]:
        """Seats taken, ascending."""
        return sorted(seat for patron in self.seated for seat in patron.seats)

    # The day

    def configure(self) -> None:
        """The rules submission, and the approvals that the table needs."""
        self.writer.emit(self.setup.configuration())
        bureau = "BGO" if self.setup.is_blackjack else "BCC"
        approved = self.setup.first_day - dt.timedelta(days=200)
        for matter in self._matters():
            reference = f"{bureau}-{matter}-{self.setup.number}"
            self.writer.emit(ApprovalRecorded(matter=matter, reference=reference, approved_on=approved))

    def _matters(self) -> list[Matter]:
        matters: list[Matter] = ["layout", "rules_submission", "shoe_location"]
        if self.setup.is_blackjack:
            matters.append("box_location")
        if self.setup.shuffler != "none":
            matters.append("shuffler")
        if self.setup.reshuffles_itself:
            matters.append("self_shuffling_device")
        if self.setup.signs:
            matters.append("signage")
        if self.habits.preshuffled:
            matters.append("preshuffled_decks")
        return matters

    def open_day(self, day: dt.date) -> None:
        """From the first event of the gaming day to a loaded shoe."""
        opening = self.setup.opening_time(day)
        self.writer.pass_time(max(0.0, (opening - self.writer.now).total_seconds()))
        self._closing = self.writer.now + dt.timedelta(hours=self.setup.hours_open(day))
        self.rounds_today = 0
        self.writer.emit(GamingDayStarted(gaming_day=day))
        self._dealer_arrives()
        self._floorperson_comes()
        self._inspect_reader()
        self.count_tray("opening")
        preshuffled = not self.setup.reshuffles_itself and self.rng.random() < self.habits.preshuffled
        batches = self.cards.receive(preshuffled=preshuffled and self.setup.is_blackjack)
        self.writer.emit(TableOpened())
        first = self._arrive()
        ready = self.cards.open_preshuffled if preshuffled and self.setup.is_blackjack else None
        (ready or self.cards.open_batches)(batches, first, self._others_arrive)
        self._load(batches[0], self.cards.cutters_from(first))

    def day_is_over(self) -> bool:
        """Whether the table has been open long enough."""
        return self.writer.now >= self._closing

    def close_day(self) -> None:
        """From the last round to the count of the drop box."""
        batch = self.cards.clear_shoe()
        for patron in list(self.seated):
            self.leave(patron)
        self.count_tray("closing")
        self.writer.emit(TableClosed())
        self.cards.remove(batch)
        if self.cards.stored is not None:
            self.cards.remove(self.cards.unload_stored())
        self._dealer_leaves()
        self.account.drop()

    def prepare_round(self) -> None:
        """Everything between two rounds: cards first, then people and chips."""
        if self.rounds_today:
            self._between_rounds()
        self.rounds_today += 1
        if not self.patrons:  # the house lets a latecomer in after all (6(b)(1))
            for patron in self.seated:
                patron.waiting = False

    def _between_rounds(self) -> None:
        habits, rng = self.habits, self.rng
        if rng.random() < habits.idles and self.cards.cover_at is None and not self.condemned:
            self.idle()
        elif not self.setup.is_blackjack:
            self._next_deck(replaced=self.condemned)
        elif self.setup.reshuffles_itself:
            self.cards.return_rack()
        elif self.cards.cover_at is not None:
            self._next_shoe(self.cards.cutters_after_cover())
        elif rng.random() < habits.floor_reshuffles:
            reason = rng.choice(("count of the shoe in doubt", "request of surveillance", "spilled drink"))
            self.writer.emit(ReshuffleOrdered(staff=self.floorperson, reason=reason), after=5.0)
            self._next_shoe(self.cards.cutters_from_right())
        elif self.cards.running is not None and rng.random() < 0.5:
            self.cards.finish_running()
        self._chips_move()
        self._people_come_and_go()
        self._staff_changes()

    # Cards

    def _cover_card(self, event: CoverCardReached) -> None:
        self.cards.cover_at = event.at

    def _load(self, batch: str, cutters: list[int]) -> None:
        if not self.setup.is_blackjack:
            self.cards.load_stacks(batch)
        else:
            self.cards.load(batch, None if self.setup.reshuffles_itself else cutters)
        self._shuffled()

    def _shuffled(self) -> None:
        """Everybody may wager again (6(b)(2))."""
        self._fresh = True
        for patron in self.seated:
            patron.waiting = False

    def _next_shoe(self, cutters: list[int]) -> None:
        batch = self.cards.clear_shoe()
        if self.cards.stored is not None:
            batch = self.cards.swap(batch)
        else:
            self.cards.shuffle(batch)
            self.cards.stack(batch)
        self._load(batch, cutters)

    def _next_deck(self, *, replaced: bool) -> None:
        """Shuffle the deck for the next round; one that was not whole is replaced (657a.8(h), 670a.10(e))."""
        batch = self.cards.clear_shoe()
        if replaced:
            self.condemned = False
            self.cards.remove(batch)
            [batch] = self.cards.receive()
            self.cards.open_batches([batch], self.occupied_seats()[0], lambda: None)
        else:
            self.cards.shuffle(batch)
            self.cards.stack(batch)
        self.cards.load_stacks(batch)

    def idle(self) -> None:
        """All patrons leave; the cards lie spread until somebody comes (5(g))."""
        for patron in list(self.seated):
            self.leave(patron)
        self.writer.emit(TableIdle())
        if self.setup.reshuffles_itself and self.setup.is_blackjack:
            self.cards.return_rack()
            self.writer.pass_time(60.0 * self.rng.randint(5, 45))
            self._arrive()
            self._others_arrive()
            return
        idle = self.cards.spread_idle()
        self.writer.pass_time(60.0 * self.rng.randint(5, 45))
        first = self._arrive()
        batch = self.cards.resume(idle, first, self._others_arrive)
        self._load(batch, self.cards.cutters_from(first))

    # People

    def _arrive(self) -> int:
        """A patron sits down and buys in; return the first seat."""
        taken = self.occupied_seats()
        patron = self.pool.arrive([seat for seat in range(1, self.setup.seats + 1) if seat not in taken])
        self.seat(patron)
        return patron.seats[0]

    def seat(self, patron: Patron) -> None:
        """Seat this patron, with chips enough for a round."""
        self.seated.append(patron)
        for seat in patron.seats:
            self.writer.emit(PlayerArrived(seat=seat, player=patron.name))
        self._buy_in(patron)

    def leave(self, patron: Patron) -> None:
        """The patron leaves with the chips there are."""
        self.seated.remove(patron)
        self._gone.add(patron.name)
        for seat in patron.seats:
            self.writer.emit(PlayerLeft(seat=seat, player=patron.name))
        self.account.chips_of.pop(patron.name, None)
        self.pool.leave(patron)

    def _others_arrive(self) -> None:
        for _ in range(self.rng.randint(*self.setup.patrons) - len(self.seated)):
            if len(self.occupied_seats()) < self.setup.seats:
                self._arrive()

    def _people_come_and_go(self) -> None:
        for patron in list(self.seated):
            if len(self.seated) > 1 and self.rng.random() < self.habits.leaves:
                self.leave(patron)
        if len(self.occupied_seats()) < self.setup.seats and self.rng.random() < self.habits.arrives:
            self._arrive()
            # After the shuffle a house may bar those who did not bet on the round before (6(b)).
            barred = self.setup.is_blackjack and not self.setup.mid_shoe_entry and not self._fresh
            self.seated[-1].waiting = barred and self.seated[-1].name not in self._gone

    def _betting_opened(self, _event: RoundStarted) -> None:
        self._fresh = False
        self._gone.clear()
        for patron in self.seated:
            if patron.waiting and self.rng.random() < 0.3:
                self.writer.emit(WagerRefused(seat=patron.seats[0], reason="mid_shoe_entry"))

    def _dealer_arrives(self) -> None:
        self._dealers += 1
        self.staff.dealer = f"D-{self.setup.number:02d}{(self._dealers - 1) % 4 + 1}"
        self._dealer_since = self.writer.now
        self.writer.emit(DealerArrived(staff=self.staff.dealer))

    def _dealer_leaves(self) -> None:
        self.writer.emit(DealerLeft(staff=self.staff.dealer))

    def change_dealer(self) -> None:
        """Another dealer comes, and burns a card before anybody gets one (7(c))."""
        self._dealer_leaves()
        self._dealer_arrives()
        if self.setup.is_blackjack:
            self.cards.burn("new_dealer")

    def _floorperson_comes(self) -> None:
        shift = (self.writer.now.hour // 8) % 3 + 1
        self.staff.floorperson = f"F-{self.setup.number:02d}{shift}"
        self._shift_since = self.writer.now
        self.writer.emit(FloorpersonAssigned(staff=self.floorperson))

    def _staff_changes(self) -> None:
        now = self.writer.now
        # A new dealer's burn must not meet the cover card: it would open a round that never comes.
        room = self.shoe.cards_below is None or self.shoe.remaining > self.shoe.cards_below + 1
        dealt = (now - self._dealer_since).total_seconds() / 60
        if dealt > self.habits.dealer_minutes and room and self.cards.cover_at is None and self._has_dealt():
            self.change_dealer()
        if (now - self._shift_since).total_seconds() / 3600 > self.habits.shift_hours:
            self._floorperson_comes()
            self.count_tray("shift")

    def _has_dealt(self) -> bool:
        """Whether this load was dealt from: a new dealer with a new load might owe two burns (A15)."""
        return self.setup.reshuffles_itself or self.shoe.drawn > 1 or not self.setup.is_blackjack

    def _inspect_reader(self) -> None:
        if not self.setup.is_blackjack:
            return
        masque = self.setup.ruleset == "down_under_685a"
        device: Literal["masque_reader", "card_reader"] = "masque_reader" if masque else "card_reader"
        inspection = DeviceInspected(device=device, staff=self.floorperson, working=True, tampered=False)
        self.writer.emit(inspection)

    # Chips

    def count_tray(self, moment: Moment) -> None:
        """Dealer and floorperson count the table inventory."""
        self.account.count(moment, (self.dealer, self.floorperson))

    def _buy_in(self, patron: Patron) -> None:
        missing = patron.chips_wanted(self.setup) - self.account.chips_of[patron.name]
        cents = max(10_000, -(-missing // 10_000) * 10_000)
        tender = "cash" if self.rng.random() < 0.85 else self.rng.choice(TENDERS)
        self.account.buy_in(patron.seats[0], patron.name, cents, tender)

    def _chips_move(self) -> None:
        habits, rng, tray = self.habits, self.rng, self.account.tray_cents
        for patron in self.seated:
            chips = self.account.chips_of[patron.name]
            if chips < patron.chips_wanted(self.setup) // 2 or rng.random() < habits.buys_more:
                self._buy_in(patron)
            elif chips >= 20_000 and rng.random() < habits.colours_up:
                self.writer.emit(ChipsExchanged(seat=patron.seats[0], cents=10_000))
            if chips >= 1_000 and rng.random() < habits.tips:
                cents = max(self.setup.chip_cents, rng.choice((100, 500, 1_000)))
                self.account.chips_of[patron.name] -= cents
                self.writer.emit(TokeReceived(cents=cents))
        extra = rng.random() < habits.fills_for_nothing
        if tray < self.setup.opening_cents * LOW_TRAY or (extra and rng.random() < 0.5):
            self.account.fill(self.setup.opening_cents // 2)
        elif tray > self.setup.opening_cents * HIGH_TRAY or extra:
            self.account.credit(self.setup.opening_cents // 4)

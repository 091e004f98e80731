"""Opening, shuffle, cut, burn and the shoe's own cards, otherwise than the procedure says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from producers.simulator.floor.session import Session
from producers.simulator.scenarios.slips import Slip, Wrong
from producers.simulator.scenarios.stream import Change, Data
from schemas.events import (
    CardBurned,
    CardsInspected,
    CardsSpread,
    CardsStacked,
    CardsWashed,
    CoverCardInserted,
    CutMade,
    CutOffered,
    CutRefused,
    DeviceInspected,
    InspectionVerified,
    PlayerViewingGiven,
    ShoeEmptied,
    ShuffleCompleted,
    ShuffleStarted,
)
from schemas.payload import Payload
from schemas.values import DEALER

OFTEN = {"floor_reshuffles": 0.5, "recuts": 0.0, "refuses_cut": 0.0, "preshuffled": 0.0}


class LifeSlip(Slip):
    """Something outside the rounds is written otherwise than it happened.

    `armed` from the round on from which the slip may happen; `changes` rewrites events by their sequence.
    """

    armed = False

    session: Session
    changes: dict[int, Change]

    def begin(self, session: Session, changes: dict[int, Change]) -> None:
        """Listen to the session, and put into `changes` what is to be rewritten."""
        self.session = session
        self.changes = changes


class Rewritten(LifeSlip):
    """The next event of some types is changed or left out; `change` gives its new data, or None."""

    def __init__(
        self, events: tuple[type[Payload], ...], change: Callable[[LifeSlip, Data], Data | None]
    ) -> None:
        super().__init__()
        self.events = events
        self.change = change
        self.left = list(events)

    def begin(self, session: Session, changes: dict[int, Change]) -> None:
        """Listen for the events."""
        super().begin(session, changes)
        for event in self.events:
            session.writer.watch(event, self._told)

    def _told(self, payload: Any) -> None:
        if not self.armed or self.happened or type(payload) not in self.left:
            return
        self.left.remove(type(payload))
        self.changes[self.session.writer.sequence] = lambda data: self.change(self, data)
        self.happened = not self.left


def dropped(*events: type[Payload]) -> Callable[[], Slip]:
    """A slip that leaves the next event of each type out."""
    return lambda: Rewritten(events, lambda _slip, _data: None)


def changed(event: type[Payload], change: Callable[[LifeSlip, Data], Data]) -> Callable[[], Slip]:
    """A slip that changes the next event of a type."""
    return lambda: Rewritten((event,), change)


class NotBurned(LifeSlip):
    """No card is burned: the card that should have been is the first dealt."""

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason
        self.sequence = 0

    def begin(self, session: Session, changes: dict[int, Change]) -> None:
        """Listen for the burn."""
        super().begin(session, changes)
        session.writer.watch(CardBurned, self._told)

    def _told(self, event: CardBurned) -> None:
        if self.armed and self.now and event.reason == self.reason:
            self.happened = True
            self.changes[self.session.writer.sequence] = lambda _data: None
            self.sequence = self.session.writer.sequence

    def before_round(self) -> None:
        """Put the card back."""
        if self.sequence:
            self.sequence = 0
            shoe = self.session.shoe
            shoe.drawn -= 1
            shoe.rack.pop()


class CoverTooDeep(LifeSlip):
    """The cover card is put less than a quarter of the stack from the bottom."""

    def begin(self, session: Session, changes: dict[int, Change]) -> None:
        """Listen for the insertion."""
        super().begin(session, changes)
        session.writer.watch(CoverCardInserted, self._told)
        self.below = 0

    def _told(self, event: CoverCardInserted) -> None:
        if self.armed and self.now:
            self.happened = True
            self.below = event.stack // 4 - self.session.writer.rng.randint(5, event.stack // 10)
            self.changes[self.session.writer.sequence] = lambda data: data | {"cards_below": self.below}

    def before_round(self) -> None:
        """Where it then lies."""
        if self.below:
            self.session.shoe.cards_below, self.below = self.below, 0


class CutByAnother(LifeSlip):
    """The cut is offered to another player than the one whose turn it is."""

    def begin(self, session: Session, changes: dict[int, Change]) -> None:
        """Listen for offer and cut."""
        super().begin(session, changes)
        session.writer.watch(CutOffered, self._offered)
        session.writer.watch(CutMade, self._cut)
        self.seat = 0

    def _offered(self, event: CutOffered) -> None:
        others = [seat for seat in self.session.life.occupied_seats() if seat != event.seat]
        if self.armed and self.now and others and self.session.number:
            self.seat = others[0]
            self.changes[self.session.writer.sequence] = lambda data: data | {"seat": self.seat}

    def _cut(self, _event: CutMade) -> None:
        if self.seat and self.now:
            self.happened = True
            seat = str(self.seat)
            self.changes[self.session.writer.sequence] = lambda data: data | {"by": seat}


class NotOffered(LifeSlip):
    """The dealer cuts without offering the cut to anybody."""

    def begin(self, session: Session, changes: dict[int, Change]) -> None:
        """Listen for offers and the cut."""
        super().begin(session, changes)
        session.writer.watch(CutOffered, self._offered)
        session.writer.watch(CutRefused, self._offered)
        session.writer.watch(CutMade, self._cut)
        self.offered = False

    def _offered(self, _event: CutOffered | CutRefused) -> None:
        if self.armed and self.now:
            self.offered = True
            self.changes[self.session.writer.sequence] = lambda _data: None

    def _cut(self, _event: CutMade) -> None:
        if self.offered and self.now:
            self.happened = True
            self.changes[self.session.writer.sequence] = lambda data: data | {"by": DEALER}


class PlayedPastCover(LifeSlip):
    """Another round is dealt although the cover card has come out; it lies high, so that it soon does."""

    due: str | None = None
    below = 0

    def begin(self, session: Session, changes: dict[int, Change]) -> None:
        """Listen for the insertion."""
        super().begin(session, changes)
        session.writer.watch(CoverCardInserted, self._told)

    def _told(self, event: CoverCardInserted) -> None:
        if self.now:
            self.below = event.stack * 4 // 5
            self.changes[self.session.writer.sequence] = lambda data: data | {"cards_below": self.below}

    def before_round(self) -> None:
        """Where it then lies."""
        if self.below and not self.session.shoe.drawn > 1:
            self.session.shoe.cards_below = self.below

    def after_round(self) -> None:
        """Forget the cover card for one round."""
        cards = self.session.life.cards
        if self.due is not None:
            cards.cover_at, self.due = self.due, None
        elif self.armed and self.now and cards.cover_at is not None:
            self.happened = True
            cards.cover_at, self.due = None, cards.cover_at


class ShoeTampered(LifeSlip):
    """A card is added to one shoe, or taken out of it; when the shoe is emptied, the batch is made whole."""

    card = ""

    def __init__(self, *, added: bool) -> None:
        super().__init__()
        self.added = added

    def begin(self, session: Session, changes: dict[int, Change]) -> None:
        """Listen for the end of the shoe."""
        super().begin(session, changes)
        session.writer.watch(ShoeEmptied, self._emptied)

    def before_round(self) -> None:
        """Tamper somewhere in the next twenty cards."""
        shoe, rng = self.session.shoe, self.table.rng
        if not self.armed or not self.now or shoe.remaining < 30:
            return
        self.happened = True
        at = shoe.drawn + rng.randint(1, 20)
        if self.added:
            self.card = shoe.order[rng.randrange(len(shoe.order))]
            shoe.order.insert(at, self.card)
        else:
            self.card = shoe.order.pop(at)

    def _emptied(self, _event: ShoeEmptied) -> None:
        rack = self.session.shoe.rack
        if self.card and self.added and self.card in rack:
            rack.remove(self.card)
        elif self.card and not self.added:
            rack.append(self.card)
        self.card = ""


SHOE: dict[str, Wrong] = {
    "reader_not_inspected": Wrong(
        doc="The reader is not inspected at the beginning of the gaming day.",
        how=dropped(DeviceInspected),
        free_bet=("2(d)#2",),
        down_under=("2(d)#2",),
    ),
    "cards_not_inspected": Wrong(
        doc="The dealer does not look the new cards over.",
        how=dropped(CardsInspected, InspectionVerified),
        free_bet=("4(a)#1", "4(a)#2"),
        down_under=("4(a)#1", "4(a)#2"),
        habits={"preshuffled": 0.0},
    ),
    "inspection_not_verified": Wrong(
        doc="No floorperson confirms the inspection of the cards.",
        how=dropped(InspectionVerified),
        free_bet=("4(a)#2",),
        down_under=("4(a)#2",),
        habits={"preshuffled": 0.0},
    ),
    "cards_not_shown": Wrong(
        doc="The first player is not shown the new cards.",
        how=dropped(CardsSpread, PlayerViewingGiven),
        free_bet=("4(b)#1", "4(c)#1", "4(b)#2"),
        down_under=("4(b)#1", "4(c)#1", "4(b)#2"),
        habits={"preshuffled": 0.0},
    ),
    "cards_not_washed": Wrong(
        doc="New cards are not washed.",
        how=dropped(CardsWashed),
        free_bet=("4(c)#1",),
        down_under=("4(c)#1",),
        habits={"preshuffled": 0.0},
    ),
    "no_burn": Wrong(
        doc="No card is burned after the shoe is loaded.",
        how=lambda: NotBurned("load"),
        free_bet=("7(c)#1",),
        down_under=("7(c)#1",),
        habits=OFTEN,
    ),
    "no_burn_for_new_dealer": Wrong(
        doc="A new dealer burns no card.",
        how=lambda: NotBurned("new_dealer"),
        free_bet=("7(c)#2",),
        down_under=("7(c)#2",),
        habits={"dealer_minutes": 4.0},
    ),
    "shallow_cut": Wrong(
        doc="The stack is cut less than ten cards from its end.",
        how=changed(CutMade, lambda s, data: data | {"cards_on_top": s.session.writer.rng.randint(1, 9)}),
        free_bet=("5(d)#1",),
        down_under=("5(d)#1",),
        habits=OFTEN,
    ),
    "cover_card_too_deep": Wrong(
        doc="The cover card is less than a quarter of the stack from its bottom.",
        how=CoverTooDeep,
        free_bet=("5(d)#3",),
        down_under=("5(d)#3",),
        habits=OFTEN,
    ),
    "cut_offered_to_another": Wrong(
        doc="The cut is offered to a player whose turn it is not.",
        how=CutByAnother,
        free_bet=("5(c)(2)", "5(c)(3)#1", "5(c)(4)#1", "5(b)#1"),
        down_under=("5(c)(2)", "5(c)(3)#1", "5(c)(4)#1", "5(b)#1"),
        habits=OFTEN,
    ),
    "cut_not_offered": Wrong(
        doc="The dealer cuts without offering the cut.",
        how=NotOffered,
        free_bet=("5(b)#1", "5(b)#2"),
        down_under=("5(b)#1", "5(b)#2"),
        habits=OFTEN,
    ),
    "no_shuffle": Wrong(
        doc="The cards of a dealt shoe are loaded again without a shuffle.",
        how=dropped(ShuffleStarted, ShuffleCompleted),
        free_bet=("5(a)#1", "7(a)#3", "7(d)(2)"),
        down_under=("5(a)#1", "7(a)#3", "7(d)(2)"),
        habits=OFTEN,
    ),
    "shuffle_not_stacked": Wrong(
        doc="After the shuffle the cards are not squared into one stack.",
        how=dropped(CardsStacked),
        free_bet=("5(a)#3",),
        down_under=("5(a)#3",),
        habits=OFTEN,
    ),
    "shoe_rest_not_racked": Wrong(
        doc="The rest of the shoe does not go to the rack before the shuffle.",
        how=dropped(ShoeEmptied),
        free_bet=("7(d)(1)",),
        down_under=("7(d)(1)",),
        integrity=("shoe",),
        habits=OFTEN,
    ),
    "played_past_cover_card": Wrong(
        doc="Another round is begun from the shoe whose cover card has come out.",
        how=PlayedPastCover,
        free_bet=("7(d)#2", "5(f)#1"),
        down_under=("7(d)#2", "5(f)#1"),
    ),
    "card_added": Wrong(
        doc="The shoe holds a card more than the batch.",
        how=lambda: ShoeTampered(added=True),
        integrity=("shoe",),
        habits=OFTEN,
    ),
    "card_missing": Wrong(
        doc="The shoe holds a card less than the batch.",
        how=lambda: ShoeTampered(added=False),
        integrity=("shoe",),
        habits=OFTEN,
    ),
}

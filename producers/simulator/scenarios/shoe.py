"""Opening, shuffle, cut, burn and the shoe's own cards, otherwise than the procedure says."""

from __future__ import annotations

from typing import Any

from producers.simulator.scenarios.slips import How, Slip, Way
from producers.simulator.scenarios.stream import Change
from producers.simulator.session import Session
from schemas import events
from schemas.payload import Payload
from schemas.values import DEALER

RESHUFFLED = {"floor_reshuffles": 0.5, "recuts": 0.0, "refuses_cut": 0.0, "preshuffled": 0.0}


class LifeSlip(Slip):
    """Something outside the rounds is written otherwise than it happened.

    `armed` from the round on from which the slip may happen; `changes` rewrites events by their sequence.
    """

    armed = False
    hears: tuple[type[Payload], ...] = ()  # what the slip listens for
    session: Session
    changes: dict[int, Change]

    def begin(self, session: Session, changes: dict[int, Change]) -> None:
        """Listen to the session, and put into `changes` what is to be rewritten."""
        self.session, self.changes = session, changes
        for event in self.hears:
            session.writer.watch(event, self._heard)

    def _heard(self, event: Any) -> None:
        """Called with every event of the types in `hears`, once it is written."""

    @property
    def due(self) -> bool:
        """Whether the slip may happen, and has not."""
        return self.armed and self.now

    def rewrite(self, change: Change) -> None:
        """Change the data of the event that was just written."""
        self.changes[self.session.writer.sequence] = change

    def leave_out(self) -> None:
        """Leave the event out that was just written."""
        self.rewrite(lambda _data: None)


class _LeftOut(LifeSlip):
    """The next event of each type is left out."""

    def __init__(self, *events: type[Payload]) -> None:
        super().__init__()
        self.hears = events
        self.left = list(events)

    def _heard(self, event: Payload) -> None:
        if self.due and type(event) in self.left:
            self.left.remove(type(event))
            self.leave_out()
            self.happened = not self.left


class _ShallowCut(LifeSlip):
    """The stack is cut less than ten cards from its end."""

    hears = (events.CutMade,)

    def _heard(self, _event: events.CutMade) -> None:
        if self.due:
            self.happened = True
            rng = self.session.writer.rng
            self.rewrite(lambda data: data | {"cards_on_top": rng.randint(1, 9)})


class _NotBurned(LifeSlip):
    """No card is burned: the card that should have been is the first dealt."""

    hears = (events.CardBurned,)

    def __init__(self, reason: str) -> None:
        super().__init__()
        self.reason = reason
        self.put_back = False

    def _heard(self, event: events.CardBurned) -> None:
        if self.due and event.reason == self.reason:
            self.happened = self.put_back = True
            self.leave_out()

    def before_round(self) -> None:
        if self.put_back:
            self.put_back = False
            self.session.shoe.drawn -= 1
            self.session.shoe.rack.pop()


class _CoverTooDeep(LifeSlip):
    """The cover card lies less than a quarter of the stack from the bottom; the record has it at the very bottom."""

    hears = (events.CoverCardInserted,)
    below = 0

    def _heard(self, event: events.CoverCardInserted) -> None:
        if self.due:
            self.happened = True
            self.below = event.stack // 4 - self.session.writer.rng.randint(5, event.stack // 10)
            self.rewrite(lambda data: data | {"cards_below": 0})

    def before_round(self) -> None:
        if self.below:
            self.session.shoe.cards_below, self.below = self.below, 0


class _WrongOffer(LifeSlip):
    """The cut is offered to another player than the one whose turn it is, or to nobody, and the dealer cuts."""

    hears = (events.CutOffered, events.CutRefused, events.CutMade)
    by = ""  # who then cuts, a seat or the dealer

    def __init__(self, *, to_another: bool) -> None:
        super().__init__()
        self.to_another = to_another

    def _heard(self, event: events.CutOffered | events.CutRefused | events.CutMade) -> None:
        if isinstance(event, events.CutMade):
            if self.by and self.now:
                self.happened = True
                self.rewrite(lambda data: data | {"by": self.by})
        elif self.due and not self.to_another:
            self.by = DEALER
            self.leave_out()
        elif self.due and self.session.number and isinstance(event, events.CutOffered):
            others = [seat for seat in self.session.life.guests.occupied_seats() if seat != event.seat]
            if others:
                self.by = str(others[0])
                self.rewrite(lambda data: data | {"seat": others[0]})


class _PlayedPastCover(LifeSlip):
    """Another round is dealt although the cover card has come out; it lies high, so that it soon does."""

    hears = (events.CoverCardInserted,)
    came_out_at: str | None = None
    below = 0

    def _heard(self, event: events.CoverCardInserted) -> None:
        if self.now:
            self.below = event.stack * 4 // 5
            self.rewrite(lambda data: data | {"cards_below": self.below})

    def before_round(self) -> None:
        if self.below and not self.session.shoe.drawn > 1:
            self.session.shoe.cards_below = self.below

    def after_round(self) -> None:
        cards = self.session.life.cards
        if self.came_out_at is not None:
            cards.cover_at, self.came_out_at = self.came_out_at, None
        elif self.due and cards.cover_at is not None:
            self.happened = True
            cards.cover_at, self.came_out_at = None, cards.cover_at


class _ShoeTampered(LifeSlip):
    """A card is added to one shoe, or taken out of it; when the shoe is emptied, the batch is made whole."""

    hears = (events.ShoeEmptied,)
    card = ""

    def __init__(self, *, added: bool) -> None:
        super().__init__()
        self.added = added

    def before_round(self) -> None:
        shoe, rng = self.session.shoe, self.table.rng
        if not self.due or shoe.remaining < 30:
            return
        self.happened = True
        at = shoe.drawn + rng.randint(1, 20)
        if self.added:
            self.card = shoe.order[rng.randrange(len(shoe.order))]
            shoe.order.insert(at, self.card)
        else:
            self.card = shoe.order.pop(at)

    def _heard(self, _event: events.ShoeEmptied) -> None:
        rack = self.session.shoe.rack
        if self.card and self.added and self.card in rack:
            rack.remove(self.card)
        elif self.card and not self.added:
            rack.append(self.card)
        self.card = ""


def _opening(*events: type[Payload]) -> Way:
    """Steps of the opening that are left out; new cards come in sequence."""
    return Way(lambda: _LeftOut(*events), habits={"preshuffled": 0.0}, stage="opening")


def _shoe(how: How) -> Way:
    """A wrong of a shuffle, which comes often."""
    return Way(how, habits=RESHUFFLED, stage="shoe")


WAYS: dict[str, Way] = {
    "reader_not_inspected": Way(lambda: _LeftOut(events.DeviceInspected), stage="opening"),
    "cards_not_inspected": _opening(events.CardsInspected, events.InspectionVerified),
    "inspection_not_verified": _opening(events.InspectionVerified),
    "cards_not_shown": _opening(events.CardsSpread, events.PlayerViewingGiven),
    "cards_not_washed": _opening(events.CardsWashed),
    "no_burn": _shoe(lambda: _NotBurned("load")),
    "no_burn_for_new_dealer": Way(
        lambda: _NotBurned("new_dealer"), habits={"dealer_minutes": 4.0}, stage="shoe"
    ),
    "shallow_cut": _shoe(_ShallowCut),
    "cover_card_too_deep": _shoe(_CoverTooDeep),
    "cut_offered_to_another": _shoe(lambda: _WrongOffer(to_another=True)),
    "cut_not_offered": _shoe(lambda: _WrongOffer(to_another=False)),
    "no_shuffle": _shoe(lambda: _LeftOut(events.ShuffleStarted, events.ShuffleCompleted)),
    "shuffle_not_stacked": _shoe(lambda: _LeftOut(events.CardsStacked)),
    "shoe_rest_not_racked": _shoe(lambda: _LeftOut(events.ShoeEmptied)),
    "played_past_cover_card": Way(_PlayedPastCover, stage="shoe"),
    "card_added": _shoe(lambda: _ShoeTampered(added=True)),
    "card_missing": _shoe(lambda: _ShoeTampered(added=False)),
}

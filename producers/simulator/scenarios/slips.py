"""One thing wrong in an otherwise lawful session: the slips that scenarios are made of."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.decisions import choices_for
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.rules import Choice, Result
from producers.simulator.scenarios.occasion import ANY, Occasion
from schemas.payload import Payload
from schemas.values import DEALER

EAGER = 0.9  # chance of a side wager while a scenario waits for one


class Slip(Incident):
    """A wrong that happens once, at the first round that gives occasion."""

    def __init__(self, occasion: Occasion = ANY) -> None:
        self.occasion = occasion
        self._victim: Box | None = None

    def once(self) -> bool:
        """Whether the slip had not happened yet; from now on it has."""
        first, self.happened = not self.happened, True
        return first

    @property
    def now(self) -> bool:
        """Whether the slip is still to happen."""
        return not self.happened

    def before_round(self) -> None:
        """Forget the last round's victim, and make patrons eager where a side wager is needed."""
        self._victim = None
        if self.occasion.side or self.occasion.plain:
            for patron in self.table.life.patrons:
                patron.side_appetite = EAGER if self.occasion.side else 1 - EAGER

    @property
    def victim(self) -> Box | None:
        """The box that the slip befalls in this round."""
        table, occasion = self.table, self.occasion
        if self._victim is None:
            fit = [b for b in table.boxes if not (occasion.plain if b.side else occasion.side)]
            self._victim = table.rng.choice(fit) if fit else None
        return self._victim

    def is_victim(self, hand: Hand) -> bool:
        """Whether `hand` is the victim's first, or one of all boxes' where the occasion is everyone's."""
        if self.occasion.everyone:
            return hand is self.table.box_of(hand).first
        return self.victim is not None and hand is self.victim.first

    def wish(self, spot: str, /) -> Wish | None:
        """Cards that give occasion."""
        if self.happened:
            return None
        if spot == DEALER:
            return self.occasion.dealers_card(self.table)
        hand = self.table.hand_named(spot)
        return self.occasion.players_card(hand) if self.is_victim(hand) else None

    def insures(self, box: Box, wants: bool, /) -> bool:
        """The victim, if the occasion needs it."""
        return wants or (self.occasion.insured and self.now and box is self.victim)

    def takes_even_money(self, box: Box, wants: bool, /) -> bool:
        """The victim, if the occasion needs it; where it needs insurance, not even money."""
        if self.now and box is self.victim and (self.occasion.even_money or self.occasion.insured):
            return self.occasion.even_money
        return wants

    def surrenders_early(self, hand: Hand, wants: bool, /) -> bool:
        """Not a victim whose decision is needed."""
        if self.now and self.occasion.no_surrender:
            return False
        if self.occasion.play is None or not self.now or not self.is_victim(hand):
            return wants
        return self.occasion.play == "surrender"

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """The victim decides as the occasion needs, where the rules allow it."""
        table, needed = self.table, self.occasion.play
        if needed is not None and self.now and len(hand.cards) == 2 and self.is_victim(hand):
            return needed if needed in choices_for(table, table.box_of(hand), hand) else choice
        return choice


How = Callable[[], Slip]


@dataclass(frozen=True, slots=True)
class Way:
    """How a wrong comes about: its slip, and the fields of the table and habits of the day that it needs.

    `stage` is when it may happen: in rounds, with the cards of a shoe that is shuffled by hand, or at the
    table's opening.
    """

    how: How
    setup: Mapping[str, Any] = field(default_factory=dict)
    habits: Mapping[str, float] = field(default_factory=dict)
    stage: Literal["round", "shoe", "opening"] = "round"


def once(point: str, otherwise: Callable[..., Any], occasion: Occasion = ANY) -> How:
    """Makes slips at one point of the round alone, the name of a method of `Course`.

    `otherwise` gets the slip and the arguments of the point; it gives the point's answer, or None to wait for
    a better occasion.
    """

    def made() -> Slip:
        slip = Slip(occasion)
        usual = getattr(slip, point)

        def answer(*details: object) -> object:
            other = otherwise(slip, *details) if slip.now else None
            if other is None:
                return usual(*details)
            slip.happened = True
            return other

        setattr(slip, point, answer)
        return slip

    return made


def edited(
    event: type[Payload], change: Callable[[Slip, Any], Sequence[Payload] | None], occasion: Occasion = ANY
) -> How:
    """Makes slips that write one event otherwise; `change` gives the events in its place, or None."""
    return once("edit", lambda slip, p: change(slip, p) if isinstance(p, event) else None, occasion)


def left_out(event: type[Payload], occasion: Occasion = ANY) -> How:
    """Makes slips that leave the first event of a type out."""
    return edited(event, lambda _slip, _event: (), occasion)


def misjudged(
    true: Result,
    taken_for: Result,
    occasion: Occasion,
    fits: Callable[[Slip, Hand], bool] = lambda _slip, _hand: True,
    state: str = "open",
) -> How:
    """Makes slips that settle a hand without lammers as if it had ended otherwise."""

    def judge(slip: Slip, hand: Hand, result: Result) -> Result | None:
        counts = result == true and hand.cash > 0 and not slip.table.dealer_blackjack
        return taken_for if counts and hand.state == state and not hand.lammers and fits(slip, hand) else None

    return once("result", judge, occasion)


def delayed(
    event: type[Payload],
    until: type[Payload],
    occasion: Occasion,
    fits: Callable[[Slip, Any], bool],
    several: bool = False,
) -> How:
    """Makes slips that write an event of a type only after the next of type `until`; `several` holds all such back."""

    class Delayed(Slip):
        def __init__(self) -> None:
            super().__init__(occasion)
            self._kept: list[Payload] = []

        def edit(self, payload: Payload, /) -> Sequence[Payload]:
            may_hold = self.now and (several or not self._kept)
            if may_hold and isinstance(payload, event) and fits(self, payload):
                self._kept.append(payload)
                return ()
            if self._kept and isinstance(payload, until):
                self.happened = True
                late, self._kept = self._kept, []
                return (payload, *late)
            return (payload,)

    return Delayed

"""One thing wrong in an otherwise lawful session: its occasion, and the slips that scenarios are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.decisions import choices_for
from producers.simulator.blackjack.hands import BettingBox, SimulatedHand
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.rules import LOW, STANDS_ON, TEN, VALUES, Choice, Result, total
from producers.simulator.blackjack.table import BlackjackTable
from schemas.payload import Payload
from schemas.values import DEALER

EAGER = 0.9  # chance of a side wager while a scenario waits for one


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """Cards, stakes and decisions that give a slip its occasion; an empty string admits any card.

    `up` and `hole` are ranks of the dealer's cards, `first`, `second`, `third` of one victim's; with
    `matching`, the victim's second card is of the value of the first. `dealer` is the total at which the
    dealer should end. `side` requires a victim with a side wager, `plain` one without; `insured` and
    `even_money` say that the victim takes them. `play` is what the victim decides about the first two cards.
    With `everyone`, all boxes are dealt and play like the victim; with `no_surrender`, nobody surrenders early.
    """

    up: str = ""
    hole: str = ""
    first: str = ""
    second: str = ""
    third: str = ""
    matching: bool = False
    dealer: int = 0
    side: bool = False
    plain: bool = False
    insured: bool = False
    even_money: bool = False
    play: Choice | None = None
    everyone: bool = False
    no_surrender: bool = False

    def players_card(self, hand: SimulatedHand) -> Wish | None:
        """The next card of a victim's hand."""
        cards = hand.cards
        if len(cards) == 1 and self.matching:
            return lambda card: VALUES[card[0]] == VALUES[cards[0][0]]
        ranks = (self.first, self.second, self.third)[len(cards)] if len(cards) < 3 else ""
        return (lambda card: card[0] in ranks) if ranks else None

    def dealers_card(self, table: BlackjackTable) -> Wish | None:
        """The next card of the dealer."""
        held = len(table.dealer) + (table.hole is not None and not table.hole_open)
        ranks = (self.up, self.hole)[held] if held < 2 else ""
        if ranks:
            return lambda card: card[0] in ranks
        if not self.dealer:
            return None
        if held == 0:
            return lambda card: card[0] in LOW
        cards, limit, end = list(table.dealer), table.rules.dealer_limit, self.dealer
        if held == 1:
            return lambda card: 12 <= total([*cards, card], limit)[0] < STANDS_ON
        ends = (end, 16) if total(cards, limit)[0] + 10 < end else (end,)
        return lambda card: total([*cards, card], limit)[0] in ends


ANY = Occasion()
WINS = Occasion(first=TEN, second=TEN, up=TEN, hole="78", play="stand")


class Slip(Incident):
    """A wrong that happens once, at the first round that gives occasion."""

    def __init__(self, occasion: Occasion = ANY) -> None:
        self.occasion = occasion
        self._victim: BettingBox | None = None

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
    def victim(self) -> BettingBox | None:
        """The box that the slip befalls in this round."""
        table, occasion = self.table, self.occasion
        if self._victim is None:
            fit = [b for b in table.boxes if not (occasion.plain if b.side else occasion.side)]
            self._victim = table.rng.choice(fit) if fit else None
        return self._victim

    def is_victim(self, hand: SimulatedHand) -> bool:
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

    def insures(self, box: BettingBox, wants: bool, /) -> bool:
        """The victim, if the occasion needs it."""
        return wants or (self.occasion.insured and self.now and box is self.victim)

    def takes_even_money(self, box: BettingBox, wants: bool, /) -> bool:
        """The victim, if the occasion needs it; where it needs insurance, not even money."""
        if self.now and box is self.victim and (self.occasion.even_money or self.occasion.insured):
            return self.occasion.even_money
        return wants

    def surrenders_early(self, hand: SimulatedHand, wants: bool, /) -> bool:
        """Not a victim whose decision is needed."""
        if self.now and self.occasion.no_surrender:
            return False
        if self.occasion.play is None or not self.now or not self.is_victim(hand):
            return wants
        return self.occasion.play == "surrender"

    def choice(self, hand: SimulatedHand, choice: Choice, /) -> Choice:
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
    fits: Callable[[Slip, SimulatedHand], bool] = lambda _slip, _hand: True,
    state: str = "open",
) -> How:
    """Makes slips that settle a hand without lammers as if it had ended otherwise."""

    def judge(slip: Slip, hand: SimulatedHand, result: Result) -> Result | None:
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

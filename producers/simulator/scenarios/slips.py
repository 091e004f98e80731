"""One thing wrong in an otherwise lawful session: the slips that scenarios are made of."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.decisions import choices_for
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.rules import STANDS_ON, VALUES, Choice, Result, total
from schemas.payload import Payload
from schemas.values import DEALER, Ruleset

TEN = "TJQK"
EAGER = 0.9  # chance of a side wager while a scenario waits for one


@dataclass(frozen=True, slots=True, kw_only=True)
class Occasion:
    """Cards, stakes and decisions that give a slip its occasion; an empty string asks for nothing.

    `up` and `hole` are ranks of the dealer's cards, `first`, `second`, `third` of one victim's; with
    `matching`, the victim's second card is of the value of the first. `dealer` is the total at which the
    dealer should end. `side` asks for a victim with a side wager, `plain` for one without; `insured` and
    `even_money` say that the victim takes them. `play` is what the victim decides about the first two cards.
    With `everyone`, all boxes are dealt and play like the victim.
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


ANY = Occasion()
FREE_BET: tuple[Ruleset, ...] = ("free_bet_590", "free_bet_672a")
DOWN_UNDER: tuple[Ruleset, ...] = ("down_under_685a",)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wrong:
    """What is wrong, how it comes about, and which provisions it violates.

    `free_bet` names provisions of 672a without the chapter (those of 590 follow), `only_590` and `only_672a`
    provisions of one chapter alone, `down_under` of 685a; `integrity` findings about the record. `setup` are
    fields of the table, `habits` of its day, that the wrong needs.
    """

    doc: str
    how: Callable[[], Slip]
    free_bet: tuple[str, ...] = ()
    only_590: tuple[str, ...] = ()
    only_672a: tuple[str, ...] = ()
    down_under: tuple[str, ...] = ()
    integrity: tuple[str, ...] = ()
    setup: Mapping[str, Any] = field(default_factory=dict)
    habits: Mapping[str, float] = field(default_factory=dict)

    @property
    def rulesets(self) -> tuple[Ruleset, ...]:
        """Rulesets whose provisions it violates; all three for a wrong that is only one of the record."""
        none = not (self.free_bet or self.only_590 or self.only_672a or self.down_under)
        named: list[Ruleset] = []
        if none or self.free_bet or self.only_590:
            named.append("free_bet_590")
        if none or self.free_bet or self.only_672a:
            named.append("free_bet_672a")
        if none or self.down_under:
            named.append("down_under_685a")
        return tuple(named)

    @property
    def breaks(self) -> tuple[str, ...]:
        """Provision ids, of whatever chapter."""
        return (
            *(f"672a.{name}" for name in self.free_bet + self.only_672a),
            *(f"590.{name}" for name in [*map(in_590, self.free_bet), *self.only_590]),
            *(f"685a.{name}" for name in self.down_under),
            *(f"integrity.{name}" for name in self.integrity),
        )


def in_590(name: str) -> str:
    """A provision of 672a in the numbering of 590, whose sections from the ninth on come one later."""
    section, rest = name.split("(", 1)
    number = int(section) + (int(section) >= 9)
    return _SPLIT_OTHERWISE.get(f"{number}({rest}", f"{number}({rest}")


_SPLIT_OTHERWISE = {
    "7(f)#1": "7(f)",
    "7(h)(2)#1": "7(h)(2)",
    "7(m)#1": "7(m)",
    "11(c)": "11(c)#1",
    "11(c)(2)": "11(c)#2",
}


class Slip(Incident):
    """A wrong that happens once, at the first round that gives occasion; `once` says whether it is now."""

    occasion = ANY

    def __init__(self, occasion: Occasion | None = None) -> None:
        if occasion is not None:
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
        """The box that it befalls in this round."""
        table = self.table
        if self._victim is None:
            fit = [
                box
                for box in table.boxes
                if (box.side or not self.occasion.side) and not (box.side and self.occasion.plain)
            ]
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
        return self._dealer_wish() if spot == DEALER else self._player_wish(spot)

    def _dealer_wish(self) -> Wish | None:
        table, asked = self.table, self.occasion
        held = len(table.dealer) + (table.hole is not None and not table.hole_open)
        ranks = (asked.up, asked.hole)[held] if held < 2 else ""
        if ranks:
            return lambda card: card[0] in ranks
        if not asked.dealer:
            return None
        if held == 0:
            return lambda card: card[0] in "23456789"
        cards = list(table.dealer)
        limit = table.rules.dealer_limit
        if held == 1:
            return lambda card: 12 <= total([*cards, card], limit)[0] < STANDS_ON
        wanted = asked.dealer

        def ends_there(card: str) -> bool:
            points = total([*cards, card], limit)[0]
            return points in (wanted, 16) if total(cards, limit)[0] + 10 < wanted else points == wanted

        return ends_there

    def _player_wish(self, spot: str) -> Wish | None:
        asked = self.occasion
        hand = next(hand for hand in self.table.hands() if hand.name == spot)
        if not self.is_victim(hand):
            return None
        cards = hand.cards
        if len(cards) == 1 and asked.matching:
            return lambda card: VALUES[card[0]] == VALUES[cards[0][0]]
        ranks = (asked.first, asked.second, asked.third)[len(cards)] if len(cards) < 3 else ""
        return (lambda card: card[0] in ranks) if ranks else None

    def insures(self, box: Box, wants: bool, /) -> bool:
        """The victim, if the occasion asks for it."""
        return wants or (self.occasion.insured and self.now and box is self.victim)

    def takes_even_money(self, box: Box, wants: bool, /) -> bool:
        """The victim, if the occasion asks for it; where it asks for insurance, not even money."""
        if self.now and box is self.victim and (self.occasion.even_money or self.occasion.insured):
            return self.occasion.even_money
        return wants

    def surrenders_early(self, hand: Hand, wants: bool, /) -> bool:
        """Not a victim whose decision is needed."""
        if self.occasion.play is None or not self.now or not self.is_victim(hand):
            return wants
        return self.occasion.play == "surrender"

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """The victim decides as the occasion needs, where the rules allow it."""
        table, wanted = self.table, self.occasion.play
        if wanted is not None and self.now and len(hand.cards) == 2 and self.is_victim(hand):
            return wanted if wanted in choices_for(table, table.box_of(hand), hand) else choice
        return choice


class Edited(Slip):
    """One event is written otherwise than it happened; `change` gives what stands in its place, or None."""

    def __init__(
        self, change: Callable[[Edited, Payload], Sequence[Payload] | None], occasion: Occasion = ANY
    ) -> None:
        super().__init__(occasion)
        self.change = change

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """Change the first event that can be."""
        if self.now:
            written = self.change(self, payload)
            if written is not None:
                self.happened = True
                return written
        return (payload,)


class Delayed(Slip):
    """An event that `held` picks is written only after the next that `until` picks; `several` holds all such."""

    def __init__(
        self,
        held: Callable[[Delayed, Payload], bool],
        until: Callable[[Delayed, Payload], bool],
        occasion: Occasion = ANY,
        *,
        several: bool = False,
    ) -> None:
        super().__init__(occasion)
        self.several = several
        self.held = held
        self.until = until
        self.kept: list[Payload] = []

    def edit(self, payload: Payload, /) -> Sequence[Payload]:
        """Hold back, and let go."""
        if self.now and (self.several or not self.kept) and self.held(self, payload):
            self.kept.append(payload)
            return ()
        if self.kept and self.until(self, payload):
            self.happened = True
            late, self.kept = self.kept, []
            return (payload, *late)
        return (payload,)


class Misjudged(Slip):
    """A hand is settled as if it had ended otherwise."""

    def __init__(
        self,
        true: Result,
        taken_for: Result,
        occasion: Occasion = ANY,
        fits: Callable[[Misjudged, Hand], bool] = lambda _slip, hand: not hand.lammers,
    ) -> None:
        super().__init__(occasion)
        self.true = true
        self.taken_for = taken_for
        self.fits = fits

    def result(self, hand: Hand, result: Result, /) -> Result:
        """Misjudge the first hand that fits."""
        fits = self.now and result == self.true and hand.cash > 0 and not self.table.dealer_blackjack
        if fits and self._standing(hand) and self.fits(self, hand):
            self.happened = True
            return self.taken_for
        return result

    def _standing(self, hand: Hand) -> bool:
        return hand.state == "open"


class Chosen(Slip):
    """A decision is carried out that the rules do not allow; `wrong` gives it, or None."""

    def __init__(
        self, wrong: Callable[[Chosen, Hand, Choice], Choice | None], occasion: Occasion = ANY
    ) -> None:
        super().__init__(occasion)
        self.wrong = wrong

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """Carry out the wrong one at the first chance."""
        if self.now:
            wrong = self.wrong(self, hand, choice)
            if wrong is not None:
                self.happened = True
                return wrong
        return super().choice(hand, choice)

"""The dealer of stack games: rounds from an automated shoe (670a.10) and from a manual one (657a.8)."""

from __future__ import annotations

from msgspec import UNSET

from producers.simulator.day.life import TableLife
from producers.simulator.stacks.dealing import (
    change_deck,
    close_betting,
    deal_cards,
    deal_stacks,
    take_wagers,
)
from producers.simulator.stacks.deviations import DEVIATIONS, StackDeviation
from producers.simulator.stacks.settlement import complete, void
from producers.simulator.stacks.table import StackTable
from schemas.events import CardExposed, RoundEnded, ShuffleCompleted, StubCounted, StubRemoved
from schemas.values import DEALER

COUNT_WITHIN = 5  # rounds, 657a.8(f)
COUNTS_ANYWAY = 0.1  # chance of a stub count that is not due
DEALS = {"fortune_670a10": deal_stacks, "manual_shoe_657a8": deal_cards}


class StackEngine:
    """Deals rounds of either game; side wagers, counts and void rounds by the text."""

    def __init__(self, life: TableLife) -> None:
        self.table = StackTable(life)
        self._deal = DEALS[life.setup.ruleset]
        self._uncounted = 0  # rounds since the stub was last counted
        self._counted_by_device = False
        life.writer.watch(ShuffleCompleted, self._shuffled)

    def play_round(self, number: int, *, irregularity: str | None = None) -> None:
        """Deal round `number`; `irregularity` names one of `deviations`.

        Raises:
            KeyError: the game has no irregularity of that name.
        """
        table = self.table
        table.begin(DEVIATIONS[table.setup.ruleset][irregularity] if irregularity else StackDeviation())
        change_deck(table)
        take_wagers(table, number)
        close_betting(table)
        self._deal(table)
        if self._remove_stub():
            complete(table)
        else:
            void(table)
        table.say(RoundEnded())

    def _remove_stub(self) -> bool:
        """Take the stub out, count it where due, rack a good one; return whether the round goes on."""
        table, differs = self.table, self.table.differs
        table.stub = [table.shoe.draw() for _ in range(table.shoe.remaining)]
        table.say(StubRemoved())
        if differs.exposes_stub:
            table.say(CardExposed(card=table.stub[0], where="stub"))
        self._uncounted += 1
        counts = self._count_due() or differs != StackDeviation()
        if counts:
            self._uncounted = 0
            table.say(StubCounted(cards=len(table.stub), face_down=True))
        wrong = differs.misdeals or (counts and len(table.stub) != self._stub_due())
        if wrong and not differs.plays_on:
            return False
        table.rack(DEALER, table.stub, "stub", hidden=True)
        return True

    def _stub_due(self) -> int:
        """Cards that a proper deal leaves; a bonus card goes to the layout where it is wagered on."""
        table, rules = self.table, self.table.rules
        if rules.stub is not None:
            return rules.stub
        dealt = rules.hand * (len(table.wagers) + 1) + bool(table.staked("six_card_bonus"))
        return table.setup.batch_cards - dealt

    def _count_due(self) -> bool:
        if self.table.rules.counts_every_round or self.table.rng.random() < COUNTS_ANYWAY:
            return True
        if self.table.setup.shuffler_counts:  # a shuffle by hand in between has no count of its own
            return not self._counted_by_device
        return self._uncounted >= COUNT_WITHIN

    def _shuffled(self, event: ShuffleCompleted) -> None:
        self._counted_by_device = event.counted is not UNSET

"""The blackjack dealer: whole rounds of 590, 672a and 685a, dealt from the regulation's text."""

from __future__ import annotations

from producers.simulator.blackjack import action, dealing, decisions, settlement
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.incidents.irregularities import CATALOGUED
from producers.simulator.blackjack.table import BlackjackTable
from producers.simulator.day.life import TableLife
from schemas.events import RoundEnded


class BlackjackEngine:
    """Deals rounds on one table, writing every event in the order in which it happens.

    `happened` says whether the last round gave its irregularity, or the installed incident, an occasion.
    """

    def __init__(self, life: TableLife) -> None:
        self.table = BlackjackTable(life)
        self.happened = False

    def install(self, incident: Incident) -> None:
        """Let `incident` change the rounds until further notice."""
        incident.table = self.table
        self.table.incident = incident

    def play_round(self, number: int, *, irregularity: str | None = None) -> None:
        """Deal round `number` from the first wager to the racked cards.

        An irregularity named takes the place of the installed incident for this round.

        Raises:
            KeyError: no irregularity of that name.
        """
        table, usual = self.table, self.table.incident
        if irregularity is not None:
            self.install(CATALOGUED[irregularity].how())
        table.clear(number)
        table.players.notice_shoe()
        table.incident.before_round()
        try:
            _play(table)
        finally:
            self.happened = table.incident.happened
            table.incident = usual
        for player, strategy in {box.patron.name: box.strategy for box in table.boxes}.items():
            strategy.ends_round(table.net.get(player, 0))


def _play(table: BlackjackTable) -> None:
    dealing.take_wagers(table)
    dealing.deal(table)
    dealing.settle_match_the_dealer(table)
    decisions.offer_insurance(table)
    decisions.signal_surrenders(table)
    dealing.read_hole(table)
    if not table.dealer_blackjack:
        decisions.collect_insurance(table)
        decisions.settle_early_surrenders(table)
        action.act(table)
        action.deal_missed(table)
        dealing.show_hole(table)
        dealing.complete_dealer(table)
    settlement.settle_round(table)
    settlement.pick_up(table)
    table.say(RoundEnded())
    table.incident.after_round()

"""The blackjack dealer: whole rounds of 590, 672a and 685a, dealt from the regulation's text."""

from __future__ import annotations

from producers.simulator.blackjack import action, dealer, dealing, decisions, insurance, settlement, wagering
from producers.simulator.blackjack.felt import Felt, Life
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.incidents.irregularities import irregularity_named
from producers.simulator.floor.deck import PhysicalShoe
from producers.simulator.floor.setup import TableSetup
from producers.simulator.floor.writer import TableWriter
from schemas.events import RoundEnded


class BlackjackEngine:
    """Deals rounds on one felt, writing every event in the order in which it happens.

    `happened` says whether the last round gave its irregularity, or the installed incident, an occasion.
    """

    def __init__(self, writer: TableWriter, setup: TableSetup, shoe: PhysicalShoe, life: Life) -> None:
        self.felt = Felt(writer, setup, shoe, life)
        self.happened = False

    def install(self, incident: Incident) -> None:
        """Let `incident` change the rounds until further notice."""
        incident.table = self.felt
        self.felt.incident = incident

    def play_round(self, number: int, *, irregularity: str | None = None) -> None:
        """Deal round `number` from the first wager to the racked cards.

        An irregularity named takes the place of the installed incident for this round.

        Raises:
            KeyError: no irregularity of that name.
        """
        felt, usual = self.felt, self.felt.incident
        if irregularity is not None:
            self.install(irregularity_named(irregularity))
        felt.clear(number)
        felt.players.notice_shoe()
        felt.incident.before_round()
        try:
            _play(felt)
        finally:
            self.happened = felt.incident.happened
            felt.incident = usual
        for player, strategy in {box.patron.name: box.strategy for box in felt.boxes}.items():
            strategy.ends_round(felt.net.get(player, 0))


def _play(felt: Felt) -> None:
    wagering.take_wagers(felt)
    dealing.deal(felt)
    dealing.settle_match_the_dealer(felt)
    insurance.offer_insurance(felt)
    decisions.signal_surrenders(felt)
    dealing.read_hole(felt)
    if not felt.dealer_blackjack:
        insurance.collect_insurance(felt)
        decisions.settle_early_surrenders(felt)
        action.act(felt)
        action.deal_missed(felt)
        dealer.show_hole(felt)
        dealer.complete_dealer(felt)
    settlement.settle_round(felt)
    settlement.pick_up(felt)
    felt.say(RoundEnded())
    felt.incident.after_round()

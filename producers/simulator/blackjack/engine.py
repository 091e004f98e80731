"""The blackjack dealer: whole rounds of 590, 672a and 685a, dealt from the regulation's text."""

from __future__ import annotations

from producers.simulator.blackjack.action import act, deal_missed
from producers.simulator.blackjack.dealer import complete_dealer, show_hole
from producers.simulator.blackjack.dealing import deal, read_hole, settle_match_the_dealer
from producers.simulator.blackjack.decisions import settle_early_surrenders, signal_surrenders
from producers.simulator.blackjack.felt import Felt, Life
from producers.simulator.blackjack.incidents.incident import Incident
from producers.simulator.blackjack.incidents.irregularities import irregularity_named
from producers.simulator.blackjack.insurance import collect_insurance, offer_insurance
from producers.simulator.blackjack.settlement import pick_up, settle_round
from producers.simulator.blackjack.wagering import take_wagers
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
    take_wagers(felt)
    deal(felt)
    settle_match_the_dealer(felt)
    offer_insurance(felt)
    signal_surrenders(felt)
    read_hole(felt)
    if not felt.dealer_blackjack:
        collect_insurance(felt)
        settle_early_surrenders(felt)
        act(felt)
        deal_missed(felt)
        show_hole(felt)
        complete_dealer(felt)
    settle_round(felt)
    pick_up(felt)
    felt.say(RoundEnded())
    felt.incident.after_round()

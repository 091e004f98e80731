"""The blackjack dealer: whole rounds of 590, 672a and 685a, dealt from the regulation's text."""

from __future__ import annotations

from producers.simulator.blackjack.incidents.irregularities import irregularity_named
from producers.simulator.blackjack.settlement import Settlement
from schemas.events import RoundEnded


class BlackjackEngine(Settlement):
    """Deals rounds at one table, writing every event in the order in which it happens.

    `incident` is what goes otherwise than usual until further notice; an irregularity named to `play_round`
    takes its place for that round. `happened` says whether the last round gave it an occasion.
    """

    happened = False

    def play_round(self, number: int, *, irregularity: str | None = None) -> None:
        """Deal round `number` from the first wager to the racked cards.

        Raises:
            KeyError: no irregularity of that name.
        """
        usual = self.incident
        if irregularity is not None:
            self.install(irregularity_named(irregularity))
        self._begin(number)
        try:
            self._play()
        finally:
            self.happened = self.incident.happened
            self.install(usual)
        for player, strategy in {box.patron.name: box.strategy for box in self.boxes}.items():
            strategy.ends_round(self.net.get(player, 0))

    def _begin(self, number: int) -> None:
        self.clear()
        self.number = number
        if self.shoe.number != self.shoe_seen or self.setup.reshuffles_itself:
            self.shoe_seen = self.shoe.number
            for strategy in self.strategies.values():
                strategy.new_shoe(len(self.shoe.order))
        self.incident.before_round()

    def _play(self) -> None:
        self.take_wagers()
        self.deal()
        self.settle_match_the_dealer()
        self.offer_insurance()
        self.signal_surrenders()
        self.read_hole()
        if not self.dealer_blackjack:
            self.collect_insurance()
            self.settle_early_surrenders()
            self.act()
            self.deal_missed()
            self.show_hole()
            self.complete_dealer()
        self.settle_round()
        self.pick_up()
        self.say(RoundEnded())
        self.incident.after_round()

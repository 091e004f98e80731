"""Irregularities of the initial deal: boxed cards, cards that a hand or the dealer did not get."""

from __future__ import annotations

from producers.simulator.blackjack.dealing import deal_to
from producers.simulator.blackjack.early_ends import void
from producers.simulator.blackjack.incidents.incident import Incident
from schemas.events import CardDrawn, CardExposed, FloorpersonNotified, PlayerRequest
from schemas.values import DEALER


class FaceUpCard(Incident):
    """A card lies face up in the shoe: it is not used, and goes to the rack (12(a))."""

    def __init__(self) -> None:
        self.wait = -1

    def before_draw(self, _spot: str, /) -> None:
        """Meet it before one of the cards of the initial deal, the hole card among them."""
        table = self.table
        if self.wait < 0:
            self.wait = table.rng.randrange(2 * len(table.boxes) + 2)
        if self.wait == 0 and table.shoe.remaining > 1:
            self.happened = True
            card = table.shoe.draw()
            table.say(CardDrawn(card, "shoe_side"))
            table.say(CardExposed(card, "in_shoe"))
            table.players.see([card])
            table.rack(DEALER, [card], "boxed")
        self.wait -= 1


class DealerSkipsCard(Incident):
    """The dealer forgets his own first or second card and takes it after the players have two (FB 12(e))."""

    def __init__(self, skipped: int) -> None:
        self.skipped = skipped

    def deal_order(self, nth: int, spots: list[str], /) -> list[str]:
        """Without the dealer where he forgets himself; his lacking cards after the players' second."""
        players = [spot for spot in spots if spot != DEALER]
        if nth == self.skipped:
            self.happened = True
        if self.skipped == 2:
            return players if nth == 2 else spots
        return players if nth == 1 else [*players, DEALER, DEALER]

    def after_deal(self) -> None:
        """Nobody has acted yet: the floorperson hears of it, and the dealer takes the second card."""
        table = self.table
        if self.skipped == 2:
            table.say(FloorpersonNotified("dealer's second card missing", table.life.floorperson))
            deal_to(table, DEALER)


class _OneHand(Incident):
    """Something befalls one hand of the deal; chosen among boxes without a side wager that the cards decide."""

    victim = ""

    def choose(self, spots: list[str]) -> str:
        """The hand it befalls, or nothing when the only box would be left without cards."""
        table = self.table
        if not self.victim and len(table.boxes) > 1:
            names = {
                box.first.name for box in table.boxes if table.rules.side_wager == "push22" or not box.side
            }
            fit = [spot for spot in spots if spot in names]
            self.victim = table.rng.choice(fit) if fit else "none"
        return self.victim


class HandWithoutCards(_OneHand):
    """A hand gets no cards: it is dead, its wager goes back, its player joins the next deal (12(g))."""

    def deal_order(self, _nth: int, spots: list[str], /) -> list[str]:
        """Pass the hand over in both rounds."""
        victim = self.choose(spots)
        return [spot for spot in spots if spot != victim]

    def after_deal(self) -> None:
        """Call it dead."""
        for box in self.table.boxes:
            if not box.first.cards:
                self.happened = True
                void(self.table, box, box.first, "no cards dealt")


class OneCardHand(_OneHand):
    """A hand gets one card: its player has the second after all others, or declines and is dead (12(g), A23)."""

    def __init__(self, taken: bool) -> None:
        self.taken = taken

    def deal_order(self, nth: int, spots: list[str], /) -> list[str]:
        """Pass the hand over in the second round; where its player wants the card, it comes last."""
        victim = self.choose(spots)
        if nth == 1 or victim not in spots:
            return spots
        self.happened = True
        players = [spot for spot in spots if spot not in (DEALER, victim)]
        return [*players, *([victim] if self.taken else []), DEALER]

    def before_draw(self, spot: str, /) -> None:
        """The player requests the late card, or declines it before the hole card is dealt."""
        table = self.table
        if not self.happened or spot != (self.victim if self.taken else DEALER):
            return
        box = next(box for box in table.boxes if box.first.name == self.victim)
        if len(box.first.cards) != 1 or not box.first.live:
            return
        table.say(PlayerRequest(box.seat, "second_card" if self.taken else "dead_hand"))
        if not self.taken:
            void(table, box, box.first, "one card only, second card declined")

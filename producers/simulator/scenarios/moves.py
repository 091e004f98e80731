"""Slips of procedure: what a dealer or a patron does between the first wager and the last card."""

from __future__ import annotations

from producers.simulator.blackjack.action import hit
from producers.simulator.blackjack.course import Wish
from producers.simulator.blackjack.dealer import count_matters
from producers.simulator.blackjack.drawing import deal_up, reveal_hole
from producers.simulator.blackjack.hands import Box, Hand
from producers.simulator.blackjack.rules import STANDS_ON, VALUES, Choice, Result
from producers.simulator.blackjack.settlement import results_of
from producers.simulator.scenarios.money import chips
from producers.simulator.scenarios.side import LOW
from producers.simulator.scenarios.slips import TEN, Delayed, Occasion, Slip
from schemas.events import CardPlaced, CardsHandled, PlayerDecision, WagerAltered, WagerPlaced
from schemas.values import DEALER


class LateWager(Delayed):
    """A wager is laid after the first card."""

    def __init__(self, kind: str) -> None:
        side = kind == "side"
        super().__init__(
            lambda slip, payload: (
                isinstance(payload, WagerPlaced) and slip.table.boxes != [] and self._late(payload)
            ),
            lambda _slip, payload: isinstance(payload, CardPlaced),
            Occasion(side=side, plain=not side),
        )
        self.side = side

    def _late(self, payload: WagerPlaced) -> bool:
        """A side wager, or the main wager of a second or later box that has none."""
        boxes = self.table.boxes
        if self.side:
            return payload.kind in ("push22", "match_dealer")
        return payload.kind == "main" and len(boxes) > 1 and not boxes[-1].side


class Altered(Slip):
    """A patron changes a main wager after the deal; it is played on as it then lies."""

    def __init__(self, sign: int) -> None:
        super().__init__()
        self.sign = sign

    def after_deal(self) -> None:
        """Press or pinch."""
        table = self.table
        box = self.victim
        if box is None or not box.first.live or not self.now:
            return
        cents = box.unit + self.sign * chips(self, box.unit)
        if table.setup.min_cents <= cents <= table.setup.max_cents:
            self.happened = True
            table.say(WagerAltered(box.seat, "main", box.unit, cents, "player"))
            box.unit = box.first.cash = cents


class DealOrder(Slip):
    """Cards of the first round go out in another order: two boxes exchanged, or one after the dealer."""

    def __init__(self, *, skipped: bool) -> None:
        super().__init__()
        self.skipped = skipped

    def deal_order(self, nth: int, spots: list[str], /) -> list[str]:
        """Change the first round."""
        if nth != 1 or len(spots) < 3 or not self.once():
            return spots
        if self.skipped:
            victim = self.table.rng.choice(spots[:-1])
            return [*(spot for spot in spots if spot != victim), victim]
        at = self.table.rng.randrange(len(spots) - 2)
        return [*spots[:at], spots[at + 1], spots[at], *spots[at + 2 :]]


class DrawsAfterwards(Slip):
    """A finished hand is dealt one more card, on 21, on a double or on split aces of 685a."""

    def __init__(self, which: str, occasion: Occasion) -> None:
        super().__init__(occasion)
        self.which = which

    def after_hand(self, hand: Hand, /) -> None:
        """Deal it."""
        table = self.table
        if self.now and hand.state == "open" and self._fits(hand):
            self.happened = True
            if self.which != "double":
                table.say(PlayerDecision(hand.name, "hit"))
            hit(table, table.box_of(hand), hand, sideways=self.which == "double")

    def _fits(self, hand: Hand) -> bool:
        doubled = hand.double > 0 or "free_double" in hand.lammers
        if self.which == "double":
            return doubled and hand.points < 21
        if self.which == "aces":
            return self.table.box_of(hand).split and hand.cards[0][0] == "A" and len(hand.cards) == 2
        return hand.points == 21 and not doubled and len(hand.cards) > 2


class DealerDraws(Slip):
    """The dealer draws once too often or stops too early; `from_total` is when."""

    def __init__(self, totals: range, draws: bool, occasion: Occasion) -> None:
        super().__init__(occasion)
        self.totals = totals
        self.draws = draws

    def dealer_draws(self, due: bool, /) -> bool:
        """The other way, once."""
        if self.now and due != self.draws and self.table.dealer_total in self.totals:
            live = any(hand.live for hand in self.table.hands())
            if live:
                self.happened = True
                return self.draws
        return due


class DealerStops(DealerDraws):
    """The dealer stops below 17 and takes nothing more."""

    stopped = 0

    def dealer_draws(self, due: bool, /) -> bool:
        """Stop for good."""
        if self.stopped == self.table.number:
            return False
        draws = super().dealer_draws(due)
        if self.happened and not draws and due:
            self.stopped = self.table.number
        return draws


class AllBust(Slip):
    """Every patron goes over 21; the dealer then draws though nothing turns on it, or not though Push 22 does."""

    def __init__(self, *, push22: bool) -> None:
        super().__init__(Occasion(up="56", hole=TEN))
        self.push22 = push22
        self.stopped = 0

    def before_round(self) -> None:
        """Side wagers as this needs them."""
        super().before_round()
        for patron in self.table.life.patrons:
            patron.side_appetite = 1.0 if self.push22 else 0.0

    def wish(self, spot: str, /) -> Wish | None:
        """Ten, six, ten."""
        if self.happened or spot == DEALER:
            return super().wish(spot)
        held = next(len(hand.cards) for hand in self.table.hands() if hand.name == spot)
        return lambda card: VALUES[card[0]] == (6 if held == 1 else 10)

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """All draw to the end."""
        return "hit" if self.now and hand.points < 21 else choice

    def dealer_draws(self, due: bool, /) -> bool:
        """Against what nothing, or Push 22, asks."""
        table = self.table
        if self.stopped == table.number:
            return False
        if any(hand.live for hand in table.hands()) or table.dealer_total >= STANDS_ON:
            return due
        if self.push22 and due and self.once():
            self.stopped = table.number
            return False
        if not self.push22 and not due and count_matters(table) is False and self.once():
            return True
        return due


class EarlyHole(Slip):
    """The hole card is turned before the players act."""

    def before_action(self) -> None:
        """Turn it."""
        if not self.table.hole_open and self.once():
            reveal_hole(self.table)


class HoleUnread(Slip):
    """The hole card is not put into the reader; it makes no Blackjack."""

    def reads_hole(self, due: bool, /) -> bool:
        """Not this time."""
        return False if due and not self.table.dealer_blackjack and self.once() else due

    def surrenders_early(self, hand: Hand, wants: bool, /) -> bool:
        """A wager that waits for the reading would go wrong as well."""
        return super().surrenders_early(hand, wants) and not self.now


class LargeUnshown(Slip):
    """Two Large cards, and the hole card is not shown before the players act."""

    def shows_large(self, due: bool, /) -> bool:
        """Not this time."""
        return False if due and not self.table.dealer_blackjack and self.once() else due


class SplitsOn(Slip):
    """One hand more than the chapter allows is split off."""

    def __init__(self) -> None:
        super().__init__(Occasion(first="8", up=LOW, play="split"))

    def wish(self, spot: str, /) -> Wish | None:
        """Eights for the victim."""
        victim = self.victim
        if self.now and victim is not None and spot.startswith(f"{victim.seat}."):
            return lambda card: card[0] == "8"
        return super().wish(spot)

    def choice(self, hand: Hand, choice: Choice, /) -> Choice:
        """Split whatever can be, and once what cannot."""
        box = self.table.box_of(hand)
        pair = len(hand.cards) == 2 and VALUES[hand.cards[0][0]] == VALUES[hand.cards[1][0]]
        if not self.now or box is not self.victim or not pair:
            return choice
        if len(box.hands) >= self.table.rules.most_hands:
            self.happened = True
        return "split"


class SplitOrder(Slip):
    """The new hand gets its second card before the first is finished."""

    def after_split(self, _hand: Hand, new: Hand, /) -> None:
        """Deal it at once."""
        if self.once():
            new.cards.append(deal_up(self.table, new.name))


class Handled(Slip):
    """A patron touches the cards."""

    def before_action(self) -> None:
        """Before the first decision."""
        box = self.victim
        if box is not None and box.first.cards and self.once():
            self.table.say(CardsHandled("player", box.first.name))


class PaysFirst(Slip):
    """Winners are paid while losing wagers still lie there."""

    def collects_first(self, due: bool, /) -> bool:
        """Pay first where both are on the table."""
        results = set(results_of(self.table).values())
        return False if due and {"win", "lose"} <= results and self.once() else due


class SettlesClockwise(Slip):
    """Wagers are settled from the dealer's left."""

    def settle_order(self, boxes: list[Box], /) -> list[Box]:
        """Turn the order round where two boxes lose."""
        losing = [
            box
            for box in boxes
            if any(hand.state == "open" and self._loses(hand) for hand in box.hands if hand.cash)
        ]
        return boxes[::-1] if len(losing) > 1 and not self.table.dealer_blackjack and self.once() else boxes

    def _loses(self, hand: Hand) -> bool:
        results: dict[str, Result] = results_of(self.table)
        return results.get(hand.name) == "lose"

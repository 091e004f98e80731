"""From betting to the dealer's last card, but for the players' decisions (6(c)-(f), 7(e)-(g), 7(k)-(m); 685a.7)."""

from __future__ import annotations

from producers.simulator.blackjack.drawing import deal_hole, deal_up, reveal_hole
from producers.simulator.blackjack.hands import BettingBox, SimulatedHand
from producers.simulator.blackjack.rules import LARGE, STANDS_ON, is_blackjack, match_odds, range_of
from producers.simulator.blackjack.table import BlackjackTable
from producers.simulator.floor.patrons import Patron
from schemas import events
from schemas.values import DEALER


def take_wagers(table: BlackjackTable) -> None:
    """Open betting, take main and side wagers by seat, close betting (6(c)-(f))."""
    table.say(events.RoundStarted(table.number))
    for seat, patron, stake in _stakes(table):
        wanted = patron.side_stakes(table.rng, table.setup)
        side = sum(cents for kind, cents in wanted if kind == table.rules.side_wager)
        box = BettingBox(seat, patron, table.players.strategy_of(patron), stake, side)
        box.hands.append(SimulatedHand(f"{seat}.1", seat, 1, stake))
        box.side_open = box.side > 0
        table.boxes.append(box)
        # Now and then a wager of 685a is spoken, with cash that becomes chips at once (685a.6(a)).
        if table.rules.cash_plays and table.rng.random() < table.setup.habits.buys_more:
            table.say(events.CashWagerCalled(seat, stake, True))
            table.say(events.CashConverted(seat, stake))
        table.say(events.WagerPlaced(seat, "main", stake, player=patron.name))
        if box.side:
            table.say(events.WagerPlaced(seat, table.rules.side_wager, box.side, player=patron.name))
    table.say(events.BettingClosed(True))


def _stakes(table: BlackjackTable) -> list[tuple[int, Patron, int]]:
    """Seat, patron and main wager of every box, by seat; somebody always plays."""
    stakes: list[tuple[int, Patron, int]] = []
    for patron in table.life.patrons:
        strategy = table.players.strategy_of(patron)
        if strategy.stake():
            for seat in patron.seats:
                cents = strategy.stake() or table.setup.min_cents
                stakes.append((seat, patron, _even(table, cents)))
    if not stakes:
        patron = table.life.patrons[0]
        stakes.append((patron.seats[0], patron, _even(table, patron.main_stake(table.rng, table.setup))))
    return sorted(stakes, key=lambda stake: stake[0])


def _even(table: BlackjackTable, cents: int) -> int:
    """A stake in chips whose half is whole cents, so that 3 to 2 is exact."""
    chip = table.setup.chip_cents
    if cents % 2:
        cents += chip if cents + chip <= table.setup.max_cents else -chip
    return cents


def deal(table: BlackjackTable) -> None:
    """Two rounds of cards, boxes ascending, the dealer last: one up, one down (7(e))."""
    spots = [box.first.name for box in table.boxes]
    for nth in (1, 2):
        for spot in table.incident.deal_order(nth, [*spots, DEALER]):
            deal_to(table, spot)
    table.first_cards = [tuple(box.first.cards) for box in table.boxes]
    table.incident.after_deal()


def deal_to(table: BlackjackTable, spot: str) -> None:
    """The next card of the initial deal to one spot; the dealer's second lies face down."""
    if spot != DEALER:
        table.hand_named(spot).cards.append(deal_up(table, spot))
    elif table.dealer:
        deal_hole(table)
    else:
        table.dealer.append(deal_up(table, DEALER))


def settle_match_the_dealer(table: BlackjackTable) -> None:
    """Settle the side wagers of 685a at once, from the dealer's right (685a.7(f))."""
    if table.rules.side_wager != "match_dealer":
        return
    open_boxes = [box for box in reversed(table.boxes) if box.side_open]
    for box in table.incident.match_order(open_boxes):
        odds = match_odds(box.first.cards, table.up, table.setup.decks)
        box.side_open = False
        if odds:
            table.settle(box, "match_dealer", "pay", box.side * odds, f"{odds}:1")
        else:
            table.settle(box, "match_dealer", "collect", box.side)


def read_hole(table: BlackjackTable) -> None:
    """Put the hole card into the reader; show what must be shown (7(g); 685a.7(h))."""
    assert table.hole is not None
    table.dealer_blackjack = is_blackjack([table.up, table.hole])
    due = table.rules.lights_range or table.up[0] in LARGE
    if not table.incident.reads_hole(due):
        return
    table.incident.before_reader()
    if not table.rules.lights_range:
        table.say(
            events.HoleCardRead("card_reader", "blackjack" if table.dealer_blackjack else "no_blackjack")
        )
        table.incident.after_reader()
        if table.dealer_blackjack:
            reveal_hole(table)
        return
    table.lit = table.incident.shown_range("light", range_of(table.hole))
    table.say(events.HoleCardRead("masque_reader", table.lit))
    table.laid = table.incident.shown_range("area", table.lit)
    table.say(events.DealerHandPositioned(table.laid))
    if table.incident.shows_large(table.up[0] in LARGE and table.laid == "large"):
        reveal_hole(table)


def show_hole(table: BlackjackTable) -> None:
    """Turn the hole card after the last decision, unless it lies open already (7(k); 685a.7(l))."""
    if not table.hole_open:
        reveal_hole(table)
        table.incident.after_reveal()


def count_matters(table: BlackjackTable) -> bool:
    """Whether the dealer's count still decides anything (672a.7(m)); under 685a it always does."""
    return (
        table.rules.draws_in_vain
        or any(hand.live for hand in table.hands())
        or any(box.side_open for box in table.boxes)
    )


def complete_dealer(table: BlackjackTable) -> None:
    """Draw to 17 or more, announcing each total (7(l), 7(m))."""
    while table.incident.dealer_draws(count_matters(table) and table.dealer_total < STANDS_ON):
        table.dealer.append(deal_up(table, DEALER))
        table.say(events.DealerTotalAnnounced(table.dealer_total))
    if table.waiting is not None:
        table.rack(DEALER, [table.waiting], "refused")
        table.waiting = None
    table.incident.after_dealer()

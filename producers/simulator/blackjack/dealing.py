"""The initial deal, Match-the-Dealer, the reader (7(e)-(g); 685a.7(f)-(h)), and the dealer's own hand (7(k)-(m))."""

from producers.simulator.blackjack.drawing import deal_hole, deal_up, reveal_hole
from producers.simulator.blackjack.rules import LARGE, STANDS_ON, is_blackjack, match_odds, range_of
from producers.simulator.blackjack.table import BlackjackTable
from schemas.events import DealerHandPositioned, DealerTotalAnnounced, HoleCardRead
from schemas.values import DEALER


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
        table.say(HoleCardRead("card_reader", "blackjack" if table.dealer_blackjack else "no_blackjack"))
        table.incident.after_reader()
        if table.dealer_blackjack:
            reveal_hole(table)
        return
    table.lit = table.incident.shown_range("light", range_of(table.hole))
    table.say(HoleCardRead("masque_reader", table.lit))
    table.laid = table.incident.shown_range("area", table.lit)
    table.say(DealerHandPositioned(table.laid))
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
        table.say(DealerTotalAnnounced(table.dealer_total))
    if table.waiting is not None:
        table.rack(DEALER, [table.waiting], "refused")
        table.waiting = None
    table.incident.after_dealer()

"""The dealer's own hand: the hole card, the draws, the announced totals (7(k)-(m))."""

from __future__ import annotations

from producers.simulator.blackjack.drawing import deal_up, reveal_hole
from producers.simulator.blackjack.rules import STANDS_ON
from producers.simulator.blackjack.table import BlackjackTable
from schemas.events import CardsRacked, DealerTotalAnnounced
from schemas.values import DEALER


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
        dealer_card(table)
    if table.waiting is not None:
        table.say(CardsRacked(DEALER, (table.waiting,), "refused"))
        table.shoe.to_rack([table.waiting])
        table.waiting = None
    table.incident.after_dealer()


def dealer_card(table: BlackjackTable) -> None:
    """One card for the dealer, and the total said aloud."""
    table.dealer.append(deal_up(table, DEALER))
    table.say(DealerTotalAnnounced(table.dealer_total))

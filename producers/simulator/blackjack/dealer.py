"""The dealer's own hand: the hole card, the draws, the announced totals (7(k)-(m))."""

from __future__ import annotations

from producers.simulator.blackjack.drawing import deal_up, reveal_hole
from producers.simulator.blackjack.felt import Felt
from producers.simulator.blackjack.rules import STANDS_ON
from schemas.events import CardsRacked, DealerTotalAnnounced
from schemas.values import DEALER


def show_hole(felt: Felt) -> None:
    """Turn the hole card after the last decision, unless it lies open already (7(k); 685a.7(l))."""
    if not felt.hole_open:
        reveal_hole(felt)
        felt.incident.after_reveal()


def count_matters(felt: Felt) -> bool:
    """Whether the dealer's count still decides anything (672a.7(m)); under 685a it always does."""
    return (
        felt.rules.draws_in_vain
        or any(hand.live for hand in felt.hands())
        or any(box.side_open for box in felt.boxes)
    )


def complete_dealer(felt: Felt) -> None:
    """Draw to 17 or more, announcing each total (7(l), 7(m))."""
    while felt.incident.dealer_draws(count_matters(felt) and felt.dealer_total < STANDS_ON):
        dealer_card(felt)
    if felt.waiting is not None:
        felt.say(CardsRacked(DEALER, (felt.waiting,), "refused"))
        felt.shoe.to_rack([felt.waiting])
        felt.waiting = None
    felt.incident.after_dealer()


def dealer_card(felt: Felt) -> None:
    """One card for the dealer, and the total said aloud."""
    felt.dealer.append(deal_up(felt, DEALER))
    felt.say(DealerTotalAnnounced(felt.dealer_total))

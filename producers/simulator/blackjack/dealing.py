"""The initial deal, Match-the-Dealer, and the reader (7(e)-(g); 685a.7(f)-(h))."""

from __future__ import annotations

from producers.simulator.blackjack.drawing import deal_hole, deal_up, reveal_hole
from producers.simulator.blackjack.felt import Felt
from producers.simulator.blackjack.rules import LARGE, is_blackjack, match_odds, range_of
from schemas.events import DealerHandPositioned, HoleCardRead
from schemas.values import DEALER


def deal(felt: Felt) -> None:
    """Two rounds of cards, boxes ascending, the dealer last: one up, one down (7(e))."""
    spots = [box.first.name for box in felt.boxes]
    for nth in (1, 2):
        for spot in felt.incident.deal_order(nth, [*spots, DEALER]):
            deal_to(felt, spot)
    felt.first_cards = [tuple(box.first.cards) for box in felt.boxes]
    felt.incident.after_deal()


def deal_to(felt: Felt, spot: str) -> None:
    """The next card of the initial deal to one spot; the dealer's second lies face down."""
    if spot != DEALER:
        felt.hand_named(spot).cards.append(deal_up(felt, spot))
    elif felt.dealer:
        deal_hole(felt)
    else:
        felt.dealer.append(deal_up(felt, DEALER))


def settle_match_the_dealer(felt: Felt) -> None:
    """Settle the side wagers of 685a at once, from the dealer's right (685a.7(f))."""
    if felt.rules.side_wager != "match_dealer":
        return
    open_boxes = [box for box in reversed(felt.boxes) if box.side_open]
    for box in felt.incident.match_order(open_boxes):
        odds = match_odds(box.first.cards, felt.up, felt.setup.decks)
        box.side_open = False
        if odds:
            felt.settle(box, "match_dealer", "pay", box.side * odds, f"{odds}:1")
        else:
            felt.settle(box, "match_dealer", "collect", box.side)


def read_hole(felt: Felt) -> None:
    """Put the hole card into the reader; show what must be shown (7(g); 685a.7(h))."""
    assert felt.hole is not None
    felt.dealer_blackjack = is_blackjack([felt.up, felt.hole])
    due = felt.rules.lights_range or felt.up[0] in LARGE
    if not felt.incident.reads_hole(due):
        return
    felt.incident.before_reader()
    if not felt.rules.lights_range:
        felt.say(HoleCardRead("card_reader", "blackjack" if felt.dealer_blackjack else "no_blackjack"))
        felt.incident.after_reader()
        if felt.dealer_blackjack:
            reveal_hole(felt)
        return
    felt.lit = felt.incident.shown_range("light", range_of(felt.hole))
    felt.say(HoleCardRead("masque_reader", felt.lit))
    felt.laid = felt.incident.shown_range("area", felt.lit)
    felt.say(DealerHandPositioned(felt.laid))
    if felt.incident.shows_large(felt.up[0] in LARGE and felt.laid == "large"):
        reveal_hole(felt)

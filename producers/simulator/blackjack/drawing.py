"""Cards leave the shoe: for a hand, or face down and sealed for the dealer."""

from __future__ import annotations

from msgspec import UNSET

from producers.simulator.blackjack.felt import Felt
from producers.simulator.floor.deck import nonce_from, seal
from schemas.events import CardDrawn, CardExposed, CardPlaced, CoverCardReached, HoleCardRevealed
from schemas.values import DEALER, UNKNOWN


def draw(felt: Felt, spot: str) -> str:
    """Take the next card for `spot`, reloading an empty shoe (12(f); 685a.12(e)); its event follows."""
    _make_ready(felt, spot)
    felt.incident.before_draw(spot)
    _make_ready(felt, spot)
    _grant_wish(felt, spot)
    return felt.shoe.draw()


def _make_ready(felt: Felt, spot: str) -> None:
    if not felt.shoe.remaining:
        felt.life.reload()
        felt.reloaded = True
    if felt.shoe.cover_due:
        felt.shoe.cover_reached = True
        felt.say(CoverCardReached(spot.split(".")[0]))


def _grant_wish(felt: Felt, spot: str) -> None:
    """Swap the next card with a later one: an order that nobody has seen is as random as before."""
    wish = felt.incident.wish(spot)
    order, drawn = felt.shoe.order, felt.shoe.drawn
    if wish is None or wish(order[drawn]):
        return
    later = [n for n in range(drawn + 1, len(order)) if wish(order[n])]
    if later:
        chosen = felt.rng.choice(later)
        order[drawn], order[chosen] = order[chosen], order[drawn]


def deal_up(felt: Felt, spot: str, *, sideways: bool = False) -> str:
    """Draw a card, unless one is waiting, and lay it face up on `spot`."""
    if felt.waiting is None:
        card = draw(felt, spot)
        felt.say(CardDrawn(card, "shoe_side"))
    else:
        card, felt.waiting, felt.waiting_seen = felt.waiting, None, False
    felt.say(CardPlaced(spot, card, True, True if sideways else UNSET, "other"))
    felt.players.see([card])
    return card


def deal_hole(felt: Felt) -> None:
    """Draw the hole card unseen and lay it face down, sealed (7(e)(4))."""
    felt.hole = draw(felt, DEALER)
    felt.nonce = nonce_from(felt.rng)
    felt.say(CardDrawn(UNKNOWN, "shoe_side", seal(felt.hole, felt.nonce)))
    felt.say(CardPlaced(DEALER, UNKNOWN, False, UNSET, "other"))


def reveal_hole(felt: Felt) -> None:
    """Turn the hole card and open its seal."""
    assert felt.hole is not None
    card = felt.incident.revealed_card(felt.hole)
    felt.dealer.append(card)
    felt.hole_open = True
    felt.say(HoleCardRevealed(card, felt.nonce))
    felt.players.see([card])


def draw_in_error(felt: Felt) -> None:
    """Draw the next card before anybody is due it, so that all see it (12(c))."""
    felt.waiting = draw(felt, felt.boxes[0].first.name)
    felt.waiting_seen = True
    felt.say(CardDrawn(felt.waiting, "shoe_side"))
    felt.say(CardExposed(felt.waiting, "drawn_in_error"))
    felt.players.see([felt.waiting])

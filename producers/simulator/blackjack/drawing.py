"""Cards leave the shoe: for a hand, or face down and sealed for the dealer."""

from __future__ import annotations

from msgspec import UNSET

from producers.simulator.blackjack.table import BlackjackTable
from producers.simulator.floor.decks.deck import nonce_from, seal
from schemas.events import CardDrawn, CardExposed, CardPlaced, CoverCardReached, HoleCardRevealed
from schemas.values import DEALER, UNKNOWN


def draw(table: BlackjackTable, spot: str) -> str:
    """Take the next card for `spot`, reloading an empty shoe (12(f); 685a.12(e)); its event follows."""
    _make_ready(table, spot)
    table.incident.before_draw(spot)
    _make_ready(table, spot)
    _grant_wish(table, spot)
    return table.shoe.draw()


def _make_ready(table: BlackjackTable, spot: str) -> None:
    if not table.shoe.remaining:
        table.life.reload()
        table.reloaded = True
    if table.shoe.cover_due:
        table.shoe.cover_reached = True
        table.say(CoverCardReached(spot.split(".")[0]))


def _grant_wish(table: BlackjackTable, spot: str) -> None:
    """Swap the next card with a later one: an order that nobody has seen is as random as before."""
    wish = table.incident.wish(spot)
    order, drawn = table.shoe.order, table.shoe.drawn
    if wish is None or wish(order[drawn]):
        return
    later = [n for n in range(drawn + 1, len(order)) if wish(order[n])]
    if later:
        chosen = table.rng.choice(later)
        order[drawn], order[chosen] = order[chosen], order[drawn]


def deal_up(table: BlackjackTable, spot: str, *, sideways: bool = False) -> str:
    """Draw a card, unless one is waiting, and lay it face up on `spot`."""
    if table.waiting is None:
        card = draw(table, spot)
        table.say(CardDrawn(card, "shoe_side"))
    else:
        card, table.waiting, table.waiting_seen = table.waiting, None, False
    table.say(CardPlaced(spot, card, True, True if sideways else UNSET, "other"))
    table.players.see([card])
    return card


def deal_hole(table: BlackjackTable) -> None:
    """Draw the hole card unseen and lay it face down, sealed (7(e)(4))."""
    table.hole = draw(table, DEALER)
    table.nonce = nonce_from(table.rng)
    table.say(CardDrawn(UNKNOWN, "shoe_side", seal(table.hole, table.nonce)))
    table.say(CardPlaced(DEALER, UNKNOWN, False, UNSET, "other"))


def reveal_hole(table: BlackjackTable) -> None:
    """Turn the hole card and open its seal."""
    assert table.hole is not None
    card = table.incident.revealed_card(table.hole)
    table.dealer.append(card)
    table.hole_open = True
    table.say(HoleCardRevealed(card, table.nonce))
    table.players.see([card])


def draw_in_error(table: BlackjackTable) -> None:
    """Draw the next card before anybody is due it, so that all see it (12(c))."""
    table.waiting = draw(table, table.boxes[0].first.name)
    table.waiting_seen = True
    table.say(CardDrawn(table.waiting, "shoe_side"))
    table.say(CardExposed(table.waiting, "drawn_in_error"))
    table.players.see([table.waiting])

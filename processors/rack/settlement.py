"""How a hand's main wager ends against the dealer, as far as the pickup and the money depend on it."""

from __future__ import annotations

from typing import Literal

from processors.rack.hands import BUST, DealerReading, HandReading
from processors.rack.house import House

Place = Literal["even_money", "blackjack", "surrender", "bust", "pickup"]
"""Why a hand left the table: one of the reasons to rack it early, or with the final pickup."""

Outcome = Literal["blackjack", "won", "returned", "lost", "surrendered"]

_OF_PLACE: dict[Place, frozenset[Outcome]] = {
    "even_money": frozenset({"blackjack"}),
    "blackjack": frozenset({"blackjack"}),
    "surrender": frozenset({"surrendered"}),
    "bust": frozenset({"lost"}),
}
_PAID: frozenset[Outcome] = frozenset({"blackjack"})
_RETURNED: frozenset[Outcome] = frozenset({"returned"})
_WON: frozenset[Outcome] = frozenset({"won"})
_LOST: frozenset[Outcome] = frozenset({"lost"})


def loses(reading: HandReading, split: bool, dealer: DealerReading) -> bool:
    """Whether a hand of the final pickup is a losing one: over 21, beaten, or no Blackjack against one."""
    if reading.total == BUST:
        return True
    if reading.natural and not split:
        return False
    return dealer.kind == "blackjack" or reading.total < dealer.total <= 21


def outcomes(
    place: Place, reading: HandReading, split: bool, dealer: DealerReading, house: House
) -> frozenset[Outcome]:
    """Every way in which the main wager of a hand that lies there may have ended.

    There are two ways only for a tucked Blackjack against a dealer Blackjack: returned (672a.7(g)(1)), or paid
    even money before the peek and left under its Push 22 wager (672a.8(e)).
    """
    if place != "pickup":
        return _OF_PLACE[place]
    if reading.natural and not split:
        if dealer.kind != "blackjack":
            return _PAID
        return _RETURNED | _PAID if house.even_money and house.push22 and dealer.ace_up else _RETURNED
    if loses(reading, split, dealer):
        return _LOST
    if dealer.total == 22:
        paid = house.profile.pays_against_push and (reading.total == 21 or (reading.large and not split))
        return _WON if paid else _RETURNED
    return _RETURNED if reading.total == dealer.total else _WON

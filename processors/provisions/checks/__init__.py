"""All checks; importing this package registers them."""

from processors.provisions.checks import (
    action,
    added_stakes,
    dealer_play,
    dealing,
    exposed_cards,
    insurance,
    masque,
    rack,
    reader,
    removal,
    settle_order,
    settlement,
    turns,
    void_rounds,
    wagers,
)

__all__ = [
    "action",
    "added_stakes",
    "dealer_play",
    "dealing",
    "exposed_cards",
    "insurance",
    "masque",
    "rack",
    "reader",
    "removal",
    "settle_order",
    "settlement",
    "turns",
    "void_rounds",
    "wagers",
]

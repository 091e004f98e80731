"""All checks; importing this package registers them."""

from processors.provisions.checks import (
    action,
    dealing,
    insurance,
    rack,
    reader,
    removal,
    settle_order,
    settlement,
    void_rounds,
    wagers,
)

__all__ = [
    "action",
    "dealing",
    "insurance",
    "rack",
    "reader",
    "removal",
    "settle_order",
    "settlement",
    "void_rounds",
    "wagers",
]

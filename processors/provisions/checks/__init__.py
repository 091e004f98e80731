"""All checks; importing this package registers them."""

from processors.provisions.checks import insurance, rack, removal, settle_order, settlement, void_rounds

__all__ = [
    "insurance",
    "rack",
    "removal",
    "settle_order",
    "settlement",
    "void_rounds",
]

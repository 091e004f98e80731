"""All checks; importing this package registers them."""

from processors.provisions.checks import insurance, rack, settlement, void_rounds

__all__ = ["insurance", "rack", "settlement", "void_rounds"]

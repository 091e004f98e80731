"""Money in figures: one form for the pages, the reports and the terminal."""

from __future__ import annotations


def figures(cents: int, currency: str = "") -> str:
    """`1,234.50`, whatever its sign, behind the currency's mark where one is given."""
    whole, rest = divmod(abs(cents), 100)
    return f"{currency}{whole:,}.{rest:02d}"


def owed(cents: int) -> str:
    """What a finding is worth, in words: `owed to patron $400.00`, `overpaid $20.00`; empty where no money is wrong.

    Cents are the patron's view: + the house owes, - it paid too much.
    """
    if not cents:
        return ""
    return f"{'owed to patron' if cents > 0 else 'overpaid'} {figures(cents, '$')}"


def owed_briefly(cents: int) -> str:
    """Money that is wrong, as a cell has room for it: `owed 45.00`, `overpaid 12.00`; empty where no money is wrong.

    Cents are the patron's view: + the house owes, - it paid too much.
    """
    if not cents:
        return ""
    return f"{'owed' if cents > 0 else 'overpaid'} {figures(cents)}"


def gained(cents: int) -> str:
    """What patrons came away with, in words: `won $20.00`, `lost $20.00`, or `even`."""
    if not cents:
        return "even"
    return f"{'won' if cents > 0 else 'lost'} {figures(cents, '$')}"


def settled(cents: int) -> str:
    """What closing an alert settled, in words: `lost $20.00`, `saved $20.00`, or `no money`."""
    if not cents:
        return "no money"
    return f"{'lost' if cents > 0 else 'saved'} {figures(cents, '$')}"


def settled_for(cents: int) -> str:
    """What a decision moves, in words."""
    if not cents:
        return "no money moves"
    return f"{figures(cents, '$')} {'to the patron' if cents > 0 else 'back from the patron'}"


def dollars(cents: int | None) -> str:
    """Cents as people read them: 1,600.00, a minus sign where it is negative, a dash where it is not known."""
    if cents is None:
        return "–"
    return f"{'−' if cents < 0 else ''}{figures(cents)}"

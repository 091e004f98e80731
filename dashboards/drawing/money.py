"""Stakes and settlements in few characters: `25`, `lost 37.50`, `paid 120, due 150`."""

from __future__ import annotations

from collections.abc import Iterable

from dashboards.drawing.scene import Bet

KINDS = {
    "main": "", "double": "double", "split": "split", "insurance": "Insurance", "push22": "Push 22",
    "match_dealer": "Match", "fortune_bonus": "Fortune", "progressive": "Progr.", "five_card_hand": "Five Card",
    "six_card_bonus": "Six Card", "free_double": "free double", "free_split": "free split", "envy": "Envy",
}  # fmt: skip


def dollars(cents: int) -> str:
    """Dollars without sign, cents only where there are some: `1,250`, `37.50`."""
    whole, part = divmod(abs(cents), 100)
    return f"{whole:,}.{part:02d}" if part else f"{whole:,}"


def moved(cents: int) -> str:
    """What moved, in words, as the patron has it."""
    return f"paid {dollars(cents)}" if cents > 0 else f"lost {dollars(cents)}" if cents < 0 else "returned"


def settled(bets: Iterable[Bet]) -> tuple[str, bool]:
    """What moved for some stakes together, and whether it was wrong; empty while nothing moved."""
    seen = [bet for bet in bets if bet.moved is not None]
    if not seen:
        return "", False
    total = sum(bet.moved or 0 for bet in seen)
    if any(bet.wrong for bet in seen):
        due = sum(bet.moved or 0 if bet.due is None else bet.due for bet in seen)
        return f"✕ {moved(total)}, due {as_due(due)}", True
    known = all(bet.due is not None for bet in seen)
    return f"{moved(total)}{' ✓' if known else ''}", False


def as_due(cents: int) -> str:
    """What is due beside what moved, as short as can be: `60`, `lost 5`, `returned`."""
    return dollars(cents) if cents > 0 else moved(cents)

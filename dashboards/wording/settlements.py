"""Stakes and what settled them, in words: one form for queue, pages and reports."""

from __future__ import annotations

from dashboards.wording.money import figures
from schemas.rounds import Settlement

_STAKES = {
    "main": "Main", "double": "Double", "split": "Split", "insurance": "Insurance", "push22": "Push 22",
    "match_dealer": "Match the Dealer", "fortune_bonus": "Fortune bonus", "progressive": "Progressive",
    "five_card_hand": "Five Card Hand", "six_card_bonus": "Six Card Bonus", "lammer": "Free bet lammer",
}  # fmt: skip


def stake_name(kind: str) -> str:
    """A kind of stake as staff say it."""
    return _STAKES.get(kind, kind.replace("_", " ").capitalize())


def moves(settlement: Settlement | None, unknown: str = "–", *, staked_cents: int | None = None) -> str:
    """What a settlement does to the patron, in words; `staked_cents`: a return of another amount tells it."""
    if settlement is None:
        return unknown
    if settlement.outcome == "return":
        whole = staked_cents in (None, settlement.cents)
        return "returned" if whole else f"returned {figures(settlement.cents, '$')}"
    verb = "paid" if settlement.outcome == "pay" else "lost"
    return f"{verb} {figures(settlement.cents, '$')}"

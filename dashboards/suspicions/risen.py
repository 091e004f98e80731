"""Suspicions that rose again in words: how often chance comes to so much, and what else the growth may be of."""

from __future__ import annotations

from typing import Final

from dashboards.suspicions.curve import odds
from schemas.findings import Finding

# Their value is a sum of products from beginnings, a test supermartingale with its spare weight.
SINCE_CLOSING: Final = frozenset(
    {
        "called_void",
        "collusion.exchanged",
        "cut_steering",
        "dealer_mispay",
        "hole_card_knowledge",
        "inventory_drift",
        "masque_errors",
        "pace",
        "past_posting.side",
        "preferential_shuffle",
        "rank_composition.short",
        "rank_composition.ranks",
        "side_wager",
        "theoretical_win",
    }
)
"""Families and checks whose growth after a clearing has a bound of its own; of others the evidence of all time has."""
_SEVERAL: Final = {
    "sensor_health.gaps": "another device, or another kind of word,",
    "sensor_health.silence": "another device",
    "rank_composition.ranks": "another rank",
    "cut_steering": "another kind of cut, or another part of the shoe,",
}


NAMED: Final = "What it names"


def rounds_title(finding: Finding, before: Finding | None) -> str:
    """What stands above the rounds and acts that a suspicion names; `before` is the alarm that was cleared, if any."""
    if before is None:
        return NAMED
    return (
        "Named by the alarm before" if finding.observed == before.observed else "Weighed since it was cleared"
    )


def risen_words(check: str, e_value: float, grown: float) -> str:
    """How often chance alone raises a suspicion of this check again, and what the later evidence may be of.

    `grown` is how many times as much evidence there is as there ever was by the closing.
    """
    if _named(check) & SINCE_CLOSING:
        told = f"Chance alone lets evidence grow so far after a closing at most once in {odds(grown)}."
    else:
        told = (
            f"Chance alone comes to so much at most once in {odds(e_value)}, counted from the first round: "
            "of what came after the closing alone no such figure holds."
        )
    several = next((words for name, words in _SEVERAL.items() if name in _named(check)), "")
    return f"{told} The later evidence may be of {several} than that of the first alarm." if several else told


def _named(check: str) -> frozenset[str]:
    family, _, variant = check.removeprefix("pattern.").partition(".")
    return frozenset({family, f"{family}.{variant}"})

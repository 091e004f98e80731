"""Which decisions gave the house something, in words: asked of whoever knows what decisions are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from dashboards.wording.money import figures
from processors.core.state import Round
from processors.games.blackjack.rules import BlackjackRules
from schemas.rounds import GivingDecision, RoundResult

GivingsOf = Callable[[BlackjackRules, Round, RoundResult], Iterable[GivingDecision]]
_DID: Final = {
    "stand": "stood on", "hit": "hit", "double": "doubled", "split": "split", "surrender": "surrendered",
    "even money": "took even money on",
}  # fmt: skip


def decision_words(one: GivingDecision) -> str:
    """A decision as staff say it, with what was best and what it cost."""
    cards = ", ".join(map(_card, one.values))
    light = f", light {one.light}" if one.light else ""
    total = f"{'soft ' if one.soft else ''}{one.total}"
    met = f"{one.hand}: {_DID.get(one.choice, one.choice)} {total} ({cards}) against {_card(one.up)}{light}"
    return f"{met}; to {one.best} is best: {figures(one.cents, '$')}"


def _card(value: int) -> str:
    return "A" if value == 11 else str(value)

"""Rounds that speak for a table that wins too much or too little: by the cards, or by what was paid."""

from __future__ import annotations

from typing import Any

from processors.detectors.shapes import Closed
from processors.detectors.weighty import WeightyRound
from processors.play.boxes import STAKED, main_wagers


class WonRound(WeightyRound, frozen=True):
    """A round by the cards; `cents` is what the house won of its boxes (minus: lost), and `seats` are theirs.

    won: the same in main wagers. due: what the rules and the players' decisions made of them, in main wagers.
    """

    won: float = 0.0
    due: float = 0.0

    def why(self) -> dict[str, Any]:
        """Why it weighs: what the house won beside what was expected, and the factor."""
        return {"wagers_won": self.won, "wagers_expected": self.due, **super().why()}


class MispaidRound(WeightyRound, frozen=True):
    """A round with wrong payments one way: its boxes so paid, and those of them whose hands pushed.

    `cents` is what patrons got too much (minus: too little). share: of its main wagers that moved. rounds, wagers:
    played before it.
    """

    boxes: int = 0
    pushed: int = 0
    share: float = 0.0
    rounds: int = 0
    wagers: int = 0

    def why(self) -> dict[str, Any]:
        """Why it weighs: the share of its main wagers that moved wrongly, and the factor."""
        return {"share_of_wagers": self.share, **super().why()}


def won_round(closed: Closed, at: int, weight: float, won: float, due: float) -> WonRound:
    """A round that the evidence took as the last of `at`; won, due: as of `WonRound`."""
    stakes = closed.result.stakes
    cents = -sum(stake.due_cents or 0 for stake in stakes if stake.kind in STAKED)
    place = closed.table.subject, closed.round.number, closed.sequence, at
    seats = tuple(sorted(main_wagers(stakes)))
    return WonRound(*place, weight, cents, seats, round(won, 2) + 0.0, round(due, 2) + 0.0)  # and no -0.0

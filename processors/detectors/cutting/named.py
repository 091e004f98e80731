"""The cuts, cover cards and shoes that weigh most, as a suspicion names them."""

from __future__ import annotations

from typing import Any

from processors.detectors.weighty import WeightyAct


class SteeredAct(WeightyAct, frozen=True):
    """A cut or a cover card, by the event that told of it. It weighs as much as its place raised the evidence.

    kind: what goes together. place: as a share of the stack, of the cards below a cover card and above a cut. count:
    High-Low in standard deviations, above 0 for small cards.
    """

    kind: str = ""
    shoe: int = 0
    place: float = 0.0
    count: float = 0.0

    def why(self) -> dict[str, Any]:
        """The shoe, the place, the count that the place was held against, and the factor."""
        of = "above_cut" if self.kind == "cut" else "below_cover_card"
        held = "last_quarter" if self.kind == "cards_to_come" else "last_shoe"
        return {
            "event": self.sequence,
            "shoe": self.shoe,
            f"share_{of}": self.place,
            f"count_of_{held}_in_deviations": round(self.count, 2),
            **super().why(),
        }


class MadeReady(WeightyAct, frozen=True):
    """A shoe that somebody made ready, by the event of its cover card; its two parts are weighed together.

    behind, front: High-Low counts of the cards behind the cover card, and of the first quarter, in standard deviations.
    """

    shoe: int = 0
    behind: float = 0.0
    front: float = 0.0

    def why(self) -> dict[str, Any]:
        """The shoe, the counts of its parts, and the factor."""
        return {
            "event": self.sequence,
            "shoe": self.shoe,
            "count_behind_in_deviations": self.behind,
            "count_of_first_quarter_in_deviations": self.front,
            **super().why(),
        }

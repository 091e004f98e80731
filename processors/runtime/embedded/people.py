"""What the detectors know of dealers and players, in this process: weighed as it stands in the ledger, and stored.

A ledger has one order, and observations are weighed in it: those of a table that was recorded late are weighed where
it was recorded. So folding the ledger again gives the same suspicions. In the relation `progress` each dealer, player
or pair has a row of its own under a name that no table can have, `dealer:D-1`, with 0 for its next event; its position
is that of the last record that brought an observation.
"""

from __future__ import annotations

import base64

from msgspec.structs import replace

from processors.detectors.shapes import WHOM
from processors.detectors.stages.entity_stage import EntityStage, by_key
from processors.pipeline import Outcome
from processors.runtime.store.rows import progress_row
from processors.runtime.store.warehouse import Row


class EmbeddedPeople:
    """The entity stage of an embedded fold, and what of it is to be stored."""

    def __init__(self) -> None:
        self.stage = EntityStage()
        self._changed: dict[str, int] = {}

    def restore(self, key: str, snapshot: str) -> None:
        """Go on from what a store keeps of one of them.

        Raises:
            Exception: it cannot be read.
        """
        self.stage.adopt(key, base64.b64decode(snapshot))

    def weigh(self, outcome: Outcome, position: int) -> Outcome:
        """The outcome of the record at this position of the ledger, with the suspicions about people that it makes due.

        They stand behind the findings of the table.
        """
        if not outcome.observations:
            return outcome
        self._changed |= dict.fromkeys(by_key(outcome.observations), position)
        suspicions = self.stage.hear(outcome.observations)
        return replace(outcome, findings=outcome.findings + suspicions) if suspicions else outcome

    def changed(self) -> list[Row]:
        """Rows of `progress` for everybody of whom something was heard since `stored`."""
        return [self.row(key, position) for key, position in sorted(self._changed.items())]

    def row(self, key: str, position: int) -> Row:
        """The row of one of them."""
        return progress_row(key, 0, position, snapshot=self.stage.snapshot(key))

    def stored(self) -> None:
        """The rows of `changed` are stored."""
        self._changed.clear()


def is_of_people(name: str) -> bool:
    """Whether a row of `progress` is of a dealer, a player or a pair, and of no table."""
    return name.partition(":")[0] in WHOM

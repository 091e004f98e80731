"""Simulated tables whose cards somebody tampers with between rounds, and what the pipeline makes of them."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from processors.core.state import Table
from processors.pipeline import TablePipeline
from producers.simulator.floor.setup import TableSetup
from producers.simulator.session import Scenario, Session
from schemas.findings import Finding

CHECK = "integrity.shoe"


@dataclass(slots=True)
class Heard:
    """What the pipeline said of a table's cards, in order, and the session that it watched."""

    session: Session
    findings: list[Finding] = field(default_factory=list)
    pipeline: TablePipeline = field(default_factory=lambda: TablePipeline("", detect=False))

    @property
    def breached(self) -> list[Finding]:
        """The wrongs themselves, without what follows from one of them."""
        return [finding for finding in self.findings if finding.verdict == "breached"]

    def listen(self, watch: Callable[[Table], None] | None = None) -> None:
        """Take the lines written since the last time."""
        for line in self.session.writer.take():
            outcome = self.pipeline.advance(line)
            self.findings += [finding for finding in outcome.findings if finding.check == CHECK]
            if watch is not None:
                watch(self.pipeline.table)


def exposed(finding: Finding) -> dict[str, Any]:
    """The finding's exposure."""
    assert isinstance(finding.exposure, dict)
    return finding.exposure


def sit_down(setup: TableSetup, seed: int) -> Heard:
    """A new table, with its pipeline."""
    return Heard(Session(setup, seed), pipeline=TablePipeline(setup.subject, proofs=False, detect=False))


def play(
    heard: Heard,
    rounds: int,
    scenario: Scenario | None = None,
    watch: Callable[[Table], None] | None = None,
) -> None:
    """Deal so many rounds, listening after each."""
    for _ in range(rounds):
        heard.session.play(scenario.irregularity(heard.session) if scenario is not None else None)
        heard.listen(watch)


def close(heard: Heard, watch: Callable[[Table], None] | None = None) -> None:
    """Close the day: the shoe is laid open and the batches leave."""
    if heard.session.is_open:
        heard.session.close()
    heard.listen(watch)


# Tampering


def take(heard: Heard, chance: random.Random) -> str:
    """A card leaves the undealt part of the shoe."""
    shoe = heard.session.shoe
    return shoe.order.pop(chance.randrange(shoe.drawn, len(shoe.order)))


def add(heard: Heard, chance: random.Random) -> str:
    """A card like one of the batch gets into the undealt part of the shoe."""
    shoe = heard.session.shoe
    card = chance.choice(shoe.order)
    shoe.order.insert(chance.randrange(shoe.drawn, len(shoe.order) + 1), card)
    return card


def swap(heard: Heard, chance: random.Random) -> tuple[str, str]:
    """A card of the undealt part of the shoe is exchanged; return the one that went and the one that came."""
    shoe = heard.session.shoe
    at = chance.randrange(shoe.drawn, len(shoe.order))
    went = shoe.order[at]
    came = chance.choice([card for card in shoe.order if card != went])
    shoe.order[at] = came
    return went, came

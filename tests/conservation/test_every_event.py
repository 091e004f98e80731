"""At every event shoe, table and rack together are the batch, under every ruleset and every kind of shuffler."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from processors.core.facts_decks import STACK_GAMES
from processors.core.folding.shoe import on_the_table
from processors.core.state import Table
from producers.simulator.floor.setup import BLACKJACK, RULESETS
from producers.simulator.session import Scenario
from schemas.values import Ruleset
from tests.conservation.tables import close, play, sit_down
from tests.pipeline.simulated import PutRight, setup_of

ROUNDS = 30
TABLES = [
    pytest.param(ruleset, shuffler, seed, marks=[pytest.mark.soak] * seed)
    for ruleset in RULESETS
    for shuffler in (
        ("none", "batch", "continuous", "self_shuffling") if ruleset in BLACKJACK else ("none", "batch")
    )
    for seed in range(2)  # the second in `make soak`
]


def _watcher(seen: list[int]) -> Callable[[Table], None]:
    def watch(table: Table) -> None:
        shoe = table.shoe
        batch = table.batches.get(shoe.batch)
        if batch is None or not shoe.loaded:
            return
        seen[0] += 1
        lying = sum(on_the_table(table).values())
        assert shoe.loaded + shoe.beside == batch.cards
        assert shoe.remaining + lying + shoe.in_rack == batch.cards, (
            table.last_round,
            table.chain.next_sequence,
        )
        if table.config is not None and table.config.ruleset not in STACK_GAMES:
            left = batch.cards - shoe.remaining
            assert sum(shoe.out.values()) + shoe.out_unknown == left
        assert all(count <= batch.decks for card, count in shoe.out.items() if card != "Jo")

    return watch


@pytest.mark.parametrize(("ruleset", "shuffler", "seed"), TABLES)
@pytest.mark.parametrize("scenario", [Scenario(), PutRight()], ids=["lawful", "put right"])
def test_shoe_table_and_rack_are_the_batch_at_every_event(
    ruleset: Ruleset, shuffler: str, seed: int, scenario: Scenario
) -> None:
    seen = [0]
    heard = sit_down(setup_of(ruleset, seed, shuffler=shuffler), seed)
    play(heard, ROUNDS, scenario, _watcher(seen))
    close(heard, _watcher(seen))
    assert seen[0] > ROUNDS
    assert heard.findings == []

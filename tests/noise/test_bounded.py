"""What a table keeps of its doubts is bounded, however many holes its record has."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest

from processors.core.witnesses import MOST_REASONS, VOUCHES
from processors.pipeline import TablePipeline
from producers.simulator.floor.gaming_floor import gaming_floor
from producers.simulator.floor.setup import RULESETS, TableSetup
from producers.simulator.noise.words import recorded, words
from producers.simulator.session import simulate_table

ROUNDS = 100
EVERY, AWAY = timedelta(seconds=40), timedelta(seconds=8)
FLOOR = gaming_floor(60, 20, RULESETS)
_DEVICES = {device for devices in VOUCHES.values() for device in devices}


def _with_holes(setup: TableSetup) -> Iterator[bytes]:
    """A table whose recorder is away time and again in its rounds, and which nobody sees loaded anew."""
    said = list(words(iter(list(simulate_table(setup, ROUNDS, 7)))))
    first = said[0].time
    entries = recorded(
        word.met("recorder", lost=True)
        if (word.round is not None and (word.time - first) % EVERY < AWAY)
        or (word.kind == "shuffler_loaded" and word.time - first > EVERY)
        else word
        for word in said
    )
    return (entry.line for entry in entries if entry.line is not None)


@pytest.mark.parametrize("shuffler", ["continuous", "self_shuffling"])
def test_a_shuffler_that_is_never_loaded_anew_has_no_more_doubts_after_many_holes(shuffler: str) -> None:
    setup = next(one for one in FLOOR if one.shuffler == shuffler)
    pipeline = TablePipeline(setup.subject, proofs=False, detect=False)
    most, doubted = 0, False
    for line in _with_holes(setup):
        pipeline.advance(line)
        blind = pipeline.state.blind
        most = max(most, *map(len, blind.scopes))
        doubted = doubted or (most >= MOST_REASONS)
        assert (blind.shoe and (blind.seats or not pipeline.state.open)) or not doubted
    assert MOST_REASONS <= most <= MOST_REASONS + len(_DEVICES)

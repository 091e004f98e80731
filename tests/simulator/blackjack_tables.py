"""Simulated blackjack tables with all that a house may choose, and their rounds read back."""

from __future__ import annotations

from functools import cache

import pytest

from producers.simulator.floor.gaming_floor import gaming_floor
from producers.simulator.floor.setup import BLACKJACK
from producers.simulator.session import simulate_table
from tests.sampling import one_in
from tests.simulator.blackjack_reader import Round, read
from tests.simulator.streams import Event, events, rounds_of

ROUNDS = 60
SETUPS = {setup.subject: setup for setup in gaming_floor(18, 11, BLACKJACK)}
TABLES = pytest.mark.parametrize("table", one_in(4, SETUPS))


def seed_of(table: str) -> int:
    """A seed of the table's own."""
    return len(table) + int(table[-2:])


@cache
def lines_of(table: str) -> tuple[bytes, ...]:
    """The stream of a table."""
    return tuple(simulate_table(SETUPS[table], ROUNDS, seed_of(table)))


@cache
def rounds(table: str) -> list[tuple[list[Event], Round]]:
    """Its rounds: the events, and what they say."""
    stream = events(lines_of(table))
    config = stream[0].data
    return [(found, read(config["ruleset"], config, found)) for found in rounds_of(stream)]

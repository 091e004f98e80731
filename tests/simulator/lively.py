"""Tables at which everything happens often, one stream of each, made once."""

from __future__ import annotations

import dataclasses
from functools import cache

from producers.simulator.floor.gaming_floor import gaming_floor, seed_of
from producers.simulator.floor.setup import Habits, TableSetup
from producers.simulator.session import simulate_table
from tests.simulator.streams import Event, events

LIVELY = Habits(
    arrives=0.2,
    leaves=0.1,
    idles=0.05,
    colours_up=0.1,
    tips=0.1,
    fills_for_nothing=0.1,
    dealer_minutes=10.0,
    shift_hours=0.5,
    floor_reshuffles=0.05,
    refuses_cut=0.6,
    recuts=0.3,
    jams=0.2,
    breaks=0.1,
    preshuffled=0.5,
    boxes_two=0.4,
)

SETUPS: dict[str, TableSetup] = {
    f"{setup.subject}-{setup.shuffler}": dataclasses.replace(setup, habits=LIVELY, open_hours=1.5)
    for setup in gaming_floor(15, seed=4)
}


@cache
def stream_of(table: str) -> list[Event]:
    """150 rounds of one of the tables."""
    return events(simulate_table(SETUPS[table], 150, seed_of(4, table)))

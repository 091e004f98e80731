"""Streams of the dealing-shoe games, and what a mutation of one event of them has to bring about."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache

import pytest

from producers.simulator.floor.setup import usual_setup
from producers.simulator.session import Session, simulate_table
from producers.simulator.stacks.deviations import IRREGULARITIES
from schemas.values import Ruleset
from tests.mutations.rechain import Event, breaches, cites, kind, load, parse, sweep

Wanted = Callable[[list[Event], int], bool]
Mutation = Callable[[list[Event], int], list[Event]]
FEWEST, SEEDS = 10, 5
PLACES = pytest.mark.parametrize("most", [2, pytest.param(16, marks=pytest.mark.soak)])


@cache
def streams(ruleset: Ruleset) -> tuple[list[Event], ...]:
    """Published and simulated streams in which nothing is breached."""
    published = {
        "fortune_670a10": ("lawful_fortune_670a10", "irregular_stacks_misdeal"),
        "manual_shoe_657a8": ("lawful_manual_shoe_657a8", "irregular_shoe_misdeal"),
    }[ruleset]
    simulated = parse(simulate_table(usual_setup(ruleset, "S-1"), 16, seed=5))
    return (*(load(name) for name in published), simulated)


@cache
def put_right(ruleset: Ruleset) -> tuple[list[Event], ...]:
    """Simulated streams in which every irregularity of the game comes up and is put right."""
    told = []
    for seed in range(SEEDS):
        session = Session(usual_setup(ruleset, f"S-{seed}"), seed)
        for name in IRREGULARITIES[ruleset]:
            session.play()
            session.play(name)
        session.play()
        session.close()
        told.append(parse(session.writer.take()))
    return tuple(told)


def named(*names: str, **data: object) -> Wanted:
    """Events of these types with these data."""

    def wanted(events: list[Event], index: int) -> bool:
        event = events[index]
        return kind(event) in names and all(event["data"].get(key) == value for key, value in data.items())

    return wanted


def in_round(events: list[Event], index: int) -> list[Event]:
    """The events of the round around an index; between rounds, of the one before."""
    first = max((at for at in range(index + 1) if kind(events[at]) == "round_started"), default=0)
    last = next((at for at in range(index, len(events)) if kind(events[at]) == "round_ended"), len(events))
    return events[first : last + 1]


def is_void(events: list[Event], index: int) -> bool:
    """Whether the round around an index is void."""
    return any(kind(event) == "round_voided" for event in in_round(events, index))


def at_of(events: list[Event], index: int, *names: str, step: int = 1, **data: object) -> int:
    """Where the next (or with step -1 the last) event of these types stands."""
    wanted = named(*names, **data)
    at = index + step
    while not wanted(events, at):
        at += step
    return at


def positions(told: tuple[list[Event], ...], wanted: Wanted, most: int) -> Iterable[tuple[list[Event], int]]:
    """Streams and indexes that a mutation can break, the same number from each stream."""
    for events in told:

        def breakable(at: int, _: Event, events: list[Event] = events) -> bool:
            return wanted(events, at)

        for index in sweep(events, breakable, -(-most // len(told))):
            yield events, index


def faults(
    streams_: tuple[list[Event], ...],
    wanted: Wanted,
    mutate: Mutation,
    due: tuple[str, ...],
    beside: tuple[str, ...],
    most: int,
) -> list[str]:
    """What is wrong with the findings after each of at most so many mutations, in words; `beside` cannot be avoided."""
    found, tried = [], 0
    for events, index in positions(streams_, wanted, most):
        broken = mutate(events, index)
        if broken == events:
            continue
        tried += 1
        seen = breaches(broken)
        where = f"{events[index]['subject']} {index + 1} {kind(events[index])}"
        told = [finding for finding in seen if cites(finding, *due)]
        if not told:
            found.append(f"{where}: nothing cites {due}")
        rest = [finding for finding in seen if finding not in told and not cites(finding, *beside)]
        if len(told) > 1:
            found.append(f"{where}: told {len(told)} times: {[(f.check, f.cites, f.message) for f in told]}")
        found += [f"{where}: also {finding.check} {finding.cites}: {finding.message}" for finding in rest]
    if tried < min(FEWEST, most // 2):
        found.append(f"only {tried} places to try")
    return found

"""Streams of the dealing-shoe games, and what a mutation of one event of them has to bring about."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial

from producers.simulator.floor.setup import usual_setup
from producers.simulator.session import Session, simulate_table
from producers.simulator.stacks.deviations import IRREGULARITIES
from schemas.values import Ruleset
from tests.mutations.rechain import Event, breaches, kind, load, parse
from tests.mutations.table import Broken, Row, spread

Wanted = Callable[[list[Event], int], bool]
Mutation = Callable[[list[Event], int], list[Event]]
Case = tuple[Wanted, Mutation, tuple[str, ...], tuple[str, ...]]
"""Which events, how one is changed, the clauses due, and those that cannot be avoided beside."""
SEEDS = 5


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


def rows(
    ruleset: Ruleset, streams_: Callable[[], tuple[list[Event], ...]], cases: dict[str, Case]
) -> list[list[Row]]:
    """Each of these mutations of one event as a row of the table."""

    def tried(case: Case, most: int) -> Iterator[Broken]:
        wanted, mutate, due, beside = case
        places = [(told, at) for told in streams_() for at in range(len(told)) if wanted(told, at)]
        for events, index in spread(places, most):
            broken = mutate(events, index)
            if broken != events:
                where = f"{events[index]['subject']} {index + 1} {kind(events[index])}"
                yield Broken(where, breaches(broken), due, beside)

    return [[Row(f"{ruleset}: {name}", partial(tried, case))] for name, case in cases.items()]

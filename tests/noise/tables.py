"""Short simulated tables, lawful and breached: dealt once, and seen through bad sensors many times."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import timedelta
from random import Random
from typing import NamedTuple

from producers.simulator.floor.gaming_floor import gaming_floor, seed_of
from producers.simulator.floor.setup import RULESETS
from producers.simulator.noise.kinds import KINDS, through
from producers.simulator.noise.lost import SINGLE, WITNESSES, is_of
from producers.simulator.noise.words import Entry, Word, recorded, words
from producers.simulator.scenarios.catalogue import CATALOGUE
from producers.simulator.session import simulate_table
from schemas.values import Ruleset

SEED = 20
STACK_GAMES: tuple[Ruleset, ...] = ("fortune_670a10", "manual_shoe_657a8")
ROUNDS = 15
BREACHED_ROUNDS = 10
MIXED = "mixed"
"""All kinds of noise at once but dead devices, each at the same rate."""
DEAD_SHARE = 0.2  # of the time, that a device is dead beside lost words
_OWN = {"placements": ("placements", "layout"), "draws": ("shoe",), "racked": ("rack", "layout")}
PAIRS = tuple(
    f"{lost}+silent_{witness}" for lost, own in _OWN.items() for witness in WITNESSES if witness not in own
)
"""A lost word, each with another device that is dead."""
THINKS = 3.0, 15.0  # seconds
PAUSED = 0.05  # of the other words of a round come after such a pause
SILENT_FROM, SILENT_TO = 5, 10  # a dead device speaks again at the start of the latter round


class Dealt(NamedTuple):
    """A table as it was dealt; `name` is its subject or its scenario, `breaks` the provisions that it breaks."""

    name: str
    subject: str
    seed: int
    lines: tuple[bytes, ...]
    breaks: tuple[str, ...] = ()
    ruleset: str = ""


class Point(NamedTuple):
    """A point of a table's play: a round, and the share of its words that were said before."""

    round: int
    share: float = 0.0


def lawful(tables: int, rounds: int = ROUNDS, rulesets: Sequence[Ruleset] = RULESETS) -> list[Dealt]:
    """So many lawful tables, the rulesets in turn, each with a configuration of its own."""
    found = []
    for setup in gaming_floor(tables, SEED, rulesets):
        seed = seed_of(SEED, setup.subject)
        lines = tuple(simulate_table(setup, rounds, seed))
        found.append(Dealt(setup.subject, setup.subject, seed, lines, ruleset=setup.ruleset))
    return found


def breached(most: int | None = None) -> list[Dealt]:
    """A table of each scenario that breaks a duty of people, the scenario's rulesets in turn."""
    found = []
    for number, (name, scenario) in enumerate(CATALOGUE.items()):
        if not scenario.breaks or any(cited.startswith("integrity.") for cited in scenario.breaks):
            continue
        ruleset = scenario.rulesets[number % len(scenario.rulesets)]
        [setup] = gaming_floor(1, SEED, (ruleset,))
        seed = seed_of(SEED, name)
        lines = tuple(simulate_table(setup, BREACHED_ROUNDS, seed, scenario))
        found.append(Dealt(name, setup.subject, seed, lines, scenario.breaks))
        if len(found) == most:
            break
    return found


def noisy(dealt: Dealt, kind: str, rate: float) -> Iterator[Entry]:
    """The table through sensors with one kind of noise, several joined by `+`, or all of them mixed."""
    return through(iter(dealt.lines), rates_of(kind, rate), dealt.seed)


def rates_of(kind: str, rate: float) -> dict[str, float]:
    """The rate of each kind that this one stands for."""
    if kind == MIXED:
        return {name: rate for name in KINDS if not name.startswith("silent")}
    parts = kind.split("+")
    return {part: DEAD_SHARE if parts[1:] and part.startswith("silent_") else rate for part in parts}


def clean(dealt: Dealt) -> Iterator[Entry]:
    """The table as it was dealt."""
    return recorded(words(iter(dealt.lines)))


def with_silence(
    dealt: Dealt, witness: str, dies: Point | None = None, speaks: Point | None = None
) -> Iterator[Entry]:
    """The table with one witness dead from one point to another, by default for some whole rounds in its middle."""
    said = list(words(iter(dealt.lines)))
    begin = _place(said, dies or Point(SILENT_FROM))
    end = _place(said, speaks or Point(SILENT_TO))
    return recorded(
        word.met(f"silent_{witness}", lost=True) if begin <= at < end and is_of(word, witness) else word
        for at, word in enumerate(said)
    )


def with_hole(dealt: Dealt, seconds: float, number: int) -> Iterator[Entry] | None:
    """The table with the recorder away for so long, from a moment of its play that the number gives by chance.

    None where no word was said then.
    """
    said = list(words(iter(dealt.lines)))
    span = (said[-1].time - said[0].time).total_seconds()
    begin = said[0].time + timedelta(seconds=span * Random(f"{dealt.name} {seconds:g} {number}").random())
    lost = [begin <= word.time < begin + timedelta(seconds=seconds) for word in said]
    if not any(lost):
        return None
    return recorded(
        word.met("recorder", lost=True) if gone else word for word, gone in zip(said, lost, strict=True)
    )


def with_thinking(dealt: Dealt) -> Iterator[Entry]:
    """The table whose players think for some seconds before each decision, and the dealer before some other words."""
    chance, by, last = Random(f"{dealt.name} thinks"), timedelta(), None
    said = []
    for word in words(iter(dealt.lines)):
        thinks = word.kind in ("player_decision", "wager_placed") or chance.random() < PAUSED
        if word.round is not None and last != word.time and thinks:
            by += timedelta(seconds=chance.uniform(*THINKS))
        last = word.time
        said.append(word.says("thinking", time=(word.time + by).isoformat()) if by else word)
    return recorded(iter(said))


def _place(said: Sequence[Word], point: Point) -> int:
    """The place of the word at that point: of the first of its round, or of one that far into it."""
    places = [at for at, word in enumerate(said) if word.round == point.round]
    return places[int(len(places) * point.share)] if places else len(said)


def without_one(dealt: Dealt, kind: str, number: int) -> Iterator[Entry] | None:
    """The table without one word of a kind, at random, in a round; None if that round has none."""
    said = list(words(iter(dealt.lines)))
    places = [at for at, word in enumerate(said) if word.round == number and word.kind in SINGLE[kind]]
    if not places:
        return None
    at = Random(f"{dealt.name} {kind} {number}").choice(places)
    said[at] = said[at].met(kind, lost=True)
    return recorded(iter(said))

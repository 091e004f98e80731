"""How much a rack proves, and what it costs to say so.

    python -m benchmarks.rack                        prints the tables
    python -m benchmarks.rack --write docs/rack.md   puts them between the file's marks
    catwalk bench rack                               the times of full tables, beside dealing the same rounds

Every round is dealt by a lawful dealer of its own, every rack solved to the end; times are processor time.
"""

from __future__ import annotations

import argparse
import platform
import random
import statistics
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import msgspec

from benchmarks.core import Measurement, part_of
from benchmarks.rack_dealing import House, Table
from processors.rack.proving.weigh import weigh
from processors.rack.solving import decode_problem, solve

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"
PLAYERS = range(1, 7)
KNOWLEDGE: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("rack alone", ()),
    ("+ seats", ("seats",)),
    ("+ seats, up card", ("seats", "upcard")),
    ("+ seats, up card, early count", ("seats", "upcard", "early")),
    ("+ the shoe's draw order (no seats)", ("drawn",)),
)
HOUSES: tuple[tuple[str, House], ...] = (
    ("672a", House("free_bet_672a", even_money=False)),
    ("590", House("free_bet_590")),
    ("685a", House("down_under_685a", even_money=False)),
    ("672a, busts at settlement", House("free_bet_672a", bust_collection="at_settlement")),
    ("672a, ascending", House("free_bet_672a", pickup_order="seats_ascending")),
    (
        "672a, losers first, dealer first",
        House("free_bet_672a", pickup_order="losers_first", dealer_cards="first"),
    ),
)


class Solved(NamedTuple):
    """What one rack's answer says, and the milliseconds it took; the answer itself is let go."""

    unique: bool
    money_unique: bool
    reconstructions: int
    milliseconds: float


def solve_rounds(house: House, players: int, known: tuple[str, ...], rounds: int, seed: int) -> list[Solved]:
    """Deal rounds at random seats and solve each rack with this knowledge."""
    chance = random.Random(seed)
    table = Table(house, chance)
    found = []
    for _ in range(rounds):
        played = table.play(sorted(chance.sample(range(1, 7), players)))
        problem = decode_problem(msgspec.json.encode(played.problem(*known)))
        begun = time.process_time()
        answer = solve(problem)
        spent = 1000 * (time.process_time() - begun)
        truth = played.truth(named="seats" in known)
        if not any(row.hands == truth for row in answer.reconstructions):
            raise AssertionError(f"the truth is not among the answers: {played}")
        found.append(Solved(answer.unique is True, answer.money_unique is True, answer.count, spent))
    return found


def _head(first: str, others: list[str]) -> list[str]:
    return [f"| {' | '.join((first, *others))} |", "|---" * (len(others) + 1) + "|"]


def uniqueness(rounds: int, seed: int) -> Iterable[str]:
    """The table of what a rack proves, in Markdown."""
    yield from _head("known", [f"{n} player{'s' if n > 1 else ''}" for n in PLAYERS])
    for title, known in KNOWLEDGE:
        cells = []
        for players in PLAYERS:
            solved = solve_rounds(HOUSES[0][1], players, known, rounds, seed + players)
            unique = sum(row.unique for row in solved) / rounds
            money = sum(row.money_unique for row in solved) / rounds
            median = statistics.median(row.reconstructions for row in solved)
            cells.append(f"{100 * unique:.3g} / {100 * money:.3g} % / {median:g}")
            print(f"{title}, {players}: {cells[-1]}", file=sys.stderr)  # noqa: T201 - progress of a long run
        yield f"| {title} | " + " | ".join(cells) + " |"


def times(rounds: int, seed: int) -> Iterable[str]:
    """The table of what solving costs with the seats known, in Markdown."""
    yield from _head("house", [f"{n} seat{'s' if n > 1 else ''}" for n in PLAYERS])
    for title, house in HOUSES:
        cells = []
        for players in PLAYERS:
            spent = [row.milliseconds for row in solve_rounds(house, players, ("seats",), rounds, seed)]
            cells.append(f"{statistics.median(spent):.1f} / {part_of(spent, 95):.1f}")
            print(f"{title}, {players}: {cells[-1]} ms", file=sys.stderr)  # noqa: T201 - progress of a long run
        yield f"| {title} | " + " | ".join(cells) + " |"


class Proof(NamedTuple):
    """What one round's rack proves, as every round is weighed in the pipeline, and the microseconds it took."""

    proof: str
    microseconds: float


def weigh_rounds(house: House, rounds: int, seed: int, players: int | None = None) -> list[Proof]:
    """Deal rounds, at one to six random seats unless told, and weigh each with its seats and its draw order."""
    chance = random.Random(seed)
    table = Table(house, chance)
    found = []
    for _ in range(rounds):
        played = table.play(sorted(chance.sample(range(1, 7), players or chance.randint(1, 6))))
        problem = decode_problem(msgspec.json.encode(played.problem("seats", "drawn")))
        hands = tuple(
            tuple(tuple(played.hands[name]) for name in sorted(played.hands) if name.startswith(f"{seat}."))
            for seat in played.seats
        )
        begun = time.process_time()
        weighed = weigh(problem, hands, tuple(played.hands["D"]))
        spent = 1_000_000 * (time.process_time() - begun)
        if weighed.proof is None:
            raise AssertionError(f"{weighed.why_none}: {played}")
        found.append(Proof(weighed.proof, spent))
    return found


def proofs(rounds: int, seed: int) -> Iterable[str]:
    """The table of what weighing a round's rack costs in the pipeline, by class of proof, in Markdown."""
    classes = ("rack alone", "rack and seats", "rack and draw order", "not unique")
    yield from _head("house", ["all", *classes])
    for title, house in HOUSES:
        found = weigh_rounds(house, rounds, seed)
        cells = [_spread(found, rounds)]
        cells += [_spread([row for row in found if row.proof == proof], rounds) for proof in classes]
        print(f"{title}: {cells[0]} us", file=sys.stderr)  # noqa: T201 - progress of a long run
        yield f"| {title} | " + " | ".join(cells) + " |"


def _spread(found: list[Proof], of: int) -> str:
    if not found:
        return "-"
    spent = [row.microseconds for row in found]
    middle, high = statistics.median(spent), part_of(spent, 95)
    return f"{100 * len(spent) / of:.3g} %: {middle:.0f} / {high:.0f} / {max(spent):,.0f}"


def figures(rounds: int = 60, seed: int = 2026) -> list[Measurement]:
    """Full tables: solving a rack with its seats known and weighing a round, beside dealing the same round."""
    found = []
    for title, house in HOUSES:
        chance = random.Random(seed)
        table = Table(house, chance)
        begun = time.process_time()
        for _ in range(rounds):
            table.play([1, 2, 3, 4, 5, 6])
        dealing = 1_000_000 * (time.process_time() - begun) / rounds
        solved = [1000 * row.milliseconds for row in solve_rounds(house, 6, ("seats",), rounds, seed)]
        weighed = [row.microseconds for row in weigh_rounds(house, rounds, seed, 6)]
        for name, value in (
            (f"solve, {title}, 95th percentile", part_of(solved, 95)),
            (f"weigh, {title}, mean", statistics.mean(weighed)),
        ):
            found.append(Measurement(name, value, "us", "dealing the round", dealing))
    return found


def report(rounds: int, timed: int, seed: int) -> str:
    """The tables with what they mean."""
    return "\n".join(
        [
            f"Unique / money unique / median number of reconstructions; {rounds} lawful rounds a cell, seed {seed}:",
            "",
            *uniqueness(rounds, seed),
            "",
            f"Median / 95th percentile of milliseconds of processor time, seats known, {timed:,} rounds a cell,",
            f"Python {platform.python_version()}, {platform.machine()}:",
            "",
            *times(timed, seed),
            "",
            "Share of rounds, and median / 95th percentile / maximum of microseconds of processor time to weigh one",
            f"as the pipeline does, one to six random seats, {timed:,} rounds a house:",
            "",
            *proofs(timed, seed),
        ]
    )


def main() -> None:
    """Measure and print, or write into a file between its marks."""
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    arguments.add_argument("--rounds", type=int, default=200, help="rounds a cell of the first table")
    arguments.add_argument("--timed", type=int, default=1000, help="rounds a cell of the second table")
    arguments.add_argument("--seed", type=int, default=2026)
    arguments.add_argument("--write", type=Path, help="a file with the two marks")
    given = arguments.parse_args()
    text = report(given.rounds, given.timed, given.seed)
    if given.write is None:
        sys.stdout.write(text + "\n")
        return
    before, _, rest = given.write.read_text("utf-8").partition(BEGIN)
    _, found, after = rest.partition(END)
    if not found:
        arguments.error(f"{given.write} has no marks {BEGIN} and {END}")
    given.write.write_text(f"{before}{BEGIN}\n{text}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    main()

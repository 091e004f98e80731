"""How much a rack proves, and what it costs to say so.

    python -m benchmarks.rack                        prints both tables
    python -m benchmarks.rack --write docs/rack.md   puts them between the file's marks

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

from benchmarks.rack_dealing import House, Table
from processors.rack import decode_problem, solve

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


def uniqueness(rounds: int, seed: int) -> Iterable[str]:
    """The table of what a rack proves, in Markdown."""
    yield "| known | " + " | ".join(f"{n} player{'s' if n > 1 else ''}" for n in PLAYERS) + " |"
    yield "|---" * (len(PLAYERS) + 1) + "|"
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
    yield "| house | " + " | ".join(f"{n} seat{'s' if n > 1 else ''}" for n in PLAYERS) + " |"
    yield "|---" * (len(PLAYERS) + 1) + "|"
    for title, house in HOUSES:
        cells = []
        for players in PLAYERS:
            spent = sorted(row.milliseconds for row in solve_rounds(house, players, ("seats",), rounds, seed))
            middle, high = statistics.median(spent), spent[int(0.95 * len(spent))]
            cells.append(f"{middle:.1f} / {high:.1f}")
            print(f"{title}, {players}: {cells[-1]} ms", file=sys.stderr)  # noqa: T201 - progress of a long run
        yield f"| {title} | " + " | ".join(cells) + " |"


def report(rounds: int, timed: int, seed: int) -> str:
    """Both tables with what they mean."""
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

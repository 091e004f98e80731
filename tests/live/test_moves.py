"""Whatever sequence of faults and moves a property goes through: what people acted on stays, byte for byte."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.embedded.test_people import streams
from tests.live.folding import Environment
from tests.live.moves import MOVES, House, play, suspected
from tests.live.test_console import BREACHES, tables_of
from tests.live.test_people import offline

IN_EVERY_RUN = (["lost", "killed", "restored"], ["late", "cut_off", "upgraded"])


def coming(seed: int) -> Iterator[tuple[str, bytes]]:
    """Lines of tables with breaches, and of tables at which one dealer is weighed, in a seeded order."""
    chance = random.Random(seed)
    tables = {key.decode(): list(lines) for key, lines in tables_of(*BREACHES).items()}
    people = {subject: list(lines) for subject, lines in {**streams(), **offline()}.items()}
    tables |= people
    while tables:
        subject = chance.choice(sorted(tables))
        turn = 1_800 if subject in people else 40
        for line in itertools.islice(tables[subject], turn):
            yield subject, line
        del tables[subject][:turn]
        if not tables[subject]:
            del tables[subject]


def sequence(seed: int) -> list[str]:
    """Six moves; one upgrade at most, for there is one release more."""
    chance = random.Random(seed)
    found: list[str] = []
    while len(found) < 6:
        move = chance.choice(sorted(MOVES))
        if move != "upgraded" or move not in found:
            found.append(move)
    return found


@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    ("seed", "moves"),
    [
        *(pytest.param(seed, moves, id=" ".join(moves)) for seed, moves in enumerate(IN_EVERY_RUN)),
        *(
            pytest.param(seed, sequence(seed), id=f"seed {seed}", marks=pytest.mark.soak)
            for seed in range(100, 120)
        ),
    ],
)
def test_what_was_answered_is_answered_after_every_move(
    live_environment: Environment, tmp_path: Path, seed: int, moves: list[str]
) -> None:
    with ExitStack() as times:
        house = House(live_environment, tmp_path, coming(seed), times)
        play(house, moves)
        assert suspected(house) or moves not in IN_EVERY_RUN

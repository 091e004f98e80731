"""Whatever the sensors miss, who shows a table without judging it has the table that the pipeline judged."""

from __future__ import annotations

import datetime as dt

import pytest
from msgspec.structs import replace

from dashboards.replayer.admitting import admitted
from processors.core.state import Round, Table
from processors.games.whichever.taking import Taking
from processors.pipeline import TablePipeline
from producers.simulator.noise.kinds import KINDS
from tests.noise.tables import lawful, noisy
from tests.sampling import one_in

TABLES = 10  # two of each ruleset


def lying(table: Table) -> tuple[object, ...]:
    """What lies where, and how it is known; what judging alone adds to a round is no part of it."""
    shoe, round_ = table.shoe, table.round or Round(0, 0, 0, dt.date.min)
    return (
        round_.number, round_.hands, round_.stakes, round_.lammers, round_.racked, round_.draws, round_.inferred,
        shoe.loose, [replace(one, told=False) for one in shoe.owed], shoe.remaining, shoe.out, shoe.in_rack,
        table.chain, table.lives,
    )  # fmt: skip


@pytest.mark.parametrize("kind", one_in(3, sorted(KINDS)))
def test_a_table_that_is_shown_is_the_table_that_was_judged(kind: str) -> None:
    for dealt in lawful(TABLES, rounds=8):
        pipeline = TablePipeline(dealt.subject, proofs=False, detect=False)
        taking = Taking(Table(subject=dealt.subject))
        for entry in noisy(dealt, kind, 0.05):
            if entry.line is None:
                continue
            pipeline.advance(entry.line)
            event = admitted(taking.table, entry.line)
            if event is not None:
                taking.take(event)
            assert lying(taking.table) == lying(pipeline.state), (dealt.name, entry.line)

"""What a copied house had answered: the same in every house that folds the copy, wherever the cut was."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache
from pathlib import Path

import pytest

from processors.pipeline import TablePipeline
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.rebuild.settled import STILL_TOLD, answered_otherwise, settled_answers
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import Warehouse
from producers.memory_log import MemoryLog
from schemas.answers import FOLD_VERSION
from tests.embedded.ledgers import append
from tests.golden.messages import NOISE
from tests.noise.tables import Dealt, lawful, noisy


@cache
def seen() -> tuple[str, Sequence[bytes]]:
    """A table whose layout loses words, so that there are findings all along; and its lines."""
    [table] = lawful(1, rounds=90)
    return table.subject, _lines(table, "placements")


def _lines(table: Dealt, kind: str) -> tuple[bytes, ...]:
    return tuple(entry.line for entry in noisy(table, kind, NOISE[kind]) if entry.line is not None)


@contextmanager
def folded(folder: Path, events: int) -> Iterator[Warehouse]:
    """A store that holds what so many events of the table come to."""
    subject, lines = seen()
    log = MemoryLog()
    append(log, subject, lines[:events])
    with closing(ChdbWarehouse(folder)) as store:
        store.migrate()
        EmbeddedFold(log, store).catch_up()
        yield store


def test_a_house_that_folds_the_copy_answers_alike_and_another_answer_is_named(tmp_path: Path) -> None:
    subject, lines = seen()
    cut = len(lines) - 500
    with folded(tmp_path / "old", len(lines)) as old:  # it went on while it was copied
        answers = settled_answers(old, FOLD_VERSION, {subject: cut})
    assert {one.relation for one in answers.digests} == set(STILL_TOLD)
    with folded(tmp_path / "new", cut) as new:
        assert answered_otherwise(answers, new) == []
        query = (
            "SELECT first_sequence, count() FROM stakes FINAL GROUP BY first_sequence ORDER BY first_sequence"
        )
        rounds = new.query(query)
        (first, _), (last, _) = rounds[0], rounds[-1]
        rows = sum(number for begins, number in rounds if begins < 1_024)
        named = [f"stakes of table {subject}, events 1 to 1,023: {rows:,} rows, with other content"]
        new.query(f"ALTER TABLE stakes UPDATE staked_cents = 1 WHERE first_sequence = {first}")
        assert answered_otherwise(answers, new) == named
        new.query(f"ALTER TABLE racks DELETE WHERE first_sequence = {last}")
        assert answered_otherwise(answers, new) == named, "the last rounds are not settled"
        new.query(f"ALTER TABLE stakes DELETE WHERE first_sequence = {first}")
        (told,) = answered_otherwise(answers, new)
        assert told.startswith(f"stakes of table {subject}, events 1 to 1,023: {rows:,} rows before, "), told


@pytest.mark.parametrize(
    "kind",
    [
        pytest.param(one, marks=() if one in ("recorder", "silent_reader") else pytest.mark.soak)
        for one in sorted(NOISE)
    ],
)
def test_nothing_is_told_of_an_event_that_is_settled(kind: str) -> None:
    for table in lawful(4, rounds=30):
        pipeline = TablePipeline(table.subject, proofs=False, detect=False)
        reached = 0
        for line in _lines(table, kind):
            reached = max(reached, json.loads(line)["sequence"])
            for finding in pipeline.advance(line).findings:
                assert reached - finding.sequence < STILL_TOLD["findings"] or not finding.sequence

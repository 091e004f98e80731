"""Two lines of a ledger for one place are the ledger's doing; a store that somebody altered is a finding."""

from __future__ import annotations

import hashlib
import json

import pytest

from processors.runtime.sink.store import BatchStore
from processors.runtime.store.event_rows import add_event
from processors.runtime.store.rows import Rows
from processors.runtime.store.shapes import CHECK
from schemas.events.codec import decode
from tests.embedded.ledgers import lines_of, new_store
from tests.warehouse.memory_warehouse import MemoryWarehouse

LINES = lines_of("breach_overpay")[:40]


def rows_of(*lines: bytes) -> Rows:
    rows: Rows = {}
    for line in lines:
        add_event(rows, decode(line), line)
    return rows


def other(line: bytes) -> bytes:
    """Another event for the same place."""
    return json.dumps({**json.loads(line), "id": "another-1"}, separators=(",", ":")).encode()


def said(store: MemoryWarehouse) -> list[tuple[object, ...]]:
    return store.query(f"SELECT sequence FROM findings FINAL WHERE check_id = '{CHECK}' ORDER BY sequence")


@pytest.mark.parametrize("place", [10, 39], ids=["in the middle", "at the end"])
@pytest.mark.parametrize("at_once", [False, True])
def test_of_two_lines_for_one_place_the_first_is_stored_and_the_store_is_not_accused(
    place: int, at_once: bool
) -> None:
    store = new_store()
    past = other(LINES[place])
    if at_once:
        done = BatchStore(store).store(rows_of(*LINES, past))
    else:
        BatchStore(store).store(rows_of(*LINES))
        done = BatchStore(store).store(rows_of(past))
    assert (done.refused, done.findings) == (1, [])
    assert said(store) == []
    lines = store.query("SELECT line FROM events FINAL ORDER BY sequence")
    assert [line.encode() for (line,) in lines] == LINES


@pytest.mark.parametrize("hash_too", [False, True])
def test_an_event_that_was_edited_in_the_store_is_a_finding_also_when_its_hash_was_edited_with_it(
    hash_too: bool,
) -> None:
    store = new_store()
    edited = rows_of(*LINES[:10], other(LINES[10]), *LINES[11:])
    if not hash_too:
        row = list(edited["events"][10])
        row[-1] = int.from_bytes(hashlib.sha256(LINES[10]).digest()[:8], signed=True) ^ 1
        edited["events"][10] = tuple(row)
    BatchStore(store).store(edited)
    done = BatchStore(store).store(rows_of(*LINES))
    assert done.refused == 1
    assert said(store) == [(11,)]

"""The state of a stored table before an event, and now: the same as folding its record from the first line."""

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dashboards.folding import states
from dashboards.folding.openings import Opening, Openings
from dashboards.folding.states import States, UnknownTable
from dashboards.replayer.admitting import Before, admitted
from processors.core.snapshots import snapshot
from processors.core.state import Table
from processors.games.whichever.taking import Taking
from schemas.events.codec import decode
from tests.embedded.ledgers import lines_of, subject_of
from tests.hands.stored import Recorded, recorded

STREAM = "irregular_shoe_runs_out"
TABLE = subject_of(STREAM)
LINES = lines_of(STREAM)


def folded(lines: Sequence[bytes], subject: str = TABLE) -> Before:
    """Every line one after the other, without a store."""
    table = Table(subject=subject)
    taking = Taking(table)
    for line in lines:
        event = admitted(table, line)
        if event is not None:
            taking.take(event)
    return Before(snapshot(table))


@pytest.fixture(scope="module")
def whole() -> Recorded:
    return recorded(STREAM)


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Openings as close as in a record of a million events."""
    monkeypatch.setattr(states, "EVERY", 100)


@given(st.lists(st.integers(1, len(LINES) + 1), min_size=1, max_size=4))
@settings(max_examples=20, deadline=None)
def test_the_state_before_any_event_is_that_of_all_lines_before_it(
    whole: Recorded, sequences: list[int]
) -> None:
    shown = States(whole.store)
    for sequence in sequences:
        assert shown.before(TABLE, sequence) == folded(LINES[: sequence - 1])


@pytest.mark.usefixtures("often")
def test_openings_change_no_state_wherever_one_looks_first(whole: Recorded) -> None:
    chance = random.Random(7)
    shown = States(whole.store)
    for _ in range(30):
        sequence = chance.randrange(1, len(LINES) + 2)
        assert shown.before(TABLE, sequence) == folded(LINES[: sequence - 1])


@pytest.mark.usefixtures("often")
def test_a_second_look_reads_only_the_lines_behind_the_nearest_opening(whole: Recorded) -> None:
    asked: list[int] = []

    class Counting:
        def query(self, sql: str, parameters: dict[str, object]) -> object:
            rows = whole.store.query(sql, parameters)  # type: ignore[arg-type]  # passed on as it came
            asked.append(len(rows))
            return rows

    shown = States(Counting())  # type: ignore[arg-type]  # as above
    shown.before(TABLE, len(LINES))
    assert sum(asked) > len(LINES) - 5
    asked.clear()
    shown.before(TABLE, len(LINES) - 3)
    assert sum(asked) < len(LINES) / 2


@pytest.mark.usefixtures("often")
def test_openings_of_a_file_serve_the_next_process_and_may_be_deleted_or_damaged(
    whole: Recorded, tmp_path: Path
) -> None:
    file = tmp_path / "openings.db"
    wanted = folded(LINES[:1500])
    for damage in (None, b"", b"no database at all" * 100):
        if damage is not None:
            file.write_bytes(damage)
        openings = Openings(file)
        assert States(whole.store, openings).before(TABLE, 1501) == wanted
        kept = openings.newest(TABLE, 1500)
        assert kept is not None
        assert kept.sequence > 1000
        openings.close()
    openings = Openings(file)
    assert openings.newest(TABLE, 1500) == kept
    openings.close()


def test_openings_of_another_record_are_not_used(whole: Recorded) -> None:
    openings = Openings()
    openings.keep(TABLE, Opening(900, "0" * 64, snapshot(Table(subject=TABLE))))
    openings.keep(TABLE, Opening(10_000_000, "0" * 64, snapshot(Table(subject=TABLE))))
    shown = States(whole.store, openings)
    assert shown.before(TABLE, 1000) == folded(LINES[:999])
    assert openings.newest(TABLE, 2**31) is None


def test_in_memory_the_table_not_looked_at_for_longest_loses_its_openings() -> None:
    openings = Openings(most_bytes=40_000)
    state = random.Random(1).randbytes(15_000)
    for table in ("A", "B"):
        openings.keep(table, Opening(1, "", state))
    assert openings.newest("A", 1) is not None
    openings.keep("C", Opening(1, "", state))
    assert openings.newest("B", 1) is None
    assert openings.newest("A", 1) == Opening(1, "", state)


def test_a_table_now_follows_its_record_and_what_was_handed_out_stays_as_it_was() -> None:
    growing = recorded(STREAM, 700)
    shown = States(growing.store)
    first = shown.now(TABLE)
    assert snapshot_of(first) == folded(LINES[:700]).snapshot
    assert shown.now(TABLE) is first
    before = snapshot(first.table)
    for end in (701, 740, 1400):
        growing.grow(LINES[len(list(growing.log.read_from(TABLE))) : end])
        now = shown.now(TABLE)
        wanted = folded(LINES[:end])
        assert (now.sequence, snapshot_of(now)) == (end, wanted.snapshot)
    assert snapshot(first.table) == before


def snapshot_of(now: states.Now) -> bytes:
    """The fold of a table; what the pipeline adds of findings and proofs is not its part."""
    return snapshot(now.table)


def test_a_line_that_cannot_be_read_stands_in_its_place_among_the_events() -> None:
    lines = [*LINES[:300]]
    lines.insert(200, b'{"torn":')
    torn = Recorded(lines, TABLE)
    shown = States(torn.store)
    for sequence in (200, 201, 202, 250):
        told = [line for line in lines if line == lines[200] or decode(line).sequence < sequence]
        cut = told if sequence > 201 else [line for line in told if line != lines[200]]
        assert shown.before(TABLE, sequence) == folded(cut), sequence


def test_a_table_without_events_is_unknown_and_has_nothing_before_them(whole: Recorded) -> None:
    shown = States(whole.store)
    with pytest.raises(UnknownTable):
        shown.now("NO-1")
    assert shown.before("NO-1", 5) == folded([], "NO-1")

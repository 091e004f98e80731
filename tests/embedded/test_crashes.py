"""A process may end at any point: enumerated in memory, and by kill -9 with the real ledger and store."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.embedded.progress import StoreDiverged, StoreOfAnotherLedger
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import NOTHING, Parameter, Row, StoreOfAnotherRelease, WarehouseError
from producers.log import EventLog
from producers.sqlite_log import SqliteLog
from schemas.answers import FOLD_VERSION
from schemas.warehouse import RELATIONS, Migration, Relation
from tests.embedded.ledgers import contents, fill, filled, folded, new_store, subject_of
from tests.warehouse.memory_warehouse import MemoryWarehouse


class Crash(Exception):
    """The process ends here."""


class Mortal:
    """A store whose process ends before or after its n-th insert."""

    def __init__(self, store: MemoryWarehouse, inserts: int, after: bool) -> None:
        self._store, self._left, self._after = store, inserts, after
        self.inserted: list[str] = []  # into which relation, one by one

    def insert(self, relation: Relation, rows: Sequence[Row]) -> None:
        self._left -= 1
        self.inserted.append(relation.name)
        if self._left == 0 and not self._after:
            raise Crash
        self._store.insert(relation, rows)
        if self._left == 0:
            raise Crash

    def query(self, sql: str, parameters: Mapping[str, Parameter] = NOTHING) -> list[Row]:
        return self._store.query(sql, parameters)

    def migrate(self) -> tuple[Migration, ...]:
        return self._store.migrate()

    def remove(self, relation: Relation, keys: Sequence[Row]) -> None:
        raise NotImplementedError  # a fold removes no rows

    def clear(self) -> None:
        self._store.clear()

    def close(self) -> None:
        self._store.close()


def run(ledger: EventLog, store: Mortal | MemoryWarehouse) -> None:
    """Fold in small steps, storing after each."""
    fold = EmbeddedFold(ledger, store)
    while fold.fold(150).events:
        fold.store()


@pytest.fixture(scope="module")
def ledger() -> EventLog:
    return filled(("breach_masque_wrong", "breach_surrender_after_hit"), events=400)


@pytest.mark.parametrize("every", [8, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_a_crash_at_every_insert_leaves_the_rows_of_an_undisturbed_run(
    ledger: EventLog, after: bool, every: int
) -> None:
    """At the first insert into each relation and every so many that follow; `make soak` tries every one there is."""
    clean = contents(folded(ledger))
    undisturbed = Mortal(new_store(), 0, after)
    run(ledger, undisturbed)
    inserted = undisturbed.inserted
    assert len(inserted) > 20
    tried = [at for at, name in enumerate(inserted) if inserted[:at].count(name) % every == 0]
    assert {inserted[at] for at in tried} == set(inserted)
    for at in tried:
        store = new_store()
        with pytest.raises(Crash):
            run(ledger, Mortal(store, at + 1, after))
        run(ledger, store)
        assert contents(store) == clean, f"insert {at + 1}, into {inserted[at]}"


def test_a_process_that_ends_again_and_again_each_time_one_insert_later_comes_through(
    ledger: EventLog,
) -> None:
    store = new_store()
    for lives in range(1, 200):
        try:
            run(ledger, Mortal(store, lives, after=lives % 2 == 0))
        except Crash:
            continue
        break
    else:
        pytest.fail("it never came through")
    assert contents(store) == contents(folded(ledger))


def test_what_a_failing_store_refused_is_stored_when_it_is_well_again(ledger: EventLog) -> None:
    store = new_store()
    sick = Mortal(store, 3, after=False)
    fold = EmbeddedFold(ledger, sick)
    fold.fold(300)
    with pytest.raises(Crash):
        fold.store()
    fold.store()
    fold.catch_up()
    assert contents(store) == contents(folded(ledger))


def test_a_store_is_refused_for_a_ledger_it_was_not_folded_from(ledger: EventLog) -> None:
    store = folded(ledger)
    subject = subject_of("breach_masque_wrong")
    other = filled(("breach_mtd_wrong_pay",), events=300)
    assert other.subjects() == (subject,)
    with pytest.raises(StoreOfAnotherLedger, match=f"table {subject}"):
        EmbeddedFold(other, store)
    with pytest.raises(StoreOfAnotherLedger):
        EmbeddedFold(filled(("breach_masque_wrong",), events=50), store)


@pytest.mark.parametrize("name", ["rounds", "findings"])
def test_a_stored_row_that_folding_again_does_not_give_is_said_and_not_overwritten(
    ledger: EventLog, name: str
) -> None:
    store = new_store()
    fold = EmbeddedFold(ledger, Mortal(store, 8, after=False))
    fold.fold(5000)
    with pytest.raises(Crash):  # seven relations are stored, progress is not
        fold.store()
    assert store.query("SELECT * FROM progress FINAL") == []
    relation = RELATIONS[name]
    [row, *_] = store.query(f"SELECT * FROM {name} FINAL")
    changed = list(row)
    changed[relation.column_names.index("row_hash")] ^= 1
    store.insert(relation, [tuple(changed)])
    with pytest.raises(StoreDiverged, match="report"):
        run(ledger, store)


def test_what_an_older_fold_wrote_is_folded_again_and_a_newer_folds_store_is_refused(
    ledger: EventLog,
) -> None:
    store = folded(ledger)
    progress = RELATIONS["progress"]
    rows = store.query("SELECT * FROM progress FINAL")
    phantom = (*store.query("SELECT * FROM racks FINAL")[0],)
    store.insert(RELATIONS["racks"], [(phantom[0], 4_000_000, *phantom[2:])])
    store.insert(progress, [(*row[:-1], FOLD_VERSION - 1) for row in rows])
    EmbeddedFold(ledger, store).catch_up()
    assert contents(store) == contents(folded(ledger))
    store.insert(progress, [(*row[:-1], FOLD_VERSION + 1) for row in rows])
    with pytest.raises(StoreOfAnotherRelease, match="newer"):
        EmbeddedFold(ledger, store)


FOLDER = """
import sys
from pathlib import Path
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.embedded.fold import EmbeddedFold
from producers.sqlite_log import SqliteLog
ledger = SqliteLog(Path(sys.argv[1]), read_only=True)
store = ChdbWarehouse(Path(sys.argv[2]))
store.migrate()
fold = EmbeddedFold(ledger, store)
print("from", fold.position, flush=True)
while fold.fold(int(sys.argv[3])).events:
    fold.store()
    print(fold.position, flush=True)
"""


def start(ledger: Path, store: Path, step: int) -> subprocess.Popen[str]:
    """A process that folds the ledger into the store and says how far it is."""
    command = [sys.executable, "-c", FOLDER, str(ledger), str(store), str(step)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("kills", [2, pytest.param(60, marks=pytest.mark.soak)])
def test_kill_minus_nine_again_and_again_leaves_the_rows_of_an_undisturbed_run(
    tmp_path: Path, kills: int
) -> None:
    ledger, killed = tmp_path / "ledger.db", tmp_path / "killed"
    log = SqliteLog(ledger)
    fill(log, events=1200)
    log.close()
    dice = random.Random(465)
    positions = []
    step = 2400 // kills // 4  # small enough that no life comes to the end
    for _ in range(kills):
        with start(ledger, killed, step) as process:
            assert process.stdout is not None
            positions.append(int(process.stdout.readline().removeprefix("from ")))
            process.stdout.readline()  # at least one step, so that every life gets further
            time.sleep(dice.random() * 0.15)
            os.kill(process.pid, signal.SIGKILL)
    with start(ledger, killed, step) as process:
        assert process.wait(120) == 0
    with start(ledger, tmp_path / "clean", 100_000) as process:
        assert process.wait(60) == 0
    assert positions == sorted(set(positions)), "each life began behind the one before, and none at the end"
    found = []
    for folder in (killed, tmp_path / "clean"):
        store = ChdbWarehouse(folder)
        of_people = store.query("SELECT * FROM progress FINAL WHERE next_sequence = 0 ORDER BY subject")
        found.append(contents(store) | {"people": of_people})
        store.close()
    assert found[0] == found[1]
    assert found[0]["people"]
    assert all(found[0][name] for name in ("rounds", "hands", "stakes", "takings", "racks", "findings"))


def test_a_store_that_cannot_be_opened_says_so_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "store").write_text("a file where a folder should be")
    with pytest.raises((WarehouseError, OSError)) as raised:
        ChdbWarehouse(tmp_path / "store")
    assert "\n" not in str(raised.value)

"""The store in process: it survives its process, belongs to one at a time, and has its declared form."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import StoreBusy, WarehouseError
from schemas.warehouse import MIGRATIONS, RELATIONS
from tests.warehouse.samples import EVERY_KIND, WITH_SAMPLE, row

COUNT = "SELECT count() FROM every_kind FINAL"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "warehouse"


@pytest.fixture
def store(folder: Path) -> Iterator[ChdbWarehouse]:
    store = ChdbWarehouse(folder, WITH_SAMPLE)
    store.migrate()
    yield store
    store.close()


def test_rows_are_there_when_the_folder_is_opened_again(folder: Path, store: ChdbWarehouse) -> None:
    store.insert(EVERY_KIND, [row()])
    store.close()
    again = ChdbWarehouse(folder, WITH_SAMPLE)
    assert again.migrate() == ()
    assert again.query("SELECT * FROM every_kind FINAL") == [row()]
    again.close()


def test_columns_keys_engine_and_comments_in_the_store_are_those_declared(store: ChdbWarehouse) -> None:
    for name, relation in RELATIONS.items():
        of_relation = {"name": name}
        columns = store.query(
            "SELECT name, type, comment FROM system.columns"
            " WHERE database = 'catwalk' AND table = {name:String} ORDER BY position",
            of_relation,
        )
        assert columns == [(c.name, c.type, c.comment) for c in relation.columns], name
        [(engine, key, partition, comment)] = store.query(
            "SELECT engine_full, sorting_key, partition_key, comment FROM system.tables"
            " WHERE database = 'catwalk' AND name = {name:String}",
            of_relation,
        )
        assert engine.startswith(f"ReplacingMergeTree({relation.version})"), name
        assert "fsync_after_insert = 1, fsync_part_directory = 1" in engine, name
        assert key.strip("()") == ", ".join(relation.key), name
        assert (partition, comment) == (relation.partition_by, relation.grain)


OTHER_PROCESS = """
import sys
from pathlib import Path
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from tests.warehouse.samples import EVERY_KIND, WITH_SAMPLE, row
store = ChdbWarehouse(Path(sys.argv[1]), WITH_SAMPLE)
store.migrate()
for number in range(int(sys.argv[2])):
    store.insert(EVERY_KIND, [row(number)])
    print(number, flush=True)
sys.stdin.read()
"""


def other_process(folder: Path, rows: int) -> subprocess.Popen[str]:
    """A process that opens the store, inserts so many rows one by one, says each, and stays."""
    return subprocess.Popen(
        [sys.executable, "-c", OTHER_PROCESS, str(folder), str(rows)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def test_a_store_another_process_has_open_is_refused_with_that_process_named(folder: Path) -> None:
    with other_process(folder, 1) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "0\n"
        with pytest.raises(StoreBusy, match=f"process {other.pid} has it open"):
            ChdbWarehouse(folder)
        other.kill()
    ChdbWarehouse(folder).close()


@pytest.mark.thorough
def test_what_was_acknowledged_survives_kill_minus_nine_in_the_middle_of_inserting(folder: Path) -> None:
    acknowledged = -1
    for stop_after in (5, 40, 80):
        with other_process(folder, 10_000) as other:
            assert other.stdout is not None
            for said in other.stdout:
                if int(said) >= stop_after:
                    break
            os.kill(other.pid, signal.SIGKILL)
            acknowledged = max(acknowledged, *(int(said) for said in other.stdout), stop_after)
    store = ChdbWarehouse(folder, WITH_SAMPLE)
    numbers = [n for (n,) in store.query("SELECT number FROM every_kind FINAL ORDER BY number")]
    store.close()
    assert numbers[: acknowledged + 1] == list(range(acknowledged + 1))
    assert len(numbers) <= acknowledged + 2  # one may have been stored and not yet said


def test_threads_read_while_another_inserts(store: ChdbWarehouse) -> None:
    counts: list[list[int]] = [[], []]
    done = threading.Event()

    def read(seen: list[int]) -> None:
        while not done.is_set():
            seen.append(store.query(COUNT)[0][0])

    readers = [threading.Thread(target=read, args=(seen,)) for seen in counts]
    for reader in readers:
        reader.start()
    for start in range(0, 2000, 50):
        store.insert(EVERY_KIND, [row(start + n) for n in range(50)])
    done.set()
    for reader in readers:
        reader.join()
    assert store.query(COUNT) == [(2000,)]
    for seen in counts:
        assert seen
        assert seen == sorted(seen)
        assert all(count % 50 == 0 for count in seen), "an insert was seen by halves"


def test_a_folder_that_is_no_store_is_refused_in_one_line(folder: Path) -> None:
    (folder / "metadata").mkdir(parents=True)
    (folder / "metadata" / "catwalk.sql").write_text("this is no SQL")
    with pytest.raises(WarehouseError) as raised:
        ChdbWarehouse(folder, MIGRATIONS)
    assert "\n" not in str(raised.value)
    assert str(folder) in str(raised.value)
    (folder / "metadata" / "catwalk.sql").unlink()
    ChdbWarehouse(folder, MIGRATIONS).close()

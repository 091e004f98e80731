"""`catwalk export`: the bytes of `catwalk replay` out of the store, on the embedded engine and behind the topics."""

from __future__ import annotations

import datetime as dt
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from deploy.audit.export import export
from deploy.cli.main import catwalk
from deploy.replay.run import FILES, replay
from deploy.replay.sources import find
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import Warehouse
from producers.memory_log import MemoryLog
from producers.sqlite_log import SqliteLog
from schemas.warehouse import RELATIONS
from tests.embedded.ledgers import EXAMPLES, append, fill, folded, lines_of, new_store, subject_of
from tests.runtime.test_sink import run
from tests.runtime.topics import FakeGroup, folded_topics

NAMES = ("breach_masque_wrong", "breach_surrender_after_hit", "lawful_fortune_670a10")
ALL = (*(f"{name}.ndjson" for name in FILES), "summary.json")


def files(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in ALL}


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> SqliteLog:
    """Three tables, each cut in the middle of a round; one has an unreadable line in its chain."""
    log = SqliteLog(tmp_path_factory.mktemp("ledger") / "ledger.db")
    fill(log, NAMES, events=470)
    bad = b'{"specversion":"1.0","time":"yesterday"}\xff'
    lines = lines_of("lawful_free_bet_672a")
    assert subject_of("lawful_free_bet_672a") not in log.subjects()
    append(log, subject_of("lawful_free_bet_672a"), [*lines[:300], bad, *lines[300:420]])
    return log


@pytest.fixture(scope="module")
def replayed(ledger: SqliteLog, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    out = tmp_path_factory.mktemp("replayed")
    replay(find([ledger._path]), out)
    return files(out)


def stores(engine: str, ledger: SqliteLog, folder: Path) -> Warehouse:
    """The store of an engine with everything the ledger says."""
    if engine == "topics":
        store: Warehouse = new_store()
        run(FakeGroup(folded_topics(ledger), run=300), store)
        return store
    if engine == "memory":
        return folded(ledger)
    chdb = ChdbWarehouse(folder / "warehouse")
    chdb.migrate()
    EmbeddedFold(ledger, chdb).catch_up()
    return chdb


@pytest.mark.parametrize("engine", ["memory", "topics", "chdb"])
def test_an_export_is_byte_for_byte_the_replay_of_the_ledger(
    engine: str, ledger: SqliteLog, replayed: dict[str, bytes], tmp_path: Path
) -> None:
    store = stores(engine, ledger, tmp_path)
    done = export(store, tmp_path / "out")
    store.close()
    assert files(tmp_path / "out") == replayed
    assert done.behind == ()
    open_rounds = [
        line for line in replayed["rounds.ndjson"].splitlines() if b'"status":"indeterminate"' in line
    ]
    assert open_rounds, "a round under way is told too"
    assert replayed["deadletters.ndjson"]


def test_one_table_and_one_day_are_parts_of_the_whole(
    ledger: SqliteLog, replayed: dict[str, bytes], tmp_path: Path
) -> None:
    store = folded(ledger)
    subject = subject_of(NAMES[0])
    export(store, tmp_path / "table", subject=subject)
    for name in FILES:
        whole = [
            line for line in replayed[f"{name}.ndjson"].splitlines() if json.loads(line)["file"] == subject
        ]
        assert (tmp_path / "table" / f"{name}.ndjson").read_bytes().splitlines() == whole
    day = dt.date.fromisoformat(
        next(json.loads(line)["gaming_day"] for line in replayed["rounds.ndjson"].splitlines())
    )
    export(store, tmp_path / "day", day=day)
    wanted = [
        line for line in replayed["rounds.ndjson"].splitlines() if json.loads(line)["gaming_day"] == str(day)
    ]
    assert (tmp_path / "day" / "rounds.ndjson").read_bytes().splitlines() == wanted
    export(store, tmp_path / "never", day=dt.date(1999, 1, 1))
    assert (tmp_path / "never" / "rounds.ndjson").read_bytes() == b""


def test_two_gaming_days_divide_rounds_findings_and_events_between_them(tmp_path: Path) -> None:
    log = MemoryLog()
    name = "irregular_two_gaming_days"
    append(log, subject_of(name), lines_of(name))
    store = folded(log)
    export(store, tmp_path / "whole")
    days = sorted(
        {json.loads(line)["gaming_day"] for line in files(tmp_path / "whole")["rounds.ndjson"].splitlines()}
    )
    assert len(days) == 2
    parts = []
    for day in days:
        export(store, tmp_path / day, day=dt.date.fromisoformat(day))
        parts.append(files(tmp_path / day))
    whole = files(tmp_path / "whole")
    assert b"".join(part["rounds.ndjson"] for part in parts) == whole["rounds.ndjson"]
    records = [json.loads(part["summary.json"])["records"] for part in parts]
    assert all(records)
    assert sum(records) <= json.loads(whole["summary.json"])["records"]


def test_a_table_that_is_stored_further_than_it_is_folded_is_named(ledger: SqliteLog, tmp_path: Path) -> None:
    store = folded(ledger)
    subject = subject_of(NAMES[0])
    row = store.query("SELECT * FROM events FINAL WHERE subject = {s:String} ORDER BY sequence DESC LIMIT 1",
                      {"s": subject})[0]  # fmt: skip
    store.insert(RELATIONS["events"], [(row[0], row[1] + 1, *row[2:])])
    [behind] = export(store, tmp_path / "out").behind
    assert (behind.subject, behind.folded, behind.stored) == (subject, row[1], row[1] + 1)


def test_a_user_exports_what_was_recorded_without_anything_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("CATWALK_MODE", "embedded")
    stream = EXAMPLES / "breach_overpay.ndjson"
    runner = CliRunner()
    (tmp_path / "data").mkdir()
    assert runner.invoke(catwalk, ["record", str(stream)]).exit_code == 0
    done = runner.invoke(catwalk, ["export", "--out", str(tmp_path / "out")])
    assert done.exit_code == 0, done.output
    ledger = tmp_path / "data" / "ledger.db"
    assert runner.invoke(catwalk, ["replay", str(ledger), "--out", str(tmp_path / "replayed")]).exit_code == 0
    assert files(tmp_path / "out") == files(tmp_path / "replayed")
    wrong = runner.invoke(catwalk, ["export", "--out", str(tmp_path / "x"), "--subject", "NO-1"])
    assert wrong.exit_code == 2

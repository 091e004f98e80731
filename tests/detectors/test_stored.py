"""What a table alone is suspected of stands in the store as replay says it, embedded and behind the topics."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.audit.export import export
from deploy.replay.run import replay
from deploy.replay.sources import find
from producers.sqlite_log import SqliteLog
from tests.detectors.worlds import changed, dropped, table
from tests.embedded.ledgers import append
from tests.runtime.test_export import files, stores


@pytest.mark.parametrize("engine", ["memory", "topics"])
def test_a_suspicion_about_a_table_is_exported_as_it_is_replayed(engine: str, tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "ledger.db")
    append(log, "S-1", changed(table(1, 60), dropped("card_drawn", 0.06, 1)))
    replay(find([tmp_path / "ledger.db"]), tmp_path / "replayed")
    store = stores(engine, log, tmp_path)
    export(store, tmp_path / "out")
    store.close()
    exported, replayed = files(tmp_path / "out"), files(tmp_path / "replayed")
    assert exported["findings.ndjson"] == replayed["findings.ndjson"]
    assert exported["rounds.ndjson"] == replayed["rounds.ndjson"]
    assert exported["findings.ndjson"].count(b'"pattern.sensor_health.gaps"') == 1

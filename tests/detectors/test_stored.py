"""Suspicions stand in the store as replay says them: of a table alone also behind the topics, of people embedded."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.audit.export import export
from deploy.replay.run import replay
from deploy.replay.sources import find
from producers.sqlite_log import SqliteLog
from tests.detectors.worlds import Change, changed, dropped, mispaid, table
from tests.embedded.ledgers import append
from tests.runtime.test_export import files, stores


@pytest.mark.parametrize(
    ("engine", "change", "check"),
    [
        ("memory", dropped("card_drawn", 0.06, 1), b"sensor_health.gaps"),
        ("topics", dropped("card_drawn", 0.06, 1), b"sensor_health.gaps"),
        ("memory", mispaid(0.05, 1, way="patrons"), b"dealer_mispay.for_patrons"),
    ],
)
def test_a_suspicion_is_exported_as_it_is_replayed(
    engine: str, change: Change, check: bytes, tmp_path: Path
) -> None:
    log = SqliteLog(tmp_path / "ledger.db")
    append(log, "S-1", changed(table(1, 60), change))
    replay(find([tmp_path / "ledger.db"]), tmp_path / "replayed")
    store = stores(engine, log, tmp_path)
    export(store, tmp_path / "out")
    store.close()
    exported, replayed = files(tmp_path / "out"), files(tmp_path / "replayed")
    assert exported["findings.ndjson"] == replayed["findings.ndjson"]
    assert exported["rounds.ndjson"] == replayed["rounds.ndjson"]
    assert exported["findings.ndjson"].count(b'"pattern.%b"' % check) == 1

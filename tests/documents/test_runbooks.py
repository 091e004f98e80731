"""What the runbooks ask of the store does what they say."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path

from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from tests.embedded.ledgers import FIVE_TABLES, filled, subject_of

RUNBOOKS = Path(__file__).resolve().parents[2] / "deploy" / "runbooks"


def test_the_ledger_that_is_filled_from_the_store_has_every_line_byte_for_byte(tmp_path: Path) -> None:
    command = (RUNBOOKS / "lost-broker.md").read_text("utf-8")
    [sql, form] = re.findall(r'--query "(SELECT .*) FORMAT (\w+)"', command)[0]
    ledger = filled(events=60)
    with closing(ChdbWarehouse(tmp_path / "warehouse")) as store:
        store.migrate()
        EmbeddedFold(ledger, store).catch_up()
        given = store._reader.query(sql, form).bytes()
    tables = sorted(map(subject_of, FIVE_TABLES))
    assert given.splitlines() == [record.line for table in tables for record in ledger.read_from(table)]

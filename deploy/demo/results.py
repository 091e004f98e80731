"""What a demonstration's ledger and store hold: for the view when it starts, for the summary when it ends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from dashboards.terminal.floor import Floor
from deploy.console.alerting import asks_for_alert
from processors.pipeline import TablePipeline
from processors.runtime.store.warehouse import Warehouse
from producers.log import EventLog
from schemas.findings import Finding
from schemas.warehouse import DERIVED

OLD_ALERTS = 50
_LOOKED_AT = 10 * OLD_ALERTS  # findings; at a demonstration more than half of them are alerts


@dataclass(frozen=True, slots=True)
class Recorded:
    """What is there; `new_events` came in this run."""

    tables: int
    events: int
    new_events: int
    rows: dict[str, int]
    verdicts: dict[str, int]


def recorded(log: EventLog, store: Warehouse, new_events: int) -> Recorded:
    """What ledger and store hold now."""
    heads = [log.head(subject) for subject in log.subjects()]
    verdicts = store.query("SELECT verdict, count() FROM findings FINAL GROUP BY verdict ORDER BY verdict")
    return Recorded(
        tables=len(heads),
        events=sum(head.sequence for head in heads),
        new_events=new_events,
        rows=row_counts(store),
        verdicts=dict(verdicts),
    )


def row_counts(store: Warehouse) -> dict[str, int]:
    """Rows of every relation that holds results."""
    return {name: store.query(f"SELECT count() FROM {name} FINAL")[0][0] for name in DERIVED}


def show_what_is_stored(floor: Floor, tables: Mapping[str, TablePipeline], store: Warehouse) -> None:
    """Let the view begin where the last run ended: totals, tables, the newest alerts."""
    counts = row_counts(store)
    for subject, pipeline in tables.items():
        floor.table(subject).state = pipeline.state
        floor.events += pipeline.state.chain.next_sequence - 1
    newest = store.query(
        "SELECT record, decided_at FROM findings FINAL ORDER BY decided_at DESC LIMIT {most:UInt32}",
        {"most": _LOOKED_AT},
    )
    old = [(msgspec.json.decode(record, type=Finding), at) for record, at in newest]
    for finding, at in reversed([one for one in old if asks_for_alert(one[0])][:OLD_ALERTS]):
        floor.raise_alert(finding, at)
    for subject, findings in store.query("SELECT subject, count() FROM findings FINAL GROUP BY subject"):
        floor.table(subject).findings = findings
    floor.rounds, floor.findings = counts["rounds"], counts["findings"]
    floor.rows_stored = sum(counts.values())

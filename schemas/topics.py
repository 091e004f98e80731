"""The topics of the distributed deployment, declared once: content, key, retention."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

DAY_MS = 86_400_000
CLOUDEVENT = "application/cloudevents+json"
FRAME = "application/x-ndjson"
JSON = "application/json"
BYTES = "application/octet-stream"


class Topic(Struct, frozen=True, kw_only=True):
    """One topic: `key` says whose order it keeps; `partitions` None is the deployment's choice.

    `retention_ms` -1 keeps records for ever; a compacted topic keeps the last record of each key.
    """

    name: str
    key: str
    content: str
    content_types: tuple[str, ...]
    partitions: int | None = None
    cleanup: Literal["delete", "compact"] = "delete"
    retention_ms: int = -1


EVENTS = Topic(
    name="catwalk.events",
    key="subject: the gaming table",
    content="The ledger: chained events of the contract, one a record live, frames of several in back-fill.",
    content_types=(CLOUDEVENT, FRAME),
)
ROUNDS = Topic(
    name="catwalk.rounds",
    key="property",
    content="Reconstructed rounds.",
    content_types=(JSON,),
    retention_ms=90 * DAY_MS,
)
FINDINGS = Topic(
    name="catwalk.findings",
    key="property",
    content="Findings; their ids are derived from content, so that a repeated one is the same one.",
    content_types=(JSON,),
    retention_ms=90 * DAY_MS,
)
SNAPSHOTS = Topic(
    name="catwalk.snapshots",
    key="subject: the gaming table",
    content="State of a table with the last sequence it has seen, written at round ends.",
    content_types=(BYTES,),
    cleanup="compact",
)
DESK = Topic(
    name="catwalk.desk",
    key="none",
    content="The life of alerts and cases, and every access; its offset is the cursor of the console's feed.",
    content_types=(JSON,),
    partitions=1,
)
DEADLETTER = Topic(
    name="catwalk.deadletter",
    key="subject: the gaming table",
    content="Lines that are no event of the contract: their bytes, the reason, and where they came from.",
    content_types=(JSON,),
)

TOPICS = (EVENTS, ROUNDS, FINDINGS, SNAPSHOTS, DESK, DEADLETTER)

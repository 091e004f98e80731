"""The topics of the distributed deployment, declared once: content, key, retention."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

DAY_MS = 86_400_000
CLOUDEVENT = "application/cloudevents+json"
FRAME = "application/x-ndjson"
JSON = "application/json"
BYTES = "application/octet-stream"
RESULT_BYTES = 8 << 20  # a dead letter holds its record's bytes again, in base64
NO_TOPIC_REMEDY = "`catwalk topics apply`, or name other brokers or another prefix"  # whoever misses one


class Topic(Struct, frozen=True, kw_only=True):
    """One topic: `key` says whose order it keeps; `partitions` None is the deployment's choice.

    One that is `by_fold` is there once for each version of the fold, `catwalk.rounds.v8`: no version sees another's.

    `retention_ms` -1 keeps records for ever; a compacted topic keeps the last record of each key.
    `max_message_bytes` is the largest record batch the broker takes; producers must not cut below it.
    """

    name: str
    key: str
    content: str
    by_fold: bool = False
    content_types: tuple[str, ...]
    partitions: int | None = None
    cleanup: Literal["delete", "compact"] = "delete"
    retention_ms: int = -1
    max_message_bytes: int = 1_048_588

    def named(self, prefix: str, fold: int) -> str:
        """Its name in a deployment, for this version of the fold."""
        return f"{prefix}{self.name}.v{fold}" if self.by_fold else prefix + self.name


EVENTS = Topic(
    name="catwalk.events",
    key="subject: the gaming table",
    content="The ledger: chained events of the contract, one a record live, frames of several in back-fill.",
    content_types=(CLOUDEVENT, FRAME),
)
ROUNDS = Topic(
    name="catwalk.rounds",
    key="subject: the gaming table",
    content="Reconstructed rounds.",
    by_fold=True,
    content_types=(JSON,),
    retention_ms=90 * DAY_MS,
    max_message_bytes=RESULT_BYTES,
)
FINDINGS = Topic(
    name="catwalk.findings",
    key="subject: the gaming table",
    content="Findings; their ids are derived from content, so that a repeated one is the same one.",
    by_fold=True,
    content_types=(JSON,),
    retention_ms=90 * DAY_MS,
    max_message_bytes=RESULT_BYTES,
)
OBSERVATIONS = Topic(
    name="catwalk.observations",
    key="whom they are about: `dealer:D-1`, `player:P-1`, or a pair of them",
    content="What a table's rounds tell of people who play or deal at several tables, for the detectors of patterns.",
    by_fold=True,
    content_types=(BYTES,),
    max_message_bytes=RESULT_BYTES,
)
SNAPSHOTS = Topic(
    name="catwalk.snapshots",
    key="subject: the gaming table",
    content="State of each table behind the last record it has seen, and how far its partition is folded.",
    by_fold=True,
    content_types=(BYTES,),
    cleanup="compact",
    max_message_bytes=RESULT_BYTES,
)
DESK = Topic(
    name="catwalk.desk",
    key="none",
    content="The life of alerts and cases, and every access: one chain. A record that does not follow is void.",
    content_types=(FRAME,),
    partitions=1,
    max_message_bytes=RESULT_BYTES,
)
DEADLETTER = Topic(
    name="catwalk.deadletter",
    key="subject: the gaming table",
    content="Lines that are no event of the contract: their bytes, the reason, and where they came from.",
    content_types=(JSON,),
    max_message_bytes=RESULT_BYTES,
)
WRITERS = Topic(
    name="catwalk.writers",
    key="subject: the gaming table",
    content="Which gateway writes each table: its last claim holds, and says how far the table had come.",
    content_types=(JSON,),
    partitions=1,  # one order of all claims, and one end to have read up to
    cleanup="compact",
)

VERSIONS = Topic(
    name="catwalk.versions",
    key="none",
    content="Which version of the fold is in force. A switch counts if it names the version in force before it.",
    content_types=(JSON,),
    partitions=1,  # one order of all switches
)

COUNTERS = Topic(
    name="catwalk.counters",
    key="gaming day, table, ruleset and dealer",
    content="What rounds and findings come to, for each gaming day, table, ruleset and dealer: always the whole.",
    by_fold=True,
    content_types=(JSON,),
    cleanup="compact",
)
ANALYSIS = Topic(
    name="catwalk.analyst",
    key="subject: the gaming table; `dealer:D-1`, `player:P-1`; `partition/<number>` for how far a partition is",
    content="State of the analyst: of each table and person, and which records of a partition it has taken.",
    by_fold=True,
    content_types=(BYTES,),
    cleanup="compact",
    max_message_bytes=RESULT_BYTES,
)

TOPICS = (
    EVENTS,
    ROUNDS,
    FINDINGS,
    OBSERVATIONS,
    SNAPSHOTS,
    DESK,
    DEADLETTER,
    WRITERS,
    VERSIONS,
    COUNTERS,
    ANALYSIS,
)


class ConsumerGroup(Struct, frozen=True, kw_only=True):
    """One consumer group: a kind of worker, and the topics it is behind on until it has taken them.

    An optional one is not waited for where none was ever started. `together`: the partitions of one number of all its
    topics go to one worker.
    """

    worker: str
    name: str
    topics: tuple[Topic, ...]
    optional: bool = False
    together: bool = False

    def named(self, prefix: str, fold: int) -> str:
        """Its name in a deployment, for this version of the fold: workers of two versions share nothing."""
        return f"{prefix}{self.name}.v{fold}"


FOLD = ConsumerGroup(worker="fold", name="catwalk.fold", topics=(EVENTS,))
ANALYST = ConsumerGroup(
    worker="analyst",
    name="catwalk.analyst",
    topics=(ROUNDS, FINDINGS, OBSERVATIONS),
    optional=True,
    together=True,
)
SINK = ConsumerGroup(
    worker="sink", name="catwalk.sink", topics=(EVENTS, ROUNDS, FINDINGS, DEADLETTER, SNAPSHOTS, COUNTERS)
)
GROUPS = (FOLD, ANALYST, SINK)  # in the order in which work passes through them

"""What events and all that comes of them take: processor time of processes, bytes of topics, bytes of ClickHouse."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from clickhouse_driver import Client
from kafka.admin import KafkaAdminClient

from processors.runtime.brokers.connection import Brokers
from producers.kafka.connection import Connection
from schemas.topics import TOPICS

OFFSETS: Final = "__consumer_offsets"  # what all groups of the brokers have acknowledged
_TICKS: Final = os.sysconf("SC_CLK_TCK")


def processor_seconds(pid: int) -> float:
    """Seconds of processor that a process has taken, all threads, in user and kernel mode."""
    stat = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8")
    fields = stat[stat.rindex(")") + 2 :].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


class TopicSizes:
    """Bytes of the deployment's topics, of one copy, as the brokers have them on disk."""

    def __init__(self, reach: Connection, brokers: Brokers) -> None:
        self._admin = _admin(reach)
        self._names = {brokers.topic(topic): topic.name for topic in TOPICS} | {OFFSETS: OFFSETS}

    def measure(self) -> Counter[str]:
        """Bytes of each topic now, and of `__consumer_offsets`."""
        largest: dict[tuple[str, int], int] = {}
        for broker in self._admin.describe_log_dirs():
            for folder in broker["log_dirs"]:
                for topic in folder["topics"]:
                    for part in topic["partitions"]:
                        place = topic["name"], part["partition_index"]
                        largest[place] = max(largest.get(place, 0), part["partition_size"])
        sizes: Counter[str] = Counter()
        for (name, _), size in largest.items():
            if name in self._names:
                sizes[self._names[name]] += size
        return sizes

    def close(self) -> None:
        """Let go of the brokers."""
        self._admin.close()


def forget_topics(reach: Connection) -> None:
    """Delete all topics of the deployment, and its groups unless a worker that was killed still counts as there."""
    admin = _admin(reach)
    try:
        own = [name for name in admin.list_topics() if name.startswith(reach.prefix)]
        if own:
            admin.delete_topics(own)
        groups = [one["group_id"] for one in admin.list_groups() if one["group_id"].startswith(reach.prefix)]
        if groups:
            admin.delete_groups(groups)
    finally:
        admin.close()


def _admin(reach: Connection) -> Any:
    known = KafkaAdminClient.DEFAULT_CONFIG  # not all that other clients take
    return KafkaAdminClient(**{k: v for k, v in reach.options().items() if k in known})


def stored_bytes(client: Client, database: str, relations: Iterable[str]) -> dict[str, int]:
    """Bytes on disk of each relation, merged: what it comes to once the server has had its time."""
    for name in relations:
        client.execute(f"OPTIMIZE TABLE `{database}`.`{name}` FINAL")
    rows = client.execute(
        "SELECT table, sum(bytes_on_disk) FROM system.parts WHERE active AND database = %(name)s GROUP BY table",
        {"name": database},
    )
    return dict(rows)


def an_event(sizes: Mapping[str, int], events: int) -> dict[str, float]:
    """Bytes for each event, the largest first; what takes none is left out."""
    return {
        name: round(size / events, 1)
        for name, size in sorted(sizes.items(), key=lambda one: -one[1])
        if size > 0
    }

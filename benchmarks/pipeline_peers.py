"""No-op consumers of other Python stream libraries, run by a Python of their own: they are no part of the product.

`python -m benchmarks.pipeline_peers quixstreams|arroyo SERVERS TOPIC RECORDS` prints the seconds of clock and processor
from the first record to the last, as JSON. Both are given queues large enough that their own back-off is not measured.
"""

from __future__ import annotations

import sys
import uuid
from typing import Any

from benchmarks.stopwatch import Stopwatch

PEERS = ("quixstreams", "arroyo")
_QUEUED = {"queued.min.messages": 1_000_000, "queued.max.messages.kbytes": 200_000}


def quixstreams(servers: str, topic: str, records: int) -> Stopwatch:
    """A quixstreams application takes so many records and does nothing."""
    from quixstreams import Application  # type: ignore[import-not-found] # of the other Python

    clock = Stopwatch(records)
    app = Application(
        broker_address=servers,
        consumer_group=uuid.uuid4().hex,
        auto_offset_reset="earliest",
        auto_create_topics=False,
        consumer_extra_config=_QUEUED,
        loglevel="ERROR",
    )
    source = app.topic(topic, value_deserializer="bytes", key_deserializer="bytes")
    app.dataframe(source).update(lambda _: clock.took())
    app.run(count=records)
    return clock


def arroyo(servers: str, topic: str, records: int) -> Stopwatch:
    """An arroyo processor takes so many records and does nothing."""
    from arroyo import processing  # type: ignore[import-not-found] # of the other Python
    from arroyo.backends.kafka import KafkaConsumer  # type: ignore[import-not-found] # of the other Python
    from arroyo.backends.kafka import build_kafka_consumer_configuration as configured
    from arroyo.processing import strategies  # type: ignore[import-not-found] # of the other Python
    from arroyo.types import Topic  # type: ignore[import-not-found] # of the other Python

    clock = Stopwatch(records)

    class Factory(strategies.ProcessingStrategyFactory[Any]):  # type: ignore[misc] # its base is of the other Python
        def create_with_partitions(self, commit: Any, partitions: Any) -> Any:  # noqa: ARG002 - arroyo's
            def took(message: Any) -> Any:
                if clock.took():
                    processor.signal_shutdown()
                return message.payload

            return strategies.RunTask(took, strategies.CommitOffsets(commit))

    consumer = KafkaConsumer(
        configured(
            {**_QUEUED}, bootstrap_servers=[servers], auto_offset_reset="earliest", group_id=uuid.uuid4().hex
        )
    )
    processor = processing.StreamProcessor(consumer, Topic(topic), Factory())
    processor.run()
    return clock


if __name__ == "__main__":
    run = {"quixstreams": quixstreams, "arroyo": arroyo}[sys.argv[1]]
    run(sys.argv[2], sys.argv[3], int(sys.argv[4])).write()

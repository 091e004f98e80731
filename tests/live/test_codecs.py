"""Batches that another client of the property compressed: read like any record, whatever the codec."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

from kafka import KafkaProducer

from schemas.topics import EVENTS
from tests.live.folding import Environment, catwalk
from tests.live.gateways import Ledger
from tests.producers.builders import stream

CODECS = ("gzip", "snappy", "lz4", "zstd")


def test_batches_of_every_codec_are_read_by_gateway_and_backup(
    kafka: str, kafka_prefix: str, live_environment: Environment, tmp_path: Path
) -> None:
    ledger = Ledger(kafka, kafka_prefix, tmp_path / "data", partitions=1)
    sent = {f"{codec.upper()}-1": stream(400, f"{codec.upper()}-1") for codec in CODECS}
    for codec, (table, lines) in zip(CODECS, sent.items(), strict=True):
        with closing(KafkaProducer(bootstrap_servers=kafka, compression_type=codec, linger_ms=200)) as other:
            for line in lines:
                other.send(EVENTS.named(kafka_prefix, 0), line, key=table.encode())
            other.flush()
    own = stream(100, "OWN-1")
    ran = ledger.record(ledger.file("own.ndjson", own))
    assert (ran.status, ran.json["recorded"]) == (0, 100), ran.err
    assert ledger.lines() == {**sent, "OWN-1": own}
    again = ledger.record(ledger.file("again.ndjson", [line for lines in sent.values() for line in lines]))
    assert (again.status, again.json["recorded"], again.json["already_had"]) == (0, 0, 1_600), again.err
    made = json.loads(
        catwalk(live_environment, "backup", "--out", str(tmp_path / "copy"), "--format", "json")
    )
    [events] = [one for one in made["files"] if one["topic"] == EVENTS.name]
    assert {one["subject"]: one["sequence"] for one in events["tables"]} == dict.fromkeys(sent, 400) | {
        "OWN-1": 100
    }

"""A broker with the deployment's own server.properties and acls.csv: TLS, SCRAM, and each principal's rights.

Every worker does its work with the rights of its own line in the table, and may not do what the table does not say.
"""

from __future__ import annotations

import csv
import os
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaAdminClient, KafkaProducer
from kafka.admin import (
    ACL,
    ACLOperation,
    ACLPermissionType,
    ACLResourcePatternType,
    ResourcePattern,
    ResourceType,
)
from kafka.errors import KafkaError, TopicAuthorizationFailedError

from deploy.stack.class_archive import java_of_brokers
from deploy.stack.parts import JAVA, kafka_jars, needed
from deploy.stack.ports import answers, choose
from deploy.stack.processes import Process
from schemas.topics import EVENTS
from tests.deploy.files import DEPLOY, ROOT
from tests.live.certificates import Authority
from tests.live.checker import check
from tests.live.consoles import Person, consoles, prepared_users
from tests.live.folding import catwalk
from tests.live.servers import HEAP
from tests.live.test_stack import catwalk as process
from tests.runtime.tables import subject_of
from tests.starting import start

PASSWORD = "only-here"
STREAM = ROOT / "examples" / "breach_overpay.ndjson"
with (DEPLOY / "kafka" / "acls.csv").open(encoding="utf-8", newline="") as _file:
    ROWS = list(csv.DictReader(_file))
PRINCIPALS = sorted({row["principal"] for row in ROWS})


def _properties(folder: Path, authority: Authority, ports: tuple[int, ...]) -> str:
    """The deployment's properties for one node on this machine."""
    clients, brokers, controller = ports
    node = authority.sign("kafka-1")
    text = (DEPLOY / "kafka" / "server.properties").read_text(encoding="utf-8")
    values = dict(line.split("=", 1) for line in text.splitlines() if line and not line.startswith("#"))
    values |= {
        "controller.quorum.voters": f"1@127.0.0.1:{controller}",
        "listeners": f"CLIENTS://127.0.0.1:{clients},BROKERS://127.0.0.1:{brokers}"
        f",CONTROLLER://127.0.0.1:{controller}",
        "advertised.listeners": f"CLIENTS://127.0.0.1:{clients},BROKERS://127.0.0.1:{brokers}",
        "ssl.keystore.location": str(node.both),
        "ssl.truststore.location": str(authority.certificate),
        "log.dirs": str(folder / "data"),
        "default.replication.factor": "1",
        "min.insync.replicas": "1",
        "offsets.topic.replication.factor": "1",
        "offsets.topic.num.partitions": "4",
        "group.initial.rebalance.delay.ms": "0",
    }
    return "".join(f"{name}={value}\n" for name, value in values.items())


class SecureBroker:
    """Where it is reached, and as whom."""

    def __init__(self, port: int, authority: Authority, data: Path) -> None:
        self.address = f"127.0.0.1:{port}"
        self.authority = authority
        self._data = data

    def environment(self, principal: str, **changes: str) -> dict[str, str]:
        own = {name: value for name, value in os.environ.items() if not name.startswith("CATWALK_")}
        return own | {
            "CATWALK_MODE": "distributed",
            "CATWALK_DATA": str(self._data / principal),
            "CATWALK_KAFKA": self.address,
            "CATWALK_KAFKA_SECURITY": "sasl_ssl",
            "CATWALK_KAFKA_CA": str(self.authority.certificate),
            "CATWALK_KAFKA_USER": principal,
            "CATWALK_KAFKA_PASSWORD": PASSWORD,
            "CATWALK_KAFKA_PARTITIONS": "2",
            **changes,
        }

    def options(self, principal: str) -> dict[str, Any]:
        return {
            "bootstrap_servers": self.address,
            "security_protocol": "SASL_SSL",
            "ssl_context": ssl.create_default_context(cafile=str(self.authority.certificate)),
            "sasl_mechanism": "SCRAM-SHA-512",
            "sasl_plain_username": principal,
            "sasl_plain_password": PASSWORD,
        }


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SecureBroker]:
    folder = tmp_path_factory.mktemp("secure")
    authority, ports = Authority(folder / "tls"), choose(3)
    properties = folder / "server.properties"
    properties.write_text(_properties(folder, authority, ports), encoding="utf-8")
    java = [*java_of_brokers(needed(JAVA), kafka_jars()), f"-Xmx{HEAP}"]
    users = [
        word
        for name in (*PRINCIPALS, "break-glass", "nobody")
        for word in ("--add-scram", f"SCRAM-SHA-512=[name={name},password={PASSWORD}]")
    ]
    tool = [*java, "kafka.tools.StorageTool", "format", "-t", "Y2F0d2Fsa1NlY3VyZTEyMw", "-c", str(properties)]
    formatted = subprocess.run([*tool, *users], capture_output=True, text=True, check=False)
    assert formatted.returncode == 0, formatted.stderr
    process = Process("kafka-secure", folder)
    process.start([*java, "kafka.Kafka", str(properties)], os.environ)
    try:
        process.wait_until(lambda: answers(ports[0]), 90)
        secure = SecureBroker(ports[0], authority, folder)
        _give_rights(secure)
        catwalk(secure.environment("operator"), "topics", "apply")
        yield secure
    finally:
        process.kill()


def _give_rights(broker: SecureBroker) -> None:
    admin = KafkaAdminClient(**broker.options("break-glass"))
    admin.create_acls(
        [
            ACL(
                f"User:{row['principal']}",
                "*",
                ACLOperation[operation],
                ACLPermissionType.ALLOW,
                ResourcePattern(
                    ResourceType[row["resource"].upper()],
                    row["name"].removesuffix("*"),
                    ACLResourcePatternType.PREFIXED
                    if row["name"].endswith("*")
                    else ACLResourcePatternType.LITERAL,
                ),
            )
            for row in ROWS
            for operation in row["operations"].split()
        ]
    )
    admin.close()


@contextmanager
def working(broker: SecureBroker, worker: str, folder: Path, **changes: str) -> Iterator[None]:
    """A worker process with its own principal's rights."""
    with (folder / f"{worker}.log").open("w") as log:
        process = start(
            [sys.executable, "-m", "deploy.cli", worker],
            env=broker.environment(worker, **changes),
            stdout=log,
            stderr=log,
        )
        try:
            yield
        finally:
            process.terminate()
            assert process.wait(60) == 0, (folder / f"{worker}.log").read_text()


def test_each_worker_does_its_work_with_its_own_rights_over_tls(
    broker: SecureBroker, clickhouse: tuple[str, int], database: str, tmp_path: Path
) -> None:
    store = {
        "CATWALK_CLICKHOUSE_HOST": clickhouse[0],
        "CATWALK_CLICKHOUSE_PORT": str(clickhouse[1]),
        "CATWALK_CLICKHOUSE_DATABASE": database,
    }
    catwalk(broker.environment("operator", **store), "migrate")
    record = (broker.environment("gateway"), "record", "--to", "kafka", str(STREAM))
    catwalk(*record)
    assert "already had        702" in catwalk(*record, "--ledger", str(tmp_path / "another-gateway.db"))
    with (
        working(broker, "fold", tmp_path),
        working(broker, "analyst", tmp_path),
        working(broker, "sink", tmp_path, **store),
    ):
        operator = broker.environment("operator", **store)
        catwalk(operator, "lag", "--wait", "--seconds", "90")
        standing = catwalk(operator, "upgrade", "status")
        assert "at work: 1 fold, 1 analyst, 1 sink; records behind: fold 0" in standing
    catwalk(broker.environment("console", **store), "lag")
    lines = STREAM.read_bytes().splitlines()
    assert check(store, {subject_of(lines[0]).encode(): lines}).wrong == []
    desk = prepared_users(broker.environment("console", **store), tmp_path, "hale")
    with consoles(desk, tmp_path, "one") as (console,), closing(Person(console.ready(), "hale")) as hale:
        (alert,) = hale.sees(1)
        assert hale.act(alert, 1, "acknowledged").status_code == 200


def test_nobody_writes_the_ledger_but_a_gateway(broker: SecureBroker) -> None:
    for principal in (*(set(PRINCIPALS) - {"gateway"}), "nobody"):
        producer = KafkaProducer(**broker.options(principal), enable_idempotence=False, max_block_ms=5000)
        with pytest.raises((TopicAuthorizationFailedError, KafkaError)) as refused:
            producer.send(EVENTS.name, b"x", partition=0).get(15)
        assert "uthoriz" in f"{refused.type.__name__} {refused.value}", principal
        producer.close()


def test_a_wrong_password_is_told_as_that(broker: SecureBroker) -> None:
    wrong = broker.environment("operator", CATWALK_KAFKA_PASSWORD="guess")
    done = process("topics", "check", environment=wrong)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "guess" not in done.stderr
    doctor = process("doctor", environment=wrong)
    assert doctor.returncode == 1
    assert "guess" not in doctor.stdout + doctor.stderr


def test_brokers_that_cannot_prove_who_they_are_are_not_trusted(broker: SecureBroker, tmp_path: Path) -> None:
    other = Authority(tmp_path, "other")
    wrong = broker.environment("operator", CATWALK_KAFKA_CA=str(other.certificate))
    done = process("topics", "check", environment=wrong)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1


def test_an_operator_without_the_right_to_delete_cannot_delete(broker: SecureBroker) -> None:
    admin = KafkaAdminClient(**broker.options("operator"))
    with pytest.raises(KafkaError, match=r"(?i)authoriz"):
        admin.delete_topics([EVENTS.name])
    admin.close()


def test_who_backs_up_reads_what_is_not_derived_and_break_glass_alone_puts_it_back(
    broker: SecureBroker, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    catwalk(broker.environment("backup"), "backup", "--out", str(copy))
    refused = process("restore", str(copy), environment=broker.environment("backup"))
    assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
    assert not (tmp_path / "copy" / "restoring").exists()
    apart = {"CATWALK_KAFKA_PREFIX": "other."}
    glass = broker.environment("break-glass", **apart)
    catwalk(glass, "topics", "apply")
    catwalk(glass, "restore", str(copy))

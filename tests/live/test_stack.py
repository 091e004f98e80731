"""The stack on this machine: it comes up, stays up, survives kill -9, says what runs, and refuses what cannot be."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from clickhouse_driver import Client
from kafka import KafkaAdminClient, KafkaConsumer, KafkaProducer, TopicPartition
from kafka.admin import NewTopic

from deploy.errors import UserError
from deploy.stack.stack import Stack, planned
from tests.waiting import until

OwnStack = Callable[..., Stack]


def catwalk(*words: str, environment: Mapping[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "deploy.cli", *words],
        env=dict(os.environ if environment is None else environment),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def test_two_tests_share_one_broker_and_one_server_and_have_names_of_their_own(
    live_environment: dict[str, str], kafka: str, database: str, kafka_prefix: str
) -> None:
    assert live_environment["CATWALK_KAFKA"] == kafka
    assert database != kafka_prefix.rstrip(".")
    admin = KafkaAdminClient(bootstrap_servers=kafka)
    assert not [name for name in admin.list_topics() if name.startswith(kafka_prefix)]
    admin.close()


def test_up_returns_when_both_answer_and_says_so_when_they_ran_already(tmp_path: Path) -> None:
    data = ("--data", str(tmp_path / "stack"))
    ports = ("--kafka-port", "0", "--clickhouse-port", "0", "--heap", "256m")
    try:
        first = catwalk("stack", "up", *data, *ports)
        assert first.returncode == 0, first.stderr
        rows = json.loads(catwalk("stack", "status", *data, "--format", "json").stdout)
        assert [(row["server"], row["state"]) for row in rows] == [("kafka-1", "up"), ("clickhouse", "up")]
        again = catwalk("stack", "up", *data)
        assert (again.returncode, again.stderr) == (0, "already running\n")
        assert again.stdout == first.stdout  # the same processes on the same ports
        said = 'eval "$1"; echo "$CATWALK_MODE $CATWALK_KAFKA $CATWALK_CLICKHOUSE_PORT"'
        shell = subprocess.run(
            ["sh", "-c", said, "sh", catwalk("stack", "env", *data).stdout],
            capture_output=True,
            text=True,
            check=True,
        )
        port = rows[1]["address"].rpartition(":")[2]
        assert shell.stdout == f"distributed {rows[0]['address']} {port}\n"
        assert "Kafka Server started" in catwalk("stack", "logs", "kafka-1", "--lines", "5000", *data).stdout
        assert "no server of that name" in catwalk("stack", "logs", "nobody", *data).stderr
    finally:
        down = catwalk("stack", "down", *data)
    assert (down.returncode, down.stderr) == (0, "down\n")
    assert catwalk("stack", "down", *data).stderr == "nothing runs\n"
    assert catwalk("stack", "status", *data).returncode == 1


def test_what_a_broker_and_a_server_acknowledged_is_there_after_kill_minus_nine(own_stack: OwnStack) -> None:
    stack = own_stack()
    admin = KafkaAdminClient(bootstrap_servers=stack.kafka_addresses)
    admin.create_topics([NewTopic("kept", 1, 1)])
    admin.close()
    producer = KafkaProducer(bootstrap_servers=stack.kafka_addresses)
    producer.send("kept", b"one", partition=0).get(30)
    producer.close()
    client = Client("127.0.0.1", port=stack.clickhouse.port)
    client.execute("CREATE DATABASE kept ENGINE = Atomic")
    client.execute(
        "CREATE TABLE kept.rows (n Int64) ENGINE = MergeTree ORDER BY n SETTINGS fsync_after_insert = 1"
    )
    client.execute("INSERT INTO kept.rows VALUES", [(7,)])
    client.disconnect()
    for server in stack.servers:
        assert server.process.kill()
    assert [row.state for row in stack.status()] == ["down", "down"]
    assert stack.up()
    consumer = KafkaConsumer(bootstrap_servers=stack.kafka_addresses, consumer_timeout_ms=20_000)
    consumer.assign([TopicPartition("kept", 0)])
    consumer.seek_to_beginning()
    assert next(consumer).value == b"one"
    consumer.close()
    again = Client("127.0.0.1", port=stack.clickhouse.port)
    assert again.execute("SELECT n FROM kept.rows") == [(7,)]
    again.disconnect()


@pytest.mark.soak  # three brokers of its own
def test_of_three_brokers_one_may_be_lost_and_records_are_still_acknowledged(own_stack: OwnStack) -> None:
    stack = own_stack(3, clickhouse=False)
    admin = KafkaAdminClient(bootstrap_servers=stack.kafka_addresses)
    admin.create_topics([NewTopic("safe", 3, 3)])
    admin.close()
    stack.brokers[1].process.kill()
    producer = KafkaProducer(bootstrap_servers=stack.kafka_addresses, acks="all")
    for partition in range(3):
        producer.send("safe", b"x", partition=partition).get(60)
    producer.close()
    reach = {"CATWALK_MODE": "distributed", "CATWALK_KAFKA": stack.kafka_addresses}

    def told(sign: str) -> None:
        """Wait until the doctor says so of the brokers."""
        until(lambda: sign in catwalk("doctor", environment={**os.environ, **reach}).stdout)

    told("2 of 3 there, lost: 2; ")
    stack.brokers[1].start()
    stack.brokers[1].wait()
    told("3 of 3 there")
    assert [row.state for row in stack.status()] == ["up", "up", "up", "down"]


@pytest.mark.soak  # test_faults pauses one in every run
def test_a_paused_broker_keeps_its_port_and_answers_nothing_until_it_is_resumed(own_stack: OwnStack) -> None:
    broker = own_stack(clickhouse=False).brokers[0]
    broker.process.pause()
    socket.create_connection(("127.0.0.1", broker.port), timeout=5).close()
    assert not broker.answers()
    broker.process.resume()
    broker.wait(10)


def test_a_taken_port_is_refused_with_the_option_that_helps(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        stack = Stack(tmp_path / "stack")
        stack.prepare(planned(kafka_port=0, clickhouse_port=taken.getsockname()[1]))
        with pytest.raises(UserError, match="--clickhouse-port"):
            stack.up()
        assert [row.state for row in stack.status()] == ["down", "down"]


def test_a_folder_of_one_broker_is_not_made_into_three(tmp_path: Path) -> None:
    stack = Stack(tmp_path / "stack")
    stack.prepare(planned(1, kafka_port=0))
    with pytest.raises(UserError, match="cluster of 1, not of 3"):
        stack.prepare(planned(3, kafka_port=0))


@pytest.mark.parametrize(
    ("tool", "package"),
    [("java", "default-jre-headless"), ("mvn", "apt-get install maven"), ("npm", "apt-get install npm")],
)
def test_a_missing_program_is_one_line_with_the_package_that_has_it(
    tool: str, package: str, tmp_path: Path
) -> None:
    for name in {"sh", "java", "mvn", "npm"} - {tool}:
        (tmp_path / "bin").mkdir(exist_ok=True)
        (tmp_path / "bin" / name).symlink_to("/bin/true")
    environment = {"PATH": str(tmp_path / "bin"), "XDG_CACHE_HOME": str(tmp_path / "empty")}
    if tool == "npm":
        # The jars cannot be made here: the engine alone is asked for.
        words = [sys.executable, "-c", "from deploy.stack.parts import clickhouse_engine as e; e()"]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
        assert package in done.stderr
        return
    ports = ("--kafka-port", "0", "--clickhouse-port", "0")
    done = catwalk("stack", "up", "--data", str(tmp_path / "stack"), *ports, environment=environment)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(f"catwalk: {tool}: not found")
    assert package in done.stderr.splitlines()[-1]

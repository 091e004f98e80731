"""Kafka brokers on this machine: KRaft, loopback only, broker and controller in one process each."""

from __future__ import annotations

import base64
import os
import socket
import struct
import subprocess
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from deploy.errors import UserError
from deploy.stack.class_archive import java_of_brokers
from deploy.stack.parts import JAVA, kafka_jars, needed
from deploy.stack.ports import LOOPBACK
from deploy.stack.processes import Process

START_SECONDS: Final = 90.0
# One identity for every local cluster: they never meet, and a folder copied or restored stays usable.
_CLUSTER: Final = base64.urlsafe_b64encode(uuid.UUID("63617477-616c-6b00-8000-000000000001").bytes)
# Each: api key, version, correlation, no client id; then what is asked.
_API_VERSIONS: Final = struct.pack(">hhih", 18, 0, 1, -1)
_FIND_COORDINATOR: Final = struct.pack(">hhihh", 10, 0, 1, -1, 7) + b"catwalk"  # of a group of that name


@dataclass(frozen=True, slots=True)
class Voter:
    """One node of the cluster: its number from 1, where clients reach it, where the other nodes do."""

    number: int
    port: int
    controller_port: int


@dataclass(frozen=True, slots=True)
class Broker:
    """One broker of a local cluster; `heap` as the Java machine takes it, such as `512m`."""

    number: int
    voters: tuple[Voter, ...]
    process: Process
    heap: str

    @property
    def port(self) -> int:
        """Port on which clients reach it."""
        return self.voters[self.number - 1].port

    def start(self) -> None:
        """Start it, on the data that is there; `wait` says when it answers.

        Raises:
            UserError: Java or the jars are missing, or the folder cannot be formatted.
        """
        if self.process.pid is not None:
            return
        java, jars = needed(JAVA), kafka_jars()
        folder = self.process.folder
        folder.mkdir(parents=True, exist_ok=True)
        properties = folder / "server.properties"
        properties.write_text(self._properties(), encoding="utf-8")
        classes = [*java_of_brokers(java, jars), f"-Xmx{self.heap}"]
        if not (folder / "data" / "meta.properties").exists():
            self._format([*classes, "kafka.tools.StorageTool"], properties)
        self.process.start([*classes, "kafka.Kafka", str(properties)], os.environ)

    def wait(self, seconds: float = START_SECONDS) -> None:
        """Return when it answers clients.

        Raises:
            UserError: it ended, or did not answer in time.
        """
        self.process.wait_until(self.answers, seconds)

    def answers(self) -> bool:
        """Whether it answers the question every Kafka client asks first; it does so once it may serve."""
        return self._answer(_API_VERSIONS)

    def coordinates(self) -> bool:
        """Whether consumer groups can be formed; asked the first time, the brokers make the topic for them."""
        return self._answer(_FIND_COORDINATOR)

    def _answer(self, question: bytes) -> bool:
        """Whether the answer says that nothing is wrong."""
        try:
            with socket.create_connection((LOOPBACK, self.port), timeout=1.0) as connection:
                connection.sendall(struct.pack(">i", len(question)) + question)
                answer = connection.recv(10)
        except OSError:
            return False
        return len(answer) == 10 and struct.unpack(">iih", answer)[1:] == (1, 0)

    def _format(self, tool: list[str], properties: Path) -> None:
        cluster = _CLUSTER.decode().rstrip("=")
        command = [*tool, "format", "-t", cluster, "-c", str(properties)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            said = (done.stderr or done.stdout).strip().splitlines() or ["without a word"]
            remedy = f"look into {self.process.folder}"
            raise UserError(f"{self.process.name}: formatting its data", said[-1][:200], remedy)

    def _properties(self) -> str:
        count = len(self.voters)
        copies, safe = min(count, 3), 2 if count >= 3 else 1
        here = self.voters[self.number - 1]
        voters = ",".join(f"{v.number}@{LOOPBACK}:{v.controller_port}" for v in self.voters)
        values: dict[str, object] = {
            "process.roles": "broker,controller",
            "node.id": self.number,
            "controller.quorum.voters": voters,
            "listeners": f"PLAINTEXT://{LOOPBACK}:{here.port},CONTROLLER://{LOOPBACK}:{here.controller_port}",
            "advertised.listeners": f"PLAINTEXT://{LOOPBACK}:{here.port}",
            "controller.listener.names": "CONTROLLER",
            "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "log.dirs": self.process.folder / "data",
            "auto.create.topics.enable": "false",
            "default.replication.factor": copies,
            "min.insync.replicas": safe,
            "unclean.leader.election.enable": "false",
            "offsets.topic.num.partitions": 8,
            "offsets.topic.replication.factor": copies,
            "transaction.state.log.num.partitions": 4,
            "transaction.state.log.replication.factor": copies,
            "transaction.state.log.min.isr": safe,
            "share.coordinator.state.topic.replication.factor": copies,
            "share.coordinator.state.topic.min.isr": safe,
            # A group of one machine is complete when its first member is there.
            "group.initial.rebalance.delay.ms": 0,
        }
        if count > 1:
            # One that was killed is let in again when its session has ended: half as soon as by default.
            values |= {"broker.session.timeout.ms": 4_500, "broker.heartbeat.interval.ms": 1_000}
        return "".join(f"{name}={value}\n" for name, value in values.items())

"""The broker's classes as Java has them once it has read them, kept, so that a broker starts with half the work."""

from __future__ import annotations

import hashlib
import signal
import subprocess
import time
from pathlib import Path
from typing import Final

from deploy.stack.parts import HERE, kept_once
from deploy.stack.ports import LOOPBACK, choose

STARTED: Final = b"Kafka Server started"
SECONDS: Final = 60.0
_ARCHIVE: Final = "classes.jsa"


def java_of_brokers(java: str, jars: Path) -> list[str]:
    """The command of a Java machine with the broker's classes, from their archive if this Java makes one.

    The archive is made the first time, by a broker that starts on an empty folder and ends: class data sharing
    (JEP 350). A Java that cannot make or read one starts brokers all the same.
    """
    whole = [java, f"-Dlog4j2.configurationFile={HERE / 'log4j2.properties'}", "-cp", f"{jars}/*"]
    real = Path(java).resolve()
    machine = f"{real} {real.stat().st_mtime_ns}".encode()
    target = jars.with_name(f"{jars.name}-classes-{hashlib.sha256(machine).hexdigest()[:12]}")
    with kept_once(target, "what a broker starts faster from", "making") as made:
        if made is not None:
            _make(whole, made)
    archive = target / _ARCHIVE
    return [java, f"-XX:SharedArchiveFile={archive}", *whole[1:]] if archive.exists() else whole


def _make(whole: list[str], folder: Path) -> None:
    """Let a broker start and end that leaves its archive in the folder; without one where that fails."""
    port, controller = choose(2)
    properties = folder / "server.properties"
    properties.write_text(
        "process.roles=broker,controller\nnode.id=1\ncontroller.listener.names=CONTROLLER\n"
        f"controller.quorum.voters=1@{LOOPBACK}:{controller}\n"
        f"listeners=PLAINTEXT://{LOOPBACK}:{port},CONTROLLER://{LOOPBACK}:{controller}\n"
        f"log.dirs={folder / 'data'}\n",
        encoding="utf-8",
    )
    tool = [*whole, "kafka.tools.StorageTool", "format", "-t", "Y2F0d2Fsay1jbGFzc2VzLQ", "-c"]
    if subprocess.run([*tool, str(properties)], capture_output=True, check=False).returncode:
        return
    log = folder / "log"
    archiving = [whole[0], f"-XX:ArchiveClassesAtExit={folder / _ARCHIVE}", *whole[1:], "kafka.Kafka"]
    with log.open("wb") as said:
        broker = subprocess.Popen([*archiving, str(properties)], stdout=said, stderr=said)
    deadline = time.monotonic() + SECONDS
    while broker.poll() is None and time.monotonic() < deadline and STARTED not in log.read_bytes():
        time.sleep(0.1)
    broker.send_signal(signal.SIGTERM)
    try:
        broker.wait(SECONDS)
    except subprocess.TimeoutExpired:
        broker.kill()
        broker.wait()
    # So Java ends when it is asked to; after any other end the archive may be there in part.
    if broker.returncode != 128 + signal.SIGTERM:
        (folder / _ARCHIVE).unlink(missing_ok=True)

"""The archive of the broker's classes is made once; a Java that makes none starts brokers all the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from deploy.stack.class_archive import java_of_brokers

# A broker that says it has started, leaves its archive when asked to end, and ends as Java does.
MAKES_ONE = """
for word in "$@"; do case $word in -XX:ArchiveClassesAtExit=*) archive=${word#*=} ;; esac; done
[ -n "$archive" ] || exit 0
trap 'echo classes > "$archive"; exit 143' TERM
echo "[KafkaRaftServer] Kafka Server started"
while :; do sleep 0.05; done
"""
KILLED_IN_BETWEEN = MAKES_ONE.replace("exit 143", "kill -9 $$")
KNOWS_NO_ARCHIVE = 'case "$*" in *StorageTool*) exit 0 ;; *) echo "Unrecognized VM option"; exit 1 ;; esac'
CANNOT_FORMAT = "exit 1"


def _java(folder: Path, text: str) -> tuple[str, Path, Path]:
    calls, java, jars = folder / "calls", folder / "java", folder / "kafka-1"
    java.write_text(f'#!/bin/sh\necho "$@" >> {calls}\n{text}\n', encoding="utf-8")
    java.chmod(0o755)
    jars.mkdir()
    return str(java), jars, calls


def test_the_second_broker_starts_from_the_archive_that_the_first_has_made(tmp_path: Path) -> None:
    java, jars, calls = _java(tmp_path, MAKES_ONE)
    first = java_of_brokers(java, jars)
    called = calls.read_text(encoding="utf-8")
    assert java_of_brokers(java, jars) == first
    assert calls.read_text(encoding="utf-8") == called
    archive = Path(first[1].removeprefix("-XX:SharedArchiveFile="))
    assert archive.read_text(encoding="utf-8") == "classes\n"


@pytest.mark.parametrize("text", [KILLED_IN_BETWEEN, KNOWS_NO_ARCHIVE, CANNOT_FORMAT])
def test_a_java_without_a_whole_archive_starts_brokers_without_one(text: str, tmp_path: Path) -> None:
    java, jars, _ = _java(tmp_path, text)
    assert [word for word in java_of_brokers(java, jars) if "jsa" in word] == []

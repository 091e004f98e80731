"""A recorder killed while it writes: what it acknowledged is there, once, and its chain holds."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from producers.log import EMPTY
from producers.sqlite_log import SqliteLog
from tests.producers.builders import chain_faults, device_event, stream

EVENTS = 6_000
KILLS = 6

# Appends what comes on stdin, in frames, and says after each how many lines are acknowledged.
WRITER = """
import datetime as dt, sys
from pathlib import Path
from producers.answers import AlreadyHave, Appended
from producers.recorder import Arrival, Recorder
from producers.sqlite_log import SqliteLog
lines = Path(sys.argv[2]).read_bytes().splitlines()
recorder = Recorder(SqliteLog(Path(sys.argv[1])), lambda: dt.datetime.now(dt.timezone.utc))
size = int(sys.argv[3])
for start in range(0, len(lines), size):
    answers = recorder.record_lines([Arrival(line, "pipe") for line in lines[start:start + size]])
    assert all(isinstance(answer, (Appended, AlreadyHave)) for answer in answers), answers
    print(start + len(answers), flush=True)
"""


def start(ledger: Path, lines: Path, frame: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", WRITER, str(ledger), str(lines), str(frame)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def kill_after(writer: "subprocess.Popen[str]", acknowledgements: int) -> int:
    """Kill the writer some acknowledgements later; return the last count it gave before it died."""
    acknowledged = 0
    assert writer.stdout is not None
    for n, said in enumerate(writer.stdout):
        if said.endswith("\n"):  # a torn last word acknowledges nothing
            acknowledged = int(said)
        if n == acknowledgements:
            writer.kill()
    writer.wait()
    writer.stdout.close()
    return acknowledged


@pytest.mark.thorough
@pytest.mark.parametrize("frame", [1, 40])
@pytest.mark.parametrize("device", [False, True], ids=["chained", "device"])
def test_every_acknowledged_event_survives_kill_9_once(tmp_path: Path, frame: int, device: bool) -> None:
    ledger, file = tmp_path / "ledger.db", tmp_path / "lines"
    sent = [device_event(n) for n in range(EVENTS)] if device else stream(EVENTS)
    file.write_bytes(b"\n".join(sent))
    chance = random.Random(20261121)
    killed_at_work = 0
    for _ in range(KILLS):
        acknowledged = kill_after(start(ledger, file, frame), chance.randint(3, max(600 // frame, 10)))
        log = SqliteLog(ledger)
        kept = [record.line for record in log.read_from("FB90-1")]
        log.close()
        killed_at_work += acknowledged < EVENTS
        assert len(kept) >= acknowledged
        assert_holds_a_beginning_of(sent, kept)
    assert killed_at_work == KILLS
    assert kill_after(start(ledger, file, 500), -1) == EVENTS
    log = SqliteLog(ledger)
    kept = [record.line for record in log.read_from("FB90-1")]
    log.close()
    assert len(kept) == EVENTS
    assert_holds_a_beginning_of(sent, kept)


def assert_holds_a_beginning_of(sent: list[bytes], kept: list[bytes]) -> None:
    assert chain_faults(kept) == []
    for line, record in zip(sent, kept, strict=False):
        assert record.startswith(line[:-1])


def test_two_processes_feeding_one_table_fork_nothing_and_double_nothing(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.db"
    files = []
    for device in ("shoe", "layout"):
        shared = [device_event(n, device="both") for n in range(300)]  # what either device's gateway delivers
        own = [device_event(n, device=device) for n in range(300)]
        files.append(tmp_path / device)
        files[-1].write_bytes(b"\n".join(line for pair in zip(shared, own, strict=True) for line in pair))
    writers = [start(ledger, file, 3) for file in files]
    assert [kill_after(writer, -1) for writer in writers] == [600, 600]
    log = SqliteLog(ledger)
    kept = [record.line for record in log.read_from("FB90-1")]
    log.close()
    assert chain_faults(kept) == []
    assert len(kept) == 900
    told = {record.rsplit(b',"recordedtime"')[0] + b"}" for record in kept}
    assert told == {line for file in files for line in file.read_bytes().splitlines()}


def test_a_ledger_begun_by_two_processes_at_once_is_one_ledger(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.db"
    files = []
    for n in range(4):
        files.append(tmp_path / f"T{n}")
        files[-1].write_bytes(b"\n".join(stream(20, f"T{n}")))
    writers = [start(ledger, file, 7) for file in files]
    assert [kill_after(writer, -1) for writer in writers] == [20] * 4
    log = SqliteLog(ledger)
    assert log.subjects() == ("T0", "T1", "T2", "T3")
    assert all(log.head(subject) != EMPTY for subject in log.subjects())
    log.close()

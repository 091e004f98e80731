"""What cannot be a stream costs no memory: lines without end, and files that unpack to a thousand times their size."""

import base64
import gzip
import hashlib
import json
import os
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import pytest

from producers.sqlite_log import SqliteLog
from tests.commands.run import Catwalk, catwalk
from tests.producers.builders import device_event, joined, stream
from tests.sampling import one_in

__all__ = ["catwalk"]  # a fixture

ROOT = Path(__file__).resolve().parents[2]
ENDLESS = 128 << 20
PEAK_KB = 100 << 10  # a small stream takes about 35 MB; whoever holds the line once takes more than this


class Measured(NamedTuple):
    """How a command ended, and the most memory it held, in kB."""

    status: int
    peak: int


# `VmHWM` is of this program alone; `ru_maxrss` would count the test's own memory, from before the program began.
PROGRAM = """
import sys
from pathlib import Path
from deploy.cli.main import main
status = main(sys.argv[2:])
said = Path("/proc/self/status").read_text()
Path(sys.argv[1]).write_text(said.split("VmHWM:")[1].split()[0])
sys.exit(status)
"""


def run(folder: Path, *arguments: object) -> Measured:
    """A command in a process of its own; what it says goes into `said`."""
    peak = folder / "peak"
    command = [sys.executable, "-c", PROGRAM, str(peak), *map(str, arguments)]
    with (folder / "said").open("wb") as said:
        done = subprocess.run(command, stdout=said, stderr=said, check=False, cwd=ROOT)
    return Measured(done.returncode, int(peak.read_text()))


@pytest.fixture(scope="module")
def endless(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A stream of four events with one endless line among them; the file takes no room on the disk."""
    path = tmp_path_factory.mktemp("endless") / "s.ndjson"
    lines = stream(4)
    with path.open("wb") as file:
        file.write(joined(lines[:2]) + b'{"note":"')
        file.seek(ENDLESS, os.SEEK_CUR)
        file.write(b"\n" + joined(lines[2:]))
    return path


@pytest.fixture(scope="module")
def digest_of_it() -> str:
    whole = hashlib.sha256(b'{"note":"')
    for _ in range(ENDLESS >> 20):
        whole.update(bytes(1 << 20))
    return whole.hexdigest()


def test_an_endless_line_is_a_dead_letter_and_its_neighbours_are_replayed(
    tmp_path: Path, endless: Path, digest_of_it: str
) -> None:
    ran = run(tmp_path, "replay", endless, "--out", tmp_path / "out")
    (letter,) = [
        json.loads(line) for line in (tmp_path / "out" / "deadletters.ndjson").read_bytes().splitlines()
    ]
    summary = json.loads((tmp_path / "out" / "summary.json").read_bytes())
    beginning = base64.b64decode(letter.pop("bytes_base64"))
    assert ran.status == 0
    assert letter == {
        "file": "s",
        "line": 3,
        "offset": len(joined(stream(2))),
        "reason": f"a line of {ENDLESS + 9} bytes; an event has at most 524288 (at $)",
        "length": ENDLESS + 9,
        "sha256": digest_of_it,
    }
    assert beginning == b'{"note":"' + bytes(4096 - 9)
    assert (summary["records"], summary["files"][0]["chain"]) == (4, "intact")
    assert ran.peak < PEAK_KB


def test_an_endless_line_is_in_quarantine_and_its_neighbours_are_recorded(
    tmp_path: Path, endless: Path, digest_of_it: str
) -> None:
    ledger = tmp_path / "ledger.db"
    ran = run(tmp_path, "record", endless, "--ledger", ledger)
    with closing(SqliteLog(ledger, read_only=True)) as log:
        kept = [record.line for record in log.read_from("FB90-1")]
        (one,) = log.quarantined()
    assert (ran.status, kept) == (1, stream(4))
    assert (one.letter.origin, one.letter.line) == ("s.ndjson:3", b'{"note":"' + bytes(4096 - 9))
    assert one.letter.reason == (
        f"a line of {ENDLESS + 9} bytes; an event has at most 524288; its first 4096 bytes are kept here, the SHA-256"
        f" of all is {digest_of_it}; the whole line stands in {endless} at byte {len(joined(stream(2)))}"
    )
    assert ran.peak < PEAK_KB


def test_verify_names_an_endless_line_in_bounded_memory(tmp_path: Path, endless: Path) -> None:
    ran = run(tmp_path, "verify", endless)
    said = (tmp_path / "said").read_text("utf-8")
    assert ran.status == 1
    assert "s (FB90-1): BROKEN, first bad sequence 3" in said
    assert f"a line that is no event stands before event 3: a line of {ENDLESS + 9} bytes" in said
    assert ran.peak < PEAK_KB


def test_an_endless_line_of_a_pipe_is_said_to_be_kept_in_part(catwalk: Catwalk, tmp_path: Path) -> None:
    ledger, long = tmp_path / "ledger.db", b"x" * (5 << 20)
    sent = b"\n".join([device_event(1), long, device_event(2)])
    ran = catwalk("record", "-", "--ledger", ledger, "--format", "json", stdin=sent)
    assert (ran.status, ran.json["recorded"], ran.json["quarantined"]) == (1, 2, 1)
    (refusal,) = ran.json["refusals"]
    assert refusal["at"] == "stdin:2"
    assert refusal["reason"].endswith("the rest of it came by standard input and is kept nowhere (at $)")


def test_the_beginning_of_a_line_that_is_too_long_is_taken_for_no_event(
    catwalk: Catwalk, tmp_path: Path
) -> None:
    """A whole event, and white space that makes its line too long."""
    lines = stream(3)
    path = tmp_path / "s.ndjson"
    path.write_bytes(joined([lines[0], lines[1] + b" " * (5 << 20), lines[2]]))
    assert catwalk("record", path, "--ledger", tmp_path / "l.db", "--format", "json").json["recorded"] == 1
    assert catwalk("verify", path, "--format", "json").json["streams"][0]["first_bad_sequence"] == 2
    replayed = catwalk("replay", path, "--out", tmp_path / "out", "--format", "json").json
    assert (replayed["records"], replayed["deadletters"]) == (2, 1)


@pytest.mark.parametrize("content", one_in(3, [b"\n", b" ", b"x" * 9_999 + b"\n"]))
@pytest.mark.parametrize("command", ["replay", "record", "verify"])
def test_a_file_that_unpacks_to_more_than_any_stream_cannot_be_done(
    catwalk: Catwalk, tmp_path: Path, command: str, content: bytes
) -> None:
    path = tmp_path / "s.ndjson.gz"
    path.write_bytes(gzip.compress(joined(stream(2)) + content * ((8 << 20) // len(content))))
    options = {"replay": ["--out", tmp_path / "out"], "record": ["--ledger", tmp_path / "l.db"], "verify": []}
    ran = catwalk(command, path, *options[command])
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert "bytes of it unpack to 4," in ran.err
    assert "look at it with `gzip -dc`; a file that is not packed is read whatever its size" in ran.err
    if command == "record":
        with closing(SqliteLog(tmp_path / "l.db", read_only=True)) as log:
            assert [record.line for record in log.read_from("FB90-1")] == stream(2)


def test_what_could_be_read_of_a_damaged_file_is_recorded_to_its_last_line(
    catwalk: Catwalk, tmp_path: Path
) -> None:
    path = tmp_path / "s.ndjson.gz"
    path.write_bytes(gzip.compress(joined(stream(700)))[:-4])
    ran = catwalk("record", path, "--ledger", tmp_path / "l.db")
    assert (ran.status, "its compression is damaged after line 700" in ran.err) == (2, True)
    with closing(SqliteLog(tmp_path / "l.db", read_only=True)) as log:
        assert log.head("FB90-1").sequence == 700

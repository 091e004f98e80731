"""`catwalk record`: what a person and a program are told, and what the ledger holds afterwards."""

import gzip
import os
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from deploy.audit.verification import verify_stream
from producers.feeds.lines import FeedLine
from producers.feeds.streams import read_lines
from producers.log import LedgerError
from producers.sqlite_log import SqliteLog
from tests.commands.run import Catwalk, catwalk
from tests.producers.builders import chained, device_event, digest, stream

__all__ = ["catwalk"]  # a fixture

EXAMPLES = Path(__file__).parents[2] / "examples"
LAWFUL = EXAMPLES / "lawful_free_bet_590.ndjson"


@pytest.fixture
def ledger(tmp_path: Path) -> Path:
    return tmp_path / "ledger.db"


def write(path: Path, lines: list[bytes]) -> Path:
    path.write_bytes(b"".join(line + b"\n" for line in lines))
    return path


def recorded(ledger: Path, subject: str) -> list[bytes]:
    with closing(SqliteLog(ledger, read_only=True)) as log:
        return [record.line for record in log.read_from(subject)]


@pytest.mark.parametrize("example", ["lawful_free_bet_590", "irregular_two_gaming_days", "breach_overpay"])
def test_a_stream_comes_out_of_the_ledger_byte_for_byte(catwalk: Catwalk, ledger: Path, example: str) -> None:
    path = EXAMPLES / f"{example}.ndjson"
    ran = catwalk("record", path, "--ledger", ledger, "--format", "json")
    lines = [line.content for line in read_lines(path) if isinstance(line, FeedLine)]
    (table,) = ran.json["tables"]
    assert (ran.status, ran.json["recorded"], ran.json["lines"]) == (0, len(lines), len(lines))
    assert table["head"] == digest(lines[-1])
    assert recorded(ledger, table["subject"]) == lines


def test_a_stream_recorded_again_is_already_had(catwalk: Catwalk, ledger: Path) -> None:
    catwalk("record", LAWFUL, "--ledger", ledger)
    before = ledger.read_bytes()
    ran = catwalk("record", LAWFUL, "--ledger", ledger, "--format", "json")
    assert (ran.status, ran.json["recorded"], ran.json["already_had"]) == (0, 0, ran.json["lines"])
    assert ran.json["refusals"] == []
    assert ledger.read_bytes() == before


def test_gzipped_streams_and_folders_are_taken(catwalk: Catwalk, tmp_path: Path, ledger: Path) -> None:
    folder = tmp_path / "streams"
    (folder / "deep").mkdir(parents=True)
    write(folder / "deep" / "one.ndjson", stream(3, "T1"))
    (folder / "two.ndjson.gz").write_bytes(gzip.compress(b"\n".join(stream(2, "T2"))))
    ran = catwalk("record", folder, "--ledger", ledger, "--format", "json")
    assert (ran.status, [(t["subject"], t["sequence"]) for t in ran.json["tables"]]) == (
        0,
        [("T1", 3), ("T2", 2)],
    )


def test_standard_input_is_recorded_with_chain_and_recorded_time(catwalk: Catwalk, ledger: Path) -> None:
    sent = [device_event(n, device=device) for n in (1, 2) for device in ("shoe", "layout")]
    ran = catwalk("record", "-", "--ledger", ledger, "--format", "json", stdin=b"\n".join(sent))
    assert (ran.status, ran.json["recorded"]) == (0, 4)
    kept = recorded(ledger, "FB90-1")
    assert all(
        record.startswith(line[:-1] + b',"recordedtime":"2') for line, record in zip(sent, kept, strict=True)
    )


def test_the_table_tells_a_person_what_was_refused_where_and_why(
    catwalk: Catwalk, tmp_path: Path, ledger: Path
) -> None:
    lines = stream(9)
    other = lines[1].replace(b"As", b"Ks")
    path = write(tmp_path / "shift.ndjson", [*lines[:3], b"garbage", other, lines[0], *lines[4:8]])
    ran = catwalk("record", path, "--ledger", ledger)
    assert ran.status == 1
    assert ran.out.splitlines() == [
        f"10 lines -> {ledger}",
        "  recorded             3",
        "  already had          1",
        "  conflicts            1",
        "  gaps                 4",
        "  quarantined          1",
        "  table FB90-1: 3 events",
        "  shift.ndjson:4: quarantined: not JSON: Expecting value: line 1 column 1 (char 0) (at $)",
        "  shift.ndjson:5: conflict: table FB90-1: record 2 holds other bytes",
        "  shift.ndjson:7: gap: table FB90-1: event 4 is expected first (and 3 lines more)",
    ]


def test_what_was_refused_is_in_quarantine_with_its_bytes_and_a_gap_is_not(
    catwalk: Catwalk, tmp_path: Path, ledger: Path
) -> None:
    lines = stream(5)
    other = lines[1].replace(b"As", b"Ks")
    path = write(tmp_path / "shift.ndjson", [*lines[:3], b"garbage", other, lines[4]])
    for _ in range(2):
        assert catwalk("record", path, "--ledger", ledger).status == 1
    with closing(SqliteLog(ledger, read_only=True)) as log:
        kept = [(q.letter.kind, q.letter.line, q.letter.origin) for q in log.quarantined()]
    assert kept == [("unreadable", b"garbage", "shift.ndjson:4"), ("conflict", other, "shift.ndjson:5")]


def test_another_history_of_a_table_is_one_refusal_not_one_for_each_line(
    catwalk: Catwalk, tmp_path: Path, ledger: Path
) -> None:
    catwalk("record", write(tmp_path / "a.ndjson", stream(30)), "--ledger", ledger)
    fork = stream(40, prevhash="0" * 63 + "1")
    ran = catwalk("record", write(tmp_path / "b.ndjson", fork), "--ledger", ledger, "--format", "json")
    assert [(r["at"], r["answer"], r["lines"]) for r in ran.json["refusals"]] == [
        ("b.ndjson:1", "conflict", 31),
        ("b.ndjson:32", "gap", 9),
    ]


def test_an_unreadable_record_that_the_chain_runs_through_is_said_to_be_kept(
    catwalk: Catwalk, tmp_path: Path, ledger: Path
) -> None:
    lines = stream(1)
    lines.append(chained(device_event(2, type="catwalk.v1.card_eaten"), 2, digest(lines[0])))
    lines += stream(1, start=3, prevhash=digest(lines[1]))
    ran = catwalk("record", write(tmp_path / "s.ndjson", lines), "--ledger", ledger)
    assert ran.status == 1
    assert (
        "  recorded             2  (and 1 unreadable ones that the chain runs through)"
        in ran.out.splitlines()
    )
    assert recorded(ledger, "FB90-1") == lines


def test_a_damaged_gzip_file_is_said_in_one_line_and_what_could_be_read_is_recorded(
    catwalk: Catwalk, tmp_path: Path, ledger: Path
) -> None:
    path = tmp_path / "s.ndjson.gz"
    path.write_bytes(gzip.compress(b"\n".join(stream(2_000)))[:-20])
    ran = catwalk("record", path, "--ledger", ledger)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(f"catwalk: {path}: its compression is damaged after line ")
    assert ran.err.count("\n") == 1
    assert len(recorded(ledger, "FB90-1")) >= 500


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.ndjson"], "catwalk: nowhere.ndjson: there is no such file; check the path"),
        (["empty"], "catwalk: empty: the folder holds no stream; name one with .ndjson files"),
        (
            [str(LAWFUL), "--ledger", "text"],
            "catwalk: text: file is not a database; name a ledger, or restore",
        ),
        ([str(LAWFUL), "--ledger", "empty"], "catwalk: record: Invalid value for '--ledger'"),
        ([str(LAWFUL), "--to", "moon"], "catwalk: record: Invalid value for '--to'"),
        ([], "catwalk: record: Missing argument 'PATH|-...'"),
    ],
)
def test_mistakes_are_told_in_one_line_with_status_2(
    catwalk: Catwalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    (tmp_path / "text").write_text("no database\n" * 100)
    ran = catwalk("record", *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.startswith(said)
    assert ran.err.count("\n") == 1


def test_a_missing_path_is_told_before_anything_is_recorded(
    catwalk: Catwalk, tmp_path: Path, ledger: Path
) -> None:
    assert catwalk("record", LAWFUL, tmp_path / "nowhere", "--ledger", ledger).status == 2
    assert not ledger.exists()


def test_the_ledger_lies_in_the_data_folder_unless_it_is_named(
    catwalk: Catwalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    catwalk("record", LAWFUL)
    assert (tmp_path / "data" / "ledger.db").exists()
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "pit"))
    catwalk("record", LAWFUL)
    assert (tmp_path / "pit" / "ledger.db").exists()


def test_a_live_pipe_is_durable_before_it_ends(ledger: Path) -> None:
    command = [sys.executable, "-m", "deploy.cli", "record", "-", "--ledger", str(ledger)]
    lines = stream(3)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, env=os.environ.copy()
    ) as feed:
        assert feed.stdin is not None
        feed.stdin.write(lines[0] + b"\n" + lines[1] + b"\n" + lines[2][:50])
        feed.stdin.flush()
        wait_until(ledger, 2)
        feed.kill()
    assert recorded(ledger, "FB90-1") == lines[:2]


def wait_until(ledger: Path, events: int) -> None:
    """Return when another process has recorded this many events; the test's own time limit ends it otherwise."""
    while True:
        time.sleep(0.01)
        try:
            with closing(SqliteLog(ledger, read_only=True)) as log:
                if log.head("FB90-1").sequence >= events:
                    return
        except LedgerError:
            continue  # it is about to make the file


def test_what_was_recorded_from_devices_verifies_as_a_stream(
    catwalk: Catwalk, tmp_path: Path, ledger: Path
) -> None:
    sent = [device_event(n, device=device) for n in range(40) for device in ("shoe", "layout", "console")]
    catwalk("record", "-", "--ledger", ledger, stdin=b"\r\n".join(sent))
    exported = write(tmp_path / "out.ndjson", recorded(ledger, "FB90-1"))
    (proof,) = verify_stream("out", read_lines(exported), {})
    assert (proof.chain, proof.records) == ("intact", 120)

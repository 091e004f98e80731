"""`catwalk verify`: what a record proves, and which event is the first that is not as it was written."""

import datetime as dt
import gzip
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Accessed
from deploy.configured.desk_ledger import SqliteDeskLog
from producers.log import EMPTY
from producers.recorder import Recorder
from producers.sqlite_log import SqliteLog
from tests.commands.run import Catwalk, catwalk
from tests.producers.arriving import arrivals
from tests.producers.builders import device_event, digest, joined, stream

__all__ = ["catwalk"]  # a fixture

EXAMPLES = Path(__file__).parents[2] / "examples"


def test_tables_that_share_a_file_are_proven_each_on_its_own(catwalk: Catwalk, tmp_path: Path) -> None:
    one, two = stream(5, "T1"), stream(4, "T2")
    del two[1]
    path = tmp_path / "pit.ndjson"
    path.write_bytes(joined([*one[:2], *two[:2], *one[2:], *two[2:]]))
    ran = catwalk("verify", path, "--format", "json")
    assert ran.status == 1
    assert [(s["subject"], s["chain"], s["first_bad_sequence"]) for s in ran.json["streams"]] == [
        ("T1", "intact", None),
        ("T2", "broken", 2),
    ]


class TestTheCommand:
    def test_published_streams_are_intact(self, catwalk: Catwalk) -> None:
        ran = catwalk("verify", EXAMPLES, "--format", "json")
        assert (ran.status, ran.json["intact"]) == (0, True)
        assert len(ran.json["streams"]) == len(list(EXAMPLES.glob("*.ndjson")))
        assert ran.json["records"] == sum(len(p.read_bytes().splitlines()) for p in EXAMPLES.glob("*.ndjson"))

    def test_a_person_reads_what_was_proven(self, catwalk: Catwalk, tmp_path: Path) -> None:
        path = tmp_path / "shift.ndjson.gz"
        lines = stream(3)
        path.write_bytes(gzip.compress(joined(lines)))
        ran = catwalk("verify", path)
        assert (ran.status, ran.err) == (0, "")
        assert ran.out.splitlines() == [
            "shift (FB90-1): intact",
            "  proved   chain, sequence, table and schema of 3 events",
            "  time     2026-11-21T10:00:01.000001Z to 2026-11-21T10:00:03.000003Z",
            f"  head     {digest(lines[-1])}",
            "  signed   no checkpoint: nothing outside this record vouches for its last event",
            "1 table, 3 events: 1 intact, 0 broken",
        ]

    def test_a_person_reads_what_is_wrong(self, catwalk: Catwalk, tmp_path: Path) -> None:
        path = tmp_path / "shift.ndjson"
        lines = stream(4)
        path.write_bytes(joined([lines[0], lines[1].replace(b"As", b"Ks"), *lines[2:]]))
        ran = catwalk("verify", path)
        assert ran.status == 1
        assert ran.out.splitlines()[:4] == [
            "shift (FB90-1): BROKEN, first bad sequence 2",
            "  why      event 2 was edited: event 3 carries the hash of another",
            "  read     4 lines",
            "  time     2026-11-21T10:00:01.000001Z to 2026-11-21T10:00:04.000004Z",
        ]

    @pytest.mark.parametrize("form", ["table", "json"])
    def test_the_same_input_gives_the_same_bytes_in_any_process(self, tmp_path: Path, form: str) -> None:
        command = [sys.executable, "-m", "deploy.cli", "verify", str(EXAMPLES), "--format", form]
        outputs = {
            subprocess.run(command, capture_output=True, check=True, env={"PYTHONHASHSEED": seed}).stdout
            for seed in ("1", "2")
        }
        assert len(outputs) == 1

    def test_an_empty_stream_proves_nothing(self, catwalk: Catwalk, tmp_path: Path) -> None:
        path = tmp_path / "shift.ndjson"
        path.write_bytes(b"\n\n")
        ran = catwalk("verify", path, "--format", "json")
        assert (ran.status, ran.json["streams"][0]["first_bad_sequence"]) == (1, 1)

    def test_a_gzip_file_cut_off_is_named_by_the_event_it_lacks(
        self, catwalk: Catwalk, tmp_path: Path
    ) -> None:
        path = tmp_path / "shift.ndjson.gz"
        path.write_bytes(gzip.compress(joined(stream(500)))[:-9])
        ran = catwalk("verify", path, "--format", "json")
        (proof,) = ran.json["streams"]
        assert ran.status == 1
        assert proof["first_bad_sequence"] == proof["records"] + 1
        assert "its compression is damaged" in proof["reason"]

    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            (["nowhere"], "catwalk: nowhere: there is no such file; check the path"),
            (["no.ndjson.gz"], "catwalk: no.ndjson.gz: its compression is damaged after line 0"),
            (["other.db"], "catwalk: other.db: an SQLite file, but no ledger; name a ledger"),
            (
                ["s.ndjson", "--keys", "nokeys"],
                "catwalk: nokeys: No such file or directory; name a readable key file",
            ),
            (["s.ndjson", "--keys", "s.ndjson"], "catwalk: s.ndjson: not TOML: "),
            (
                ["s.ndjson", "--keys", "short.toml"],
                "catwalk: short.toml: k1: no Ed25519 public key; give its 32 bytes",
            ),
            (
                ["s.ndjson", "--keys", "number.toml"],
                "catwalk: number.toml: k1: no Ed25519 public key; give its 32",
            ),
            ([], "catwalk: verify: Missing argument 'PATH...'"),
        ],
    )
    def test_mistakes_are_told_in_one_line_with_status_2(
        self,
        catwalk: Catwalk,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        arguments: list[str],
        said: str,
    ) -> None:
        monkeypatch.chdir(tmp_path)
        Path("s.ndjson").write_bytes(joined(stream(2)))
        Path("no.ndjson.gz").write_bytes(b"plain")
        Path("short.toml").write_text('k1 = "abcd"')
        Path("number.toml").write_text("k1 = 7")
        with closing(sqlite3.connect("other.db")) as other:
            other.execute("CREATE TABLE t (a)")
        ran = catwalk("verify", *arguments)
        assert (ran.status, ran.out) == (2, "")
        assert ran.err.startswith(said)
        assert ran.err.count("\n") == 1


class TestALedger:
    @pytest.fixture
    def ledger(self, tmp_path: Path) -> Path:
        path = tmp_path / "ledger.db"
        with closing(SqliteLog(path)) as log:
            log.append("T1", stream(6, "T1"), EMPTY)
            log.append("FB90-1", stream(5), EMPTY)
        return path

    @pytest.fixture
    def tamper(self, ledger: Path) -> Callable[..., None]:
        def change(statement: str, *parameters: object) -> None:
            with closing(sqlite3.connect(ledger)) as connection:
                for (trigger,) in connection.execute(
                    "SELECT name FROM sqlite_master WHERE type = 'trigger'"
                ).fetchall():
                    connection.execute(f"DROP TRIGGER {trigger}")
                connection.execute(statement, parameters)
                connection.commit()

        return change

    def test_is_proven_table_by_table(self, catwalk: Catwalk, ledger: Path) -> None:
        ran = catwalk("verify", ledger, "--format", "json")
        assert ran.status == 0
        assert [(s["file"], s["subject"], s["records"], s["chain"]) for s in ran.json["streams"]] == [
            ("FB90-1", "FB90-1", 5, "intact"),
            ("T1", "T1", 6, "intact"),
        ]

    @pytest.mark.parametrize(
        ("statement", "bad"),
        [
            (
                "UPDATE records SET line = cast(replace(line, 'As', 'Ks') AS BLOB) WHERE subject = 1 AND sequence = 3",
                3,
            ),
            (
                "UPDATE records SET line = cast(replace(line, 'As', 'Ks') AS BLOB) WHERE subject = 1 AND sequence = 6",
                6,
            ),
            ("DELETE FROM records WHERE subject = 1 AND sequence = 4", 4),
            ("DELETE FROM records WHERE subject = 1 AND sequence >= 5", 5),
            ("DELETE FROM records WHERE subject = 1", 1),
            ("UPDATE records SET sequence = 7 WHERE subject = 1 AND sequence = 2", 2),
            ("UPDATE records SET line = x'00' WHERE subject = 1 AND sequence = 1", 1),
        ],
    )
    def test_that_was_tampered_with_names_the_event_the_last_one_too(
        self, catwalk: Catwalk, ledger: Path, tamper: Callable[..., None], statement: str, bad: int
    ) -> None:
        tamper(statement)
        ran = catwalk("verify", ledger, "--format", "json")
        assert ran.status == 1
        assert {s["subject"]: s["first_bad_sequence"] for s in ran.json["streams"]} == {
            "FB90-1": None,
            "T1": bad,
        }

    def test_whose_pages_are_damaged_names_the_event_that_cannot_be_read(
        self, catwalk: Catwalk, tmp_path: Path
    ) -> None:
        path = tmp_path / "large.db"
        with closing(SqliteLog(path)) as log:
            log.append("T1", stream(3_000, "T1"), EMPTY)
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.seek(size // 2 // 4096 * 4096)
            file.write(b"\xff" * 4096 * 8)
        ran = catwalk("verify", path, "--format", "json")
        (proof,) = ran.json["streams"]
        assert ran.status == 1
        assert proof["first_bad_sequence"] == proof["records"] + 1
        assert "malformed" in proof["reason"]

    def test_that_is_written_meanwhile_is_proven_up_to_what_it_held(
        self, catwalk: Catwalk, ledger: Path
    ) -> None:
        with closing(SqliteLog(ledger)) as log:
            head = log.head("T1")
            log.append("T1", stream(1, "T1", 7, head.hash), head)
            assert catwalk("verify", ledger).status == 0


def test_a_ledger_fed_by_devices_verifies(catwalk: Catwalk, tmp_path: Path) -> None:
    path = tmp_path / "ledger.db"
    with closing(SqliteLog(path)) as log:
        Recorder(log, lambda: dt.datetime.now(dt.UTC)).record_lines(
            arrivals(device_event(n) for n in range(50))
        )
    assert catwalk("verify", path, "--format", "json").json["streams"][0]["records"] == 50


class TestTheDesk:
    """Its ledger and its exports are proven as tables are."""

    @pytest.fixture
    def lines(self, tmp_path: Path) -> list[bytes]:
        at = dt.datetime(2026, 11, 20, 20, tzinfo=dt.UTC)
        with closing(SqliteDeskLog(tmp_path / "desk.db")) as log:
            desk = Desk(log, lambda: at)
            for number in range(5):
                desk.note(Accessed(what="page", object=f"hand {number}", granted=True), "hale")
            return list(desk.lines(1, 9))

    def test_its_ledger_is_intact(self, catwalk: Catwalk, tmp_path: Path, lines: list[bytes]) -> None:
        ran = catwalk("verify", tmp_path / "desk.db", "--format", "json")
        (stream,) = ran.json["streams"]
        assert (ran.status, stream["chain"], stream["records"], stream["head"]) == (
            0,
            "intact",
            5,
            digest(lines[-1]),
        )

    def test_a_range_is_proven_without_what_came_before(
        self, catwalk: Catwalk, tmp_path: Path, lines: list[bytes]
    ) -> None:
        path = tmp_path / "desk-3-5.ndjson"
        path.write_bytes(joined(lines[2:]))
        assert catwalk("verify", path).status == 0

    @pytest.mark.parametrize("place", range(5))
    @pytest.mark.parametrize("how", ["edited", "deleted", "doubled"])
    def test_the_first_record_that_is_not_as_written_is_named(
        self, catwalk: Catwalk, tmp_path: Path, lines: list[bytes], place: int, how: str
    ) -> None:
        match how:
            case "edited":
                lines[place] = lines[place].replace(b"hale", b"hall")
            case "deleted":
                del lines[place]
            case "doubled":
                lines.insert(place, lines[place])
        path = tmp_path / "desk.ndjson"
        path.write_bytes(joined(lines))
        ran = catwalk("verify", path, "--format", "json")
        bad = ran.json["streams"][0]["first_bad_sequence"]
        unseen = place == 4 and how in {"edited", "deleted"}  # of the end of a stream only a ledger can tell
        from_the_next_on = place == 0 and how == "deleted"  # a range may begin anywhere
        expected = None if unseen or from_the_next_on else place + 2 if how == "doubled" else place + 1
        assert (ran.status, bad) == (0 if expected is None else 1, expected)

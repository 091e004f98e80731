"""`catwalk replay`: what cannot be done is said in one line."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.commands.run import Catwalk, catwalk

__all__ = ["catwalk"]  # a fixture

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


class TestWhatCannotBeDoneIsSaidInOneLine:
    @pytest.fixture
    def inputs(self, tmp_path: Path) -> Path:
        data = (EXAMPLES / "lawful_free_bet_672a.ndjson").read_bytes()
        packed = bytearray(gzip.compress(data, mtime=0))
        (tmp_path / "plain.ndjson.gz").write_bytes(data)
        (tmp_path / "cut.ndjson.gz").write_bytes(packed[: len(packed) // 2])
        packed[10] ^= 0xFF
        (tmp_path / "spoilt.ndjson.gz").write_bytes(packed)
        (tmp_path / "ledger.db").write_bytes(b"no ledger")
        (tmp_path / "file").write_bytes(b"")
        (tmp_path / "empty").mkdir()
        return tmp_path

    def test_that_two_streams_cannot_be_told_apart_by_name(self, catwalk: Catwalk, tmp_path: Path) -> None:
        lines = (EXAMPLES / "lawful_free_bet_672a.ndjson").read_bytes().splitlines(keepends=True)
        streams = [tmp_path / day / "shift.ndjson" for day in ("d1", "d2")]
        for stream, count in zip(streams, (5, 10), strict=True):
            stream.parent.mkdir()
            stream.write_bytes(b"".join(lines[:count]))
        ran = catwalk("replay", *streams, "--out", tmp_path / "out")
        assert (ran.status, ran.out, len(ran.err.splitlines())) == (2, "", 1)
        assert f"{streams[0]} and {streams[1]}: both would be shift in the results" in ran.err

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (("nowhere.ndjson", "--out", "out"), "nowhere.ndjson: no such file"),
            (("nowhere", "--out", "out"), "nowhere: no such file"),
            (("empty", "--out", "out"), "no .ndjson stream found"),
            (("plain.ndjson.gz", "--out", "out"), "plain.ndjson.gz: cannot be read"),
            (("cut.ndjson.gz", "--out", "out"), "cut.ndjson.gz: cannot be read"),
            (("spoilt.ndjson.gz", "--out", "out"), "spoilt.ndjson.gz: cannot be read"),
            ((".", "--out", "out", "--jobs", "2"), ".ndjson.gz: cannot be read"),
            (("ledger.db", "--out", "out"), "ledger.db"),
            (("EXAMPLE", "--out", "file"), "is a file"),
            (("EXAMPLE", "--out", "file/out"), "give a folder, not a file"),
            (("EXAMPLE",), "Missing option '--out'"),
            (("--out", "out"), "Missing argument"),
            (("EXAMPLE", "--out", "out", "--reading", "Z9=literal"), "no reading Z9"),
            (("EXAMPLE", "--out", "out", "--reading", "A1=loose"), "A1 can be read literal or conventional"),
            (("EXAMPLE", "--out", "out", "--reading", "A1"), "not of the form A1=literal"),
            (("EXAMPLE", "--out", "out", "--jobs", "0"), "--jobs"),
            (("EXAMPLE", "--out", "out", "--fail-on", "murder"), "--fail-on"),
        ],
    )
    def test_with_status_two_and_no_traceback(
        self,
        catwalk: Catwalk,
        monkeypatch: pytest.MonkeyPatch,
        inputs: Path,
        arguments: tuple[str, ...],
        words: str,
    ) -> None:
        monkeypatch.chdir(inputs)
        example = EXAMPLES / "lawful_free_bet_672a.ndjson"
        ran = catwalk("replay", *(example if argument == "EXAMPLE" else argument for argument in arguments))
        assert ran.status == 2
        assert ran.out == ""
        assert len(ran.err.splitlines()) == 1
        assert ran.err.startswith("catwalk: ")
        assert words in ran.err

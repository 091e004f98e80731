"""Streams and pipes as lines: what ends a line, what is none, and what cannot be read."""

import gzip
import io
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from producers.feeds.lines import Line
from producers.feeds.pipe import read_bursts
from producers.feeds.streams import StreamError, find_streams, read_lines, stream_name
from schemas.codec import split_lines

CONTENT = b"one\r\n\n\r\ntwo\r\rthree \nfour"


def test_lf_and_crlf_end_lines_and_empty_lines_are_none(tmp_path: Path) -> None:
    path = tmp_path / "stream.ndjson"
    path.write_bytes(CONTENT)
    assert list(read_lines(path)) == [
        Line(1, 0, b"one"),
        Line(4, 8, b"two\r\rthree "),
        Line(5, 20, b"four", whole=False),
    ]


class Dribbling(io.BytesIO):
    """A pipe that gives three bytes at a time."""

    def read1(self, size: int | None = -1, /) -> bytes:
        return super().read1(3)


@given(st.lists(st.sampled_from([b"a", b"\r", b"\n", b" ", b"bc"]), max_size=20).map(b"".join))
def test_files_and_pipes_are_split_as_frames_are(
    tmp_path_factory: pytest.TempPathFactory, data: bytes
) -> None:
    path = tmp_path_factory.getbasetemp() / "same.ndjson"
    path.write_bytes(data)
    expected = list(split_lines(data))
    assert [(line.offset, line.content) for line in read_lines(path)] == expected
    pipe = Dribbling(data)
    assert [(line.offset, line.content) for burst in read_bursts(pipe) for line in burst] == expected


def test_a_gzipped_stream_reads_like_the_plain_one(tmp_path: Path) -> None:
    plain, packed = tmp_path / "s.ndjson", tmp_path / "s.ndjson.gz"
    plain.write_bytes(CONTENT)
    packed.write_bytes(gzip.compress(CONTENT))
    assert list(read_lines(packed)) == list(read_lines(plain))
    assert stream_name(packed) == stream_name(plain) == "s"


@pytest.mark.parametrize("cut", [-4, -12])
def test_a_gzipped_stream_that_was_cut_off_gives_its_lines_and_then_says_so(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "s.ndjson.gz"
    path.write_bytes(gzip.compress(b"".join(b"line %d\n" % n for n in range(50_000)))[:cut])
    lines = read_lines(path)
    assert next(lines).content == b"line 0"
    with pytest.raises(StreamError, match=r"its compression is damaged after line \d+"):
        list(lines)


def test_a_file_that_is_not_gzipped_though_its_name_says_so_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "s.ndjson.gz"
    path.write_bytes(CONTENT)
    with pytest.raises(StreamError, match="its compression is damaged after line 0"):
        list(read_lines(path))


def test_folders_are_searched_and_files_taken_as_named(tmp_path: Path) -> None:
    for name in ("b.ndjson", "a.ndjson.gz", "deep/c.ndjson", "notes.txt", "ledger.db"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = [str(path.relative_to(tmp_path)) for path in find_streams([tmp_path / "notes.txt", tmp_path])]
    assert found == ["notes.txt", "a.ndjson.gz", "b.ndjson", "deep/c.ndjson"]


def test_a_missing_path_and_a_folder_without_streams_are_named(tmp_path: Path) -> None:
    with pytest.raises(StreamError, match="nowhere: there is no such file; check the path"):
        find_streams([tmp_path / "nowhere"])
    with pytest.raises(StreamError, match="the folder holds no stream"):
        find_streams([tmp_path])


def test_a_pipe_hands_on_what_has_arrived_without_waiting_for_more() -> None:
    reading, writing = os.pipe()
    with os.fdopen(reading, "rb") as pipe, os.fdopen(writing, "wb", buffering=0) as device:
        bursts = read_bursts(pipe)
        for n in range(3):
            device.write(b"event %d\nhalf a" % n)
            found: list[list[Line]] = []
            reader = threading.Thread(target=lambda into=found: into.append(next(bursts)), daemon=True)
            reader.start()
            reader.join(timeout=10)
            assert [[line.content[-7:] for line in burst] for burst in found] == [[b"event %d" % n]]
        device.close()
        assert [[(line.content, line.whole) for line in burst] for burst in bursts] == [[(b"half a", False)]]

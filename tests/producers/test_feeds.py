"""Streams and pipes as lines: what ends a line, what is none, and what cannot be read."""

import gzip
import hashlib
import io
import os
import threading
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from producers.feeds import lines
from producers.feeds.lines import AnyLine, FeedLine, LongLine
from producers.feeds.pipe import read_bursts
from producers.feeds.streams import StreamError, StreamTooLarge, find_streams, read_lines, stream_name
from schemas.events.codec import split_lines
from tests.producers.builders import device_event, joined

CONTENT = b"one\r\n\n\r\ntwo\r\rthree \nfour"


def test_lf_and_crlf_end_lines_and_empty_lines_are_none(tmp_path: Path) -> None:
    path = tmp_path / "stream.ndjson"
    path.write_bytes(CONTENT)
    assert list(read_lines(path)) == [
        FeedLine(1, 0, b"one"),
        FeedLine(4, 8, b"two\r\rthree "),
        FeedLine(5, 20, b"four", whole=False),
    ]


LONG = lines.MOST_BYTES + 1


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
@pytest.mark.parametrize("packed", [False, True])
def test_of_a_line_that_is_too_long_length_hash_and_beginning_are_kept(
    tmp_path: Path, packed: bool, end: bytes
) -> None:
    long = b"".join(b"%07d," % n for n in range(LONG // 8 + 1))[:LONG]
    before, after = b"x" * lines.MOST_BYTES + b"\r\n\n", b"after\n" if end else b""
    path = tmp_path / ("s.ndjson.gz" if packed else "s.ndjson")
    data = before + long + end + after
    path.write_bytes(gzip.compress(data, 1) if packed else data)
    digest = hashlib.sha256(long).hexdigest()
    expected = [
        FeedLine(1, 0, before[:-3]),
        LongLine(3, len(before), LONG, digest, long[: lines.KEPT_BYTES], whole=bool(end)),
        *([FeedLine(4, len(before + long + end), b"after")] if end else []),
    ]
    assert list(read_lines(path)) == expected
    assert [line for burst in read_bursts(io.BytesIO(data)) for line in burst] == expected


@given(
    st.lists(st.sampled_from([b"a", b"\r", b"\n", b"bc", b"\r\n", b"def"]), max_size=30).map(b"".join),
    st.integers(1, 5),
)
def test_long_lines_are_the_same_lines_however_they_arrive(data: bytes, size: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "MOST_BYTES", 4)
        patch.setattr(lines, "KEPT_BYTES", 2)
        splitter = lines.Splitter()
        found = [line for at in range(0, len(data), size) for line in splitter.feed(data[at : at + size])]
        found += splitter.end()
    for line, (offset, content) in zip(found, split_lines(data), strict=True):
        assert line.offset == offset
        assert line.number == data[:offset].count(b"\n") + 1
        assert line.whole == (b"\n" in data[offset:])
        if isinstance(line, FeedLine):
            assert (line.content, len(content) <= 4) == (content, True)
        else:
            digest = hashlib.sha256(content).hexdigest()
            assert (line.length, line.digest, line.beginning) == (len(content), digest, content[:2])
            assert len(content) > 4


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
    assert [
        (line.offset, line.content) for line in read_lines(path) if isinstance(line, FeedLine)
    ] == expected
    pipe = Dribbling(data)
    burst = [line for burst in read_bursts(pipe, rest=lambda _: None) for line in burst]
    assert [(line.offset, line.content) for line in burst if isinstance(line, FeedLine)] == expected


class Trickling:
    """A pipe into which a line comes each millisecond that somebody rests."""

    def __init__(self, count: int) -> None:
        self.left, self.there = count - 1, b"line\n"

    def rest(self, seconds: float) -> None:
        came = min(round(seconds * 1000), self.left)
        self.left -= came
        self.there += came * b"line\n"

    def read1(self, _size: int, /) -> bytes:
        taken, self.there = self.there, b""
        return taken


def test_lines_that_come_one_by_one_are_handed_on_a_few_at_a_time_and_the_first_at_once() -> None:
    pipe = Trickling(100)
    sizes = [len(burst) for burst in read_bursts(pipe, rest=pipe.rest)]
    assert (sizes[0], sum(sizes)) == (1, 100)
    assert len(sizes) <= 8, "each burst is a wait for the disk"
    assert max(sizes) <= 21, "no line waits longer than a moment"


def test_a_gzipped_stream_reads_like_the_plain_one(tmp_path: Path) -> None:
    plain, packed = tmp_path / "s.ndjson", tmp_path / "s.ndjson.gz"
    plain.write_bytes(CONTENT)
    packed.write_bytes(gzip.compress(CONTENT))
    assert list(read_lines(packed)) == list(read_lines(plain))
    assert stream_name(packed) == stream_name(plain) == "s"


@pytest.mark.parametrize("between", [b"", b"\0" * 7])
def test_packed_streams_that_were_put_together_read_as_one(tmp_path: Path, between: bytes) -> None:
    path = tmp_path / "s.ndjson.gz"
    large = b"".join(b"line %d\n" % n for n in range(30_000))
    parts = [large, CONTENT[:7], b"", CONTENT[7:]]
    path.write_bytes(b"".join(gzip.compress(part) + between for part in parts))
    plain = tmp_path / "s.ndjson"
    plain.write_bytes(b"".join(parts))
    assert list(read_lines(path)) == list(read_lines(plain))


@pytest.mark.parametrize("behind", [b"garbage", gzip.compress(b"more", mtime=0)[:9], b"\0\0\x1f"])
def test_what_follows_a_packed_stream_and_is_none_is_damage(tmp_path: Path, behind: bytes) -> None:
    path = tmp_path / "s.ndjson.gz"
    path.write_bytes(gzip.compress(CONTENT + b"\n") + behind)
    read = read_lines(path)
    assert [next(read).number for _ in range(3)] == [1, 4, 5]
    with pytest.raises(StreamError, match="its compression is damaged after line 5: "):
        next(read)


def test_an_altered_packed_stream_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "s.ndjson.gz"
    packed = bytearray(gzip.compress(CONTENT))
    packed[-6] ^= 1  # its checksum
    path.write_bytes(packed)
    with pytest.raises(StreamError, match=r"its compression is damaged after line \d+: .* check"):
        list(read_lines(path))


@pytest.mark.parametrize("content", [b"\n", b"x", b"{}" * 5_000 + b"\n", b'{"a":"%s"}\n' % (b"a" * 5000)])
def test_a_packed_file_that_unpacks_to_more_than_any_stream_is_not_read_on(
    tmp_path: Path, content: bytes
) -> None:
    path = tmp_path / "s.ndjson.gz"
    path.write_bytes(gzip.compress(b"first\n" + content * ((8 << 20) // len(content))))
    read = read_lines(path)
    assert next(read) == FeedLine(1, 0, b"first")
    with pytest.raises(
        StreamTooLarge, match="and no stream of events does; look at it with `gzip -dc`"
    ) as told:
        list(read)
    assert "bytes of it unpack to 4," in told.value.why


def test_a_stream_that_repeats_itself_is_read_whole(tmp_path: Path) -> None:
    """Events of a thousand equal cards each: what compresses best of all that a table may say."""
    path = tmp_path / "s.ndjson.gz"
    cards = {"cards": ["As"] * 1000}
    events = [device_event(n, type="catwalk.v1.stack_dispensed", data=cards) for n in range(2000)]
    path.write_bytes(gzip.compress(joined(events)))
    assert len(joined(events)) > max(200 * path.stat().st_size, 4 << 20)
    assert [line.content for line in read_lines(path) if isinstance(line, FeedLine)] == events


@pytest.mark.parametrize("cut", [-4, -12])
def test_a_gzipped_stream_that_was_cut_off_gives_its_lines_and_then_says_so(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "s.ndjson.gz"
    path.write_bytes(gzip.compress(b"".join(b"line %d\n" % n for n in range(50_000)))[:cut])
    read = read_lines(path)
    assert next(read) == FeedLine(1, 0, b"line 0")
    with pytest.raises(StreamError, match=r"its compression is damaged after line \d+"):
        list(read)


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
            found: list[list[AnyLine]] = []
            reader = threading.Thread(target=lambda into=found: into.append(next(bursts)), daemon=True)
            reader.start()
            reader.join(timeout=10)
            told = [[line.content[-7:] for line in burst if isinstance(line, FeedLine)] for burst in found]
            assert told == [[b"event %d" % n]]
        device.close()
        (last,) = [line for burst in bursts for line in burst if isinstance(line, FeedLine)]
        assert (last.content, last.whole) == (b"half a", False)

"""The first bad sequence: every place of a small stream, broken in every way."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deploy.audit.verification import Proof, verify_stream
from producers.feeds.lines import FeedLine
from schemas.events.codec import split_lines
from tests.producers.builders import GENESIS, chained, device_event, digest, joined, stream

LENGTH = 7


def proof_of(data: bytes) -> Proof:
    lines = [
        FeedLine(n, offset, line, whole=offset + len(line) < len(data))
        for n, (offset, line) in enumerate(split_lines(data), 1)
    ]
    return verify_stream("s", lines, {})[0]


def first_bad(data: bytes) -> int | None:
    return proof_of(data).first_bad_sequence


class TestEveryPlaceOfASmallStream:
    """The last event's content, and that nothing was cut off behind it, only a checkpoint can show."""

    def test_a_flipped_bit_is_named(self) -> None:
        lines = stream(LENGTH)
        data = joined(lines)
        starts = [sum(len(line) + 1 for line in lines[:n]) for n in range(LENGTH)]
        for k, (start, line) in enumerate(zip(starts, lines, strict=True), 1):
            for place in range(start, start + len(line) + 1):
                for bit in range(8):
                    flipped = bytearray(data)
                    flipped[place] ^= 1 << bit
                    found = first_bad(bytes(flipped))
                    if k < LENGTH:
                        assert found == k, (k, place - start, bit)
                    else:
                        # Either the last line is no event any more, or its prevhash accuses the event before.
                        assert found in (None, k - 1, k), (k, place - start, bit)

    def test_an_edit_of_the_last_event_shows_where_its_form_or_its_chain_suffers(self) -> None:
        lines = stream(LENGTH)
        last = lines[-1]
        assert first_bad(joined([*lines[:-1], last.replace(b"As", b"Ks")])) is None
        assert first_bad(joined([*lines[:-1], last.replace(b"As", b"Xs")])) == LENGTH
        assert first_bad(joined([*lines[:-1], last.replace(b'"sequence":7', b'"sequence":9')])) == LENGTH
        assert first_bad(joined([*lines[:-1], last.replace(b'"subject":"FB', b'"subject":"FA')])) == LENGTH
        proof = proof_of(joined([*lines[:-1], last.replace(digest(lines[-2]).encode(), b"a" * 64)]))
        assert proof.first_bad_sequence == LENGTH - 1
        assert (
            proof.reason
            == "event 6 was edited: event 7 carries the hash of another, unless event 7, the last, was edited itself"
        )

    @pytest.mark.parametrize("k", range(1, LENGTH + 1))
    def test_a_deleted_event_is_named(self, k: int) -> None:
        lines = stream(LENGTH)
        del lines[k - 1]
        assert first_bad(joined(lines)) == (k if k < LENGTH else None)

    @pytest.mark.parametrize("k", range(1, LENGTH + 1))
    def test_a_doubled_event_is_named(self, k: int) -> None:
        lines = stream(LENGTH)
        lines.insert(k, lines[k - 1])
        assert first_bad(joined(lines)) == k

    @pytest.mark.parametrize("k", range(1, LENGTH))
    def test_two_swapped_events_are_named_by_the_smaller(self, k: int) -> None:
        lines = stream(LENGTH)
        lines[k - 1], lines[k] = lines[k], lines[k - 1]
        assert first_bad(joined(lines)) == k

    FOREIGN: tuple[Callable[[int, list[bytes]], bytes], ...] = (
        lambda k, lines: b"garbage",
        lambda k, lines: b"\xff\xfe",
        lambda k, lines: b"{}",
        lambda k, lines: device_event(99),
        lambda k, lines: chained(device_event(99), k, "f" * 64),
        lambda k, lines: chained(device_event(99), k + 50, "f" * 64),
        lambda k, lines: chained(device_event(99), k, digest(lines[k - 2]) if k > 1 else GENESIS),
    )

    @pytest.mark.parametrize("foreign", FOREIGN)
    @pytest.mark.parametrize("k", range(1, LENGTH + 1))
    def test_an_inserted_line_is_named_by_the_place_it_takes(
        self, k: int, foreign: Callable[[int, list[bytes]], bytes]
    ) -> None:
        lines = stream(LENGTH)
        lines.insert(k - 1, foreign(k, lines))
        assert first_bad(joined(lines)) == k

    def test_garbage_behind_the_last_event_is_named(self) -> None:
        assert first_bad(joined([*stream(LENGTH), b"garbage"])) == LENGTH + 1

    @pytest.mark.parametrize("k", range(1, LENGTH + 1))
    def test_a_stream_cut_off_within_an_event_is_named(self, k: int) -> None:
        lines = stream(LENGTH)
        for kept in range(1, len(lines[k - 1])):
            proof = proof_of(joined(lines[: k - 1]) + lines[k - 1][:kept])
            assert proof.first_bad_sequence == k
            assert str(proof.reason).startswith(f"event {k}, the last, is cut off: ")

    @given(st.data())
    def test_a_run_of_events_taken_out_or_moved_is_named_by_its_first(self, data: st.DataObject) -> None:
        lines = stream(LENGTH)
        start = data.draw(st.integers(1, LENGTH - 1))
        end = data.draw(st.integers(start + 1, LENGTH))  # events start to end - 1
        rest = lines[: start - 1] + lines[end - 1 :]
        assert first_bad(joined(rest)) == start
        to = data.draw(st.integers(start, len(rest)))
        assert first_bad(joined(rest[:to] + lines[start - 1 : end - 1] + rest[to:])) == start


def test_an_untouched_stream_is_intact_whatever_ends_its_lines() -> None:
    lines = stream(LENGTH)
    for data in (joined(lines), b"\n".join(lines), b"\r\n\r\n".join(lines), b"\n\n" + joined(lines)):
        proof = proof_of(data)
        assert (proof.chain, proof.first_bad_sequence, proof.records) == ("intact", None, LENGTH)
        assert (proof.subject, proof.head) == ("FB90-1", digest(lines[-1]))
        assert (proof.first_time, proof.last_time) == (
            "2026-11-21T10:00:01.000001Z",
            "2026-11-21T10:00:07.000007Z",
        )


def test_of_two_faults_the_first_is_named() -> None:
    lines = stream(LENGTH)
    del lines[4]
    assert first_bad(joined([*lines[:2], b"garbage", *lines[2:]])) == 3
    lines[1] = lines[1].replace(b"As", b"Ks")
    assert first_bad(joined(lines)) == 2


def test_an_event_of_another_table_in_the_chain_is_named() -> None:
    lines = stream(2)
    lines.append(chained(device_event(3, "T2"), 3, digest(lines[-1])))
    lines.append(chained(device_event(4), 4, digest(lines[-1])))
    proof = proof_of(joined(lines))
    assert (proof.first_bad_sequence, proof.reason) == (3, "event 3 is of table T2, not FB90-1")


def test_a_record_that_is_no_event_is_named_though_the_chain_runs_through_it() -> None:
    lines = stream(2)
    lines.append(chained(device_event(3, type="catwalk.v1.card_eaten"), 3, digest(lines[-1])))
    lines += stream(2, start=4, prevhash=digest(lines[-1]))
    proof = proof_of(joined(lines))
    assert proof.first_bad_sequence == 3
    assert str(proof.reason).startswith(
        "event 3, though it stands as it was written, is no event of the contract: "
    )

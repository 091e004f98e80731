"""Records that others put into the ledger's topic: each is named and kept, and no true one is displaced by it."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from processors.core.grammar.aside import MOST, PASSED_BY, SECONDS
from processors.runtime.brokers.records import FoldedRecords, LedgerRecord, is_misplaced, writer_of
from processors.runtime.fold.partition import PartitionFold
from processors.runtime.fold.restore import Snapshots
from schemas.messages import MOST_BYTES
from schemas.topics import CLOUDEVENT, FRAME
from tests.pipeline.streams import lines_of
from tests.runtime.tables import BREACH, replayed, subject_of, told

LINES = list(lines_of(BREACH))[:260]
KEY = subject_of(LINES[0]).encode()
CLEAN = replayed(KEY.decode(), LINES)
OURS = (b'"integrity.stray"', b'"integrity.conflict"', b'"integrity.writer"', b'"integrity.partition"')


def digest(line: bytes) -> str:
    return hashlib.sha256(line).hexdigest()


def forged(at: int, ahead: int, prevhash: str, mark: int = 0) -> bytes:
    """An event that says that it stands `ahead` places behind the next one of the first `at` true ones."""
    event = json.loads(LINES[min(at, len(LINES) - 1)])
    event |= {"id": f"forged-{mark}", "sequence": at + 1 + ahead, "prevhash": prevhash}
    return json.dumps(event, separators=(",", ":")).encode()


def row(at: int, ahead: int, mark: int, length: int = 3) -> list[bytes]:
    """Forged events of which each builds on the one before."""
    made: list[bytes] = []
    for number in range(length):
        before = digest(made[-1]) if made else f"{mark:064x}"
        made.append(forged(at, ahead + number, before, mark * 100 + number))
    return made


FORGERIES: dict[str, Callable[[int, int], list[bytes]]] = {
    "in the next place": lambda at, mark: [forged(at, 0, f"{mark:064x}", mark)],
    "ahead": lambda at, mark: [forged(at, 7, f"{mark:064x}", mark)],
    "far ahead": lambda at, mark: [forged(at, 1_000_000, f"{mark:064x}", mark)],
    "ahead, naming the last true one": lambda at, mark: [forged(at, 5, digest(LINES[at - 1]), mark)],
    "a row of them": lambda at, mark: row(at, 4, mark),
    "a row of them in the next places": lambda at, mark: row(at, 0, mark),
    "in a place that has passed": lambda at, mark: [forged(at, -5, f"{mark:064x}", mark)],
}


def fold_of(records: Iterable[LedgerRecord], fold: PartitionFold | None = None) -> FoldedRecords:
    into = FoldedRecords()
    fold = fold or PartitionFold(0)
    for one in records:
        fold.take(one, into)
    return into


def records_of(lines: Sequence[bytes], at: Callable[[int], float] = lambda _: 1.0) -> list[LedgerRecord]:
    return [LedgerRecord(0, offset, KEY, line, CLOUDEVENT, at(offset)) for offset, line in enumerate(lines)]


def bare(rounds: Iterable[bytes]) -> list[object]:
    """Rounds without the list of findings, which names those about the record that were told during them."""
    return [{name: v for name, v in json.loads(one).items() if name != "findings"} for one in rounds]


def assert_untouched(into: FoldedRecords, put_in: Sequence[bytes]) -> None:
    """The true rounds and findings are as ever, and each forged record is one finding and one dead letter."""
    rounds, findings, letters = told(into.messages)
    assert bare(rounds) == bare(CLEAN[0])
    assert [one for one in findings if not any(check in one for check in OURS)] == CLEAN[1]
    assert sorted(base64.b64decode(one["bytes_base64"]) for one in letters) == sorted(put_in)
    named = [json.loads(one) for one in findings if any(check in one for check in OURS)]
    assert len({one["finding_id"] for one in named}) == len(named) == len(put_in)


@st.composite
def disturbed(draw: st.DrawFn) -> tuple[list[bytes], list[bytes]]:
    """The true stream with forged records in it, and these."""
    places = draw(
        st.lists(st.tuples(st.integers(6, 150), st.sampled_from(sorted(FORGERIES))), min_size=1, max_size=5)
    )
    put_in: list[bytes] = []
    mixed, behind = list[bytes](), 0
    for mark, (at, kind) in enumerate(sorted(places), 1):
        made = FORGERIES[kind](at, mark)
        mixed += [*LINES[behind:at], *made]
        put_in += made
        behind = at
    return [*mixed, *LINES[behind:]], put_in


@pytest.mark.parametrize("kind", FORGERIES)
def test_a_forged_record_is_named_and_displaces_no_true_one(kind: str) -> None:
    for at in (6, 40, 130):
        made = FORGERIES[kind](at, 1)
        assert_untouched(fold_of(records_of([*LINES[:at], *made, *LINES[at:]])), made)


@pytest.mark.thorough
@settings(max_examples=30)
@given(disturbed(), st.lists(st.integers(1, 250), max_size=3, unique=True), st.sampled_from([0.0, 1.0]))
def test_forged_records_anywhere_change_no_true_round_and_no_true_finding(
    stream: tuple[list[bytes], list[bytes]], stops: list[int], pace: float
) -> None:
    """Also when the fold goes on from snapshots in the midst of them, and at whatever pace records come."""
    mixed, put_in = stream
    records = records_of(mixed, lambda offset: 1.0 + offset * pace)
    fold, messages = PartitionFold(0), FoldedRecords()
    for start, until in pairwise([0, *sorted(stops), len(records)]):
        for one in records[start:until]:
            fold.take(one, messages)
        kept = Snapshots(0)
        for message in fold.checkpoint(whole=True):
            kept.add(message.key, message.value)
        if start == 0 or until < len(records):
            fold = kept.restore().fold
    assert_untouched(messages, put_in)


def test_frames_say_the_same_as_single_records() -> None:
    made = [*FORGERIES["a row of them"](50, 1), *FORGERIES["ahead"](50, 2)]
    mixed = [*LINES[:50], *made, *LINES[50:]]
    places = [0, 48, 52, 60, 61, len(mixed)]
    frames = [
        LedgerRecord(
            0, offset, KEY, b"\n".join(mixed[start:until]), FRAME if until - start > 1 else CLOUDEVENT, 1.0
        )
        for offset, (start, until) in enumerate(pairwise(places))
    ]
    framed, single = told(fold_of(frames).messages), told(fold_of(records_of(mixed)).messages)
    assert framed[:2] == single[:2]
    assert_untouched(fold_of(frames), made)


@pytest.mark.parametrize("lost", [1, 5])
def test_lost_records_are_a_gap_once_records_have_built_on_what_came_for_so_long(lost: int) -> None:
    left = [*LINES[:80], *LINES[80 + lost :]]
    fold = PartitionFold(0)
    seconds = int(SECONDS)
    records = records_of(left, float)
    early = fold_of(records[: 80 + seconds], fold)
    place = fold.places[KEY.decode()]
    assert place.pipeline.state.chain.next_sequence == 81
    assert len(place.aside.held) == seconds
    late = fold_of(records[80 + seconds :], fold)
    assert not place.aside.held
    rounds, findings, letters = told(early.messages + late.messages)
    assert (rounds, findings) == replayed(KEY.decode(), left)[:2]
    assert letters == []
    assert sum(b'"integrity.gap"' in one for one in findings) == 1


def test_lost_records_are_a_gap_when_more_wait_than_there_is_room_for() -> None:
    lines = list(lines_of(BREACH))[:400]
    left = [*lines[:80], *lines[81:]]
    into = fold_of(records_of(left))
    rounds, findings, _ = told(into.messages)
    assert (rounds, findings) == replayed(KEY.decode(), left)[:2]
    assert len(left) - 80 > MOST


def test_true_records_behind_a_gap_are_believed_and_forged_ones_are_not() -> None:
    left = [*LINES[:80], *LINES[81:]]
    made = [forged(80, 0, "a" * 64, 1), forged(80, 40, "b" * 64, 2)]
    mixed = [*left[:80], made[0], *left[80:85], made[1], *left[85:]]
    rounds, findings, letters = told(fold_of(records_of(mixed, float)).messages)
    assert bare(rounds) == bare(replayed(KEY.decode(), left)[0])
    assert sum(b'"integrity.gap"' in one for one in findings) == 1
    assert sorted(base64.b64decode(one["bytes_base64"]) for one in letters) == sorted(made)
    assert {one["kind"] for one in letters} == {"stray"}


def test_one_record_alone_is_never_believed_however_long_nothing_follows() -> None:
    made = forged(80, 3, "a" * 64)
    fold = PartitionFold(0)
    fold_of(records_of([*LINES[:80], made, made]), fold)
    night = [
        LedgerRecord(0, 82 + n, KEY, line, CLOUDEVENT, 40_000.0 + n) for n, line in enumerate(LINES[80:])
    ]
    into = fold_of([*records_of([*LINES[:80], made, made]), *night])
    assert_untouched(into, [made])
    assert into.duplicates == 1


def test_a_flood_of_forged_records_takes_no_more_room_than_there_is() -> None:
    flood = [forged(80, 3 + n, f"{n:064x}", n) for n in range(2 * MOST)]
    fold = PartitionFold(0)
    first = fold_of(records_of([*LINES[:80], *flood]), fold)
    held = fold.places[KEY.decode()].aside.held
    assert len(held) == MOST
    rest = [
        LedgerRecord(0, 80 + len(flood) + n, KEY, line, CLOUDEVENT, 1.0) for n, line in enumerate(LINES[80:])
    ]
    second = fold_of(rest, fold)
    whole = FoldedRecords(first.messages + second.messages)
    assert_untouched(whole, flood)
    assert held == []


def test_large_records_that_wait_take_no_more_room_than_there_is() -> None:
    big = [forged(80, 3 + n, f"{n:064x}", n) for n in range(40)]
    big = [line.replace(b'"forged-', b'"' + b"x" * 60_000 + b"-") for line in big]
    fold = PartitionFold(0)
    fold_of(records_of([*LINES[:80], *big]), fold)
    held = fold.places[KEY.decode()].aside.held
    assert sum(len(one.line) for one in held) <= 300_000
    assert len(next(fold.checkpoint(whole=True)).value) < MOST_BYTES


def test_true_records_that_come_in_another_order_are_counted_in_theirs_and_that_is_told_once() -> None:
    for order in ([1, 0], [2, 3, 0, 1], [3, 2, 1, 0], [*range(1, 40), 0]):
        moved = [LINES[80 + n] for n in order]
        into = fold_of(records_of([*LINES[:80], *moved, *LINES[80 + len(order) :]]))
        rounds, findings, letters = told(into.messages)
        assert rounds == CLEAN[0]
        ours = [one for one in findings if b'"integrity.order"' in one]
        assert [one for one in findings if one not in ours] == CLEAN[1]
        assert (len(ours), letters) == (1, [])


def test_what_waits_and_comes_again_is_one_record() -> None:
    mixed = [*LINES[:80], *LINES[81:85], *LINES[81:85], *LINES[80:]]
    into = fold_of(records_of(mixed))
    assert into.duplicates == 8
    rounds, findings, letters = told(into.messages)
    assert (rounds, letters) == (CLEAN[0], [])
    assert sum(b'"integrity.order"' in one for one in findings) == 1


def test_what_nobody_passes_by_is_named_after_so_many_records() -> None:
    made = forged(40, 1_000_000, "a" * 64)
    mixed = [*LINES[:40], made, *LINES[40:]]
    until = 41 + PASSED_BY
    assert not told(fold_of(records_of(mixed[: until - 1])).messages)[2]
    assert told(fold_of(records_of(mixed[:until])).messages)[2]


def under(lines: Sequence[bytes], start: int, epoch: int, gateway: str) -> list[LedgerRecord]:
    return [
        LedgerRecord(0, start + n, KEY, line, CLOUDEVENT, 1.0, epoch, gateway) for n, line in enumerate(lines)
    ]


@pytest.mark.parametrize(("epoch", "gateway"), [(1, "gate-a"), (1, "gate-b"), (0, "")])
def test_who_writes_under_an_older_claim_is_refused_even_with_the_next_event(
    epoch: int, gateway: str
) -> None:
    first = under(LINES[:40], 0, 1, "gate-a") + under(LINES[40:80], 40, 2, "gate-b")
    made = forged(80, 0, digest(LINES[79]))  # it follows
    into = fold_of([*first, *under([made], 80, epoch, gateway), *under(LINES[80:], 81, 2, "gate-b")])
    assert_untouched(into, [made])
    [one] = [json.loads(one) for one in told(into.messages)[1] if b'"integrity.writer"' in one]
    assert one["expected"] == {"epoch": 2, "gateway": "gate-b"}
    assert one["observed"] == {"epoch": epoch, "gateway": gateway}


def test_what_an_older_gateway_sends_again_is_no_finding() -> None:
    records = under(LINES[:40], 0, 1, "gate-a") + under(LINES[40:80], 40, 2, "gate-b")
    again = under(LINES[20:60], 80, 1, "gate-a")
    into = fold_of([*records, *again, *under(LINES[80:], 120, 2, "gate-b")])
    assert into.duplicates == 40
    assert_untouched(into, [])


def test_of_two_that_claimed_at_once_the_later_one_goes_on_and_a_forged_claim_that_follows_nothing_fences_nobody() -> (
    None
):
    made = forged(40, 0, digest(LINES[39]))
    records = [*under(LINES[:20], 0, 3, "gate-a"), *under(LINES[20:40], 20, 3, "gate-b")]
    records += [*under([made], 40, 3, "gate-a"), *under(LINES[40:60], 41, 3, "gate-b")]
    ahead = forged(60, 9, "a" * 64)
    records += [*under([ahead], 61, 900, "gate-x"), *under(LINES[60:], 62, 3, "gate-b")]
    assert_untouched(fold_of(records), [made, ahead])


def test_tables_of_writers_without_headers_are_as_before() -> None:
    assert_untouched(fold_of(records_of(LINES)), [])
    assert writer_of(None) == writer_of([("epoch", b"one"), ("gateway", b"g")]) == (0, "")
    assert writer_of([("gateway", b"g"), ("epoch", b"12")]) == (12, "g")


def test_a_record_in_the_wrong_partition_opens_no_state_and_is_named() -> None:
    [mine] = [number for number in range(6) if not is_misplaced(KEY, number, 6)]
    wrong = (mine + 1) % 6
    fold = PartitionFold(wrong, partitions=6)
    into = fold_of([LedgerRecord(wrong, 0, KEY, LINES[0], CLOUDEVENT, 1.0)], fold)
    _, findings, letters = told(into.messages)
    assert fold.places == {}
    [one] = map(json.loads, findings)
    assert (one["check"], one["subject"], one["observed"]["origin"]) == (
        "integrity.partition", KEY.decode(), f"catwalk.events/{wrong}@0",
    )  # fmt: skip
    assert [base64.b64decode(one["bytes_base64"]) for one in letters] == [LINES[0]]
    right = PartitionFold(mine, partitions=6)
    fold_of([one._replace(partition=mine) for one in records_of(LINES[:5])], right)
    assert list(right.places) == [KEY.decode()]

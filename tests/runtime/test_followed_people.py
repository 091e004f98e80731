"""Evidence below an alarm behind Kafka: that of one process, up to when it was read, and nothing by halves."""

from __future__ import annotations

import datetime as dt
import resource
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest

from dashboards.reader.people import Kind
from dashboards.suspicions.evidence import EvidenceAwaited
from deploy.evidence.followed import STUCK, FollowedPeople
from deploy.evidence.stored import StoredEvidence
from processors.runtime.analyst.people import KnownPerson
from processors.runtime.brokers.records import Message
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.warehouse import Warehouse
from producers.log import EventLog, LedgerError, LedgerUnusable
from schemas.answers import FOLD_VERSION
from schemas.topics import ANALYSIS
from tests.embedded.ledgers import new_store
from tests.runtime.test_grown_evidence import NAMES, Brokers, ledger, made
from tests.runtime.test_sink import run
from tests.runtime.topics import FakeGroup, folded_topics
from tests.waiting import until

__all__ = ["ledger", "made"]  # fixtures

NOON = dt.datetime(2026, 11, 30, 12, tzinfo=dt.UTC)
SECOND = dt.timedelta(seconds=1)
_pack = msgspec.msgpack.Encoder().encode
Open = Callable[..., FollowedPeople]


class TickingClock:
    """Each look is a second later."""

    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> dt.datetime:
        self.now += SECOND
        return self.now


@pytest.fixture(scope="module")
def one_process(ledger: EventLog) -> EmbeddedFold:
    fold = EmbeddedFold(ledger, new_store())
    fold.catch_up()
    return fold


@pytest.fixture(scope="module")
def sunk(ledger: EventLog, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    """What the sink stores."""
    with closing(ChdbWarehouse(tmp_path_factory.mktemp("sunk") / "warehouse")) as store:
        store.migrate()
        run(FakeGroup(folded_topics(ledger), run=300), store)
        yield store


@pytest.fixture
def followed(tmp_path: Path) -> Iterator[Open]:
    opened: list[FollowedPeople] = []

    def open_on(
        brokers: Any, fold: Callable[[], int] = lambda: FOLD_VERSION, clock: TickingClock | None = None
    ) -> FollowedPeople:
        told = clock or TickingClock()
        opened.append(
            FollowedPeople(lambda _fold: brokers.tail(ANALYSIS), fold, tmp_path / "people.db", told)
        )
        return opened[-1]

    yield open_on
    for one in opened:
        one.close()


def read_all(people: FollowedPeople, brokers: Brokers) -> None:
    """Read all that was made."""
    people.step(0.0)
    for _ in range(len(brokers.made)):
        people.step(0.0)


def _states(*told: tuple[str, int, bytes | None]) -> list[Message]:
    """Records of the analyst's topic: whom, the offset behind which they stand, and the state."""
    return [
        Message(
            ANALYSIS,
            name.encode(),
            b"" if state is None else _pack(KnownPerson(FOLD_VERSION, 0, offset, 0, state)),
        )
        for name, offset, state in told
    ]


def _standings(found: Iterable[Any]) -> list[tuple[Any, ...]]:
    return sorted((str(one.about), one.e_value, one.highest, one.rounds, one.raised) for one in found)


def test_the_evidence_of_people_and_tables_is_that_of_one_process(
    made: list[Message], one_process: EmbeddedFold, sunk: Warehouse, followed: Open
) -> None:
    brokers = Brokers(made)
    brokers.upto = len(made)
    people = followed(brokers)
    read_all(people, brokers)
    evidence = StoredEvidence(sunk, people)
    expected = list(one_process.people.standings())
    for subject, pipeline in one_process.tables.items():
        assert pipeline.detectors is not None
        expected += pipeline.detectors.standings(subject)
    kinds: dict[str, Kind] = {"dealer": "dealer", "player": "patron", "table": "table"}
    named = {(of, str(one.about[of])) for one in expected for of in kinds.keys() & one.about.keys()}
    assert {of for of, _ in named} == kinds.keys()
    for of, name in named:
        held = evidence(kinds[of], name, NAMES)
        of_it = [one for one in expected if str(one.about.get(of)) == name]
        assert _standings(held.standings) == _standings(of_it)
        assert (held.read_at is None) == (of == "table")
        assert all((one.up_to is not None) == ("table" in one.about) for one in held.standings)
    dealer = evidence("dealer", "D-011", NAMES).standings
    assert any(not one.raised and one.e_value < one.alarm_at for one in dealer)
    assert any(len(one.about) > 1 for one in dealer), "of pairs, too"
    assert any(len(one.course) > 3 for one in dealer)


def test_nothing_is_told_by_halves_and_what_was_read_is_told_while_brokers_are_away(
    made: list[Message], sunk: Warehouse, followed: Open
) -> None:
    brokers = Brokers(made)
    brokers.upto = len(made)
    people = followed(brokers)
    evidence = StoredEvidence(sunk, people)
    with pytest.raises(EvidenceAwaited):
        evidence("dealer", "D-011", NAMES)
    people.step(0.0)
    with pytest.raises(EvidenceAwaited):
        evidence("dealer", "D-011", NAMES)
    assert evidence("table", "S-1", ("S-1",)).standings, "tables do not wait for people"
    read_all(people, brokers)
    held = evidence("dealer", "D-011", NAMES)
    assert held.read_at is not None
    assert held.standings

    def away(_topic: object, _seconds: float) -> list[Any]:
        raise LedgerError("brokers", "do not answer", "wait")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tests.runtime.test_grown_evidence.Tail.take", away)
        with pytest.raises(LedgerError):
            people.step(0.0)
        assert evidence("dealer", "D-011", NAMES) == held
    people.step(0.0)
    later = evidence("dealer", "D-011", NAMES)
    assert later.standings == held.standings
    assert later.read_at is not None
    assert later.read_at > held.read_at


def test_another_version_in_force_or_a_topic_made_anew_is_read_from_its_first_record(followed: Open) -> None:
    brokers = Brokers(_states(("dealer:D-1", 5, b"old"), ("dealer:D-2", 6, b"old")))
    brokers.upto = 2
    fold = 3
    people = followed(brokers, lambda: fold)
    read_all(people, brokers)
    assert people.of("dealer:D-1", 9)[0]
    brokers.made = _states(("dealer:D-1", 1, b"new"))
    brokers.upto, fold = 1, 4
    read_all(people, brokers)
    assert [one.state for one in people.of("dealer:D-1", 9)[0]] == [b"new"], "however far the old one was"
    assert people.of("dealer:D-2", 9)[0] == []

    def lost(_topic: object, _seconds: float) -> list[Any]:
        raise LedgerUnusable("topic", "it ends before", "look")

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("tests.runtime.test_grown_evidence.Tail.take", lost)
        with pytest.raises(LedgerUnusable):
            people.step(0.0)
    assert people.of("dealer:D-1", 9)[1] is None, "what is known by now is not known"
    brokers.made = _states(("dealer:D-3", 1, b"anew"))
    read_all(people, brokers)
    assert people.of("dealer:D-1", 9)[0] == []
    assert people.of("dealer:D-3", 9)[0][0].state == b"anew"


def test_the_furthest_state_of_each_counts_and_pairs_are_found_by_either(followed: Open) -> None:
    pair = "dealer:D-1|player:P-1"
    told = _states(
        ("dealer:D-1", 9, b"far"),
        (pair, 3, b"pair"),
        ("dealer:D-1", 7, b"by a worker that had lost the partition"),
        ("dealer:D-12", 8, b"another"),
        ("player:P-2", 2, b"gone"),
        ("player:P-2", 0, None),
        ("partition/0", 1, b"none of them"),
        ("S-1", 1, b"a table"),
    )
    brokers = Brokers([*told, Message(ANALYSIS, b"player:P-3", b"\xc1 of another program")])
    brokers.upto = len(brokers.made)
    people = followed(brokers)
    read_all(people, brokers)

    def held(name: str, most: int = 9) -> list[tuple[str, bytes]]:
        return [(one.key, one.state) for one in people.of(name, most)[0]]

    assert held("dealer:D-1") == [("dealer:D-1", b"far"), (pair, b"pair")]
    assert held("dealer:D-1", 1) == [("dealer:D-1", b"far")]
    assert held("player:P-1") == [(pair, b"pair")]
    assert [held(name) for name in ("player:P-2", "partition/0", "S-1", "dealer:D")] == [[], [], [], []]
    assert [one.fold for one in people.of("player:P-3", 9)[0]] == [0], "and is no state of this release"
    unread = StoredEvidence(new_store(), people)("patron", "P-3", ()).unread
    assert {"counting", "past_posting"} <= unread, "and the families of patrons say so"
    assert "collusion" not in unread


@contextmanager
def full_disk(room: int) -> Iterator[None]:
    """No file may become longer than `room` bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (room, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def _many(first: int, number: int) -> list[Message]:
    return _states(*((f"dealer:D-{at}", 1, b"a state" * 40) for at in range(first, first + number)))


def test_a_full_disk_is_waited_for_and_then_all_is_read_again(followed: Open, tmp_path: Path) -> None:
    brokers = Brokers(_many(0, 20))
    brokers.upto = 20
    people = followed(brokers)
    read_all(people, brokers)
    assert people.vital().state == "well"
    brokers.made = _many(0, 2_000)
    brokers.upto = 2_000
    with full_disk((tmp_path / "people.db").stat().st_size + 4096):
        for _ in range(3):
            with pytest.raises(sqlite3.Error):
                read_all(people, brokers)
            assert people.vital().state == "failed"
            assert "people.db" in people.vital().told
        assert people.of("dealer:D-1", 9) == ([], None), "nothing is told by halves"
    people.step(0.0)
    assert people.vital().state == "warning", "there is room: all is read again"
    assert "people.db" in people.vital().told
    read_all(people, brokers)
    assert people.vital().state == "well"
    assert [len(people.of(f"dealer:D-{at}", 9)[0]) for at in (0, 19, 1_999)] == [1, 1, 1]


@pytest.mark.parametrize("reader", ["of", "last", "step"])
def test_a_damaged_file_is_made_anew_whoever_finds_the_damage(
    reader: str, followed: Open, tmp_path: Path
) -> None:
    brokers, file = Brokers(_many(0, 500)), tmp_path / "people.db"
    brokers.upto = 500
    people = followed(brokers)
    read_all(people, brokers)
    file.write_bytes(b"no database" * (file.stat().st_size // 11))
    if reader == "step":
        brokers.made = _many(0, 600)
        brokers.upto = 600
        with pytest.raises(sqlite3.Error):
            read_all(people, brokers)
        assert people.vital().state == "failed"
    elif reader == "last":
        assert people.last("dealer:D-3") == (None, None)
    else:
        assert people.of("dealer:D-3", 9) == ([], None)
    assert people.vital().state != "well"
    read_all(people, brokers)
    assert [one.key for one in people.of("dealer:D-3", 9)[0]] == ["dealer:D-3"]
    assert people.vital().state == "well"


def test_whoever_follows_goes_on_behind_any_trouble_of_the_file(followed: Open, tmp_path: Path) -> None:
    brokers, file = Brokers(_many(0, 3)), tmp_path / "people.db"
    brokers.upto = 3
    file.mkdir()  # so that no file can be made
    people, ended = followed(brokers), threading.Event()
    thread = threading.Thread(target=people.follow, args=(ended,))
    thread.start()
    try:
        until(lambda: people.vital().state == "failed", people.vital)
        file.rmdir()
        until(lambda: len(people.of("dealer:D-2", 9)[0]) == 1, people.vital)
    finally:
        ended.set()
        thread.join()


def test_the_health_of_reading_is_told_as_it_is(followed: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    brokers, clock = Brokers(_many(0, 20)), TickingClock()
    brokers.upto = 20
    people = followed(brokers, clock=clock)
    people.step(0.0)
    assert people.vital().state == "warning"
    assert "13 states wait" in people.vital().told
    read_all(people, brokers)
    assert people.vital().state == "well"
    brokers.made = _many(0, 400)
    brokers.upto = 400
    for _ in range(20):
        people.step(0.0)
    assert people.vital().state == "warning", "it is behind for long"
    read_all(people, brokers)
    clock.now += STUCK
    assert people.vital().state == "failed"
    assert "nothing was asked for" in people.vital().told
    people.step(0.0)
    assert people.vital().state == "well"

    def away(_topic: object, _seconds: float) -> list[Any]:
        raise LedgerError("brokers", "do not answer", "wait")

    monkeypatch.setattr("tests.runtime.test_grown_evidence.Tail.take", away)
    with pytest.raises(LedgerError):
        people.step(0.0)
    assert people.vital().state == "failed"
    assert "do not answer" in people.vital().told

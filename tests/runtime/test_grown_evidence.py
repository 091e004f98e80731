"""Suspicions that wait below the budget page once their evidence has grown: on the topics as in one process."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from dashboards.desk.desk import Desk
from dashboards.suspicions.suspicions import evidence_of
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.alerting import Raising, alerts_of
from deploy.console.alerting_topic import TopicAlerting
from deploy.console.paging import Paging
from deploy.evidence.followed import FollowedPeople
from deploy.evidence.grown import GrownEvidence
from processors.detectors.paging import Budget
from processors.runtime.analyst.partition import PartitionTally
from processors.runtime.brokers.claimed import ClaimedTables
from processors.runtime.brokers.records import Message, Taken
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.watch.metrics import WorkerMetrics
from producers.log import EventLog
from schemas.answers import FOLD_VERSION
from schemas.findings import Finding
from schemas.messages import FindingMessage
from schemas.topics import ANALYSIS, FINDINGS, OBSERVATIONS, SNAPSHOTS, WRITERS, Topic
from tests.detectors.worlds import changed, dropped, mispaid, table
from tests.embedded.ledgers import new_store
from tests.embedded.test_people import in_order_of_time, ledger_of
from tests.runtime.topics import folded_topics

NAMES = ("S-1", "S-2", "S-3")
# Between the evidence with which each is raised and that which it comes to.
PEOPLE, MACHINES = "pattern.dealer_mispay.for_patrons", "pattern.sensor_health"
_read = msgspec.json.Decoder(FindingMessage).decode


def streams() -> dict[str, Sequence[bytes]]:
    people = (changed(table(n, 70), mispaid(0.05, n + 7, way="patrons")) for n in (1, 2))
    return dict(zip(NAMES, (*people, changed(table(3, 70), dropped("card_placed", 0.05, 1))), strict=True))


def read_finding(value: bytes) -> Finding:
    """The finding of a record of the topic of findings."""
    return _read(value).finding


class Told(NamedTuple):
    key: bytes | None
    value: bytes | None
    timestamp: int = 0
    partition: int = 0
    offset: int = 0


class Brokers:
    """What all topics hold, in the order of its making; `upto` is how much of it has been made.

    `written` are the milliseconds at which all of it was written.
    """

    def __init__(self, made: Sequence[Message]) -> None:
        self.made, self.upto, self.written = made, 0, 0
        self.opened: list[Tail] = []

    def tail(self, topic: Topic) -> Tail:
        self.opened.append(Tail(self, topic))
        return self.opened[-1]


class Tail:
    """A topic followed from its first record on, a few records at a time."""

    fold = 1

    def __init__(self, brokers: Brokers, topic: Topic) -> None:
        self._brokers, self._topic, self._at = brokers, topic, 0
        self.told = 0

    @property
    def behind(self) -> int:
        return sum(one.topic is self._topic for one in self._brokers.made[self._at : self._brokers.upto])

    def take(self, _seconds: float) -> list[Told]:
        taken: list[Told] = []
        while self._at < self._brokers.upto and len(taken) < 7:
            one = self._brokers.made[self._at]
            self._at += 1
            if one.topic is self._topic:
                taken.append(Told(one.key, one.value, self._brokers.written, 0, self._at - 1))
        self.told += len(taken)
        return taken

    def back_to(self, offsets: Mapping[int, int]) -> None:
        self._at = min(self._at, *offsets.values())

    def close(self) -> None:
        """A tail that was closed is not read again."""
        self._at = len(self._brokers.made)


@pytest.fixture(scope="module")
def ledger() -> EventLog:
    return ledger_of(list(in_order_of_time(streams())))


@pytest.fixture(scope="module")
def made(ledger: EventLog) -> list[Message]:
    """Claims of three tables, then what fold and analyst write, in order."""
    analyst, messages = PartitionTally(0), [Message(WRITERS, name.encode(), b"{}") for name in NAMES]
    topics = {topic.name: topic for topic in (FINDINGS, SNAPSHOTS)}
    for number, record in enumerate(folded_topics(ledger, 400, observations=True)):
        messages += _of(record, topics)
        if record.place[0] in (FINDINGS.name, OBSERVATIONS.name):
            analyst.take(record)
        if number % 200 == 199:
            messages += _flushed(analyst)
    return messages + _flushed(analyst)


def _of(record: Taken, topics: dict[str, Topic]) -> list[Message]:
    topic = topics.get(record.place[0])
    return [] if topic is None else [Message(topic, record.key or b"", record.value or b"")]


def _flushed(analyst: PartitionTally) -> list[Message]:
    found = [*analyst.people.suspicions(), *analyst.messages()]
    analyst.sent()
    return [one for one in found if one.topic in (FINDINGS, ANALYSIS)]


@pytest.fixture(scope="module")
def grown(ledger: EventLog) -> dict[str, tuple[float, float]]:
    """By check of a suspicion, the evidence with which it is raised and the most that it comes to."""
    with closing(new_store()) as store:
        fold = EmbeddedFold(ledger, store)
        fold.catch_up()
        rows = store.query("SELECT record FROM findings FINAL WHERE verdict = 'suspected'")
        found = [msgspec.json.decode(record, type=Finding) for (record,) in rows]
        return {one.check: (evidence_of(one), fold.evidence(one)) for one in found}


@pytest.fixture
def desks(tmp_path: Path) -> Iterator[list[SqliteDeskLog]]:
    logs = [SqliteDeskLog(tmp_path / f"desk{number}.db") for number in range(3)]
    yield logs
    for log in logs:
        log.close()


def _now() -> dt.datetime:
    return dt.datetime.now(dt.UTC)


class FollowingConsole:
    """The alerting of one console, and the people whom the console follows."""

    def __init__(self, brokers: Brokers, log: SqliteDeskLog, budget: Budget, file: Path) -> None:
        self.people = FollowedPeople(lambda _fold: brokers.tail(ANALYSIS), lambda: FOLD_VERSION, file, _now)
        self.alerting = TopicAlerting(
            brokers.tail(FINDINGS),
            Desk(log, _now),
            WorkerMetrics("console"),
            turn=0.0,
            budget=budget,
            evidence=GrownEvidence(self.people, lambda: brokers.tail(SNAPSHOTS)),
            tables=ClaimedTables(brokers.tail(WRITERS)).read,
            weigh_every=0.0,
        )

    def steps(self, times: int = 4) -> None:
        """Follow people and findings; people a little further."""
        for _ in range(times):
            for _ in range(20):
                self.people.step(0.0)
            self.alerting.step(lambda _seconds: None)


@pytest.fixture
def console(tmp_path: Path) -> Iterator[Callable[..., FollowingConsole]]:
    """Starts a console; each is as new."""
    started: list[FollowingConsole] = []

    def start(brokers: Brokers, log: SqliteDeskLog, budget: Budget) -> FollowingConsole:
        started.append(FollowingConsole(brokers, log, budget, tmp_path / f"people{len(started)}.db"))
        return started[-1]

    yield start
    for one in started:
        one.people.close()


def _suspected(log: SqliteDeskLog) -> set[str]:
    return {one.id for one in Desk(log, _now).of_checks("pattern.") if one.finding.verdict == "suspected"}


def test_what_waits_pages_when_its_evidence_has_grown_and_a_restart_or_one_process_pages_the_same(
    ledger: EventLog,
    made: list[Message],
    grown: dict[str, tuple[float, float]],
    desks: list[SqliteDeskLog],
    console: Callable[..., FollowingConsole],
) -> None:
    machines = next(check for check in grown if check.startswith(MACHINES))
    levels = {"dealer_mispay": grown[PEOPLE], "sensor_health": grown[machines]}
    for first, most in levels.values():
        assert most > 9 * first, "else this says nothing"
    # Whether the hour falls in one shift of the record or in two: it pages only once its evidence has grown.
    own = {name: len(NAMES) / (2.2 * first) / 2 for name, (first, _) in levels.items()}
    budget = Budget(2 * sum(own.values()), own)
    brokers = Brokers(made)
    started = console(brokers, desks[0], budget)
    raised: dict[str, int] = {}
    paged: dict[str, int] = {}
    for upto in range(50, len(made) + 50, 50):
        for one in made[brokers.upto : upto]:
            if one.topic is FINDINGS and (found := _read(one.value).finding).check in (PEOPLE, machines):
                raised.setdefault(found.finding_id, upto)
        brokers.upto = min(upto, len(made))
        started.steps()
        for each in _suspected(desks[0]):
            paged.setdefault(each, upto)
        if upto // 50 % 7 == 0:
            started = console(brokers, desks[0], budget)  # killed, and started again
    started.steps(160)
    assert set(raised) == _suspected(desks[0]), "each pages in the end, and once: a second raise is refused"
    assert all(paged.get(one, len(made)) > at for one, at in raised.items()), "and none as it was raised"
    late = console(brokers, desks[1], budget)
    late.steps(320)
    assert _suspected(desks[1]) == _suspected(desks[0]), "a console that comes late pages the same"
    with closing(new_store()) as store:
        fold = EmbeddedFold(ledger, store)
        raising = Raising(Desk(desks[2], _now), Paging(budget, lambda: len(fold.tables)))
        while (folded := fold.fold(200)).events:
            raising.raise_alerts(alerts_of(folded.decided))
            raising.raise_grown(fold.evidence)
    assert _suspected(desks[2]) == _suspected(desks[0]), "one process pages the same"


def test_a_budget_that_the_evidence_never_reaches_pages_nothing(
    made: list[Message],
    grown: dict[str, tuple[float, float]],
    desks: list[SqliteDeskLog],
    console: Callable[..., FollowingConsole],
) -> None:
    most = max(evidence for _, evidence in grown.values())
    brokers = Brokers(made)
    brokers.upto = len(made)
    started = console(brokers, desks[0], Budget(1 / most))
    started.steps(160)
    assert _suspected(desks[0]) == set()
    assert {one.check for one in started.alerting.paging.waiting} == set(grown)

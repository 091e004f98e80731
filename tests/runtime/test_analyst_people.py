"""Suspicions about people on the topics: those of replay, whatever ends an analyst and whatever comes twice."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence

import msgspec
import pytest

from processors.detectors.shapes import Observation
from processors.runtime.analyst.driver import AnalystDriver, AnalystOptions
from processors.runtime.analyst.partition import Entry, PartitionTally
from processors.runtime.brokers.records import LedgerRecord, Message, Place, Taken
from processors.runtime.reconcile.counters import Counted
from processors.runtime.reconcile.reconciler import Reconciler
from processors.runtime.reconcile.topics_again import PeopleAgain
from processors.runtime.sink.intake import Intake
from processors.runtime.watch.health import Health
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.findings import Finding
from schemas.messages import FindingMessage, ObservationMessage
from schemas.topics import ANALYSIS, FINDINGS, OBSERVATIONS, ROUNDS
from schemas.warehouse import RELATIONS
from tests.detectors.worlds import weighed
from tests.embedded.ledgers import new_store
from tests.embedded.test_people import in_order_of_time, ledger_of, passed, streams
from tests.runtime.test_analyst import Group as CountingGroup
from tests.runtime.topics import Crash, folded_topics

_read = msgspec.json.Decoder(FindingMessage).decode


class Outbox:
    """Keeps what is sent; may end the process before, within or after its n-th sending."""

    def __init__(self, left: int = 0, how: str = "before") -> None:
        self.left, self.how = left, how
        self.raised: list[FindingMessage] = []
        self.states: list[Entry] = []

    async def send(self, messages: Sequence[Message]) -> None:
        self.left -= 1
        kept = messages
        if self.left == 0:
            kept = {"before": messages[:0], "half of it": messages[: len(messages) // 2]}.get(
                self.how, messages
            )
        self.keep(kept)
        if self.left == 0:
            raise Crash

    def keep(self, messages: Iterable[Message]) -> None:
        for message in messages:
            if message.topic is FINDINGS:
                self.raised.append(_read(message.value))
            elif message.topic is ANALYSIS:
                self.states.append((message.key, message.value))

    async def read(self, partition: int) -> list[Entry]:
        return list(self.states)

    def found(self) -> list[Finding]:
        """What was raised, each once, as a sink stores it."""
        return [one.finding for one in {one.finding.finding_id: one for one in self.raised}.values()]


class Group(CountingGroup):
    @property
    def assignment(self) -> frozenset[Place]:
        return frozenset((topic, 0) for topic in (ROUNDS.name, FINDINGS.name, OBSERVATIONS.name))


def weigh(group: Group, outbox: Outbox) -> None:
    """An analyst until nothing is left."""
    options = AnalystOptions(records=60, linger_seconds=0.0)

    async def work() -> None:
        driver = AnalystDriver(group, outbox, outbox.read, WorkerMetrics("analyst"), Health(), options)
        for _ in range(1_000):
            await driver.step()
            if not group._left:
                break
        await driver.flush()

    asyncio.run(work())


def by_id(findings: Iterable[Finding]) -> list[Finding]:
    return sorted(findings, key=lambda one: one.finding_id)


@pytest.fixture(scope="module")
def records() -> list[Taken]:
    """What the fold writes about two tables, each event in its time."""
    wanted = {ROUNDS.name, FINDINGS.name, OBSERVATIONS.name}
    topics = folded_topics(ledger_of(list(in_order_of_time())), 2_000, observations=True)
    return [one for one in topics if one.place[0] in wanted]


@pytest.fixture(scope="module")
def expected() -> list[Finding]:
    return by_id(weighed(sorted(passed(), key=lambda one: one.order)))


def observations(records: Sequence[Taken]) -> list[Taken]:
    return [one for one in records if one.place[0] == OBSERVATIONS.name]


def renumbered(records: Iterable[Taken]) -> list[Taken]:
    return [one._replace(offset=offset) for offset, one in enumerate(records)]


def test_the_fold_passes_on_what_replay_weighs(records: list[Taken]) -> None:
    told: list[Observation] = []
    for one in observations(records):
        message = msgspec.msgpack.decode(one.value or b"", type=ObservationMessage)
        said = msgspec.msgpack.decode(message.said, type=list[Observation])
        assert {each.key.encode() for each in said} == {one.key}
        told += said
    place = [(one.subject, one.sequence, one.family, one.key, bytes(one.note)) for one in told]
    assert sorted(place) == sorted(
        (one.subject, one.sequence, one.family, one.key, bytes(one.note)) for one in passed()
    )


def test_an_analyst_raises_what_replay_raises_each_with_its_time(
    records: list[Taken], expected: list[Finding]
) -> None:
    outbox = Outbox()
    weigh(Group(records, run=50), outbox)
    assert by_id(outbox.found()) == expected
    assert len(outbox.raised) == len(expected) > 0
    assert {one.property for one in outbox.raised} != {None}
    assert all(one.at.year == 2026 for one in outbox.raised)


@pytest.mark.parametrize("how", ["before", "half of it", "after"])
def test_an_analyst_that_ends_at_any_sending_raises_the_same(
    records: list[Taken], expected: list[Finding], how: str
) -> None:
    for sendings in (1, 2, 7, 8, 12):
        outbox, group = Outbox(sendings, how), Group(records, run=50)
        with pytest.raises(Crash):
            weigh(group, outbox)
        again = Group(records, run=50)
        again.committed = group.committed
        again.restart()
        weigh(again, outbox)
        assert by_id(outbox.found()) == expected, f"sending {sendings}"


def test_what_comes_twice_and_from_a_fold_that_lost_its_table_changes_nothing(
    records: list[Taken], expected: list[Finding]
) -> None:
    told = observations(records)
    third = len(told) // 3
    outbox = Outbox()
    twice = renumbered([*told[: 2 * third], *told[third : 2 * third], *told[third:], *told[:50]])
    weigh(Group(twice, run=70), outbox)
    assert by_id(outbox.found()) == expected
    assert len(outbox.raised) == len(expected)


def test_what_another_version_of_the_fold_made_and_what_nobody_can_read_is_passed_over(
    records: list[Taken], expected: list[Finding]
) -> None:
    told = observations(records)
    decode, encode = msgspec.msgpack.Decoder(ObservationMessage).decode, msgspec.msgpack.encode
    older = [
        one._replace(value=encode(msgspec.structs.replace(decode(one.value or b""), fold=1))) for one in told
    ]
    odd = [
        told[0]._replace(value=b"\xc1"),
        told[1]._replace(key=b"dealer:D-other"),
        told[2]._replace(value=None),
    ]
    tally = PartitionTally(0)
    for one in renumbered([*older, *odd, *told]):
        tally.take(one)
    assert by_id(_read(one.value).finding for one in tally.people.suspicions()) == expected
    assert tally.unreadable == 2


def test_states_that_were_lost_or_written_over_are_made_again_from_the_topic(
    records: list[Taken], expected: list[Finding]
) -> None:
    told = renumbered(observations(records))
    half = len(told) // 2
    house, early, tally = Outbox(), Outbox(), PartitionTally(0)
    for number, one in enumerate(told[:half]):
        tally.take(one)
        if number == half // 2:
            early.keep(tally.messages())
            tally.sent()
    house.keep([*tally.people.suspicions(), *tally.messages()])
    whole = [*early.states, *house.states]
    last = dict(whole)
    for entries, at in (
        (whole, half),
        (list(last.items()), half),
        ([entry for entry in last.items() if entry[0] != b"dealer:D-011"], 0),
        ([*last.items(), *[entry for entry in early.states if entry[0] == b"dealer:D-011"]], half),
        (list((last | dict(early.states[:1])).items()), 0),
    ):
        again = PartitionTally.restore(0, entries)
        assert again.offsets[OBSERVATIONS.name] == at
        for one in told:
            again.take(one)
        found = {one.finding.finding_id: one.finding for one in house.raised}
        found |= {f.finding_id: f for f in (_read(one.value).finding for one in again.people.suspicions())}
        assert by_id(found.values()) == expected


def test_a_comparison_weighs_the_topic_again_and_finds_a_suspicion_that_the_store_lacks(
    records: list[Taken], expected: list[Finding]
) -> None:
    outbox = Outbox()
    weigh(Group(records, run=90), outbox)
    store, intake = new_store(), Intake()
    for one in outbox.raised[1:]:
        intake.take(Taken((FINDINGS.name, 0), 0, None, msgspec.json.encode(one)))
    rows = [(*row[:-1], 1) for row in intake.rows.get("findings", [])]
    store.insert(RELATIONS["findings"], rows)
    into = Reconciler(store)
    PeopleAgain(0, into, Counted()).take(
        LedgerRecord(0, one.offset, one.key, one.value) for one in observations(records)
    )
    into.cut()
    lacking = [(one.relation, one.subject, one.kind) for one in into.finish().stretches]
    assert lacking == [("findings", outbox.raised[0].finding.subject, "missing")]
    assert streams()

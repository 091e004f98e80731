"""The analyst: it counts what a plain sum over the rounds gives, whatever ends it and whatever comes twice."""

from __future__ import annotations

import asyncio
import datetime as dt
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import pytest

from processors.runtime.analyst.driver import AnalystDriver, AnalystOptions
from processors.runtime.analyst.partition import Entry
from processors.runtime.brokers.records import Message, Place, Taken
from processors.runtime.sink.intake import Intake
from processors.runtime.watch.health import Health
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import ANALYSIS, COUNTERS, FINDINGS, ROUNDS
from schemas.warehouse import RELATIONS
from tests.runtime.topics import AT, Crash, FakeGroup, folded_topics, ledger_of

NAMES = ("breach_masque_wrong", "breach_surrender_after_hit", "irregular_two_gaming_days")
Counted = dict[tuple[Any, ...], dict[str, int]]


@pytest.fixture(scope="module")
def records() -> list[Taken]:
    """Rounds and findings of three tables; one of them has two gaming days."""
    return [
        one for one in folded_topics(ledger_of(NAMES, 1200)) if one.place[0] in (ROUNDS.name, FINDINGS.name)
    ]


@pytest.fixture(scope="module")
def expected(records: list[Taken]) -> Counted:
    return plainly(records)


def plainly(records: Sequence[Taken]) -> Counted:
    """Sums over the messages as JSON, without the types and the code under test."""
    rounds = [msgspec.json.decode(one.value or b"") for one in records if one.place[0] == ROUNDS.name]
    findings = [
        msgspec.json.decode(one.value or b"")["finding"] for one in records if one.place[0] == FINDINGS.name
    ]
    sums: Counted = defaultdict(lambda: defaultdict(int))
    grains: dict[str, list[tuple[int, int, tuple[Any, ...]]]] = defaultdict(list)
    for told in {one["round"]["head"]: one for one in rounds}.values():
        result = told["round"]
        grain = (
            told["property"], result["gaming_day"], result["subject"], result["ruleset"], told["dealer"]
        )  # fmt: skip
        grains[result["subject"]].append((result["first_sequence"], result["last_sequence"], grain))
        row = sums[grain]
        row["rounds"] += 1
        row["rounds_breached"] += result["status"] == "breached"
        row["hands"] += len(set(result["hands"]) - {"D"})
        row["net_cents"] += result["net_cents"]
        for stake in result["stakes"]:
            row["stakes"] += 1
            row["handle_cents"] += stake["staked_cents"]
            seen, due = stake["observed"], stake["expected"]
            if seen and due:
                gain = {"pay": 1, "collect": -1, "return": 0}
                off = gain[seen["outcome"]] * seen["cents"] - gain[due["outcome"]] * due["cents"]
                row["judged"] += 1
                row["overpaid"] += off > 0
                row["underpaid_cents"] += max(0, -off)
    for finding in {one["finding_id"]: one for one in findings}.values():
        mine = sorted(grains[finding["subject"]])
        if finding["sequence"] <= mine[-1][1]:
            before = [one for one in mine if one[0] <= finding["sequence"]] or mine[:1]
            sums[before[-1][2]][finding["verdict"]] += 1
    return sums


class Outbox:
    """Keeps what is sent; may end the process before or after its n-th sending."""

    def __init__(self) -> None:
        self.counters: dict[bytes, bytes] = {}
        self.history: list[bytes] = []
        self.states: dict[int, list[Entry]] = defaultdict(list)
        self.left, self.after, self.partly, self.largest = 0, False, False, 0

    async def send(self, messages: Sequence[Message]) -> None:
        self.left -= 1
        if self.left == 0 and not self.after:
            self._keep(messages[: len(messages) // 2] if self.partly else ())
            raise Crash
        self._keep(messages)
        if self.left == 0:
            raise Crash

    def _keep(self, messages: Iterable[Message]) -> None:
        for message in messages:
            if message.topic is COUNTERS:
                assert message.key is not None
                self.counters[message.key] = message.value
                self.history.append(message.value)
            else:
                assert message.topic is ANALYSIS
                self.largest = max(self.largest, len(message.value))
                self.states[message.partition or 0].append((message.key, message.value))

    async def read(self, partition: int) -> list[Entry]:
        return self.states[partition]


class Group(FakeGroup):
    """A group that may be told where to go on; it forgets commits, as a group whose commits were lost."""

    held: frozenset[Place] = frozenset()

    @property
    def assignment(self) -> frozenset[Place]:
        return frozenset({(ROUNDS.name, 0), (FINDINGS.name, 0)})

    def hold(self, places: Iterable[Place]) -> None:
        self.held = frozenset(places)

    async def waiting(self, place: Place) -> bool:
        return any(one.place == place for one in self._left)

    async def take(self, most: int, wait: float) -> Sequence[Taken]:
        now = [one for one in self._left if one.place not in self.held][: min(most, self._run)]
        taken = set(map(id, now))
        self._left = [one for one in self._left if id(one) not in taken]
        self._at |= {one.place: one.offset + 1 for one in now}
        self.delivered += len(now)
        self.taken += 1
        return now

    async def commit(self, offsets: Any) -> None:
        self.committed.update(offsets)


def count(group: Group, outbox: Outbox, options: AnalystOptions | None = None) -> None:
    """Run an analyst until nothing is left."""

    async def work() -> None:
        driver = AnalystDriver(
            group,
            outbox,
            outbox.read,
            WorkerMetrics("analyst"),
            Health(),
            options or AnalystOptions(linger_seconds=0.0),
        )
        for _ in range(10_000):
            await driver.step()
            if not group._left:
                await driver.flush()
                return
        raise AssertionError("never done")

    asyncio.run(work())


def counted(outbox: Outbox) -> Counted:
    sums: Counted = {}
    for value in outbox.counters.values():
        row = msgspec.json.decode(value)
        grain = (row["property"], row["gaming_day"], row["subject"], row["ruleset"], row["dealer"])
        sums[grain] = row
    return sums


def agree(outbox: Outbox, expected: Counted) -> None:
    found = counted(outbox)
    assert found.keys() == expected.keys()
    for grain, row in expected.items():
        assert {name: found[grain][name] for name in row} == dict(row), grain
        assert found[grain]["covers"] == found[grain]["rounds"] + sum(
            found[grain][verdict] for verdict in ("breached", "indeterminate", "interpretation", "suspected")
        )


def test_counters_are_the_plain_sums_over_rounds_and_findings(
    records: list[Taken], expected: Counted
) -> None:
    outbox = Outbox()
    count(Group(records), outbox)
    agree(outbox, expected)
    assert len({grain[1] for grain in expected}) > 1, "more than one gaming day"
    assert sum(row["breached"] for row in expected.values()) > 0
    assert sum(row["overpaid"] + row["underpaid_cents"] for row in expected.values()) >= 0


@pytest.mark.parametrize("first", [ROUNDS.name, FINDINGS.name])
def test_either_topic_may_be_read_to_its_end_before_the_other(
    records: list[Taken], expected: Counted, first: str
) -> None:
    ordered = sorted(records, key=lambda one: one.place[0] != first)
    outbox = Outbox()
    count(Group(ordered), outbox)
    agree(outbox, expected)


@pytest.mark.parametrize("how", ["before", "half of it", "after"])
def test_a_crash_at_every_sending_counts_everything_once(
    records: list[Taken], expected: Counted, how: str
) -> None:
    crashes = repeated = 0
    for sendings in range(1, 100):
        outbox, group = Outbox(), Group(records, run=4)
        outbox.left, outbox.after, outbox.partly = sendings, how == "after", how == "half of it"
        try:
            count(group, outbox)
        except Crash:
            crashes += 1
            again = Group(records, run=4)
            again.committed = dict(group.committed)
            count(again, outbox)
            repeated += group.delivered + again.delivered - len(records)
            agree(outbox, expected)
            continue
        break
    assert crashes > 5
    assert repeated > 0 or how == "after"


def test_what_a_fold_sends_again_after_a_crash_is_counted_once(
    records: list[Taken], expected: Counted
) -> None:
    dice = random.Random(1)
    ends = {name: sum(one.place[0] == name for one in records) for name in (ROUNDS.name, FINDINGS.name)}
    doubled: list[Taken] = []
    for name in ends:
        mine = [one for one in records if one.place[0] == name]
        for start in range(0, len(mine), 25):
            run = mine[start : start + 25]
            doubled += run + run[-dice.randint(1, 25) :]
    renumbered: list[Taken] = []
    offsets: dict[Place, int] = defaultdict(int)
    for one in doubled:
        renumbered.append(one._replace(offset=offsets[one.place]))
        offsets[one.place] += 1
    assert len(renumbered) > len(records) + 10
    outbox = Outbox()
    count(Group(renumbered), outbox)
    agree(outbox, expected)


def test_counters_only_ever_cover_more_and_the_store_keeps_the_last(
    records: list[Taken], expected: Counted
) -> None:
    outbox = Outbox()
    count(Group(records, run=15), outbox)
    seen: dict[tuple[Any, ...], int] = {}
    for value in outbox.history:
        row = msgspec.json.decode(value)
        grain = (row["property"], row["gaming_day"], row["subject"], row["ruleset"], row["dealer"])
        assert row["covers"] > seen.get(grain, 0)
        seen[grain] = row["covers"]
    intake = Intake()
    for offset, value in enumerate(outbox.history):
        intake.take(Taken((COUNTERS.name, 0), offset, b"k", value, (), AT))
    RELATIONS["counters"].refuse_misfits(intake.rows["counters"])
    assert intake.rows["counters"][0][1] == dt.date.fromisoformat(sorted(expected)[0][1])


def test_a_rebalance_goes_back_to_the_durable_state(records: list[Taken], expected: Counted) -> None:
    async def stormy(group: Group, outbox: Outbox) -> None:
        options = AnalystOptions(linger_seconds=0.0, records=100)
        driver = AnalystDriver(group, outbox, outbox.read, WorkerMetrics("analyst"), Health(), options)
        for step in range(10_000):
            await driver.step()
            if step % 5 == 2 and step < 40:
                group.restart()
            if not group._left:
                await driver.flush()
                if not group._left:
                    return

    outbox, group = Outbox(), Group(records, run=30)
    asyncio.run(stormy(group, outbox))
    agree(outbox, expected)


def test_a_message_that_nobody_can_read_stops_nobody(records: list[Taken], expected: Counted) -> None:
    poison = [
        Taken((ROUNDS.name, 0), 0, b"k", b"{}", (), AT),
        Taken((FINDINGS.name, 0), 0, b"k", None, (), AT),
    ]
    shifted = [one._replace(offset=one.offset + 1) for one in records]
    outbox = Outbox()
    count(Group([*poison, *shifted]), outbox)
    agree(outbox, expected)

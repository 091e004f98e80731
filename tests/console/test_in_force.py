"""What a console shows and raises when another version of the fold is put in force, without a restart."""

from __future__ import annotations

import asyncio
import datetime as dt
import threading
from typing import Any, NamedTuple

import msgspec
import pytest

from dashboards.desk.desk import Desk
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.alerting_topic import TopicAlerting
from deploy.console.in_force import FindingsInForce, InForce, LagInForce, NewerInForce, StoreInForce
from processors.runtime.brokers.lag import Lag
from processors.runtime.watch.metrics import WorkerMetrics
from producers.log import LedgerError
from schemas.answers import FOLD_VERSION
from schemas.findings import Finding
from schemas.fold_versions import Switched, encoded
from schemas.messages import FindingMessage
from tests.console.conftest import Clock
from tests.console.desk_building import T0, a_finding

OLDER, NOW = FOLD_VERSION - 1, FOLD_VERSION


class Told(NamedTuple):
    value: bytes | None
    timestamp: int = 0


class Topic:
    """A topic in memory, given out some records at a time."""

    def __init__(self, *values: bytes, at_once: int = 100) -> None:
        self.left = [Told(value) for value in values]
        self.at_once = at_once
        self.away = self.closed = False

    @property
    def behind(self) -> int:
        return len(self.left)

    def take(self, _seconds: float) -> list[Any]:
        if self.away:
            raise LedgerError("topic", "nobody answers", "wait")
        taken, self.left = self.left[: self.at_once], self.left[self.at_once :]
        return taken

    def close(self) -> None:
        self.closed = True


def switched(fold: int, before: int) -> bytes:
    return encoded(Switched(fold=fold, before=before, at=dt.datetime(2026, 1, 1, tzinfo=dt.UTC), by="ito"))


def in_force(topic: Topic) -> InForce:
    return InForce(topic, WorkerMetrics("console"))


def test_nothing_is_known_before_the_topic_was_read_to_its_end() -> None:
    topic = Topic(switched(OLDER, 0), switched(NOW, OLDER), at_once=1)
    one = in_force(topic)
    one.step(0)
    assert not one.known, "the older one was in force once"
    assert "not read yet" in str(one.trouble)
    one.step(0)
    assert (one.fold, str(one.trouble)) == (NOW, "None")
    assert in_force(topic).known is False


def test_an_empty_topic_leaves_the_release_s_own_version_in_force() -> None:
    one = in_force(Topic())
    one.step(0)
    assert (one.known, one.fold) == (True, NOW)


def test_brokers_that_are_away_are_told_and_change_nothing() -> None:
    topic = Topic(switched(OLDER, 0))
    one = in_force(topic)
    one.step(0)
    topic.away = True
    ended = threading.Event()
    thread = threading.Thread(target=one.follow, args=(ended,))
    thread.start()
    until = 200
    while one.trouble is None and until:
        until -= 1
        ended.wait(0.02)
    ended.set()
    thread.join(5)
    assert "nobody answers" in (one.trouble or "")
    assert one.fold == OLDER


def test_a_version_that_this_release_does_not_know_ends_the_console_with_what_to_start() -> None:
    one = in_force(Topic(switched(NOW, 0), switched(NOW + 1, NOW)))
    with pytest.raises(
        NewerInForce, match=f"fold {NOW + 1} is in force.*start the consoles of the newer release"
    ):
        one.follow(threading.Event())


class Store:
    def __init__(self, fold: int) -> None:
        self.fold = fold
        self.closed = False

    def query(self, _sql: str, _parameters: object = None) -> list[tuple[Any, ...]]:
        return [(self.fold,)]

    async def measure(self) -> Lag:
        return Lag(rows=(), absent=(str(self.fold),))

    async def stop(self) -> None:
        self.closed = True

    def close(self) -> None:
        self.closed = True


def test_records_and_lag_are_those_of_the_version_in_force_and_each_is_opened_once() -> None:
    fold, opened = [OLDER], list[Store]()

    def open_one(number: int) -> Store:
        opened.append(Store(number))
        return opened[-1]

    store = StoreInForce(open_one, lambda: fold[0])
    assert [store.query("q"), store.query("q")] == [[(OLDER,)], [(OLDER,)]]
    fold[0] = NOW
    assert store.query("q") == [(NOW,)]
    fold[0] = OLDER
    assert store.query("q") == [(OLDER,)]
    assert [one.fold for one in opened] == [OLDER, NOW]
    store.close()
    assert all(one.closed for one in opened)

    opened.clear()
    lag = LagInForce(open_one, lambda: fold[0])

    async def look() -> list[Lag]:
        first = await lag.measure()
        fold[0] = NOW
        both = [first, await lag.measure()]
        await lag.stop()
        return both

    assert [one.absent for one in asyncio.run(look())] == [(str(OLDER),), (str(NOW),)]
    assert all(one.closed for one in opened)


def told(finding: Finding) -> bytes:
    return msgspec.json.encode(FindingMessage(property="Parkside", at=T0, finding=finding))


def renamed(finding: Finding, letter: str = "f") -> Finding:
    """The same matter as another version of the fold would tell it."""
    return msgspec.structs.replace(finding, finding_id=letter * 32, message="In other words.")


class Switching:
    """A desk, and the findings of two versions of which one is in force."""

    def __init__(self, desk: Desk, old: list[Finding], new: list[Finding]) -> None:
        self.fold = OLDER
        values = {OLDER: [told(one) for one in old], NOW: [told(one) for one in new]}
        self.desk = desk
        self.topic = FindingsInForce(lambda fold: Topic(*values[fold]), lambda: self.fold)
        self.alerting = TopicAlerting(self.topic, desk, WorkerMetrics("console"), turn=0.0)

    def raised(self) -> list[str]:
        self.alerting.step(lambda _seconds: None)
        return [alert.id for alert in self.desk.snapshot().alerts]


@pytest.fixture
def desk(log: SqliteDeskLog, clock: Clock) -> Desk:
    return Desk(log, clock)


def test_behind_the_switch_what_both_versions_find_has_its_alert_and_what_is_new_is_raised(
    desk: Desk,
) -> None:
    both, gone, new = a_finding(1), a_finding(2), a_finding(3)
    found = Switching(desk, [both, gone], [both, new])
    assert found.raised() == [both.finding_id, gone.finding_id]
    found.fold = NOW
    assert found.raised() == [both.finding_id, gone.finding_id, new.finding_id]


def test_one_matter_under_two_ids_is_one_alert_also_for_consoles_that_start_later(desk: Desk) -> None:
    one = a_finding(1)
    found = Switching(desk, [one], [renamed(one)])
    assert found.raised() == [one.finding_id]
    found.fold = NOW
    assert found.raised() == [one.finding_id]
    again = Switching(desk, [one], [renamed(one)])
    again.fold = NOW
    assert again.raised() == [one.finding_id]
    again.fold = OLDER
    assert again.raised() == [one.finding_id]


def test_a_second_finding_of_the_matter_that_only_the_new_version_has_is_raised(desk: Desk) -> None:
    one = a_finding(1)
    found = Switching(desk, [one], [renamed(one, "e"), one])
    found.raised()
    found.fold = NOW
    assert found.raised() == [one.finding_id, "e" * 32], "the alert is that of the finding told behind it"
    more = Switching(desk, [one], [renamed(one, "e"), one, renamed(one, "d")])
    more.fold = NOW
    assert more.raised() == [one.finding_id, "e" * 32, "d" * 32]


def test_a_finding_of_a_late_console_of_the_old_version_is_not_raised_again(desk: Desk) -> None:
    """A console that has not read the switch yet tells the matter that another has raised in the new words."""
    one = a_finding(1)
    late, early = Switching(desk, [one], []), Switching(desk, [], [renamed(one)])
    early.fold = NOW
    assert early.raised() == ["f" * 32]
    assert late.raised() == ["f" * 32]


def test_two_findings_of_one_version_about_one_event_are_two_alerts(desk: Desk) -> None:
    one = a_finding(1)
    found = Switching(desk, [one, renamed(one)], [])
    assert found.raised() == [one.finding_id, "f" * 32]

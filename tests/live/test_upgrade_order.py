"""Evidence of a new version of the fold put into the old order on real brokers, also when that is ended midway."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pytest
from msgspec import structs

from deploy.configured.kafka import connection
from deploy.errors import UserError
from deploy.settings import Settings
from deploy.upgrade.ordering import EvidenceOrdered, order
from deploy.upgrade.switching import name_the_first
from producers.copies.held_topic import HeldTopic, TopicWriter
from producers.copies.topic_copy import TopicRecord
from producers.kafka.topics import Form, TopicAdmin, declared
from schemas.answers import FOLD_VERSION
from schemas.topics import ANALYSIS, OBSERVATIONS, TOPICS, Topic
from tests.live.releases import NEXT
from tests.producers.test_weighing_order import Told, read, topic

OLD = [Told("d", table, event) for event in range(1, 41) for table in ("A", "B")]
NEW = [Told("d", table, event) for table in ("B", "A") for event in range(1, 43)]
ORDERED = [*OLD[:-2], *(Told("d", table, event) for table in ("A", "B") for event in (40, 41, 42))]


def put(
    settings: Settings, fold: int, of: Topic, records: Iterable[TopicRecord], *, in_place: bool = True
) -> None:
    brokers = structs.replace(connection(settings), fold=fold)
    name = brokers.topic(of)
    with TopicAdmin(brokers) as admin, admin.keeping_times([name]), closing(TopicWriter(brokers)) as writer:
        writer.put(name, 1, records, lambda _number: None, in_place=in_place)


def told(settings: Settings, fold: int) -> list[TopicRecord]:
    """What partition 1 holds; the others hold nothing."""
    with closing(HeldTopic(structs.replace(connection(settings), fold=fold), OBSERVATIONS)) as held:
        held.hold()
        assert [held.ends[one] for one in held.partitions if one != 1] == [0, 0]
        return list(held.records(1))


@pytest.fixture
def settings(applied_topics: list[Form], live_settings: Settings, tmp_path: Path) -> Settings:
    """Two versions: the old one in force, and both have told their evidence."""
    assert len(applied_topics) == len(TOPICS)
    settings = structs.replace(live_settings, data=str(tmp_path / "data"))
    name_the_first(settings, "ito")
    with TopicAdmin(connection(settings)) as admin:
        of_fold = [one for one in TOPICS if one.by_fold]
        admin.apply([declared(one, settings.kafka_prefix, 3, 1, NEXT) for one in of_fold])
    put(settings, FOLD_VERSION, OBSERVATIONS, topic(OLD, FOLD_VERSION))
    put(settings, NEXT, OBSERVATIONS, topic(NEW, NEXT))
    return settings


def test_the_new_version_has_the_old_order_in_a_topic_as_it_is_declared(settings: Settings) -> None:
    before = {(one.key, one.value) for one in told(settings, NEXT)}
    done = order(settings, NEXT, print)
    after = told(settings, NEXT)
    assert read(after) == ORDERED
    assert done == EvidenceOrdered(old=FOLD_VERSION, new=NEXT, observations=len(NEW), moved=done.moved)
    assert done.moved == 42  # all of table A, for B was told first
    assert {(one.key, one.value) for one in after} == before
    assert [one.offset for one in after] == list(range(len(NEW)))
    assert read(told(settings, FOLD_VERSION)) == OLD
    assert list(Path(settings.data).iterdir()) == []
    with TopicAdmin(connection(settings)) as admin:
        assert admin.drifts([declared(OBSERVATIONS, settings.kafka_prefix, 3, 1, NEXT)]) == []
    assert order(settings, NEXT, print).moved == 0


def ended_midway(settings: Settings, written: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command ends when it has written so many records into the topic that it has made anew."""
    whole = TopicWriter.put

    def ends(writer: TopicWriter, name: str, partition: int, records: Iterable[TopicRecord], *_: object,
             in_place: bool) -> None:  # fmt: skip
        if partition == 1:
            whole(writer, name, partition, [*records][:written], lambda _number: None, in_place=in_place)
            raise KeyboardInterrupt

    with monkeypatch.context() as midway:
        midway.setattr(TopicWriter, "put", ends)
        with pytest.raises(KeyboardInterrupt):
            order(settings, NEXT, print)
    assert read(told(settings, NEXT)) == ORDERED[:written]


def test_ended_midway_it_is_done_again_from_the_files(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    for written in (0, 30):
        ended_midway(settings, written, monkeypatch)
        assert order(settings, NEXT, print).observations == len(NEW)
        assert read(told(settings, NEXT)) == ORDERED


def test_ended_midway_it_is_refused_when_somebody_else_has_written_since(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    ended_midway(settings, 30, monkeypatch)
    put(settings, NEXT, OBSERVATIONS, topic(OLD[:1], NEXT), in_place=False)
    with pytest.raises(UserError, match="partition 1 of its observations was written to by somebody else"):
        order(settings, NEXT, print)
    assert len(told(settings, NEXT)) == 31


def test_where_the_order_would_come_too_late_it_is_refused(settings: Settings) -> None:
    with pytest.raises(UserError, match=f"fold {FOLD_VERSION}: it is in force: its order is the order"):
        order(settings, FOLD_VERSION, print)
    with pytest.raises(UserError, match=r"fold 99: it has no topics; found "):
        order(settings, 99, print)
    put(settings, NEXT, ANALYSIS, topic(OLD[:1], NEXT))
    with pytest.raises(UserError, match=f"weighed evidence already; `catwalk upgrade retire {NEXT} --now`"):
        order(settings, NEXT, print)
    assert read(told(settings, NEXT)) == NEW

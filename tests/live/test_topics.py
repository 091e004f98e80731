"""Topics on a real broker: created as declared, done again nothing, every drift named and put right if it can be."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Sequence

import pytest
from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType

from deploy.configured.kafka import connection
from deploy.settings import Settings
from deploy.stack.stack import Stack
from producers.kafka.connection import Connection
from producers.kafka.topics import Drift, Form, TopicAdmin, beside_the_ledger, declared, drifts
from schemas.answers import FOLD_VERSION
from schemas.topics import COUNTERS, DEADLETTER, EVENTS, SNAPSHOTS, TOPICS, Topic
from tests.live.test_stack import catwalk
from tests.waiting import until


def test_topics_are_created_as_declared_and_applying_again_does_nothing(
    live_environment: dict[str, str],
) -> None:
    before = catwalk("topics", "check", environment=live_environment)
    assert before.returncode == 1
    assert before.stdout.count("not there; `catwalk topics apply`") == len(TOPICS)
    first = catwalk("topics", "apply", environment=live_environment)
    assert first.returncode == 0, first.stderr
    assert first.stdout.count("created") == len(TOPICS)
    again = json.loads(catwalk("topics", "apply", "--format", "json", environment=live_environment).stdout)
    assert (again["changed"], again["drift"]) == ([], [])
    assert [topic["name"] for topic in again["topics"]] == [
        topic.named(live_environment["CATWALK_KAFKA_PREFIX"], FOLD_VERSION) for topic in TOPICS
    ]
    assert catwalk("topics", "check", environment=live_environment).returncode == 0


def test_a_table_s_snapshots_and_dead_letters_lie_in_the_partition_of_its_events(
    applied_topics: list[Form], live_settings: Settings
) -> None:
    with TopicAdmin(connection(live_settings)) as admin:
        found = admin.found(form.name for form in applied_topics)
    prefix = live_settings.kafka_prefix
    together = {
        found[topic.named(prefix, FOLD_VERSION)].partitions for topic in (EVENTS, SNAPSHOTS, DEADLETTER)
    }
    assert together == {live_settings.kafka_partitions}
    assert found[SNAPSHOTS.named(prefix, FOLD_VERSION)].settings["cleanup.policy"] == "compact"
    assert found[prefix + EVENTS.name].settings["retention.ms"] == "-1"


def test_a_setting_changed_by_hand_is_named_field_by_field_and_put_right(
    applied_topics: list[Form], live_environment: dict[str, str]
) -> None:
    events = applied_topics[0].name
    admin = KafkaAdminClient(bootstrap_servers=live_environment["CATWALK_KAFKA"])
    wrong = {"retention.ms": "60000", "unclean.leader.election.enable": "true"}
    admin.alter_configs([ConfigResource(ConfigResourceType.TOPIC, events, wrong)])
    admin.close()
    check = until(lambda: failed(catwalk("topics", "check", environment=live_environment)))
    assert check.returncode == 1
    assert check.stdout.splitlines() == [
        f"{events:<28}  retention.ms is 60000, declared -1; `catwalk topics apply`",
        f"{events:<28}  unclean.leader.election.enable is true, declared false; `catwalk topics apply`",
    ]
    apply = catwalk("topics", "apply", environment=live_environment)
    assert apply.returncode == 0
    assert f"{events:<28}  retention.ms 60000 -> -1" in apply.stdout
    assert catwalk("topics", "check", environment=live_environment).returncode == 0


def failed(done: subprocess.CompletedProcess[str]) -> subprocess.CompletedProcess[str] | None:
    """What a command said that found something; None of another: a broker knows some moments later what it was told."""
    return done if done.returncode else None


def test_partitions_of_a_topic_that_is_there_are_never_changed(
    applied_topics: list[Form], live_environment: dict[str, str]
) -> None:
    more = live_environment | {"CATWALK_KAFKA_PARTITIONS": "5"}
    apply = catwalk("topics", "apply", environment=more)
    assert apply.returncode == 1
    assert (
        f"{applied_topics[0].name:<28}  partitions is 3, declared 5; set kafka_partitions to 3"
        in apply.stdout
    )
    assert catwalk("topics", "check", environment=live_environment).returncode == 0


def test_a_topic_that_is_made_later_gets_the_ledgers_partitions_whatever_is_set_and_one_remedy_ends_it(
    applied_topics: list[Form], live_environment: dict[str, str]
) -> None:
    """One cluster told people to set 3, and behind that to set 5, and so on."""
    counters = COUNTERS.named(live_environment["CATWALK_KAFKA_PREFIX"], FOLD_VERSION)
    with TopicAdmin(Connection(servers=live_environment["CATWALK_KAFKA"])) as admin:
        admin._admin.delete_topics([counters])
        until(lambda: not admin.found([counters]))
    apply = catwalk("topics", "apply", environment=live_environment | {"CATWALK_KAFKA_PARTITIONS": "5"})
    assert apply.returncode == 1
    said = [line for line in apply.stdout.splitlines() if "partitions" in line]
    assert len(said) == 1, "one thing is wrong"
    assert said[0].endswith(
        "partitions is 3, declared 5; set kafka_partitions to 3, or move the ledger to a new kafka_prefix"
    )
    assert catwalk("topics", "check", environment=live_environment).returncode == 0


@pytest.mark.soak  # three brokers of its own
def test_three_brokers_keep_three_copies_of_which_two_must_have_a_record(
    own_stack: Callable[..., Stack],
) -> None:
    stack = own_stack(3, clickhouse=False)
    with TopicAdmin(Connection(servers=stack.kafka_addresses)) as admin:
        wanted = admin.forms("", 3, 0)
        admin.apply(wanted)
        assert admin.drifts(wanted) == []
        found = admin.found([EVENTS.name])[EVENTS.name]
        assert (found.replication, found.settings["min.insync.replicas"]) == (3, "2")
        fewer = [drift.field for drift in admin.drifts(admin.forms("", 3, 1))]
        assert set(fewer) == {"replication", "min.insync.replicas"}


def test_brokers_that_do_not_answer_are_one_line_with_what_to_do(live_environment: dict[str, str]) -> None:
    away = catwalk("topics", "check", environment=live_environment | {"CATWALK_KAFKA": "127.0.0.1:1"})
    assert away.returncode == 2
    assert away.stdout == ""
    assert away.stderr.startswith("catwalk: brokers at 127.0.0.1:1: ")
    assert away.stderr.count("\n") == 1


@pytest.mark.parametrize(("copies", "safe"), [(1, "1"), (2, "1"), (3, "2")])
def test_a_record_is_acknowledged_when_it_would_survive_the_loss_of_a_broker(copies: int, safe: str) -> None:
    assert declared(EVENTS, "", 6, copies).settings["min.insync.replicas"] == safe


class Hearing(TopicAdmin):
    """Brokers that have not all heard yet of what was made: each answer is the next one's."""

    def __init__(self, *answers: list[Drift]) -> None:
        self.answers = list(answers)

    def drifts(self, wanted: Sequence[Form]) -> list[Drift]:
        return self.answers.pop(0)


def test_a_broker_that_has_not_heard_of_a_topic_yet_does_not_make_it_missing() -> None:
    made = Drift("a.catwalk.events", "topic", "exists", None, "`catwalk topics apply`")
    early = Drift("a.catwalk.events", "retention.ms", "-1", "60000", "`catwalk topics apply`")
    other = Drift("a.catwalk.rounds", "partitions", "3", "5", "set kafka_partitions to 5")
    brokers = Hearing([made], [early, other], [other], [])
    assert brokers.drifts_after([], [made]) == [other]
    assert brokers.drifts_after([], []) == []


def test_every_field_that_differs_is_one_drift() -> None:
    wanted = declared(EVENTS, "a.", 6, 1)
    found = Form("a.catwalk.events", 7, 2, dict(wanted.settings) | {"retention.ms": "1"})
    assert [(d.field, d.declared, d.found) for d in drifts(wanted, found)] == [
        ("partitions", "6", "7"),
        ("replication", "1", "2"),
        ("retention.ms", "-1", "1"),
    ]
    assert drifts(wanted, wanted) == []


def form(topic: Topic, partitions: int) -> Form:
    return declared(topic, "a.", partitions, 1)


def test_the_ledger_says_how_many_partitions_there_are_and_each_topic_beside_it_has_a_remedy_that_ends() -> (
    None
):
    wanted = [form(topic, 9) for topic in TOPICS]
    assert [one.partitions for one in beside_the_ledger(wanted, {})] == [one.partitions for one in wanted]
    found = {one.name: one for one in (form(topic, 6) for topic in TOPICS)}
    del found[COUNTERS.named("a.", FOLD_VERSION)]
    found[SNAPSHOTS.named("a.", FOLD_VERSION)] = form(SNAPSHOTS, 9)
    found["a.catwalk.deadletter"] = form(DEADLETTER, 9)
    settled = beside_the_ledger(wanted, found)
    assert {one.name: one.partitions for one in settled if one.partitions not in (1, 6)} == {
        "a.catwalk.events": 9,
        "a.catwalk.deadletter": 9,
    }
    wrong = [d for one in settled for d in drifts(one, found.get(one.name)) if d.field == "partitions"]
    assert [(d.topic, d.declared, d.found) for d in wrong] == [
        ("a.catwalk.events", "9", "6"),
        (SNAPSHOTS.named("a.", FOLD_VERSION), "6", "9"),
    ]
    assert wrong[0].remedy.startswith("set kafka_partitions to 6")
    assert "delete it, `catwalk topics apply`, then `catwalk rebuild`" in wrong[1].remedy
    del found["a.catwalk.events"]
    [ledger, *_] = beside_the_ledger(wanted, found)
    assert ledger.partitions == 6, "what was made for it is there"

"""The topics as the code declares them, and as the brokers have them: create, correct, compare field by field."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from kafka import KafkaAdminClient
from kafka.admin import ConfigResource, ConfigResourceType
from kafka.errors import KafkaError, TopicAlreadyExistsError, for_code
from msgspec import Struct, structs

from producers.errors import CaptureError
from producers.kafka.connection import Connection, opened, trouble_of, without_noise
from schemas.answers import FOLD_VERSION
from schemas.topics import DEADLETTER, EVENTS, TOPICS, Topic

MOST_COPIES: Final = 3
_UNKNOWN_TOPIC: Final = 3
_CLOCK: Final = "message.timestamp.type"
_HEARD_SECONDS: Final = 10.0  # in which every broker has heard of a topic that was made or changed
_LOOK_AGAIN: Final = 0.25
Answer = TypeVar("Answer")
# A worker that takes over reads a compacted topic whole: small segments, compacted early, keep that short.
_COMPACTED: Final = {
    "segment.bytes": str(64 << 20),
    "segment.ms": "600000",
    "min.cleanable.dirty.ratio": "0.1",
    "delete.retention.ms": "86400000",
}


class Form(Struct, frozen=True):
    """What a topic is made of: `settings` are Kafka's own, by name, as text.

    `beside` is the ledger's topic where this one must have as many partitions as that; "" for the ledger's own, and for
    topics whose number is their own.
    """

    name: str
    partitions: int
    replication: int
    settings: Mapping[str, str]
    beside: str = ""


class Drift(Struct, frozen=True):
    """One field that is not as declared; `found` is None for a topic that is not there."""

    topic: str
    field: str
    declared: str
    found: str | None
    remedy: str


def declared(topic: Topic, prefix: str, partitions: int, replication: int, fold: int = FOLD_VERSION) -> Form:
    """The form of a topic in a deployment with so many partitions and copies, for this version of the fold."""
    settings = {
        "cleanup.policy": topic.cleanup,
        "compression.type": "producer",
        "max.message.bytes": str(topic.max_message_bytes),
        # The broker's clock: it would refuse records of a gateway whose clock is an hour ahead.
        _CLOCK: "LogAppendTime",
        "min.insync.replicas": "2" if replication >= MOST_COPIES else "1",
        "retention.bytes": "-1",
        "retention.ms": str(topic.retention_ms),
        # A copy that had not taken an acknowledged record never becomes the one that is read.
        "unclean.leader.election.enable": "false",
    }
    if topic.cleanup == "compact":
        settings |= _COMPACTED
    beside = prefix + EVENTS.name if topic.partitions is None and topic is not EVENTS else ""
    return Form(topic.named(prefix, fold), topic.partitions or partitions, replication, settings, beside)


def beside_the_ledger(wanted: Sequence[Form], found: Mapping[str, Form]) -> list[Form]:
    """The forms with as many partitions as the ledger's topic has, whatever number the setting says.

    A ledger that is there decides, for its number never changes; one that is not there yet gets the number of what was
    made for it. Dead letters may stay in as many partitions as they have: no worker looks for a table's in one of them,
    and what gateways set aside is nowhere else.
    """
    ledgers = {form.beside for form in wanted} - {""}
    others = [found[form.name].partitions for form in wanted if form.beside and form.name in found]
    settled = []
    for form in wanted:
        there = found.get(form.name)
        if form.beside and there is not None and form.name.endswith(DEADLETTER.name):
            settled.append(structs.replace(form, partitions=there.partitions))
        elif form.beside and form.beside in found:
            settled.append(structs.replace(form, partitions=found[form.beside].partitions))
        elif others and (form.beside or (there is None and form.name in ledgers)):
            settled.append(structs.replace(form, partitions=max(set(others), key=others.count)))
        else:
            settled.append(form)
    return settled


def drifts(wanted: Form, found: Form | None) -> list[Drift]:
    """What is not as declared, each field with what to do about it."""
    again = "`catwalk topics apply`"
    if found is None:
        return [Drift(wanted.name, "topic", "exists", None, again)]
    rows = []
    if found.partitions != wanted.partitions:
        # Which partition a key lies in follows from their number: more of them would break a table's order.
        remedy = f"set kafka_partitions to {found.partitions}, or move the ledger to a new kafka_prefix"
        if wanted.beside:  # its content is made again from the ledger
            remedy = "stop all workers, delete it, `catwalk topics apply`, then `catwalk rebuild`"
        rows.append(Drift(wanted.name, "partitions", str(wanted.partitions), str(found.partitions), remedy))
    if found.replication != wanted.replication:
        remedy = "move its copies with kafka-reassign-partitions, or set kafka_replication"
        copies = str(wanted.replication), str(found.replication)
        rows.append(Drift(wanted.name, "replication", *copies, remedy))
    for name, value in sorted(wanted.settings.items()):
        if found.settings.get(name) != value:
            rows.append(Drift(wanted.name, name, value, found.settings.get(name), again))
    return rows


def once_heard(ask: Callable[[], Answer], late: Callable[[Answer], bool]) -> Answer:
    """The brokers' answer behind a change, of which they hear one after the other: the last one if all stay `late`."""
    until = time.monotonic() + _HEARD_SECONDS
    while late(answer := ask()) and time.monotonic() < until:
        time.sleep(_LOOK_AGAIN)
    return answer


class TopicAdmin:
    """The brokers of a cluster as those see it who create its topics."""

    def __init__(self, connection: Connection) -> None:
        """Connect.

        Raises:
            CaptureError: no broker answers, or none lets this user in.
        """
        without_noise()
        self._servers = connection.servers
        known = KafkaAdminClient.DEFAULT_CONFIG  # not all that other clients take
        options = {name: value for name, value in connection.options().items() if name in known}
        with self._asking("brokers"):
            self._admin = opened(KafkaAdminClient, options)

    def __enter__(self) -> TopicAdmin:
        """The client itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Leave the brokers."""
        self._admin.close()

    def brokers(self) -> int:
        """How many brokers the cluster has, those that it has lost included."""
        return len(self._members())

    def lost(self) -> list[int]:
        """Numbers of the brokers that the cluster has and does not hear of."""
        return sorted(member["broker_id"] for member in self._members() if member.get("is_fenced"))

    def lacking(self, topics: Iterable[str]) -> int:
        """How many partitions of these topics have a copy that is not up to date."""
        with self._asking("topics"):
            described = self._admin.describe_topics(list(topics))
        partitions = [partition for topic in described for partition in topic["partitions"]]
        return sum(len(one["isr_nodes"]) < len(one["replica_nodes"]) for one in partitions)

    def _members(self) -> list[dict[str, Any]]:
        with self._asking("brokers"):
            members: list[dict[str, Any]] = self._admin.describe_cluster()["brokers"]
        return members

    def forms(
        self, prefix: str, partitions: int, replication: int, topics: Sequence[Topic] = TOPICS
    ) -> list[Form]:
        """Every topic as declared; `replication` 0 is one copy for each broker, three at most."""
        copies = replication or min(self.brokers(), MOST_COPIES)
        return [declared(topic, prefix, partitions, copies) for topic in topics]

    def found(self, names: Iterable[str]) -> dict[str, Form]:
        """The topics of these names that are there, by name."""
        with self._asking("topics"):
            described = self._admin.describe_topics(list(names))
            there = {topic["name"]: topic for topic in described if topic["error_code"] != _UNKNOWN_TOPIC}
            if not there:
                return {}
            resources = [ConfigResource(ConfigResourceType.TOPIC, name) for name in there]
            configs = self._admin.describe_configs(resources, config_filter="all")["topic"]
        return {name: _form(topic, configs[name]) for name, topic in there.items()}

    def ids(self, names: Iterable[str]) -> dict[str, str]:
        """The brokers' ids of those of these topics that are there: one that is made anew has another."""
        with self._asking("topics"):
            described = self._admin.describe_topics(list(names))
        there = (topic for topic in described if topic["error_code"] != _UNKNOWN_TOPIC)
        return {topic["name"]: str(topic["topic_id"]) for topic in there}

    def names(self) -> list[str]:
        """Names of all topics that this user may see."""
        with self._asking("topics"):
            return sorted(self._admin.list_topics())

    def remove(self, topics: Sequence[str], groups: Sequence[str]) -> tuple[list[str], list[str]]:
        """Delete those of these topics and groups that are there, and return them.

        Raises:
            CaptureError: a broker refuses, or somebody is at work in a group; some may be gone.
        """
        there = self.names()
        of_topics = [name for name in topics if name in there]
        with self._asking("topics"):
            if of_topics:
                self._admin.delete_topics(of_topics)
        with self._asking("groups"):
            known = {group["group_id"] for group in self._admin.list_groups()}
            of_groups = [name for name in groups if name in known]
            done = self._admin.delete_groups(of_groups) if of_groups else {}
        for name, said in done.items():
            if said != "OK":
                remedy = "stop the workers of this group, wait for their --session, and do it again"
                raise CaptureError(f"group {name}", f"it was not deleted: {said}", remedy)
        return of_topics, of_groups

    def drifts(self, wanted: Sequence[Form]) -> list[Drift]:
        """What is not as declared, topic by topic."""
        found = self.found(form.name for form in wanted)
        settled = beside_the_ledger(wanted, found)
        return [drift for form in settled for drift in drifts(form, found.get(form.name))]

    def drifts_after(self, wanted: Sequence[Form], changed: Sequence[Drift]) -> list[Drift]:
        """The same behind `apply`: brokers that have not heard yet of what was `changed` are asked again."""
        done = {(one.topic, one.field) for one in changed}

        def late(found: list[Drift]) -> bool:
            return any({(one.topic, one.field), (one.topic, "topic")} & done for one in found)

        return once_heard(lambda: self.drifts(wanted), late)

    def apply(self, wanted: Sequence[Form]) -> list[Drift]:
        """Create what is missing and correct settings; return what was put right.

        Partitions and copies of a topic that is there are never changed. One that is created beside a ledger gets as
        many partitions as that has.
        """
        found = self.found(form.name for form in wanted)
        wanted = beside_the_ledger(wanted, found)
        missing = [form for form in wanted if form.name not in found]
        changed = [drift for form in missing for drift in drifts(form, None)]
        resources = []
        for form in wanted:
            wrong = [d for d in drifts(form, found.get(form.name)) if d.field in form.settings]
            if wrong:
                values = {drift.field: drift.declared for drift in wrong}
                resources.append(ConfigResource(ConfigResourceType.TOPIC, form.name, values))
                changed += wrong
        with self._asking("topics"):
            if missing:
                self._create(missing)
            if resources:
                self._admin.alter_configs(resources)
        return changed

    def make_anew(self, form: Form) -> None:
        """Make a topic that holds nothing, in place of the one of its name if there is one.

        Raises:
            CaptureError: a broker refuses, or the old one is still there after a while.
        """
        self.remove([form.name], [])
        with self._asking(f"topic {form.name}"):
            if once_heard(lambda: form.name in self.names(), bool):
                raise CaptureError(f"topic {form.name}", "it is still there after its removal", "try again")
            self._create([form])

    @contextmanager
    def keeping_times(self, topics: Sequence[str]) -> Iterator[None]:
        """Within, these topics keep the times that their records are sent with; before and after, the broker's clock.

        Only where nobody else writes, for a record's time is evidence.

        Raises:
            CaptureError: a broker refuses; then `apply` sets the broker's clock again.
        """
        self._set(topics, "CreateTime")
        try:
            yield
        finally:
            self._set(topics, declared(EVENTS, "", 1, 1).settings[_CLOCK])

    def _set(self, topics: Sequence[str], clock: str) -> None:
        resources = [ConfigResource(ConfigResourceType.TOPIC, name, {_CLOCK: clock}) for name in topics]
        with self._asking("topics"):
            self._admin.alter_configs(resources)
        found = once_heard(lambda: self.found(topics), lambda forms: bool(_of_another(forms, clock)))
        if names := _of_another(found, clock):
            why = f"their brokers do not answer to {_CLOCK}={clock} after {_HEARD_SECONDS:.0f} s"
            remedy = "check the brokers' logs, then `catwalk topics apply`"
            raise CaptureError(f"topics {', '.join(names)}", why, remedy)

    def _create(self, missing: Sequence[Form]) -> None:
        new = {
            form.name: {
                "num_partitions": form.partitions,
                "replication_factor": form.replication,
                "configs": dict(form.settings),
            }
            for form in missing
        }
        made = self._admin.create_topics(new, raise_errors=False)
        for topic in made["topics"]:
            if topic["error_code"] not in (0, TopicAlreadyExistsError.errno):  # somebody else was just faster
                raise for_code(topic["error_code"])(topic["error_message"] or f"{topic['name']} was not made")
        self._admin.wait_for_topics(list(new))

    @contextmanager
    def _asking(self, what: str) -> Iterator[None]:
        try:
            yield
        except KafkaError as error:
            trouble = trouble_of(error)
            raise CaptureError(f"{what} at {self._servers}", trouble.why, trouble.remedy) from error


def _of_another(forms: Mapping[str, Form], clock: str) -> list[str]:
    return [name for name, form in forms.items() if form.settings[_CLOCK] != clock]


def _form(topic: Mapping[str, Any], configs: Mapping[str, Mapping[str, Any]]) -> Form:
    partitions = topic["partitions"]
    copies = min((len(partition["replica_nodes"]) for partition in partitions), default=0)
    settings = {name: str(config["value"]) for name, config in configs.items()}
    return Form(topic["name"], len(partitions), copies, settings)

"""The topics that are not derived, as files of a backup: held, copied, proven, and put back into empty ones."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Final

import msgspec

from dashboards.ledger.acts import SUBJECT
from dashboards.ledger.ledger import LedgerHead as DeskHead
from deploy.backup.manifest import ANOTHER, CopiedFile, Manifest, sha256_of, to_disk
from deploy.backup.spoken import Spoken
from deploy.configured.kafka import connection
from deploy.configured.workers import brokers_of
from deploy.errors import UserError
from deploy.progress import Advance
from deploy.settings import Settings
from processors.runtime.versions import registry
from producers.copies.chains import Break, ChainReach, TableEnd, table_ends
from producers.copies.held_topic import HeldTopic, TopicWriter
from producers.copies.topic_copy import CutOff, TopicRecord, read
from producers.kafka.chain_topic import following
from producers.kafka.heads import lines_of, placed_at
from producers.kafka.topics import TopicAdmin
from producers.log import EMPTY, Head
from schemas.amounts import amount
from schemas.answers import FOLD_VERSION
from schemas.events.codec import record_hash
from schemas.topics import DEADLETTER, DESK, EVENTS, OBSERVATIONS, TOPICS, VERSIONS, WRITERS, Topic

# In the order in which they are held: each speaks of the ledger's events, which are held last. All others are derived.
# Observations are derived too, but their order is not: it is the order in which evidence about people was weighed.
COPIED: Final = (DESK, WRITERS, DEADLETTER, OBSERVATIONS, EVENTS)
_BY_NAME: Final = {topic.name: topic for topic in COPIED}


class _Taken:
    """What the records of one partition come to."""

    def __init__(self, topic: Topic, look: Callable[[int, bytes], None] | None = None) -> None:
        self._topic = topic
        self._look = look
        self.tables: dict[str, ChainReach] = defaultdict(ChainReach)
        self.desk: Head = EMPTY
        self.records = 0
        self.first: int | None = None
        self.reached = 0
        self.holes = False

    def take(self, record: TopicRecord) -> None:
        """Take the next one."""
        self.records += 1
        self.holes = self.holes or record.offset != (
            self.reached if self.first is not None else record.offset
        )
        self.first = record.offset if self.first is None else self.first
        self.reached = record.offset + 1
        if self._topic is DESK:
            for after, line in following(self.desk, record.value):
                self.desk = after
                if self._look is not None:
                    self._look(self.desk.sequence, line)
        elif self._topic is EVENTS and record.key is not None:
            reach = self.tables[record.key.decode(errors="replace")]
            for line in lines_of(record):
                placed = placed_at(line)
                reach.take(line, (placed.sequence, placed.prevhash) if placed is not None else None)

    @property
    def ends(self) -> list[TableEnd]:
        """Where the chains end."""
        if self._topic is DESK:
            return [TableEnd(SUBJECT, *self.desk)] if self.desk.sequence else []
        return table_ends(self.tables.items())


class TopicsCut:
    """The topics at the moment of the cut."""

    def __init__(self, settings: Settings, acknowledged: DeskHead | None) -> None:
        """Connect; nothing is held yet. `acknowledged` is the desk's record that a console of this machine remembers.

        Observations are those of the version of the fold in force: people act on what was weighed in their order.

        Raises:
            LedgerError, BrokersAway: the brokers do not answer, or a topic is missing.
        """
        brokers = connection(settings)
        with ExitStack() as stack:
            self._topics: list[HeldTopic] = []
            for topic in COPIED:
                if topic.by_fold:
                    standing = asyncio.run(registry.standing(brokers_of(settings)))
                    brokers = msgspec.structs.replace(brokers, fold=standing.fold)
                self._topics.append(HeldTopic(brokers, topic))
                stack.callback(self._topics[-1].close)
            self._stack = stack.pop_all()
        self.fold = brokers.fold
        self.partitions = len(self._topics[-1].partitions)
        self._acknowledged = acknowledged
        self._passed: str | None = None  # the hash of the record that bears its number

    def hold(self) -> None:
        """Hold all but the ledger's.

        Raises:
            LedgerError: the brokers do not answer.
            UserError: records of a topic that keeps all are gone.
        """
        for one in self._topics[:-1]:
            self._hold(one)
        # Of an order without its beginning the rest is no order: what is missing would be passed over for good.
        self._topics = [
            held for held in self._topics if held.topic is not OBSERVATIONS or not any(held.begins.values())
        ]

    def hold_ledger(self) -> None:
        """Hold the ledger's.

        Raises:
            LedgerError, UserError: as `hold` does.
        """
        self._hold(self._topics[-1])

    def copied(self, out: Path, copying: Advance) -> list[CopiedFile]:
        """Write each partition to a file, onto the disk."""
        files = []
        for held in self._topics:
            for partition in held.partitions:
                path = out / f"{held.topic.named('', self.fold)}-{partition}.records"
                taken = _Taken(held.topic, self._note)

                def look(record: TopicRecord, taken: _Taken = taken) -> None:
                    taken.take(record)
                    copying(len(record.value or b""))

                held.copy(partition, path, look)
                path.chmod(0o600)
                file = CopiedFile(
                    name=path.name,
                    holds="topic",
                    bytes=path.stat().st_size,
                    sha256=sha256_of(path),
                    records=taken.records,
                    tables=taken.ends,
                    topic=held.topic.name,
                    fold=self.fold if held.topic.by_fold else 0,
                    partition=partition,
                    begins=held.begins[partition],
                    ends=held.ends[partition],
                )
                to_disk(path)
                files.append(file)
        return files

    def unlike_memory(self) -> list[Break]:
        """What the copied desk lacks of the record that a console acknowledged: nothing, or that."""
        acknowledged = self._acknowledged
        if acknowledged is None or self._passed == acknowledged.hash:
            return []
        why = f"a console acknowledged another record {acknowledged.sequence}, or it is gone"
        return [Break(f"{DESK.name}-0.records", SUBJECT, acknowledged.sequence, why)]

    def close(self) -> None:
        """Let go of the brokers."""
        self._stack.close()

    def _note(self, sequence: int, line: bytes) -> None:
        if self._acknowledged is not None and sequence == self._acknowledged.sequence:
            self._passed = record_hash(line)

    @staticmethod
    def _hold(held: HeldTopic) -> None:
        held.hold()
        for partition, begins in held.begins.items():
            if begins and held.topic.cleanup != "compact" and held.topic is not OBSERVATIONS:
                what = f"topic {held.topic.name}, partition {partition}"
                why = f"found its first record at offset {begins}, expected 0: what was before is gone"
                remedy = "a copy of the rest would be no ledger: gateways that still have the events send them again"
                raise UserError(what, why, f"{remedy}, into a new kafka_prefix")


def check_topic(
    path: Path, file: CopiedFile, advance: Advance, spoken: Spoken, there: dict[str, int]
) -> None:
    """Prove a partition's file, and note what acts of the desk speak of or how far tables reach.

    Raises:
        UserError: it is not as it was written.
    """
    topic = _BY_NAME.get(file.topic or "")
    if topic is None:
        raise UserError(str(path), f"found topic {file.topic}, expected one that is not derived", ANOTHER)
    taken = _Taken(topic, spoken.take)
    try:
        for record in read(path):
            taken.take(record)
            advance(1)
    except CutOff as error:
        raise UserError(str(path), f"damaged: {error}; expected records of {topic.name}", ANOTHER) from error
    whole = topic.cleanup == "compact" or (
        not taken.holes and (taken.first or 0) == file.begins and taken.records == file.ends - file.begins
    )
    if taken.records != file.records or not whole:
        why = f"altered: found {amount(taken.records, 'record')} up to offset {taken.reached}"
        raise UserError(str(path), f"{why}, expected {file.records:,} up to {file.ends}", ANOTHER)
    if taken.ends != file.tables:
        raise UserError(str(path), f"altered: found {taken.ends}, expected {file.tables}", ANOTHER)
    for subject, reach in taken.tables.items():
        there[subject] = max(there.get(subject, 0), reach.highest, reach.head.sequence)


def refuse_used_topics(settings: Settings, manifest: Manifest) -> None:
    """Refuse brokers whose topics are not there, are of another form, or hold anything.

    Raises:
        UserError: for each of these.
        LedgerError, CaptureError: the brokers do not answer.
    """
    brokers = connection(settings)
    with TopicAdmin(brokers) as admin:
        found = admin.found(brokers.topic(topic) for topic in TOPICS)
    apply = f"`CATWALK_KAFKA_PARTITIONS={manifest.partitions} catwalk topics apply`"
    for topic in TOPICS:
        name = brokers.topic(topic)
        if name not in found:
            raise UserError(f"topic {name}", "it is not there", f"{apply}, then restore again")
        partitions = len(manifest.records_of(topic.name, FOLD_VERSION))
        if partitions and partitions != found[name].partitions:
            why = f"found {amount(found[name].partitions, 'partition')}, expected {partitions}"
            raise UserError(f"topic {name}", why, f"delete it, {apply}, then restore again")
        if topic is VERSIONS:
            continue  # whoever made the topics named the version in force there
        with closing(HeldTopic(brokers, topic)) as held:
            held.hold()
            if any(held.ends.values()):
                why = f"found {amount(sum(held.ends.values()), 'record')}, expected none"
                remedy = "restore to new brokers or a new kafka_prefix, or delete all its topics"
                raise UserError(f"topic {name}", why, f"{remedy}; {apply}")


def put_back(settings: Settings, folder: Path, manifest: Manifest, advance: Advance) -> None:
    """Write the records of a proven backup into the empty topics, the ledger's first, with the times they came at.

    What the fold decides by waiting hangs on these times: a gap is believed by them. What the analyst suspects hangs on
    the order of observations: the fold makes them again, and the analyst passes over what it has heard.

    Raises:
        LedgerError, CaptureError: the brokers do not take them, or somebody else writes there.
    """
    brokers = connection(settings)
    names = [brokers.topic(topic) for topic in COPIED]
    with TopicAdmin(brokers) as admin, admin.keeping_times(names), closing(TopicWriter(brokers)) as writer:
        for topic in reversed(COPIED):
            for file in manifest.records_of(topic.name, FOLD_VERSION):
                records = read(folder / file.name)
                in_place = topic.cleanup != "compact"
                writer.put(brokers.topic(topic), file.partition, records, advance, in_place=in_place)

"""How far the evidence of suspicions has grown since they were raised, out of the states that the workers keep.

They wait below the budget of pages, or somebody cleared them and later evidence may raise them again.

The states of dealers and players are those that the console follows for its pages. The states of tables stand in the
fold's compacted topic, which is followed while a suspicion about a table waits; records of other tables are passed over
unread.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from deploy.evidence.followed import LOOK, FollowedPeople, KnownState
from processors.detectors.shapes import CheckedStanding, whom_of
from processors.detectors.stages.entity_stage import EntityStage
from processors.detectors.suspicion import standing_for
from processors.pipeline import TablePipeline
from processors.runtime.brokers.claimed import FollowedTopic
from producers.log import LedgerUnusable
from schemas.answers import FOLD_VERSION
from schemas.findings import Finding
from schemas.messages import TableSnapshot

_TAKES: Final = 20  # questions to a topic at one look: the rest is read at the next one
_WAIT: Final = 0.05  # seconds that a record which is there may take
_table = msgspec.msgpack.Decoder(TableSnapshot).decode


class StatesTopic(FollowedTopic, Protocol):
    """The fold's topic of the tables' states."""

    def back_to(self, offsets: Mapping[int, int]) -> None:
        """Take the records of these partitions again, each from this offset on."""


class _Tables:
    """The fold's topic, followed while a table is wanted; all was read that was written up to `read_at`.

    `_last` is the partition and the offset of the last state of every table, as far as was read.
    """

    def __init__(self, opened: Callable[[], StatesTopic], clock: Callable[[], dt.datetime]) -> None:
        self._opened, self._clock = opened, clock
        self.read_at: dt.datetime | None = None
        self._topic: StatesTopic | None = None
        self._wanted: frozenset[str] = frozenset()
        self._last: dict[str, tuple[int, int]] = {}

    def read(self, wanted: frozenset[str]) -> Iterator[tuple[str, bytes, int]]:
        """Names, new states and the milliseconds at which they were written, of these tables.

        Of a table that was not wanted before its last state is read again.
        """
        new, self._wanted = wanted - self._wanted, wanted
        if not wanted:
            self.close()
            return
        if self._topic is None:
            self._topic = self._opened()
        self._go_back(self._topic, new)
        for _ in range(_TAKES):
            asked = self._clock()
            for record in self._take(self._topic):
                name = (record.key or b"").decode(errors="replace")
                self._last[name] = record.partition, record.offset
                if name in wanted and record.value:
                    yield name, record.value, record.timestamp
            if not self._topic.behind:
                self.read_at = asked - LOOK
                return

    def _go_back(self, topic: StatesTopic, names: Iterable[str]) -> None:
        places: dict[int, int] = {}
        for partition, offset in (self._last[name] for name in names if name in self._last):
            places[partition] = min(offset, places.get(partition, offset))
        if places:
            self.read_at = None
            topic.back_to(places)

    def _take(self, topic: StatesTopic) -> list[Any]:
        try:
            return topic.take(_WAIT if topic.behind else 0.0)
        except LedgerUnusable:  # the topic was made anew: the next look reads it from its first record
            self.close()
            raise

    def close(self) -> None:
        """Let go of the brokers, and want no table."""
        topic, self._topic, self._wanted, self.read_at = self._topic, None, frozenset(), None
        self._last.clear()
        if topic is not None:
            topic.close()


class _Held(NamedTuple):
    """What was read last of somebody or of a table, and when it was written.

    written: milliseconds by the brokers' clock.
    change: that of the state of a person.
    read_at: a moment up to which all states were read, None while the topic is read from its first record on.
    """

    standings: Sequence[CheckedStanding] = ()
    written: int = 0
    change: int = 0
    read_at: dt.datetime | None = None


class GrownEvidence:
    """The most evidence that there was by now for suspicions that wait; for one thread."""

    def __init__(
        self,
        people: FollowedPeople,
        tables: Callable[[], StatesTopic],
        clock: Callable[[], dt.datetime] = lambda: dt.datetime.now(dt.UTC),
    ) -> None:
        """`people` are followed by their owner; `tables` opens the fold's topic, only while a suspicion waits."""
        self._people, self._tables = people, _Tables(tables, clock)
        self._highest: dict[str, float] = {}
        self._held: dict[str, _Held] = {}

    def look(self, waiting: Sequence[Finding]) -> None:
        """Read what is new about these suspicions.

        Raises:
            LedgerError: the brokers do not answer.
        """
        of: dict[str, list[Finding]] = {}
        for one in waiting:
            of.setdefault(whom_of(one.about) or one.subject, []).append(one)
        self._highest = {
            one.finding_id: self._highest.get(one.finding_id, 0.0) for found in of.values() for one in found
        }
        self._held = {whom: self._held.get(whom, _Held()) for whom in of}
        subjects = frozenset(one.subject for one in waiting if not whom_of(one.about))
        for whom, found in of.items():
            if whom not in subjects:
                known, read_at = self._people.last(whom, self._held[whom].change)
                if known is not None:
                    self._held[whom] = _Held(_of_person(known), known.written, known.change)
                self._held[whom] = self._held[whom]._replace(read_at=read_at)
            self._take(found, self._held[whom])
        for subject, state, written in self._tables.read(subjects):
            self._held[subject] = _Held(_of_table(subject, state), written)
            self._take(of[subject], self._held[subject])
        for subject in subjects:
            self._held[subject] = self._held[subject]._replace(read_at=self._tables.read_at)

    def highest(self, finding: Finding) -> float:
        """The most evidence there was for it, 0 where nothing is known."""
        return self._highest.get(finding.finding_id, 0.0)

    def standing(self, finding: Finding, since: dt.datetime) -> CheckedStanding | None:
        """The evidence now, by a state that was written after this moment and with all that had been written by then.

        None while no such state was read. A new version of the fold writes all its states after old moments: of these
        the first ones lack what led to an alarm, and only the end of the topic has the last.
        """
        held = self._held.get(whom_of(finding.about) or finding.subject, _Held())
        if held.read_at is None or held.read_at <= since or held.written <= since.timestamp() * 1000:
            return None
        return standing_for(finding, held.standings)

    def close(self) -> None:
        """Let go of the brokers; the next look reads from the first record on, of the version then in force."""
        self._tables.close()
        self._highest, self._held = {}, {}

    def _take(self, findings: Iterable[Finding], held: _Held) -> None:
        for one in findings:
            standing = standing_for(one, held.standings)
            if standing is not None:
                self._highest[one.finding_id] = max(self._highest[one.finding_id], standing.highest)


def _of_person(known: KnownState) -> tuple[CheckedStanding, ...]:
    """The standings of a dealer, a player or a pair; none where another version of the fold wrote the state."""
    stage = EntityStage()
    try:
        if known.fold != FOLD_VERSION:
            return ()
        stage.adopt(known.key, known.state)
    except msgspec.MsgspecError:
        return ()
    return tuple(stage.standings(known.key))


def _of_table(subject: str, state: bytes) -> tuple[CheckedStanding, ...]:
    """The standings of a table; none where another version of the fold wrote the state."""
    try:
        kept = _table(state)
        if kept.fold_version != FOLD_VERSION:
            return ()
        detectors = TablePipeline.restore(kept.pipeline).detectors
    except msgspec.MsgspecError:
        return ()
    return tuple(detectors.standings(subject)) if detectors is not None else ()

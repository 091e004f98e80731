"""Findings become alerts in the distributed deployment: each console reads the topic, the desk raises each once."""

from __future__ import annotations

import datetime as dt
import logging
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Sequence
from itertools import islice
from math import inf
from typing import Any, Final, NamedTuple, Protocol

import msgspec

from dashboards.desk.desk import Desk
from dashboards.desk.index import Matter, matter_of
from dashboards.ledger.acts import Raised
from dashboards.ledger.ledger import DeskUnavailable
from dashboards.reader.question import RecordsAway
from deploy.console.again import RisingAgain
from deploy.console.alerting import asks_for_alert
from deploy.console.paging import Paging
from processors.detectors.paging import ONE_PAGE, Budget
from processors.detectors.shapes import CheckedStanding
from processors.runtime.brokers.claimed import FollowedTopic
from processors.runtime.store.warehouse import SqlStore, WarehouseError
from processors.runtime.watch.metrics import WorkerMetrics
from producers.log import LedgerError
from schemas.findings import Finding
from schemas.messages import FindingMessage

TURN: Final = 0.04  # seconds at most: who waits for less raises it, and the other consoles find it raised
PAUSE: Final = 0.5
STORE_EVERY: Final = 30.0
WEIGH_EVERY: Final = 1.0  # seconds: the evidence of all that waits or was cleared is read
_WAIT: Final = 0.5
_AT_ONCE: Final = 200
_BYTES_AT_ONCE: Final = 1 << 20
_MOST_BYTES: Final = 256 << 10  # of one alert: every viewer is sent it
_OF_STORE: Final = (  # what the sink found altered in the store goes by no topic
    "SELECT record, decided_at FROM findings FINAL WHERE check_id = 'integrity.store'"
    " ORDER BY subject, sequence, finding_id"
)
_read_message = msgspec.json.Decoder(FindingMessage).decode
_read_finding = msgspec.json.Decoder(Finding).decode
_read_raised = msgspec.json.Decoder(Raised).decode
_encode = msgspec.json.Encoder().encode
_log = logging.getLogger("catwalk.console")


class FindingsTopic(FollowedTopic, Protocol):
    """The topic of findings, all partitions from the first record on."""

    @property
    def fold(self) -> int:
        """The version of the fold whose findings were taken last; another one's begin at their first."""


class Evidence(Protocol):
    """How far the evidence of suspicions that wait has grown."""

    def look(self, waiting: Sequence[Finding]) -> None:
        """Read what is new about these; raise LedgerError if the brokers do not answer."""

    def highest(self, finding: Finding) -> float:
        """The most evidence there was for it, 0 where nothing is known."""

    def standing(self, finding: Finding, since: dt.datetime) -> CheckedStanding | None:
        """The evidence now, with all that had been weighed by this moment; None as long as that was not read."""

    def close(self) -> None:
        """Forget where reading stood: another version of the fold is in force."""


class _Waiting(NamedTuple):
    raised: Raised
    size: int
    told_at: float  # by the brokers' clock


class TopicAlerting:
    """Raises what the topic tells and the desk has not; nothing is passed over until it is at the desk.

    It starts at the topic's first record: the desk knows by the finding's id what it has. What an earlier version of
    the fold told in other words has its alert already: the same check, table and event.
    """

    def __init__(
        self,
        topic: FindingsTopic,
        desk: Desk,
        metrics: WorkerMetrics,
        turn: float = TURN,
        clock: Callable[[], float] = time.time,
        budget: Budget = ONE_PAGE,
        evidence: Evidence | None = None,
        tables: Callable[[], Collection[str]] = tuple,
        weigh_every: float = WEIGH_EVERY,
    ) -> None:
        """`budget` says which suspicions call somebody: the others are in the store's list, until `evidence` has grown.

        `evidence` is looked at once in `weigh_every` seconds at most.

        `tables` reads which tables have a gateway: the property's, beside those that findings name.
        """
        self._topic, self._desk, self._metrics = topic, desk, metrics
        self._evidence, self._read_tables = evidence, tables
        self._turn, self._clock = turn, clock
        self._weigh_every, self._weighed_at = weigh_every, -inf
        self._tables: set[str] = set()
        self.paging = Paging(budget, lambda: len(self._tables))
        self._again = RisingAgain(desk, self.paging.page_at)
        self._waiting: deque[_Waiting] = deque()
        self._fold = 0
        self._told: dict[Matter, dict[str, None]] = {}
        self._stood_for: dict[Matter, list[_Waiting]] = {}
        self.trouble: str | None = "starting"
        self._lacking: str | None = None
        self.raised = 0
        self.unreadable = 0

    @property
    def behind(self) -> int:
        """Findings that wait, as far as known."""
        return self._topic.behind + len(self._waiting)

    def follow(self, ended: threading.Event) -> None:
        """Raise until `ended`; brokers that are away are waited for."""
        while not ended.is_set():
            try:
                self.step(ended.wait)
                self.trouble = self._lacking
            except (LedgerError, DeskUnavailable) as error:
                self.trouble = str(error)
                ended.wait(PAUSE)

    def step(self, wait: Callable[[float], object]) -> None:
        """Read what is new, and raise it.

        Raises:
            LedgerError, DeskUnavailable: the brokers are away; what was read is kept, and raised by the next step.
        """
        if not self._waiting:
            self._read_how_many_tables()
            taken = self._topic.take(_WAIT)
            if (
                self._topic.fold != self._fold
            ):  # from its first finding on: those of another version say nothing of it
                self._fold = self._topic.fold
                self._told.clear()
                self._stood_for.clear()
                self.paging.forget()
                if self._evidence is not None:
                    self._evidence.close()
            for record in taken:
                self._read(record)
            self._raise_waiting(wait)
            self._look_at_evidence(wait)
        self._raise_waiting(wait)

    def _raise_waiting(self, wait: Callable[[float], object]) -> None:
        if self._waiting:
            wait(random.uniform(0.0, self._turn))
        while self._waiting:
            batch = self._batch()
            changes = self._desk.raise_alerts((one.raised for one in batch), self._told)
            for one in batch:
                self._waiting.popleft()
                if self._desk.alert(one.raised.finding.finding_id) is None:
                    self._stood_for.setdefault(matter_of(one.raised.finding), []).append(one)
            self._tell(batch, {change.alert.id for change in changes})

    def _read(self, record: Any) -> None:
        self._metrics.records.inc()
        try:
            message = _read_message(record.value or b"")
            self._tables.add(message.finding.subject)
            if not asks_for_alert(message.finding):
                return
            finding, dealer = _brief(message.finding), message.dealer or None
            raised = Raised(finding=finding, decided_at=message.at, dealer=dealer)
            line = _encode(raised)
            _read_raised(line)  # what the desk could not read again must never be written to it
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
            # Another program wrote it, or another release: the sink keeps its bytes among the dead letters.
            self.unreadable += 1
            self._metrics.dead_letters.labels(self._metrics.worker, "unreadable").inc()
            return
        matter = matter_of(finding)
        self._told.setdefault(matter, {})[finding.finding_id] = None
        # The alert that stood for these may turn out to be this finding's.
        self._waiting.extend(self._stood_for.pop(matter, ()))
        if self.paging.pages(raised):
            self._waiting.append(_Waiting(raised, len(line), record.timestamp / 1000))

    def _read_how_many_tables(self) -> None:
        """Count the tables that have a gateway; while they cannot be read, alerts must not wait for it."""
        try:
            self._tables.update(self._read_tables())
        except LedgerError as error:
            self._lacking = str(error)
        else:
            self._lacking = None

    def _look_at_evidence(self, wait: Callable[[float], object]) -> None:
        """Raise what waited and pages now, then what was cleared and rises again."""
        if self._topic.behind:
            return  # while findings wait to be read, the shifts and tables so far are not known
        if (now := time.monotonic()) - self._weighed_at < self._weigh_every:
            return
        cleared = self._again.cleared if self._evidence is not None else ()
        if not (self.paging.waits or cleared):
            return
        self._weighed_at = now
        if self._evidence is not None:
            try:
                self._evidence.look((*self.paging.waiting, *(one.alert.finding for one in cleared)))
            except LedgerError as error:  # as for the tables: what does not wait is raised all the same
                self._lacking = str(error)
                return
        highest = self._evidence.highest if self._evidence is not None else _unknown
        for raised in self.paging.grown(highest):
            self._waiting.append(_Waiting(raised, len(_encode(raised)), self._clock()))
        self._raise_waiting(wait)
        if self._evidence is not None:
            self._again.take(cleared, self._evidence.standing)

    def _batch(self) -> list[_Waiting]:
        batch, size = [self._waiting[0]], self._waiting[0].size
        for one in islice(self._waiting, 1, _AT_ONCE):
            size += one.size
            if size > _BYTES_AT_ONCE:
                break
            batch.append(one)
        return batch

    def _tell(self, batch: list[_Waiting], new: set[str]) -> None:
        now = self._clock()
        for one in batch:
            finding = one.raised.finding
            if finding.finding_id in new:
                self.raised += 1
                self._metrics.findings.labels(self._metrics.worker, finding.verdict, finding.severity).inc()
            self._metrics.took("end_to_end", max(0.0, now - one.told_at))


def _unknown(_finding: Finding) -> float:
    return 0.0


def watch_store(store: SqlStore, desk: Desk, ended: threading.Event, every: float = STORE_EVERY) -> None:
    """Raise, until `ended`, what the sink found altered in the store; a store that is away is waited for."""
    while not ended.is_set():
        try:
            raise_altered(store, desk)
        except (RecordsAway, DeskUnavailable):
            pass  # health says so; the next look finds it too
        except WarehouseError as error:
            _log.warning("what is altered in the store cannot be told: %s", error)
        ended.wait(every)


def raise_altered(store: SqlStore, desk: Desk) -> None:
    """Raise what the sink found altered in the store and the desk does not have."""
    rows = store.query(_OF_STORE)
    found = [Raised(finding=_brief(_read_finding(record)), decided_at=at) for record, at in rows]
    for first in range(0, len(found), _AT_ONCE):
        desk.raise_alerts(found[first : first + _AT_ONCE])


def _brief(finding: Finding) -> Finding:
    """The finding without its values if they are too large to be sent to every viewer: the record has them."""
    if len(_encode(finding)) <= _MOST_BYTES:
        return finding
    return msgspec.structs.replace(
        finding,
        expected=None,
        observed=None,
        exposure=msgspec.UNSET,
        about=msgspec.UNSET,
        bound=msgspec.UNSET,
        sequences=finding.sequences[:1000],
        missing=finding.missing if finding.missing is msgspec.UNSET else finding.missing[:100],
        message=finding.message[:1000] + " (too large to be shown here: see the record)",
    )

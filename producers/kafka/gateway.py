"""The gateway: a recorder's ledger on this machine's disk whose events a thread of its own brings to Kafka.

What is appended is durable in the journal when `append` returns, whether Kafka is there or not. A table that the
journal does not know yet has to be asked for in Kafka first: nobody can go on with a chain whose end he cannot see.
"""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf

from kafka.errors import Cancelled, KafkaError
from msgspec import Struct

from producers.kafka.agreement import Agreement
from producers.kafka.connection import AWAY, Connection, Trouble, trouble_of, without_noise
from producers.kafka.forwarder import Forwarder
from producers.kafka.heads import Heads, TopicReader
from producers.kafka.journal import Journal
from producers.kafka.outage import LOOK_SECONDS, Outage
from producers.kafka.pruning import Pruner
from producers.kafka.refusals import FencedOut, KafkaAway
from producers.kafka.shipments import BACKFILL, Framing, can_travel
from producers.kafka.tenure import Tenure
from producers.kafka.transport import KafkaTransport
from producers.kafka.writers import Writers
from producers.log import EventLog, Head, LinesToAppend, Place, Record, Tailed
from producers.quarantine import DeadLetter, Quarantined
from schemas.amounts import amount, verb
from schemas.events.envelope import utc_text
from schemas.topics import EVENTS

_IDLE_SECONDS = 0.2
_REST_SECONDS = 0.01  # between two looks: events come, and are acknowledged, several at a time
_SPEAK_SECONDS = 10.0
_ASK_AGAIN_SECONDS = 5.0
_SILENT = Trouble("it acknowledges nothing", AWAY)


class GatewayPlan(Struct, frozen=True, kw_only=True):
    """How a gateway works: `seconds` it waits for a Kafka that is away, `take_over` tables taken from it.

    `journal_days` is how long its journal keeps what Kafka has acknowledged, 0 for ever.
    """

    framing: Framing = BACKFILL
    seconds: float = 60.0
    take_over: bool = False
    journal_days: float = 7.0


class Gateway(EventLog):
    """`EventLog` for one recorder, over the journal and Kafka behind it."""

    def __init__(
        self,
        journal: Journal,
        connection: Connection,
        plan: GatewayPlan,
        received: Callable[[], str],
        say: Callable[[str], None],
        rest: Callable[[float], object] = time.sleep,
    ) -> None:
        """`received` tells the time, RFC 3339; `say` shows a line to a person; `rest` lets the caller's thread wait."""
        without_noise()
        self.journal = journal
        self._connection = connection
        self._plan = plan
        self._say = say
        self._caller_rests = rest
        self._tenure = Tenure(
            journal, Agreement(journal, received), self._reach, take_over=plan.take_over, sleep=self._rest
        )
        self._wake = threading.Event()
        self._stopped = threading.Event()
        connect = partial(KafkaTransport, connection, self._wake.set, plan.framing.gathering)
        self.forwarder = Forwarder(journal, self._tenure, connect, framing=plan.framing)
        self._pruner = Pruner(journal, plan.journal_days, received)
        self._thread = threading.Thread(target=self._forward, name="catwalk-forwarder", daemon=True)
        self.outage = Outage(connection.servers, say)
        self._watcher = threading.Thread(target=self._watch, name="catwalk-outage", daemon=True)
        self._defect: BaseException | None = None
        self._met: set[str] = set()
        self._told: set[str] = set()
        self._whole: set[str] = set()
        self._judging = ""
        self._ask_again_at = -inf
        self._spoke_at = -inf

    def start(self) -> None:
        """Begin to send what waits in the journal."""
        self._thread.start()
        self._watcher.start()

    @property
    def lost(self) -> dict[str, FencedOut]:
        """Tables that this gateway may not write, and why."""
        return self._tenure.lost

    def append_together(self, parts: Sequence[LinesToAppend]) -> tuple[Head, ...]:
        """Append the lines of several tables to the journal in one durable step, and have them sent.

        Raises:
            FencedOut: another gateway writes one of them; nothing was appended.
        """
        for part in parts:
            self._check(part.subject)
        heads = self.journal.log.append_together(parts)
        for part, head in zip(parts, heads, strict=True):
            self.forwarder.appended(part.subject, head.sequence)
        self._wake.set()
        self._whole -= self._pruner.after(sum(len(part.lines) for part in parts))
        return heads

    def head(self, subject: str) -> Head:
        """The table's last record, here or in Kafka.

        Raises:
            FencedOut: another gateway writes this table.
            KafkaAway: the journal does not know the table, and Kafka cannot be asked.
        """
        self.meet((subject,))
        self._check(subject)
        self._judging = subject
        return self.journal.log.head(subject)

    def read_from(self, subject: str, sequence: int = 1) -> Iterator[Record]:
        """The table's records from this sequence on, in Kafka where the journal begins later."""
        self._complete(subject, sequence)
        return self.journal.log.read_from(subject, sequence)

    def tail(self, after: int = 0) -> Iterator[Tailed]:
        """Records of the journal behind this position."""
        return self.journal.log.tail(after)

    def find(self, source: str, event_id: str, at: dt.datetime) -> Place | None:
        """Where the first event of this source and id stands; asked of a table after its head.

        An event that is sent again bears the time it bore: one that is later than all that was pruned was not.
        """
        pruned = self.journal.pruned_until(self._judging)
        if pruned is None or utc_text(at) <= pruned:
            self._complete(self._judging, 1)
        return self.journal.log.find(source, event_id, at)

    def subjects(self) -> tuple[str, ...]:
        """Tables of the journal."""
        return self.journal.log.subjects()

    def quarantine(self, letters: Sequence[DeadLetter]) -> tuple[int, ...]:
        """Keep dead letters in the journal, and have them sent."""
        numbers = self.journal.log.quarantine(letters)
        self._wake.set()
        return numbers

    def quarantined(self, after: int = 0) -> Iterator[Quarantined]:
        """Dead letters of the journal behind this number."""
        return self.journal.log.quarantined(after)

    def quarantined_as(self, digest: str) -> bytes | None:
        """Bytes of an unreadable dead letter that may be a record, or None; some bytes no record can carry."""
        line = self.journal.log.quarantined_as(digest)
        return line if line is not None and can_travel(line) else None

    def meet(self, subjects: Sequence[str]) -> None:
        """Take tables that are new here, all at once.

        Raises:
            KafkaAway: one is not in the journal, and Kafka cannot be asked.
        """
        new = [subject for subject in subjects if subject not in self._met]
        begun = time.monotonic()
        while new:
            unknown = [s for s in new if self.journal.log.head(s).sequence == 0]
            if not unknown and time.monotonic() < self._ask_again_at:
                break
            try:
                self._tenure.settle(new)
                break
            except KafkaError as error:
                trouble = trouble_of(error)
            self._ask_again_at = time.monotonic() + _ASK_AGAIN_SECONDS
            self.forwarder.trouble = trouble
            if not unknown:
                break  # the journal knows them: their events wait there
            self._bear(trouble, begun, f"table {unknown[0]} is new here, and nothing of it was recorded")
        self._met.update(new)

    def wait(self, advance: Callable[[int], None], most: float = inf) -> bool:
        """Wait until everything has arrived; False if nothing has for as long as was to be waited.

        At `most` so many seconds are spent. `advance` is told how many events more have been acknowledged.
        """
        forwarder = self.forwarder
        seen, heard = forwarder.acknowledged, time.monotonic()
        last = heard + most
        self._spoke_at = -inf
        while not forwarder.idle:
            self._raise_defect()
            if forwarder.acknowledged > seen:
                advance(forwarder.acknowledged - seen)
                seen, heard = forwarder.acknowledged, time.monotonic()
            trouble = self.trouble
            cures = trouble.cures if trouble is not None else inf
            deadline = min(heard + min(self._plan.seconds, cures), last)
            if time.monotonic() > deadline:
                return False
            if trouble is not None:
                self._speak(trouble, deadline)
            self._caller_rests(0.02)
        advance(forwarder.acknowledged - seen)
        return True

    @property
    def trouble(self) -> Trouble | None:
        """What keeps events from arriving just now, or None."""
        if self.forwarder.trouble is None and self.forwarder.silent:
            return _SILENT
        return self.forwarder.trouble

    def away(self) -> KafkaAway:
        """What to tell a person when waiting was in vain."""
        trouble = self.trouble or _SILENT
        waiting = self.forwarder.waiting
        there = f"{amount(waiting, 'event')} {verb(waiting, 'waits')} in {self.journal.path}"
        return self._away(trouble, f"{there}, and the next call sends them")

    def close(self) -> None:
        """Stop sending, let other gateways have the tables that are done, and close the journal."""
        self._stopped.set()
        self._wake.set()
        if self._watcher.is_alive():
            self._watcher.join()
        if self._thread.is_alive():
            self._thread.join(self._connection.patience.look / 1000 + 10)
        if not self._thread.is_alive():
            self.forwarder.close(5.0)
            try:
                if self.forwarder.trouble is None and self._tenure.held:
                    waiting = {s for s in self._tenure.held if self.forwarder.waits(s)}
                    self._tenure.release(self.forwarder.reached(), waiting)
            except KafkaError:
                pass  # unreleased claims cost the next gateway a pause
            self._tenure.close()
        self.journal.close()

    def _reach(self) -> tuple[Writers, Heads]:
        claims = Writers(self._connection)
        try:
            return claims, Heads(TopicReader(self._connection, EVENTS))
        except KafkaError:
            claims.close()
            raise

    def _rest(self, seconds: float) -> None:
        if self._stopped.wait(seconds):
            raise Cancelled("the gateway is closing")

    def _forward(self) -> None:
        try:
            while not self._stopped.is_set():
                self._wake.clear()
                if not self.forwarder.step():
                    self._wake.wait(_IDLE_SECONDS)
                self._stopped.wait(_REST_SECONDS)
                self._tell_lost()
        except BaseException as error:
            self._defect = error

    def _watch(self) -> None:
        forwarder = self.forwarder
        while not self._stopped.wait(LOOK_SECONDS):
            self.outage.look(forwarder.stalled, self.trouble or _SILENT, lambda: forwarder.waiting)

    def _tell_lost(self) -> None:
        for subject in self.lost.keys() - self._told:
            self._told.add(subject)
            self._say(f"table {subject}: {self.lost[subject].why}; nothing more is sent for it")

    def _check(self, subject: str) -> None:
        self._raise_defect()
        fenced = self.lost.get(subject)
        if fenced is not None:
            raise fenced

    def _raise_defect(self) -> None:
        if self._defect is not None:
            raise self._defect

    def _complete(self, subject: str, sequence: int) -> None:
        """Have what is asked for in the journal, if it begins later than that."""
        if subject in self._whole:
            return
        first = self.journal.first(subject)
        if first <= 1:
            if first:
                self._whole.add(subject)
            return
        if sequence >= first:
            return
        begun = time.monotonic()
        while True:
            try:
                self._tenure.history(subject)
                break
            except KafkaError as error:
                trouble = trouble_of(error)
            self._bear(trouble, begun, f"events of table {subject} could not be compared with what it holds")
        self._whole.add(subject)

    def _bear(self, trouble: Trouble, begun: float, consequence: str) -> None:
        """Rest before Kafka is asked again; raise KafkaAway once it was waited for, since `begun`, long enough."""
        deadline = begun + min(self._plan.seconds, trouble.cures)
        if time.monotonic() > deadline:
            raise self._away(trouble, consequence)
        self._speak(trouble, deadline)
        self._caller_rests(0.5)

    def _away(self, trouble: Trouble, consequence: str) -> KafkaAway:
        what, why = f"Kafka at {self._connection.servers}", f"{trouble.why}; {consequence}"
        return KafkaAway(what, why, trouble.remedy)

    def _speak(self, trouble: Trouble, deadline: float) -> None:
        now = time.monotonic()
        if now - self._spoke_at < _SPEAK_SECONDS:
            return
        self._spoke_at = now
        self.outage.said()
        waiting = self.forwarder.waiting
        self._say(
            f"Kafka at {self._connection.servers}: {trouble.why}: {amount(waiting, 'event')} "
            f"{verb(waiting, 'waits')} in the journal; trying for {max(deadline - now, 0):.0f} s more; {trouble.remedy}"
        )

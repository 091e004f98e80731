"""The desk at work: it decides on the newest state, appends to a ledger, and tells those who listen, in order."""

from __future__ import annotations

import datetime as dt
import threading
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from itertools import islice, takewhile
from typing import NamedTuple, TypeVar

import msgspec

from dashboards.desk.alerts import Alert, Change, GlassOpening
from dashboards.desk.case_decisions import belonging, of_alerts, of_linked, permit_named_case
from dashboards.desk.decisions import AsWritten, OfEach, Refused, as_it_is, due, permit, permit_on_dispute
from dashboards.desk.disputes import Dispute, by_due_date, dispute_id
from dashboards.desk.index import Index, Matter, key_of, matter_of
from dashboards.desk.state import DeskState, LastProof, Moved
from dashboards.ledger.acts import DESK, Act, AddedToCase, DeskRecord, OnAlert, Raised, Witnessed, write
from dashboards.ledger.chained import Chained
from dashboards.ledger.dispute_acts import DisputeOpened, OnDispute
from dashboards.ledger.holding import LedgerAlarm, LedgerHolding
from dashboards.ledger.ledger import DeskAltered, DeskLog, Memory
from dashboards.ledger.rereading import REST
from schemas.events.codec import record_hash
from schemas.findings import Finding

_read = msgspec.json.Decoder(DeskRecord).decode

T = TypeVar("T")
KEPT = 20_000  # changes a viewer may resume from without a snapshot: a quarter of an hour at 20 a second


class Snapshot(NamedTuple):
    """All open alerts behind the change of this number."""

    seq: int
    alerts: tuple[Alert, ...]


class Desk:
    """Alerts of one ledger; several may work on the same one, and each sees what the others write.

    Any thread may call; `clock` gives the time in UTC, which on the desk never goes back.
    """

    def __init__(
        self,
        log: DeskLog,
        clock: Callable[[], dt.datetime],
        kept: int = KEPT,
        *,
        memory: Memory | None = None,
        settle: float = 0.0,
        rest: float = REST,
    ) -> None:
        """Fold the ledger up to its end, and hold it against `memory`; one that is not as it was makes `alarm`.

        `settle`: seconds in which records that are remembered and not there yet may still come, as brokers do after a
        failure. `rest`: seconds between two passes of `reread`.

        Raises:
            DeskUnavailable: it cannot be read.
            MemoryFailed: what was acknowledged cannot be recalled.
        """
        self._log = log
        self._clock = clock
        self._state = DeskState()
        self._recent: deque[Change] = deque(maxlen=kept)
        self._listeners: list[Callable[[Change], None]] = []
        self._guard = threading.RLock()
        self._chain = Chained(log, self._state, self._take, LedgerHolding(clock, memory), rest)
        with suppress(DeskAltered):  # it is served all the same: people are to read why nothing can be done
            self._chain.open(settle)

    @property
    def seq(self) -> int:
        """Number of the last change."""
        return self._state.seq

    @property
    def alarm(self) -> LedgerAlarm | None:
        """Why nothing can be done here any more; it stands until another desk is opened on a ledger that is right."""
        return self._chain.holding.alarm

    @property
    def memory_trouble(self) -> str | None:
        """Why what is appended is not remembered outside of the ledger now."""
        return self._chain.holding.memory_trouble

    def catch_up(self) -> int:
        """Take what others have appended; returns the number of records.

        Raises:
            DeskAltered: the ledger does not hold what was read or acknowledged.
            DeskUnavailable: it cannot be read.
        """
        with self._guard:
            taken = self._chain.take_new()
            self._chain.remember()
            return taken

    def reread(self, most: int) -> None:
        """Read so many records again, one pass over all of them after the other.

        Raises:
            DeskAltered: one is not as it was.
            DeskUnavailable: they cannot be read.
        """
        with self._guard:
            self._chain.holding.require_unaltered()
            known = self._chain.head
        try:
            self._chain.rereading.step(known, most)
        except DeskAltered as error:
            with self._guard:
                raise self._chain.holding.altered(str(error)) from error

    def raise_alerts(
        self, raised: Iterable[Raised], told: Mapping[Matter, Collection[str]] | None = None
    ) -> tuple[Change, ...]:
        """Raise an alert for each finding that has none yet, all in one append.

        `told` are the ids of findings, by their matter and in order, that one version of the fold has told. An alert
        about the same matter that it has not told is another version's, and stands for one of those that have none.
        """
        raised = tuple(raised)

        def decide(at: dt.datetime) -> list[Act]:
            new = {act.finding.finding_id: act for act in raised}
            missing = [act for alert, act in new.items() if alert not in self._state.alerts]
            raising = [act for act in missing if told is None or not self._stood_for(act.finding, told)]
            return self._state.tunings.raised_as(raising, at)

        return tuple(change for change in self._append(DESK, decide) if change.act == "raised")

    def _stood_for(self, finding: Finding, told: Mapping[Matter, Collection[str]]) -> bool:
        matter = matter_of(finding)
        mine = told.get(matter, ())
        others = sum(alert not in mine for alert in self._state.index.of_matter(matter))
        missing = [alert for alert in mine if alert not in self._state.alerts]
        return finding.finding_id in missing[:others]

    def act(self, act: OnAlert, actor: str) -> Change:
        """Do what someone wants done to an alert.

        Raises:
            Unknown, Conflict, Refused: it was not done, and why.
            DeskInDoubt: it may have been done, or not.
            DeskUnavailable: it was not done.
        """
        (change,) = self._append(actor, lambda at: self._with_cases([self._permit(act, actor, at)]))
        return change

    def act_on_each(self, acts: Sequence[OnAlert], actor: str, as_written: AsWritten = as_it_is) -> OfEach:
        """Do what someone wants done to several alerts, in one append; an alert that is named again is refused.

        The answer has for each act, in order, the change, or why there is none: `as_written` may refuse it, too.

        Raises:
            DeskInDoubt: those that were not refused may have been done, or not.
            DeskUnavailable: nothing was done.
        """
        refused: dict[int, Refused] = {}

        def decide(at: dt.datetime) -> list[Act]:
            refused.clear()
            done: dict[str, OnAlert] = {}
            for place, act in enumerate(acts):
                try:
                    self._permit(act, actor, at)
                    if act.alert in done:
                        raise Refused("it is named twice")
                    done[act.alert] = as_written(self._state, act, done.values())
                except Refused as error:
                    refused[place] = error
            return self._with_cases(list(done.values()))

        with self._guard:
            changes = iter(self._append(actor, decide))
            return tuple(refused.get(place) or next(changes) for place in range(len(acts)))

    def _permit(self, act: OnAlert, actor: str, at: dt.datetime) -> OnAlert:
        permit(self._state, act, actor, at)
        if isinstance(act, AddedToCase):
            permit_named_case(self._state, act.case, actor)
        return act

    def _with_cases(self, done: Sequence[OnAlert]) -> list[Act]:
        return [*done, *of_alerts(self._state, done)]

    def open_dispute(self, make: Callable[[str, dt.datetime], DisputeOpened], actor: str) -> Dispute:
        """Open a dispute, made with its id and the time; the alert it came from has it among its cases from then on.

        Raises:
            DeskUnavailable: it was not opened.
        """
        named = ""

        def decide(at: dt.datetime) -> list[Act]:
            nonlocal named
            named = dispute_id(len(self._state.disputes) + 1)
            act = make(named, at)
            return [act, *belonging(self._state, act.alert, named)]

        with self._guard:
            self._append(actor, decide)
            return self._state.disputes[named]

    def act_on_dispute(self, act: OnDispute, actor: str) -> Dispute:
        """Do what someone wants done to a dispute; an alert that is linked to it has it among its cases from then on.

        Raises:
            Unknown, Conflict, Refused: it was not done, and why.
            DeskUnavailable: it was not done.
        """

        def decide(at: dt.datetime) -> list[Act]:
            return [permit_on_dispute(self._state.disputes, act, actor, at), *of_linked(self._state, act)]

        with self._guard:
            self._append(actor, decide)
            return self._state.disputes[act.dispute]

    def dispute(self, dispute: str) -> Dispute | None:
        """A dispute as it stands."""
        return self.look(lambda state: state.disputes.get(dispute))

    def disputes(self) -> tuple[Dispute, ...]:
        """All disputes: the open ones by due date, then the decided ones, the last first."""
        with self._guard:
            return by_due_date(self._state.disputes.values())

    def note(self, act: Witnessed, actor: str) -> None:
        """Keep something that was witnessed and changes nothing on the desk."""
        self._append(actor, lambda _at: [act])

    def decide(self, actor: str, make: Callable[[DeskState, dt.datetime], Sequence[Act]]) -> None:
        """Append what `make` decides on the newest state; it is asked again where others append first.

        Raises:
            Refused: what `make` raises; nothing was appended.
            DeskUnavailable: nothing was appended.
        """
        self._append(actor, lambda at: make(self._state, at))

    def look(self, read: Callable[[DeskState], T]) -> T:
        """What is read of the state while nobody changes it."""
        with self._guard:
            return read(self._state)

    def return_due(self) -> tuple[Change, ...]:
        """Bring back the alerts whose time on the shelf is over."""
        with self._guard:
            if not due(self._state, self._now()):
                return ()
            return self._append(DESK, lambda at: list(due(self._state, at)))

    def alert(self, alert: str) -> Alert | None:
        """An alert as it stands, open or closed."""
        return self.look(lambda state: state.alerts.get(alert))

    def snapshot(self) -> Snapshot:
        """All open alerts, the oldest first."""
        with self._guard:
            return Snapshot(self._state.seq, tuple(a for a in self._state.alerts.values() if a.open))

    def closed(self) -> tuple[Alert, ...]:
        """All closed alerts, the last that was closed first."""
        return self._named(Index.closed)

    def of_check(self, check: str, since: dt.datetime, most: int) -> tuple[Alert, ...]:
        """Alerts of a check that were raised since then, the newest first, open or closed, at most so many."""
        with self._guard:
            all_of_them = map(self._state.alerts.__getitem__, self._state.index.of_check(check))
            return tuple(islice(takewhile(lambda alert: alert.raised_at >= since, all_of_them), most))

    def of_checks(self, beginning: str) -> tuple[Alert, ...]:
        """Alerts of all checks whose names begin so, open or closed."""
        return self._named(lambda index: index.of_checks(beginning))

    def of_dealer(self, dealer: str) -> tuple[Alert, ...]:
        """Alerts with this dealer at the table, open or closed, in the order in which they were raised."""
        return self._named(lambda index: index.of_dealer(dealer))

    def waiting(self, alert: Alert) -> tuple[Alert, ...]:
        """The waiting alerts of the group of this one."""
        return self._named(lambda index: index.waiting(key_of(alert)))

    def _named(self, named: Callable[[Index], Iterable[str]]) -> tuple[Alert, ...]:
        return self.look(lambda state: tuple(map(state.alerts.__getitem__, named(state.index))))

    def history(self, alert: str, most: int) -> tuple[DeskRecord, ...]:
        """The last records about an alert, the oldest first: who raised, saw, took and closed it.

        Raises:
            DeskUnavailable: they cannot be read.
        """
        numbers = self._state.index.records(alert)[-most:]
        return tuple(_read(line) for number in numbers for line in self.lines(number, 1))

    def lines(self, first: int, most: int) -> tuple[bytes, ...]:
        """Up to so many records from this one on, as they stand in the ledger now, byte for byte.

        Raises:
            DeskUnavailable: it cannot be read.
        """
        with self._guard:
            return tuple(line for _, line in islice(self._log.read_from(first), most))

    @property
    def records(self) -> int:
        """How many records there are: changes of alerts, and everything else that is kept."""
        return self._state.sequence

    @property
    def head(self) -> str:
        """Hash of the last record."""
        return self._state.head

    @property
    def last_proof(self) -> LastProof | None:
        """The last time someone had the chain walked; None if nobody ever did."""
        return self._state.proven

    def actors(self) -> tuple[str, ...]:
        """The names of all who are on record as having done something."""
        with self._guard:
            return tuple(self._state.index.actors)

    def moved(self, sequence: int) -> Moved | None:
        """Status before and after the act of a record, where it is one upon an alert or a dispute."""
        return self._state.moved.get(sequence)

    def pages(self, alert: str) -> Mapping[tuple[str, str], str]:
        """What came of sending an alert, by channel and whom it went to: delivered, failed or given up."""
        return self._state.pages.get(alert, {})

    def withheld_from(self, user: str) -> frozenset[tuple[str, str]]:
        """Kind and value of what this user may not see."""
        return frozenset((kind, value) for who, kind, value in self._state.withheld if who == user)

    def hidden_from(self, user: str, kind: str) -> frozenset[str]:
        """The values of one kind that this user may not see: tables, dealers, patrons or alerts."""
        return frozenset(value for of, value in self.withheld_from(user) if of == kind)

    def restricted_at(self, user: str) -> int:
        """Number of the last change before this user's deny list changed; 0 where it never did."""
        return self._state.restricted.get(user, 0)

    def openings(self) -> tuple[GlassOpening, ...]:
        """Everything sealed that was ever opened, the oldest first."""
        return self._state.openings

    def changes_after(self, seq: int) -> tuple[Change, ...] | None:
        """Changes behind this number, without a gap; None if they are no longer held, or are yet to be."""
        with self._guard:
            missing = self._state.seq - seq
            if missing < 0 or missing > len(self._recent):
                return None
            return tuple(self._recent)[len(self._recent) - missing :]

    def listen(self, listener: Callable[[Change], None]) -> Callable[[], None]:
        """Tell this one of every change from now on, in order; call the result to end it."""
        with self._guard:
            self._listeners.append(listener)

        def stop() -> None:
            with self._guard:
                self._listeners.remove(listener)

        return stop

    def _now(self) -> dt.datetime:
        now, last = self._clock(), self._state.last_time
        return now if last is None else max(now, last)

    def _append(self, actor: str, decide: Callable[[dt.datetime], Sequence[Act]]) -> tuple[Change, ...]:
        def make() -> list[bytes]:
            at, head = self._now(), self._state.head
            lines: list[bytes] = []
            for sequence, act in enumerate(decide(at), self._state.sequence + 1):
                lines.append(write(act, actor, at, sequence, head))
                head = record_hash(lines[-1])
            return lines

        with self._guard:
            changes = [self._take(line) for line in self._chain.append(make)]
            self._chain.remember()
            return tuple(change for change in changes if change is not None)

    def _take(self, line: bytes) -> Change | None:
        change = self._state.take(line)
        if change is not None:
            self._recent.append(change)
            for listener in self._listeners:
                listener(change)
        return change

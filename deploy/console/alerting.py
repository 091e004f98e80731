"""Findings become alerts: those the store holds when the console starts, and from then on each as it is decided."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final

import msgspec
from msgspec import UNSET

from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Raised
from dashboards.ledger.ledger import DeskAltered, DeskBusy
from deploy.configured.embedded import Embedded
from deploy.console.again import RisingAgain
from deploy.console.paging import Evidence, Paging
from processors.detectors.paging import ONE_PAGE, Budget
from processors.runtime.embedded.fold import Decided, EmbeddedFold
from processors.runtime.store.warehouse import Parameter, Warehouse
from schemas.findings import Finding

RAISED_VERDICTS: Final = frozenset({"breached", "suspected"})  # the others say what could not be judged
DEVICE: Final = "integrity.device"
WITNESS: Final = "integrity.witness"
GRAVEST: Final = "critical"  # of these someone looks at what could not be judged too
STORE_EVERY: Final = 1.0  # seconds: an insert costs some 7 ms for each relation, however few its rows
LOOK_EVERY: Final = 0.1  # seconds
WEIGH_EVERY: Final = 1.0  # seconds: the evidence of all that waits or was cleared is asked for
_AT_ONCE: Final = 200  # records folded before what they brought about is raised
_PAGE: Final = 2_000
_STORED: Final = (
    "SELECT f.record, f.decided_at, f.subject, f.sequence, f.finding_id, r.dealer"
    " FROM (SELECT * FROM findings FINAL) AS f"
    " LEFT JOIN (SELECT subject, round, any(dealer) AS dealer FROM rounds FINAL GROUP BY subject, round) AS r"
    " ON r.subject = f.subject AND r.round = f.round"
    " WHERE (has({verdicts:Array(String)}, f.verdict) OR f.severity = {gravest:String})"
    " AND (f.subject, f.sequence, f.finding_id) > ({subject:String}, {sequence:UInt32}, {id:String})"
    " ORDER BY f.subject, f.sequence, f.finding_id LIMIT {most:UInt32}"
)
_read_finding = msgspec.json.Decoder(Finding).decode


class Alerting:
    """Follows the ledger of the data folder, keeps its store, and raises what is decided at the desk."""

    def __init__(self, held: Embedded, desk: Desk, budget: Budget = ONE_PAGE) -> None:
        """Fold and store what is new, and raise what the store holds and the desk does not; suspicions by a budget."""
        self._fold = EmbeddedFold(held.ledger, held.store)
        self.paging = Paging(budget, lambda: len(self._fold.tables))
        self._raising = Raising(desk, self.paging)
        self._desk, self._again = desk, RisingAgain(desk, self.paging.page_at)
        self._looked_behind, self._folded = -1, True
        self._fold.catch_up()
        self._raising.of_store(held.store)
        self._raise_grown()

    def follow(self, ended: threading.Event, clock: Callable[[], float] = time.monotonic) -> None:
        """Fold record after record until `ended`; what was decided is at the desk before it is in the store.

        Raises:
            Exception: the ledger, the store or the desk failed; started again it goes on from the store.
        """
        stored_at = weighed_at = clock()
        while not ended.is_set():
            taken = self._take()
            if clock() - stored_at >= STORE_EVERY:
                self._fold.store()
                stored_at = clock()
            if clock() - weighed_at >= WEIGH_EVERY:
                self._raise_grown()
                weighed_at = clock()
            if taken < _AT_ONCE:
                ended.wait(LOOK_EVERY)
        self._fold.store()

    def _take(self) -> int:
        """Fold the next records, and raise what they brought about."""
        folded = self._fold.fold(_AT_ONCE)
        self._raising.raise_alerts(alerts_of(folded.decided))
        self._folded = self._folded or bool(folded.events)
        return folded.events

    def _raise_grown(self) -> None:
        """Raise what waited and pages now, then what people cleared and later evidence speaks for."""
        folded, self._folded = self._folded, False
        if folded:
            self._raising.raise_grown(self._fold.evidence)
        if not folded and self._desk.seq == self._looked_behind:
            return
        seq, self._looked_behind = self._desk.seq, -1
        try:
            if self._again.look(lambda finding, _closed_at: self._fold.standing(finding)):
                self._looked_behind = seq
        except (DeskBusy, DeskAltered):
            return


class Raising:
    """Raises findings at the desk; those it has no time for wait, and a desk whose ledger was altered gets none.

    What an altered one is not given is not lost: started again on a ledger that is right, it is given what the store
    holds and it does not.
    """

    def __init__(self, desk: Desk, paging: Paging | None = None) -> None:
        """`paging` says which suspicions call somebody; without it all do."""
        self._desk, self._paging = desk, paging
        self._waiting: list[Raised] = []

    def raise_alerts(self, raised: Iterable[Raised]) -> None:
        """Raise these, and those that wait.

        Raises:
            DeskUnavailable: the ledger of the desk cannot be written.
        """
        self._waiting.extend(raised if self._paging is None else self._paging.paged(raised))
        if not self._waiting:
            return
        try:
            self._desk.raise_alerts(self._waiting)
        except DeskBusy:
            return
        except DeskAltered:
            pass
        self._waiting.clear()

    def raise_grown(self, evidence: Evidence) -> None:
        """Raise suspicions that waited and page now: their evidence has grown, or shifts have paid for them.

        Raises:
            DeskUnavailable: the ledger of the desk cannot be written.
        """
        if self._paging is not None and self._paging.waits:
            self._waiting.extend(self._paging.grown(evidence))
            self.raise_alerts(())

    def of_store(self, store: Warehouse) -> None:
        """Raise what the store holds and the desk does not.

        Raises:
            DeskUnavailable: the ledger of the desk cannot be written.
        """
        for page in _stored(store):
            self.raise_alerts(page)


def alerts_of(decided: Iterable[Decided]) -> list[Raised]:
    """The alerts that what was decided asks for."""
    return [
        Raised(finding=finding, decided_at=each.at, dealer=each.dealer)
        for each in decided
        for finding in each.outcome.findings
        if asks_for_alert(finding)
    ]


def asks_for_alert(finding: Finding) -> bool:
    """Whether a finding becomes an alert: a breach, a suspicion, and whatever is critical, proven or not.

    A single word that a device lost raises none, as it says nothing against anybody: the device is counted, and has one
    alert for the stretch in which it fails.
    """
    if finding.severity == "info" or _is_lost_word(finding):
        return False
    if finding.check == DEVICE and finding.because_of is not UNSET:
        return False
    return finding.verdict in RAISED_VERDICTS or finding.severity == GRAVEST


def _is_lost_word(finding: Finding) -> bool:
    """Whether it names one word that a device lost; two devices that contradict each other are graver."""
    return finding.check == WITNESS and finding.severity == "minor"


def _stored(store: Warehouse) -> Iterator[list[Raised]]:
    subject, sequence, last = "", 0, ""
    while True:
        verdicts = tuple[str, ...](sorted(RAISED_VERDICTS))
        behind: dict[str, Parameter] = {"subject": subject, "sequence": sequence, "id": last}
        rows = store.query(_STORED, {**behind, "verdicts": verdicts, "gravest": GRAVEST, "most": _PAGE})
        if not rows:
            return
        stored = ((_read_finding(record), at, dealer or None) for record, at, _, _, _, dealer in rows)
        yield [
            Raised(finding=finding, decided_at=at, dealer=dealer)
            for finding, at, dealer in stored
            if asks_for_alert(finding)
        ]
        _, _, subject, sequence, last, _ = rows[-1]

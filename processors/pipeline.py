"""One table's pipeline: bytes in, rounds and findings out; pure, and the same wherever it runs.

Decode a line, place it in the chain, read it against the grammar, judge it by the table as it stood, fold it in,
reconstruct the round that ends, and prove its rack.
"""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from processors.core.anomaly import Anomaly
from processors.core.chain import admit, unreadable
from processors.core.fold import fold
from processors.core.grammar.lingering import stays_open
from processors.core.pairing import undrawn
from processors.core.state import Lingering, Round, Table, restore, snapshot
from processors.games.reconstruct import reconstruct
from processors.games.taking import PLAIN, meet
from processors.law.awaiting import hidden, told
from processors.law.finding import anomaly_findings, explained, findings_of
from processors.law.judge import Judge
from processors.law.rehear.rehearing import hear
from processors.law.rehear.waiting import decided, explicable
from processors.proof import proven
from schemas.codec import Malformed, decode, record_hash
from schemas.envelope import PAYLOADS
from schemas.events import (
    CardPlaced,
    GamingDayStarted,
    RoundEnded,
    ShoeEmptied,
    TableConfigured,
)
from schemas.findings import Finding
from schemas.rounds import RoundResult


class DeadLetter(Struct, frozen=True):
    """A line that is no event of the contract: why, and the sequence it stands at."""

    reason: str
    sequence: int


class Outcome(Struct, frozen=True):
    """What one line, or the end of a stream, brought about; `foreign` names the table the line belongs to instead."""

    rounds: tuple[RoundResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    dead: DeadLetter | None = None
    foreign: str | None = None


NOTHING = Outcome()


class TablePipeline:
    """The state of one table and what the next line does to it."""

    __slots__ = ("_judge", "_proofs", "_readings", "table")

    def __init__(
        self, subject: str, readings: Mapping[str, str] | None = None, *, proofs: bool = True
    ) -> None:
        """Start a table from nothing; `readings` chooses policies over the table's own, `proofs` weighs racks."""
        self.table = Table(subject=subject)
        self._proofs = proofs
        self._readings = dict(readings or {})
        self._judge = Judge(readings)

    @classmethod
    def restore(cls, data: bytes, readings: Mapping[str, str] | None = None) -> TablePipeline:
        """Go on from a snapshot.

        Raises:
            msgspec.ValidationError: the bytes are no snapshot of this version.
        """
        pipeline = cls("", readings)
        pipeline.table = restore(data, PAYLOADS)
        pipeline._judge.adopt(pipeline.table)
        return pipeline

    def snapshot(self) -> bytes:
        """The whole state as bytes; going on from it equals never having stopped."""
        return snapshot(self.table)

    @property
    def state(self) -> Table:
        """The table's state, to look at."""
        return self.table

    def advance(self, line: bytes) -> Outcome:
        """Take one line of the table's record (without its end of line)."""
        table = self.table
        digest = record_hash(line)
        try:
            event = decode(line, table.chain.head, table.subject)
        except Malformed as error:
            return self._quarantine(digest, error)
        if event.subject != table.subject:
            return Outcome(foreign=event.subject)
        sequence = event.sequence
        admitted, anomalies = admit(table.chain, event, digest, table.blind)
        if not admitted:
            return Outcome(findings=anomaly_findings(table, anomalies, sequence, table.round))
        data = event.data
        kind = type(data)
        rounds: tuple[RoundResult, ...] = ()
        findings: tuple[Finding, ...] = ()
        if anomalies:
            findings = anomaly_findings(table, anomalies, sequence, table.round)
        met = meet(table, event)
        if met is not PLAIN:
            findings += anomaly_findings(table, met.departures + met.silent, sequence, table.round)
            if met.ended is not None and met.ended.open:
                findings += decided(table, met.ended.round, self._judge, over=True)
                rounds = (self._close_late(met.ended),)
            if met.again:
                return Outcome(rounds, findings)
            if met.over and table.round is not None:
                findings += decided(table, table.round, self._judge, over=True)
                rounds = (*rounds, self._close(table.round, sequence - 1, ended=False))
        held = hear(table, event, self._judge, met)
        round_ = table.round
        anomalies = fold(table, event)
        if held:
            if kind is CardPlaced and table.shoe.owed and any(one.verdict == "breached" for one in held):
                anomalies += undrawn(table, sequence)
            if anomalies:
                held, anomalies = explained(held, tuple(anomalies), kind)
            waits = explicable(table, round_, self._judge, held)
            findings += findings_of(held, table, round_, sequence, waits)
        if anomalies:
            # The rest of a shoe goes to the rack so that it can be seen that no card is missing.
            also = ("shoe.rest_to_rack",) if kind is ShoeEmptied and round_ is None else ()
            findings += anomaly_findings(table, anomalies, sequence, round_ or table.round, also)
        lingers = False
        if round_ is not None and (round_.waiting or round_.faces):
            lingers = kind is RoundEnded and bool(round_.waiting) and stays_open(table, round_)
            if not lingers:
                findings += decided(table, round_, self._judge, over=kind is RoundEnded)
        if table.awaited:
            # What waited goes first: a finding of this event may be its consequence.
            findings = told(table, kind, round_, event.time) + findings
        if kind is RoundEnded and round_ is not None and not lingers:
            rounds = (*rounds, self._close(round_, sequence, ended=True))
        elif kind is TableConfigured or kind is GamingDayStarted:
            self._judge.adopt(table)
        if rounds or findings:
            return Outcome(rounds, findings)
        return NOTHING

    def refuse(self, line: bytes, reason: str, path: str = "$") -> Outcome:
        """Take a line that is known to be no event of this table, whatever it says of itself."""
        return self.refuse_unread(record_hash(line), reason, path)

    def refuse_unread(self, digest: str, reason: str, path: str = "$") -> Outcome:
        """Take a line of which only the SHA-256 is at hand, because it was too long to be read."""
        return self._quarantine(digest, Malformed(reason, path))

    def finish(self) -> Outcome:
        """The stream ends here: a round under way is reported as far as it was seen."""
        table = self.table
        if table.chain.unread and table.chain.first_bad is None:
            table.chain.first_bad = table.chain.next_sequence
            table.chain.broken = True
        findings: tuple[Finding, ...] = ()
        rounds: tuple[RoundResult, ...] = ()
        if table.lingering is not None and table.lingering.open:
            findings += decided(table, table.lingering.round, self._judge, over=True)
            rounds = (self._close_late(table.lingering),)
        table.lingering = None
        if table.round is not None:
            findings += decided(table, table.round, self._judge, over=True)
        findings += told(table, RoundEnded, table.round, over=True)
        if table.round is not None:
            rounds = (*rounds, self._close(table.round, table.chain.next_sequence - 1, ended=False))
            table.round = None
        return Outcome(rounds, findings) if rounds or findings else NOTHING

    def _quarantine(self, digest: str, error: Malformed) -> Outcome:
        table = self.table
        at = unreadable(table.chain, digest, table.blind)
        anomaly = Anomaly(
            check="integrity.schema",
            cites="integrity.schema",
            message=f"The line where event {at} should stand is no event of the contract: {error}.",
            sequences=(at,),
            expected={"line": "an event of the contract"},
            observed={"reason": error.reason[:200], "path": error.path},
            discriminator=digest,
        )
        findings = anomaly_findings(table, (anomaly,), at, table.round)
        return Outcome(findings=findings, dead=DeadLetter(str(error), at))

    def _close_late(self, lingering: Lingering) -> RoundResult:
        """The round before, as its end left it."""
        blind = self.table.blind
        now, blind.round = blind.round, lingering.blind
        result = self._close(lingering.round, lingering.sequence, ended=True)
        blind.round = now
        return replace(result, head=lingering.head)

    def _close(self, round_: Round, last: int, *, ended: bool) -> RoundResult:
        if not ended:
            hidden(self.table)
        result = reconstruct(self.table, round_, last, ended, self._readings)
        return proven(result, self.table, round_, self._judge.rules) if self._proofs else result

"""One table's pipeline: bytes in, rounds and findings out; pure, and the same wherever it runs.

Decode a line, place it in the chain, read it against the grammar, judge it by the table as it stood, fold it in,
reconstruct the round that ends, prove its rack, and tell the detectors.
"""

from __future__ import annotations

from collections.abc import Mapping

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from processors.core.anomaly import Anomaly
from processors.core.chain import APART, Admitted, admit, unreadable
from processors.core.devices.pairing import undrawn
from processors.core.folding.clocks import reckoned
from processors.core.folding.fold import fold
from processors.core.grammar.repeats import give_up
from processors.core.handlers import Anomalies
from processors.core.snapshots import restore, snapshot
from processors.core.state import Lingering, Round, Table
from processors.detectors.shapes import Observation
from processors.detectors.stages.table_stage import TableStage
from processors.games.whichever.named import unknown_names
from processors.games.whichever.reconstruct import reconstruct
from processors.games.whichever.taking import PLAIN, Met, meet, own_act
from processors.law.finding.awaiting import hidden, told
from processors.law.finding.finding import HeldJudgment, anomaly_findings, explained, findings_of
from processors.law.judge.judge import Judge
from processors.law.rehear import docket
from processors.law.rehear.hearing import hear
from processors.law.rehear.waiting import decided, explicable
from processors.play.boxes import round_play
from processors.play.game import GameInForce
from processors.play.worked_out import with_play
from processors.proof import proven
from schemas.events import (
    CardPlaced,
    GamingDayStarted,
    RoundEnded,
    ShoeEmptied,
    TableConfigured,
)
from schemas.events.codec import Malformed, decode, record_hash
from schemas.events.envelope import PAYLOADS, Envelope
from schemas.findings import Finding
from schemas.rounds import RoundResult


class DeadLetter(Struct, frozen=True):
    """A line that is no event of the contract: why, and the sequence it stands at."""

    reason: str
    sequence: int


class Outcome(Struct, frozen=True):
    """What one line, or the end of a stream, brought about; `foreign` names the table the line belongs to instead.

    `apart` is the event of a line that does not follow and was not believed: nothing came of it.

    `observations` are what the table has to say of people who may play or deal at several, for the detectors' entity
    stage.
    """

    rounds: tuple[RoundResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    dead: DeadLetter | None = None
    foreign: str | None = None
    observations: tuple[Observation, ...] = ()
    apart: Envelope | None = None


NOTHING = Outcome()


def _joined(first: Outcome, then: Outcome) -> Outcome:
    """The outcome of two events, of which the second showed the first to count."""
    return Outcome(
        first.rounds + then.rounds,
        first.findings + then.findings,
        observations=first.observations + then.observations,
    )


class _Kept(Struct, frozen=True, array_like=True):
    """A snapshot: the table's state, and that of the detectors beside it."""

    table: bytes
    detectors: bytes | None


_PACK = msgspec.msgpack.Encoder().encode
_UNPACK = msgspec.msgpack.Decoder(_Kept).decode


class TablePipeline:
    """The state of one table and what the next line does to it."""

    __slots__ = ("_detectors", "_game", "_judge", "_proofs", "_readings", "_reads", "table")

    def __init__(
        self,
        subject: str,
        readings: Mapping[str, str] | None = None,
        *,
        proofs: bool = True,
        detect: bool = True,
    ) -> None:
        """Start a table from nothing; `readings` chooses policies over the table's own.

        `proofs` weighs racks, `detect` looks for patterns.
        """
        self.table = Table(subject=subject)
        self._detectors = TableStage() if detect else None
        self._reads = self._detectors.reads if self._detectors is not None else frozenset()
        self._proofs = proofs
        self._readings = dict(readings or {})
        self._judge = Judge(readings)
        self._game = GameInForce()

    @classmethod
    def restore(cls, data: bytes, readings: Mapping[str, str] | None = None) -> TablePipeline:
        """Go on from a snapshot.

        Raises:
            msgspec.ValidationError: the bytes are no snapshot of this version.
        """
        kept = _UNPACK(data)
        pipeline = cls("", readings)
        pipeline.table = restore(kept.table, PAYLOADS)
        if kept.detectors is None:
            pipeline._detectors, pipeline._reads = None, frozenset()
        else:
            pipeline._detectors = TableStage.restore(kept.detectors)
        pipeline._judge.adopt(pipeline.table)
        return pipeline

    def snapshot(self) -> bytes:
        """The whole state as bytes; going on from it equals never having stopped."""
        detectors = self._detectors.snapshot() if self._detectors is not None else None
        return _PACK(_Kept(snapshot(self.table), detectors))

    @property
    def detectors(self) -> TableStage | None:
        """What the detectors hold of the table, to look at; None if they were not asked."""
        return self._detectors

    @property
    def state(self) -> Table:
        """The table's state, to look at."""
        return self.table

    def advance(self, line: bytes, *, believe: bool = True) -> Outcome:
        """Take one line (without its end); what does not follow is missed before, or without `believe` set `apart`."""
        table = self.table
        digest = record_hash(line)
        try:
            event = decode(line, table.chain.head, table.subject)
        except Malformed as error:
            return self._quarantine(digest, error)
        if event.subject != table.subject:
            return Outcome(foreign=event.subject)
        placed = admitted, anomalies = admit(table.chain, event, digest, table.blind, believe)
        if not admitted:
            return self._kept_out(event, placed)
        event, off = reckoned(table.times, event)
        if (
            table.repeats.held
            and (own := own_act(table, event, self._judge.rules.standing(table))) is not None
        ):
            with own.in_its_place(table):
                first = self._take(own.event, (), own=True)
            return _joined(first, self._take(event, anomalies + off))
        return self._take(event, anomalies + off)

    def _take(self, event: Envelope, anomalies: Anomalies, *, own: bool = False) -> Outcome:
        """Take an event that the chain has admitted, with what is amiss with its place and its clocks."""
        table, data, sequence = self.table, event.data, event.sequence
        kind = type(data)
        rounds: tuple[RoundResult, ...] = ()
        findings: tuple[Finding, ...] = ()
        if anomalies:
            findings = anomaly_findings(table, anomalies, sequence, table.round)
        met = meet(table, event, own=own)
        if met is not PLAIN:
            rounds, shown = self._meet(met, event)
            findings += shown
            if met.again or met.late is not None:
                return self._outcome(rounds, findings)
        held = hear(table, event, self._judge, met)
        rehearing = None
        if kind is RoundEnded:
            laid, rehearing = docket.ending(table, self._judge, event)
            findings += laid
        round_, config, anomalies = table.round, table.config, fold(table, event)
        if kind is TableConfigured:
            anomalies += unknown_names(data, config, sequence)
        if held:
            held, anomalies = self._explained(held, anomalies, event)
            waits = explicable(table, round_, self._judge, held)
            findings += findings_of(held, table, round_, sequence, waits)
        if anomalies:
            # The rest of a shoe goes to the rack so that it can be seen that no card is missing.
            also = ("shoe.rest_to_rack",) if kind is ShoeEmptied and round_ is None else ()
            findings += anomaly_findings(table, anomalies, sequence, round_ or table.round, also)
        findings, over = docket.after(table, round_, self._judge, event, findings, rehearing)
        if over and round_ is not None:
            rounds = (*rounds, self._close(round_, sequence, ended=True))
        elif kind is TableConfigured or kind is GamingDayStarted:
            self._judge.adopt(table)
        if kind in self._reads and self._detectors is not None:
            self._detectors.happened(table, event, round_ or table.round)
            return self._outcome(rounds, findings)
        return self._outcome(rounds, findings) if rounds or findings else NOTHING

    def _outcome(self, rounds: tuple[RoundResult, ...], findings: tuple[Finding, ...]) -> Outcome:
        """The outcome, with what the detectors said: their suspicions stand behind the other findings."""
        detectors = self._detectors
        if detectors is None or not detectors.told:
            return Outcome(rounds, findings) if rounds or findings else NOTHING
        said = detectors.take()
        return Outcome(rounds, findings + said.findings, observations=said.observations)

    def _explained(
        self, held: list[HeldJudgment], anomalies: Anomalies, event: Envelope
    ) -> tuple[list[HeldJudgment], Anomalies]:
        """What duties hold against an event, and what is amiss with the record: what both see is said once."""
        kind, table = type(event.data), self.table
        if kind is CardPlaced and table.shoe.owed and any(one.verdict == "breached" for one in held):
            anomalies += undrawn(table, event.sequence)
        return explained(held, tuple(anomalies), kind) if anomalies else (held, anomalies)

    def _kept_out(self, event: Envelope, placed: Admitted) -> Outcome:
        if placed is APART:
            return Outcome(apart=event)
        return Outcome(findings=anomaly_findings(self.table, placed[1], event.sequence, self.table.round))

    def note(self, anomaly: Anomaly) -> Outcome:
        """Tell what is amiss with a record beside the chain; the round under way bears none of it."""
        last = max(self.table.chain.next_sequence - 1, 1)
        return Outcome(findings=anomaly_findings(self.table, (anomaly,), last, None))

    def _meet(self, met: Met, event: Envelope) -> tuple[tuple[RoundResult, ...], tuple[Finding, ...]]:
        """What an event shows of the record before it is judged, and the rounds that are over by it."""
        table, sequence = self.table, event.sequence
        rounds: tuple[RoundResult, ...] = ()
        findings: tuple[Finding, ...] = ()
        if met.late is not None:
            said = told(table, type(event.data), met.late, event.time)
            findings = docket.told_now(table, met.late, self._judge, said, over=False)
        findings += anomaly_findings(table, met.departures + met.silent, sequence, met.late or table.round)
        if met.ended is not None and met.ended.open:
            findings = docket.closed(table, met.ended.round, self._judge, findings)
            rounds = (self._close_late(met.ended),)
        if met.over and table.round is not None:
            findings = docket.closed(table, table.round, self._judge, findings, left=True)
            rounds = (*rounds, self._close(table.round, sequence - 1, ended=False))
        return rounds, findings

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
            findings = docket.closed(table, table.lingering.round, self._judge, findings)
            rounds = (self._close_late(table.lingering),)
        table.lingering = None
        if table.round is not None:
            findings += decided(table, table.round, self._judge, over=True)
        findings += told(table, RoundEnded, table.round, over=True)
        findings += anomaly_findings(table, give_up(table), table.chain.next_sequence - 1, table.round)
        if table.round is not None:
            findings = docket.told_now(table, table.round, self._judge, findings, over=True)
            rounds = (*rounds, self._close(table.round, table.chain.next_sequence - 1, ended=False))
            table.round = None
        return self._outcome(rounds, findings)

    def _quarantine(self, digest: str, error: Malformed) -> Outcome:
        table = self.table
        at = unreadable(table.chain, digest, table.blind)
        anomaly = Anomaly(
            check="integrity.schema",
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
        result = self._close(lingering.round, lingering.sequence, ended=True, late=True)
        blind.round = now
        return replace(result, head=lingering.head)

    def _close(self, round_: Round, last: int, *, ended: bool, late: bool = False) -> RoundResult:
        if not ended:
            hidden(self.table)
        rules = self._judge.rules.on(self.table, round_.day)
        result = reconstruct(self.table, round_, last, ended, self._readings)
        play = round_play(self._game.of(rules), round_, result.stakes)
        result = with_play(result, round_, rules, play)
        if self._detectors is not None:
            self._detectors.closed(self.table, round_, result, play, ended=ended, late=late)
        return proven(result, self.table, round_, rules) if self._proofs else result

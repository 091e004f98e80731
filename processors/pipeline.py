"""One table's pipeline: bytes in, rounds and findings out; pure, and the same wherever it runs.

decode -> place in the chain -> hold against the provisions (the table as it stood) -> fold -> reconstruct.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import msgspec
from msgspec import UNSET, Struct

from processors.core.anomaly import Anomaly
from processors.core.chain import admit, unreadable
from processors.core.fold import fold
from processors.core.silence import listen, round_is_over
from processors.core.state import Root, Round, Table, restore, snapshot
from processors.games.blackjack.rules import BlackjackRules, rules_of
from processors.games.readings import otherwise, resolve
from processors.games.reconstruct import reconstruct
from processors.proof import proven
from processors.provisions import checks as _registered  # noqa: F401 - importing registers every check
from processors.provisions.check import (
    Breach,
    Check,
    Indeterminate,
    Judgment,
    Memo,
    Moment,
    Upheld,
)
from processors.provisions.dispatch import Dispatch, dispatch_table
from processors.provisions.joined import of_the_rest, placed_once, told_once
from processors.provisions.witnesses import not_judged, unread, unseen
from schemas.codec import Malformed, decode, record_hash
from schemas.envelope import PAYLOADS, Envelope
from schemas.events import (
    CardPlaced,
    CardsRacked,
    GamingDayStarted,
    RoundEnded,
    RoundStarted,
    ShoeEmptied,
    TableConfigured,
)
from schemas.findings import Finding, finding_id
from schemas.payload import Payload
from schemas.provisions import PROVISIONS
from schemas.rounds import RoundResult
from schemas.rulesets import RULESETS

RECORD_CHECKS = frozenset(
    {"integrity.chain", "integrity.gap", "integrity.order", "integrity.duplicate", "integrity.conflict",
     "integrity.schema", "integrity.clock", "integrity.device"}
)  # fmt: skip


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

    __slots__ = (
        "_between", "_checks", "_memo", "_policies", "_proofs", "_readings", "_rivals", "_rules", "table",
    )  # fmt: skip

    def __init__(
        self, subject: str, readings: Mapping[str, str] | None = None, *, proofs: bool = True
    ) -> None:
        """Start a table from nothing; `readings` chooses policies over the table's own, `proofs` weighs racks."""
        self.table = Table(subject=subject)
        self._proofs = proofs
        self._readings = dict(readings or {})
        self._policies = resolve({}, self._readings)
        self._rivals: dict[tuple[str, str], BlackjackRules | None] = {}
        self._rules: BlackjackRules | None = None
        self._checks: dict[type[Payload], Dispatch] = {}
        self._between: dict[type[Payload], Dispatch] = {}
        self._memo = Memo()

    @classmethod
    def restore(cls, data: bytes, readings: Mapping[str, str] | None = None) -> TablePipeline:
        """Go on from a snapshot.

        Raises:
            msgspec.ValidationError: the bytes are no snapshot of this version.
        """
        pipeline = cls("", readings)
        pipeline.table = restore(data, PAYLOADS)
        pipeline._adopt_rules()
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
        admitted, anomalies = admit(table.chain, event, digest, table.blind)
        if not admitted:
            return Outcome(findings=self._report(event.sequence, anomalies))
        data = event.data
        kind = type(data)
        rounds: tuple[RoundResult, ...] = ()
        findings: list[Finding] = []
        if anomalies:
            findings += self._report(event.sequence, anomalies)
        over = table.round is not None and (kind is RoundStarted or round_is_over(table, data))
        heard = listen(table, event.sequence, data)
        if heard:
            findings += self._report(event.sequence, heard)
        if over and table.round is not None:
            rounds = (self._close(table.round, event.sequence - 1, ended=False),)
            table.round = None
        dispatch = (self._between if table.round is None else self._checks).get(kind)
        if dispatch is not None and (checks := dispatch.asked(table)):
            findings += self._judge(checks, event)
        round_ = table.round
        anomalies = fold(table, event)
        if anomalies:
            if kind is CardsRacked:
                findings, anomalies = told_once(findings, anomalies)
            elif kind is CardPlaced:
                findings, anomalies = placed_once(findings, anomalies)
            told: Iterable[Finding] = self._report(event.sequence, anomalies, round_)
            if kind is ShoeEmptied and round_ is None and self._rules is not None:
                told = of_the_rest(told, f"{self._rules.chapter}.7(d)(1)")
            findings += told
        if kind is RoundEnded and round_ is not None:
            rounds = (*rounds, self._close(round_, event.sequence, ended=True))
        elif kind is TableConfigured or kind is GamingDayStarted:
            self._adopt_rules()
        if rounds or findings:
            return Outcome(rounds, tuple(findings))
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
        if table.round is None:
            return NOTHING
        result = self._close(table.round, table.chain.next_sequence - 1, ended=False)
        table.round = None
        return Outcome(rounds=(result,))

    def _adopt_rules(self) -> None:
        config = self.table.config
        if config is None:
            return
        self._checks = dispatch_table(config.ruleset)
        self._between = dispatch_table(config.ruleset, in_round=False)
        self._policies = resolve(config.readings or {}, self._readings)
        self._rivals.clear()
        self._rules = self._rules_under(self._policies)

    def _rules_under(self, policies: Mapping[str, str]) -> BlackjackRules | None:
        config = self.table.config
        if config is None or RULESETS[config.ruleset].family != "blackjack":
            return None
        return rules_of(config, self.table.gaming_day, policies)

    def _quarantine(self, digest: str, error: Malformed) -> Outcome:
        at = unreadable(self.table.chain, digest, self.table.blind)
        anomaly = Anomaly(
            check="integrity.schema",
            cites="integrity.schema",
            message=f"The line where event {at} should stand is no event of the contract: {error}.",
            sequences=(at,),
            expected={"line": "an event of the contract"},
            observed={"reason": error.reason[:200], "path": error.path},
            discriminator=digest,
        )
        return Outcome(findings=self._report(at, (anomaly,)), dead=DeadLetter(str(error), at))

    def _close(self, round_: Round, last: int, *, ended: bool) -> RoundResult:
        result = reconstruct(self.table, round_, last, ended, self._readings)
        return proven(result, self.table, round_, self._rules) if self._proofs else result

    def _judge(self, checks: tuple[Check, ...], event: Envelope) -> list[Finding]:
        table, data = self.table, event.data
        moment = Moment(table, event.sequence, self._rules, self._memo, self._policies)
        found: list[Finding] = []
        quiet = bool(table.silent) or (table.round is not None and bool(table.round.unheard))
        for entry in checks:
            if quiet and not_judged(table, entry):
                continue
            try:
                for judgment in entry.function(moment, data):
                    if not isinstance(judgment, Upheld):
                        if entry.readings and isinstance(judgment, Breach):
                            judgment = self._read_otherwise(entry, moment, data, judgment)
                        found.append(self._finding(entry, judgment, event.sequence))
            except Exception as error:
                # A defect of one check must not end the audit of a table, nor pass for compliance.
                found.append(self._finding(entry, _failed(entry, table, error), event.sequence))
        return found

    def _read_otherwise(self, entry: Check, moment: Moment, data: Payload, breach: Breach) -> Breach:
        """The breach, with the place named whose rival reading would not see it (A51)."""
        for reading, policy in otherwise(self._policies, entry.readings):
            policies = {**self._policies, reading.id: policy}
            if (reading.id, policy) not in self._rivals:
                self._rivals[reading.id, policy] = self._rules_under(policies)
            rules = self._rivals[reading.id, policy]
            rival = Moment(moment.table, moment.sequence, rules, readings=policies)
            if not any(_same(judgment, breach) for judgment in entry.function(rival, data)):
                return msgspec.structs.replace(breach, reading=reading.id, verdict=reading.departing)
        return breach

    def _finding(self, entry: Check, judgment: Breach | Indeterminate, sequence: int) -> Finding:
        table, round_ = self.table, self.table.round
        cause: Root | None = None
        if isinstance(judgment, Breach):
            missing = unseen(table, entry) or (unread(round_, entry) if self._rules is not None else ())
            cause = _root(round_, judgment) if entry.follows else None
            verdict: Any = "indeterminate" if missing or cause else judgment.verdict
        else:
            missing, verdict = judgment.missing, "indeterminate"
        finding = Finding(
            finding_id=finding_id(table.subject, entry.id, sequence, judgment.discriminator),
            check=entry.id,
            cites=judgment.clauses,
            verdict=verdict,
            severity=(judgment.severity if isinstance(judgment, Breach) else None)
            or _severity(judgment.clauses),
            subject=table.subject,
            round=round_.number if round_ is not None else None,
            seat=judgment.seat if judgment.seat is not None else UNSET,
            hand=judgment.hand if judgment.hand is not None else UNSET,
            sequence=sequence,
            sequences=tuple(sorted({*judgment.sequences, sequence})),
            expected=msgspec.to_builtins(judgment.expected),
            observed=msgspec.to_builtins(judgment.observed),
            money_cents=judgment.money_cents
            if isinstance(judgment, Breach) and not (missing or cause)
            else 0,
            message=judgment.message,
            missing=tuple(missing) if missing else UNSET,
            because_of=cause.finding_id if cause is not None else UNSET,
            reading=(judgment.reading if isinstance(judgment, Breach) else None) or UNSET,
        )
        if round_ is not None:
            round_.findings.append(finding.finding_id)
            round_.breached = round_.breached or verdict == "breached"
            if verdict == "indeterminate" and cause is None:
                round_.missing.extend(missing)
            if judgment.discriminator:
                round_.reported.append(judgment.discriminator)
            if entry.alters and verdict == "breached":
                round_.roots.append(Root(finding.finding_id, judgment.seat))
        return finding

    def _report(
        self, sequence: int, anomalies: Iterable[Anomaly], round_: Round | None = None
    ) -> tuple[Finding, ...]:
        table = self.table
        current = round_ or table.round
        return tuple(self._anomaly(anomaly, sequence, current) for anomaly in anomalies)

    def _anomaly(self, anomaly: Anomaly, sequence: int, round_: Round | None) -> Finding:
        table = self.table
        finding = Finding(
            finding_id=finding_id(table.subject, anomaly.check, sequence, anomaly.discriminator),
            check=anomaly.check,
            cites=(anomaly.cites,),
            verdict=anomaly.verdict,
            severity=anomaly.severity,
            subject=table.subject,
            round=round_.number if round_ is not None else None,
            hand=anomaly.hand if anomaly.hand is not None else UNSET,
            sequence=sequence,
            sequences=tuple(sorted({*anomaly.sequences, sequence})),
            expected=anomaly.expected,
            observed=anomaly.observed,
            money_cents=0,
            message=anomaly.message,
            missing=anomaly.missing or UNSET,
            because_of=anomaly.because_of or UNSET,
            exposure=anomaly.exposure if anomaly.exposure is not None else UNSET,
        )
        if round_ is not None:
            round_.findings.append(finding.finding_id)
            if anomaly.verdict == "breached" and anomaly.check not in RECORD_CHECKS:
                round_.breached = True
            if anomaly.verdict == "indeterminate":
                round_.missing.extend(anomaly.missing)
            if anomaly.check == "integrity.seal" and anomaly.verdict == "breached":
                round_.roots.append(Root(finding.finding_id, None))
        return finding


def _same(judgment: Judgment, breach: Breach) -> bool:
    """Whether a judgment finds fault with the same thing."""
    if isinstance(judgment, Upheld):
        return False
    return (judgment.discriminator, judgment.seat, judgment.hand) == (
        breach.discriminator,
        breach.seat,
        breach.hand,
    )


def _failed(entry: Check, table: Table, error: Exception) -> Indeterminate:
    """What is said of a duty whose check broke down: nothing, and why."""
    ruleset = table.config.ruleset if table.config is not None else ""
    return Indeterminate(
        clauses=entry.provisions.get(ruleset, ())[:1],
        message=f"Check {entry.id} could not judge this event: a defect of the check, not of the table.",
        missing=(f"a working check ({type(error).__name__}: {error})"[:200],),
        discriminator="failed",
    )


def _root(round_: Round | None, judgment: Breach) -> Root | None:
    """The earlier breach that this one may be no more than a consequence of: of the same seat, or of all."""
    if round_ is None:
        return None
    for root in round_.roots:
        if root.seat is None or judgment.seat is None or root.seat == judgment.seat:
            return root
    return None


def _severity(clauses: tuple[str, ...]) -> Any:
    order = ("critical", "major", "minor", "info")
    known = [PROVISIONS[clause].severity for clause in clauses if clause in PROVISIONS]
    return min(known, key=order.index, default="major")

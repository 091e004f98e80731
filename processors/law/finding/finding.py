"""The one place where a finding is made: of what a check judged, and of what the fold saw amiss in the record."""

from __future__ import annotations

import datetime as dt
from collections.abc import Container, Iterable

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from processors.core.anomaly import Anomaly
from processors.core.devices import health
from processors.core.folding.faces import unread
from processors.core.folding.unracked import not_racked
from processors.core.state import Root, Round, Table
from processors.core.witnesses import PendingFinding, Unsaid, Witness
from processors.law.check import Check
from processors.law.citations import cite
from processors.law.finding.evidence import Lacking, lacking
from processors.law.judgments import Breach, Indeterminate
from schemas.events import CardPlaced, RoundEnded
from schemas.findings import Finding, Severity, Verdict, finding_id
from schemas.provisions import PROVISIONS

SEVERITIES: tuple[Severity, ...] = ("critical", "major", "minor", "info")
# What is amiss with the record as such says nothing against the conduct of a round.
OF_THE_RECORD = frozenset(
    {"integrity.chain", "integrity.gap", "integrity.order", "integrity.duplicate", "integrity.conflict",
     "integrity.stray", "integrity.writer", "integrity.partition", "integrity.schema", "integrity.clock",
     "integrity.device", "integrity.grammar", "integrity.name"}
)  # fmt: skip


class HeldJudgment(Struct, frozen=True):
    """A judgment against a table, with the verdict that the evidence allows; not written as a finding yet.

    `until_racked` are the drawn cards whose place the rack may yet show: then the breach waits for it. A breach that
    rests on nothing but a missing word of the device `unheard` waits until that speaks; so does what follows from it,
    but for money, of which the stakes and payments tell. What waits `until_read` may be decided by the rack, which
    reads faces that nobody had read. `words` are those that this device lost, where a doubt names them.
    """

    entry: Check
    judgment: Breach | Indeterminate
    finding_id: str
    verdict: Verdict
    missing: tuple[str, ...]
    cause: Root | None
    cites: tuple[str, ...]
    until_racked: tuple[int, ...] = ()
    unheard: Witness | None = None
    until_read: bool = False
    words: tuple[str, ...] = ()


def hold(
    table: Table,
    entry: Check,
    judgment: Breach | Indeterminate,
    sequence: int,
    speaker: Witness | None = None,
) -> HeldJudgment:
    """Decide what a judgment comes to, and note it on the round under way.

    A breach is asserted only if all was seen that it turns on; one that may be no more than the consequence of an
    earlier breach points to it. Both are `indeterminate`, the first only once the rack has not shown what is missing.
    The `speaker` of the event that decides it is not dead: no breach waits for its word.
    """
    round_, cause = table.round, None
    verdict: Verdict = "indeterminate"
    if isinstance(judgment, Breach):
        lacks = lacking(table, entry, judgment)
        cause = _root(round_, judgment) if entry.follows else None
        if not (lacks.missing or cause):
            verdict = judgment.verdict
    else:
        lacks = Lacking(judgment.missing)
    own = judgment.unheard or (entry.unheard if isinstance(judgment, Breach) else None)
    waits = verdict != "indeterminate" or lacks.until_racked or isinstance(judgment, Indeterminate)
    unheard = own if waits else lacks.of
    if cause is not None and cause.unheard is not None:
        moved = isinstance(judgment, Breach) and judgment.money_cents
        unheard = cause.unheard if not moved or own == cause.unheard else None
    if unheard == speaker:
        unheard = None
    ruleset = table.config.ruleset if table.config is not None else ""
    held = HeldJudgment(
        entry=entry,
        judgment=judgment,
        finding_id=finding_id(table.subject, entry.formerly, sequence, judgment.discriminator),
        verdict=verdict,
        missing=lacks.missing,
        cause=cause,
        cites=cite(ruleset, entry.decides if judgment.roles is None else judgment.roles),
        until_racked=() if cause is not None else lacks.until_racked,
        unheard=unheard,
        words=lacks.missing if unheard is not None and unheard == lacks.of else (),
        until_read=round_ is not None and _until_read(round_, entry, verdict),
    )
    if round_ is not None:
        if round_.pauses and own is not None and cause is None:
            _note_unsaid(round_, held, own, sequence)
        if not held.until_read:
            bear(round_, held)
        if isinstance(judgment, Breach) and not entry.moves_cards:
            round_.unsettled.append(held.finding_id)
        if isinstance(judgment, Breach) and judgment.of_money:
            round_.mispaid[held.finding_id] = (judgment.discriminator, sequence)
        if judgment.discriminator:
            round_.reported.append(judgment.discriminator)
        asserted = verdict == "breached" and not held.until_read
        if entry.alters and isinstance(judgment, Breach) and (asserted or held.until_racked):
            waits_for = own if held.until_racked else unheard
            round_.roots.append(Root(held.finding_id, judgment.seat, judgment.wager, waits_for))
    return held


def _note_unsaid(round_: Round, held: HeldJudgment, device: Witness, sequence: int) -> None:
    """Note the word on which a finding rests; what doubts lack of cards is told by the cards themselves."""
    judgment, seat = held.judgment, held.judgment.seat or 0
    about = f"{held.entry.id} {seat}"
    if device == "wagers":
        about = f"seat {seat}"
    elif isinstance(judgment, Indeterminate):
        if device == "placements":
            return
        about = ", ".join(judgment.missing)
    round_.unsaid.append(Unsaid(held.finding_id, device, about, seat, sequence))


def _until_read(round_: Round, entry: Check, verdict: Verdict) -> bool:
    """Whether a judgment waits for faces: its own duty turns on them, or what it may follow from waits for them."""
    if verdict == "indeterminate":
        return "faces" in entry.turns_on and bool(unread(round_))
    return entry.follows and any(one.until_read for one in round_.docket)


def bear(round_: Round, held: HeldJudgment) -> None:
    """Let the round bear what is held, or lack the word for which it waits."""
    if held.unheard is not None:
        round_.missing[held.finding_id] = (health.missing_word(held.unheard),)
    elif not held.until_racked:
        round_.findings[held.finding_id] = held.verdict == "breached"
        if held.missing and held.cause is None:
            round_.missing[held.finding_id] = held.missing


def note(round_: Round, finding: Finding, *, lost_word: bool = False) -> None:
    """Let the round bear a finding as it is told, in place of what was held; a lost word says nothing against it."""
    against = finding.check not in OF_THE_RECORD and not lost_word
    round_.findings[finding.finding_id] = against and finding.verdict == "breached"
    round_.missing.pop(finding.finding_id, None)
    if against and finding.missing:
        round_.missing[finding.finding_id] = finding.missing


def findings_of(
    held: list[HeldJudgment],
    table: Table,
    round_: Round | None,
    sequence: int,
    explicable: Container[str],
) -> tuple[Finding, ...]:
    """The findings of what is held against a table; what waits is left with its round.

    `explicable` are the ids of the breaches that a word to come may explain.
    """
    found: list[Finding] = []
    for one in held:
        finding = finding_of(one, table, round_, sequence)
        waits = one.until_racked or one.finding_id in explicable
        act = (one.entry.id, one.judgment.discriminator)
        pending = PendingFinding(finding, finding, act=act, unheard=one.unheard, until_read=one.until_read)
        if round_ is not None and one.until_read:
            round_.docket.append(pending)
        elif round_ is not None and isinstance(one.judgment, Breach) and waits:
            shown = replace(one, verdict=one.judgment.verdict, missing=(), cause=None)
            if one.cause is None:
                round_.explicable.append(one.finding_id)
            round_.docket.append(
                replace(
                    pending,
                    finding=finding_of(shown, table, round_, sequence),
                    until_racked=one.until_racked,
                    time=_now(table),
                    cause=one.cause.finding_id if one.cause is not None else "",
                )
            )
        elif one.unheard is not None:
            await_word(table, one.unheard, round_, finding, _now(table), one.words)
        else:
            found.append(finding)
    return tuple(found)


def await_word(
    table: Table,
    witness: Witness,
    round_: Round | None,
    finding: Finding,
    shown: dt.datetime | None,
    words: tuple[str, ...] = (),
    cause: str = "",
) -> None:
    """Let a finding of a round wait until the device speaks again on whose missing word, or `words`, it rests.

    `cause` is the breach from which it seemed to follow, if that is none.
    """
    ended = round_ is not None and round_.last(RoundEnded)
    if witness == "rack" and round_ is not None and ended:
        words = not_racked(round_)
    table.docket.append(
        PendingFinding(finding, time=shown, unheard=witness, rests_on_it=True, words=words, cause=cause)
    )


def _now(table: Table) -> dt.datetime:
    """The time by the clocks of all devices: a late word shows what it shows as it comes."""
    return max(clock.last for clock in table.clocks.values())


def explained(
    held: list[HeldJudgment], anomalies: tuple[Anomaly, ...], kind: type
) -> tuple[list[HeldJudgment], tuple[Anomaly, ...]]:
    """What was held and the anomalies that it leaves over: a breach explains what contradicts the record by it.

    A hand racked as other cards than were dealt contradicts the shoe as well, and a card laid where none was due is
    one that the shoe did not give up: one finding cites both.
    """
    for place, one in enumerate(held):
        explains = one.entry.explains or ("integrity.witness" if kind is CardPlaced else "")
        breached = one.verdict == "breached"
        if not explains or not (breached or (one.entry.explains and one.cause)):
            continue
        mine = [other for other in anomalies if other.check == explains and other.verdict == "breached"]
        if mine and breached:
            both = replace(one, cites=(*one.cites, explains))
            held = [*held[:place], both, *held[place + 1 :]]
        return held, tuple(anomaly for anomaly in anomalies if anomaly not in mine)
    return held, anomalies


def finding_of(held: HeldJudgment, table: Table, round_: Round | None, sequence: int) -> Finding:
    """The finding of a judgment that is held against a table."""
    judgment = held.judgment
    breach = judgment if isinstance(judgment, Breach) else None
    severity = breach.severity if breach is not None else None
    asserted = breach is not None and not (held.missing or held.cause)
    return Finding(
        finding_id=held.finding_id,
        check=held.entry.id,
        cites=held.cites,
        verdict=held.verdict,
        severity=severity or severity_of(held.cites),
        subject=table.subject,
        round=round_.number if round_ is not None else None,
        seat=judgment.seat if judgment.seat is not None else UNSET,
        hand=judgment.hand if judgment.hand is not None else UNSET,
        sequence=sequence,
        sequences=_of_the_record(judgment.sequences, sequence),
        expected=msgspec.to_builtins(judgment.expected),
        observed=msgspec.to_builtins(judgment.observed),
        money_cents=breach.money_cents if breach is not None and asserted else 0,
        message=judgment.message,
        missing=held.missing or UNSET,
        because_of=held.cause.finding_id if held.cause is not None else UNSET,
        reading=(breach.reading if breach is not None else None) or UNSET,
    )


def as_doubt(breach: Finding, missing: tuple[str, ...]) -> Finding:
    """The finding of a breach as a doubt for want of these words."""
    return replace(breach, verdict="indeterminate", money_cents=0, missing=missing)


def anomaly_findings(
    table: Table,
    anomalies: Iterable[Anomaly],
    sequence: int,
    round_: Round | None,
    also: tuple[str, ...] = (),
) -> tuple[Finding, ...]:
    """The findings of what is amiss in the record; a missing card of the shoe cites the roles `also` besides.

    A lost word is counted for its device, and waits until that speaks again; a stretch of the device covers it.
    """
    found: list[Finding] = []
    for anomaly in anomalies:
        if anomaly.of is None:
            found.append(_anomaly_finding(table, anomaly, sequence, round_, also))
            if round_ is not None:
                note(round_, found[-1], lost_word=anomaly.lost_word)
                if anomaly.verdict == "breached" and anomaly.check == "integrity.seal":
                    # Another hole card than was dealt changes what follows.
                    round_.roots.append(Root(found[-1].finding_id, None))
            continue
        stretch = health.lost(table, anomaly.of, anomaly.sequences[0], sequence)
        found += anomaly_findings(table, stretch, sequence, round_)
        if not health.covers(table, anomaly.of):
            finding = _anomaly_finding(table, anomaly, sequence, round_, also)
            table.docket.append(PendingFinding(finding, unheard=anomaly.of, lost_word=anomaly.lost_word))
    return tuple(found)


def _anomaly_finding(
    table: Table, anomaly: Anomaly, sequence: int, round_: Round | None, also: tuple[str, ...]
) -> Finding:
    ruleset = table.config.ruleset if table.config is not None else ""
    besides = cite(ruleset, also) if anomaly.check == "integrity.shoe" else ()
    return Finding(
        finding_id=finding_id(table.subject, anomaly.check, sequence, anomaly.discriminator),
        check=anomaly.check,
        cites=(anomaly.cites or anomaly.check, *besides),
        verdict=anomaly.verdict,
        severity=anomaly.severity,
        subject=table.subject,
        round=round_.number if round_ is not None else None,
        hand=anomaly.hand if anomaly.hand is not None else UNSET,
        sequence=sequence,
        sequences=_of_the_record(anomaly.sequences, sequence),
        expected=anomaly.expected,
        observed=anomaly.observed,
        money_cents=0,
        message=anomaly.message,
        missing=anomaly.missing or UNSET,
        because_of=anomaly.because_of or UNSET,
        exposure=anomaly.exposure if anomaly.exposure is not None else UNSET,
    )


def _of_the_record(named: Iterable[int], sequence: int) -> tuple[int, ...]:
    """The events that a finding cites: 0 stands for an event that the record does not have."""
    return tuple(sorted({*filter(None, named), sequence}))


def severity_of(cites: Iterable[str]) -> Severity:
    """The gravest severity that the register gives one of the provisions; major where it knows none."""
    known = [PROVISIONS[clause].severity for clause in cites if clause in PROVISIONS]
    return min(known, key=SEVERITIES.index, default="major")


def _root(round_: Round | None, judgment: Breach) -> Root | None:
    """The earlier breach that this one may be no more than a consequence of: of the same seat, or of all."""
    if round_ is None:
        return None
    for root in round_.roots:
        if root.wager and judgment.wager and _lies_by(root.wager) != _lies_by(judgment.wager):
            continue  # a side wager's fault is no consequence of the main wager's, nor the other way round
        if root.seat is None or judgment.seat is None or root.seat == judgment.seat:
            return root
    return None


def _lies_by(wager: str) -> str:
    """The kind of wager that decides with this one: doubles and splits go with the main wager."""
    return "main" if wager in ("double", "split") else wager

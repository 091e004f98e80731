"""Findings that rest on a missing word alone, and wait until the device that owes it speaks again.

A device that speaks again after one missing word was not dead: the finding stands (A69). One that missed several in a
row may have been dead, so that a breach is in doubt, and what follows from it is not said. One that is found silent has
its own finding, which covers all of them (A66).
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from processors.core.devices import health
from processors.core.devices.silence import speaks_again
from processors.core.devices.thresholds import SEVERAL, SEVERAL_OF_THE_CONSOLE
from processors.core.devices.words import SPEAKS
from processors.core.state import Round, Table
from processors.core.witnesses import PendingFinding, Witness
from processors.law.finding.finding import SEVERITIES, anomaly_findings, as_doubt, note
from schemas import events as e
from schemas.findings import Finding

OUT_OF_ORDER = "the words of a device that came late, in their order"


def told(
    table: Table,
    kind: type,
    round_: Round | None,
    time: dt.datetime | None = None,
    *,
    over: bool = False,
) -> tuple[Finding, ...]:
    """What no longer waits after an event of this type and time in a round, or as the stream is `over`."""
    found: tuple[Finding, ...] = ()
    pending, table.docket = table.docket, []
    for witness in dict.fromkeys(one.unheard for one in pending):
        waiting = [one for one in pending if one.unheard == witness]
        if witness is None or health.silent(table, witness):
            continue
        if over or SPEAKS.get(kind) == witness:
            late = [_late(one, round_, time) for one in waiting]
            unended = over and witness == "console" and _racked_since(round_, waiting)
            parts = [one for one in pending if one.unheard in health.parts(witness)]
            elsewhere = len(_missed(_roots(parts)))
            found += heard_again(table, witness, late, round_, besides=int(unended), elsewhere=elsewhere)
        elif kind is e.RoundEnded and witness == "shoe" and len(waiting) < SEVERAL:
            # What contradicts the shoe's count is of this round.
            found += _note(table, round_, [one for one in waiting if not one.rests_on_it])
            table.docket += [one for one in waiting if one.rests_on_it]
        else:
            table.docket += waiting
    return found


def _racked_since(round_: Round | None, waiting: Sequence[PendingFinding]) -> bool:
    """Whether hands of a round that never ended are in the rack, and the console said nothing of their wagers."""
    since = waiting[0].finding.sequence
    return round_ is not None and any(one.sequence > since for one in round_.racked)


def hidden(table: Table) -> None:
    """A round is over without its end: what rests on a missing word of the console belongs to the finding of that."""
    table.docket = [one for one in table.docket if one.unheard != "console"]


def heard_again(
    table: Table,
    witness: Witness,
    waiting: Sequence[PendingFinding],
    round_: Round | None,
    besides: int = 0,
    elsewhere: int = 0,
) -> tuple[Finding, ...]:
    """The findings of what waited for a device that was not found silent.

    `besides` of its words are missing as well, and `elsewhere` those of other parts of the device.
    One missing word stands for itself (A69). Several in a row put in doubt whether the device was dead: they are one
    doubt, and together may begin a stretch of the device, which covers them. What lacks no word stands for itself too.
    """
    roots = _roots(waiting)
    missed = _missed(roots)
    counted = sum(one.lost_word for one in waiting)
    enough = SEVERAL_OF_THE_CONSOLE if witness == "console" and not besides else SEVERAL
    lacks = bool(missed or besides or not roots)
    several = lacks and len(missed) + besides + counted + elsewhere >= enough
    in_doubt = [one for one in roots if one.finding.verdict == "indeterminate" and one.words]
    found: tuple[Finding, ...] = ()
    if roots and (several or in_doubt):
        sequence = table.chain.next_sequence - 1
        due = [*missed.values(), *[sequence] * besides]
        if several:
            speaks_again(table, witness, due)
        found = anomaly_findings(table, health.lost_in_a_row(table, witness, due, sequence), sequence, round_)
        if health.covers(table, witness):
            return found + _note(table, round_, [one for one in roots if not several and one not in in_doubt])
    merged = roots if several else in_doubt
    consequences = witness != "reader" and not several
    said = [held for held in waiting if not held.rests_on_it or consequences or held.is_root]
    if merged:
        said = [_as_one(merged, witness), *_following(merged, [one for one in said if one not in merged])]
    return found + _note(table, round_, said)


def pointing(table: Table, round_: Round, finding: Finding, words: tuple[str, ...] = ()) -> Finding:
    """The finding, which points to no breach of its round that is not told.

    Such a breach waits for a word, is none, or is covered by the finding about a device. Then the finding lacks the
    word itself, or these `words`.
    """
    cause = finding.because_of
    waits = any(one.finding.finding_id == cause for one in round_.docket)
    of_the_round = finding.round == round_.number and finding.sequence >= round_.first_sequence
    if cause is UNSET or not of_the_round:
        return finding
    if finding.check.startswith("integrity.") and cause not in round_.explicable:
        return finding  # it points to another finding about the record
    if cause in round_.findings and not waits:
        return finding
    devices: list[Witness | None] = [one.unheard for one in round_.roots if one.finding_id == cause]
    devices += [one.unheard for one in table.docket if one.finding.finding_id == cause]
    device = next((one for one in devices if one is not None), None)
    if device is not None:
        if cause == health.finding_about(table, device):
            return finding
        words = (health.missing_word(device),)
    doubt = by_itself(finding, words)
    if finding.finding_id in round_.findings:
        note(round_, doubt)
    return doubt


def by_itself(finding: Finding, words: tuple[str, ...]) -> Finding:
    """A doubt that follows from a finding which is not told: it lacks these words, beside those that it lacked."""
    lacks = tuple(dict.fromkeys((*(finding.missing or ()), *words)))
    return replace(finding, because_of=UNSET, missing=lacks or (OUT_OF_ORDER,))


def _roots(waiting: Iterable[PendingFinding]) -> list[PendingFinding]:
    """Those that rest on a missing word themselves, and follow from no other finding."""
    return [one for one in waiting if one.is_root]


def _missed(roots: Sequence[PendingFinding]) -> dict[str, int]:
    """The words on which they rest, each with the event that shows it missing.

    A doubt about a seat lacks the word that a breach of the same seat lacks.
    """
    rest = [one for one in roots if not one.words and one.finding.seat is not UNSET]
    breached = {one.finding.seat for one in rest if one.finding.verdict == "breached"}
    missed: dict[str, int] = {}
    for one in roots:
        finding, words = one.finding, one.words
        if not words and finding.verdict == "indeterminate":
            words = () if finding.seat in breached else tuple(finding.missing or ())
        elif not words:
            words = (f"due before event {finding.sequence}",)
        for word in words:
            missed.setdefault(word, finding.sequence)
    return missed


def _late(one: PendingFinding, round_: Round | None, time: dt.datetime | None) -> PendingFinding:
    """What was found, in doubt if this is its missing word, which the device said before it showed to be missing."""
    number = round_.number if round_ is not None else None
    if time is None or one.time is None or time >= one.time or one.finding.round != number:
        return one
    return _in_doubt(one, OUT_OF_ORDER)


def _in_doubt(one: PendingFinding, missing: str) -> PendingFinding:
    words = (one.finding.missing or ()) if one.finding.verdict == "indeterminate" else ()
    return replace(one, finding=as_doubt(one.finding, words or (missing,)))


def _gravest(roots: Sequence[PendingFinding]) -> PendingFinding:
    return min(roots, key=lambda one: SEVERITIES.index(one.finding.severity))


def _as_one(roots: Sequence[PendingFinding], witness: Witness) -> PendingFinding:
    """The gravest of several, in doubt for all of them: they are one loss of the device."""
    one = _in_doubt(_gravest(roots), health.missing_word(witness))
    sequences = sorted({sequence for root in roots for sequence in root.finding.sequences})
    return replace(one, finding=replace(one.finding, sequences=tuple(sequences)))


def _following(merged: Sequence[PendingFinding], others: Iterable[PendingFinding]) -> list[PendingFinding]:
    """The other findings; consequences of a merged finding follow from the gravest, as whose part it is told."""
    ids, gravest = {one.finding.finding_id for one in merged}, _gravest(merged).finding.finding_id
    return [
        replace(one, finding=replace(one.finding, because_of=gravest))
        if one.finding.because_of in ids
        else one
        for one in others
    ]


def _note(table: Table, round_: Round | None, told: Iterable[PendingFinding]) -> tuple[Finding, ...]:
    """Let the round, and the round before while late words of it may come, bear those that are its own."""
    before = table.lingering.round if table.lingering is not None else None
    found: list[Finding] = []
    for one in told:
        finding = one.finding
        found.append(finding)
        for bearing in (round_, before):  # two rounds may bear one number
            if bearing and bearing.number == finding.round and bearing.first_sequence <= finding.sequence:
                note(bearing, finding, lost_word=one.lost_word)
                break
    return tuple(found)

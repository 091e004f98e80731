"""Decides the breaches of a round that waited: for the rack, or for a word of another device that explains them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec import UNSET
from msgspec.structs import replace

from processors.core.devices import health
from processors.core.devices.thresholds import LATEST, WINDOW
from processors.core.state import Round, Table
from processors.core.witnesses import PendingFinding
from processors.law.check import REGISTRY
from processors.law.finding.awaiting import OUT_OF_ORDER, by_itself, heard_again, pointing
from processors.law.finding.evidence import not_judged
from processors.law.finding.finding import (
    HeldJudgment,
    anomaly_findings,
    as_doubt,
    await_word,
    finding_of,
    note,
)
from processors.law.judge.judge import Judge
from processors.law.judgments import Breach
from processors.law.rehear.faces import by_faces
from processors.law.rehear.hearing import Act
from processors.law.rehear.rehearing import Explained, Rehearing
from schemas.events import CardDrawn, StackDispensed
from schemas.findings import Finding

OF_ONE_DEVICE = frozenset({"steps", "faces"})
"""Facts that the console alone tells: no word of another device puts a duty in doubt that turns on nothing else."""


def explicable(table: Table, round_: Round | None, judge: Judge, held: list[HeldJudgment]) -> frozenset[str]:
    """The ids of the breaches that one word to come would explain, and of what follows from such a breach.

    All others are asserted at once.
    """
    if round_ is None or table.config is None:
        return frozenset()
    open_ = round_.explicable
    found = {one.finding_id for one in held if one.cause is not None and one.cause.finding_id in open_}
    asserted = {
        Act(one.entry.id, one.judgment.discriminator, round_.log[-1].sequence): one.finding_id
        for one in held
        if one.verdict == "breached"
        and not one.until_read
        and isinstance(one.judgment, Breach)
        and not one.entry.turns_on <= OF_ONE_DEVICE
    }
    if table.lingering is not None and table.lingering.round is round_:  # a hand may be in the rack in time
        found.update(
            one.finding_id for one in held if "rack" in one.entry.turns_on and one.verdict == "breached"
        )
    if asserted:
        if _words_are_late(table, round_):
            found.update(asserted.values())
        else:
            explained = Rehearing(table, round_, judge).may_explain(asserted)
            found.update(asserted[act] for act in explained)
        # What follows from a breach of the same event waits with it.
        found.update(
            one.finding_id for one in held if one.cause is not None and one.cause.finding_id in found
        )
    return frozenset(found)


def _words_are_late(table: Table, round_: Round) -> bool:
    """Whether words may be on their way: a device was seen to speak late, or one of two words that go together lacks.

    Those are a card's draw and its placement, a hand's settlement and its cards in the rack, a Blackjack's payment too.
    """
    disordered = table.lives.disordered
    if disordered and round_.log[-1].sequence - disordered <= WINDOW:
        return True
    if table.shoe.owed or round_.undrawn or any(not one.seen for one in round_.inferred):
        return True
    last = max((one.sequence for one in round_.told(CardDrawn, StackDispensed)), default=0)
    if any(one.sequence < last for one in table.shoe.loose):
        return True
    hands = round_.hands
    for stake in round_.stakes.values():
        hand = hands.get(stake.hand) if stake.hand else None
        if hand is None:
            continue
        if not stake.moves and hand.racked is not None:
            return True
        if stake.moves and hand.racked is None and hand.announced is not None:
            return True
    return False


def decided(
    table: Table, round_: Round, judge: Judge, *, over: bool, rehearing: Rehearing | None = None
) -> tuple[Finding, ...]:
    """The findings of what need not wait longer: a breach, or a doubt where a word was late or lost.

    A breach waits until no device's word of it can come any more, and to the round's end if a lost wager explains it.
    What may only follow from such a breach waits for the round's end.
    A `rehearing` that is given has laid the unseen cards of the round already.
    """
    read = by_faces(table, round_, judge) if over else ()
    unplaced = {one.drawn for one in round_.inferred if not one.seen}
    ripe = [one for one in round_.docket if over or _is_ripe(table, one, unplaced)]
    if not ripe:
        return read
    explained = None
    if any(not unplaced.intersection(one.until_racked) for one in ripe):
        causes = {one.cause for one in ripe}
        laid = rehearing is not None
        rehearing = rehearing or Rehearing(table, round_, judge)
        explained = rehearing.explain(over=over, causes=causes)
        if over and not laid:
            read += anomaly_findings(table, rehearing.lay(table), table.chain.next_sequence - 1, round_)
    stands: list[tuple[PendingFinding, Finding]] = []
    covered: list[str] = []
    explained_away: list[Finding] = []
    waiting, round_.docket = round_.docket, []
    for one in waiting:
        if one not in ripe:
            round_.docket.append(one)
            continue
        if explained is not None and _is_none(table, one, explained):
            excuse(round_, one.finding.finding_id)
            continue
        finding = _finding(table, one, unplaced, explained, over=over)
        if finding is None:
            round_.docket.append(replace(one, to_the_end=True))
        elif finding is one.in_doubt and one.until_racked and "rack" in table.silent:
            covered.append(finding.finding_id)  # by the finding about the rack
        elif over and _for_want_of_words(one, finding, explained, explained_away):
            excuse(round_, finding.finding_id, unsaid=True)
            explained_away.append(finding)
        else:
            stands.append((one, finding))
    found = read
    if explained is not None and explained_away:
        found += _of_devices(table, round_, explained, explained_away)
    for one, finding in stands:
        found += _told(table, round_, one, finding, explained, covered)
    return found


def _told(
    table: Table,
    round_: Round,
    one: PendingFinding,
    finding: Finding,
    explained: Explained | None,
    covered: Collection[str],
) -> tuple[Finding, ...]:
    """What is told now of a breach that no late or lost word explains: nothing while its device may be dead.

    `covered` are the ids of breaches that the finding about the silent rack covers.
    """
    device = one.unheard if finding is one.in_doubt or _rests(one, finding, explained) else None
    said = finding
    if finding.because_of in covered:
        said = by_itself(finding, (table.silent["rack"],))
    elif device is None or all(other.finding.finding_id != finding.because_of for other in table.docket):
        said = pointing(table, round_, finding, explained.words if explained is not None else ())
    if device is not None:
        await_word(table, device, round_, said, one.time, cause=one.cause if said is not finding else "")
        return ()
    if not one.cause or said is not one.in_doubt:  # else the round bears it as it is
        note(round_, said)
    return (said,)


def _is_none(table: Table, one: PendingFinding, explained: Explained) -> bool:
    """Whether a breach is none by the order of times, or the finding about a device covers it that was silent since.

    Then a rehearing does not see it any more, as it would not be judged today (A66).
    """
    if one.until_racked or _act(one) in explained.upheld:
        return not one.until_racked
    unseen = not one.cause and _act(one) not in explained.seen
    return unseen and not_judged(table, REGISTRY[one.act[0]])


def _rests(one: PendingFinding, finding: Finding, explained: Explained | None) -> bool:
    """Whether a breach rests on a missing word of its device itself, and on no other word or breach."""
    if not one.cause:
        return finding is one.finding or not (finding.missing or finding.because_of)
    held = explained.beside.get(_act(one)) if explained is not None else None
    return held is not None and held.unheard == one.unheard


def _for_want_of_words(
    one: PendingFinding, finding: Finding, explained: Explained | None, before: Sequence[Finding]
) -> bool:
    """Whether a doubt is one for want of words that a device lost, or follows from such a one and from nothing else."""
    if explained is None or not explained.lost or one.until_racked or _act(one) not in explained.gone:
        return False
    if one.cause:
        return finding is one.in_doubt and any(one.cause == other.finding_id for other in before)
    return finding is not one.finding


def _of_devices(
    table: Table, round_: Round, explained: Explained, doubts: Sequence[Finding]
) -> tuple[Finding, ...]:
    """The doubts for want of lost words as one of their device; one that has said nothing since may be dead."""
    round_.missing |= {one.finding_id: explained.words for one in doubts}
    roots = [one for one in doubts if one.because_of is UNSET]
    device = next((one for one in explained.lost if explained.lost[one].dead), next(iter(explained.lost)))
    if health.part_unheard(table, device, round_):
        return ()
    awaited = [
        PendingFinding(one, unheard=device, rests_on_it=True, words=explained.lost[device].names)
        for one in roots
    ]
    if not explained.lost[device].dead:
        return heard_again(table, device, awaited, round_)
    table.docket += awaited
    return ()


def _is_ripe(table: Table, one: PendingFinding, unplaced: set[int]) -> bool:
    """Whether the rack has shown what the breach turns on, or no device can still be late with a word of it."""
    if one.until_read or unplaced.intersection(one.until_racked):
        return False
    if one.cause or one.to_the_end or table.time is None or one.time is None:
        return False
    return table.time - one.time > LATEST


def _finding(
    table: Table, one: PendingFinding, unplaced: set[int], explained: Explained | None, *, over: bool
) -> Finding | None:
    """What a breach comes to; None if it waits for the end of the round."""
    if unplaced.intersection(one.until_racked):
        return one.in_doubt
    act = _act(one)
    if one.cause:
        held = explained.beside.get(act) if explained is not None else None
        if held is None or (held.until_racked and unplaced):
            return one.in_doubt
        return _as_read(table, one.finding, held)
    if explained is None:
        return one.finding
    if act in explained.seen and act not in explained.gone:
        # Others may seem to be breached by the order of times as long as words of them are still on their way.
        return None if not over and act in explained.by_order else one.finding
    if not over and act in explained.seen and act not in explained.by_order:
        return None
    return _doubt(one.finding, explained, act)


def _doubt(shown: Finding, explained: Explained, act: Act) -> Finding:
    """The breach as a doubt for want of the words that explain it, or for which the rehearing doubts it itself."""
    held = explained.seen.get(act)  # None: it rests on what came before
    words = explained.words or (held.missing if held is not None else ())
    if not words and held is not None and held.cause is not None:
        return replace(as_doubt(shown, ()), because_of=held.cause.finding_id)
    return as_doubt(shown, words or (OUT_OF_ORDER,))


def _as_read(table: Table, shown: Finding, held: HeldJudgment) -> Finding:
    """The breach as the reading has it that explains what it seemed to follow from."""
    if held.judgment.message == shown.message:
        return shown
    read = finding_of(held, table, None, shown.sequence)
    return replace(
        read, finding_id=shown.finding_id, verdict=shown.verdict, round=shown.round, sequences=shown.sequences
    )


def _act(one: PendingFinding) -> Act:
    return Act(*one.act, one.finding.sequence)


def excuse(round_: Round, finding_id: str, *, unsaid: bool = False) -> None:
    """Take back what the round bears of a breach, as it is none; its word stays missing where it is `unsaid`."""
    if not unsaid:
        round_.unsaid = [word for word in round_.unsaid if word.finding_id != finding_id]
    round_.findings.pop(finding_id, None)
    round_.missing.pop(finding_id, None)

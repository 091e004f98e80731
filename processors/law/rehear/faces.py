"""A round judged again at its end, by the faces of cards that only the rack could read."""

from __future__ import annotations

from processors.core.devices.health import missing_word
from processors.core.state import Round, Table
from processors.core.witnesses import PendingFinding
from processors.law.finding.finding import HeldJudgment, await_word, bear, findings_of, note
from processors.law.judge.judge import Judge
from processors.law.judgments import Breach
from processors.law.rehear.hearing import Act
from processors.law.rehear.rehearing import Rehearing
from schemas.findings import Finding


def by_faces(table: Table, round_: Round, judge: Judge) -> tuple[Finding, ...]:
    """Decide what waits for faces: the doubts that stay. A breach that the faces show waits with those of the round.

    What the first hearing could not see is held against the table as well, if it turns on faces.
    """
    waiting = [one for one in round_.docket if one.until_read]
    if not (waiting or round_.faces):
        return ()
    round_.docket = [one for one in round_.docket if not one.until_read]
    before: dict[Act, HeldJudgment] = {}
    now: dict[Act, HeldJudgment] = {}
    if round_.faces and judge.rules.on(table, round_.day) is not None:
        before, now = Rehearing(table, round_, judge).by_faces()
    found: list[Finding] = []
    shown: list[tuple[Act, HeldJudgment]] = []
    for one in waiting:
        act = Act(*one.act, one.finding.sequence)
        if act not in before:  # what this hearing does not see, it cannot decide
            found += _as_it_was(table, round_, one)
        elif act in now:
            shown.append((act, now[act]))
    new = now.keys() - before.keys()
    shown += [(act, held) for act, held in now.items() if act in new and "faces" in held.entry.turns_on]
    found += _hold(table, round_, shown)
    return tuple(found)


def _as_it_was(table: Table, round_: Round, one: PendingFinding) -> tuple[Finding, ...]:
    """The finding as it was before any face was read."""
    if one.unheard is None:
        note(round_, one.finding)
        return (one.finding,)
    round_.missing[one.finding.finding_id] = (missing_word(one.unheard),)
    await_word(table, one.unheard, round_, one.finding, table.time)
    return ()


def _hold(table: Table, round_: Round, shown: list[tuple[Act, HeldJudgment]]) -> list[Finding]:
    """Hold it against the table; a breach is asserted only if no late or lost word explains it."""
    open_ = {*round_.explicable}
    found: list[Finding] = []
    for act, held in sorted(shown, key=lambda pair: pair[0].sequence):
        bear(round_, held)
        asserted = isinstance(held.judgment, Breach) and held.verdict == "breached"
        if asserted or (held.cause is not None and held.cause.finding_id in open_):
            open_.add(held.finding_id)
        found += findings_of([held], table, round_, act.sequence, open_)
    return found

"""The evidence of one round on paper: every card, stake and step, the clauses, the record that proves it all."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from typing import Final

from msgspec import UNSET, Struct

from dashboards.replayer.replay import Replay, ReplayStep
from dashboards.replayer.stakes import PayoutRow
from dashboards.reports.evidence import Evidence, evidence_of
from dashboards.reports.pictures import PrintedPicture, moments, rack_pictures
from dashboards.reports.printed_hands import (
    PrintedHand,
    hand_name,
    hand_rows,
    inferred_words,
    total_of,
    words_missing,
    wrong_batch,
)
from dashboards.reports.proving import Proving, proving
from dashboards.reports.round_facts import Rival, RoundFacts, RoundSource, facts_of
from dashboards.reports.typesetting import typeset
from dashboards.reports.vouching import fact_of
from dashboards.reports.wording import dollars, listed, signed
from dashboards.wording.copying import copied
from dashboards.wording.money import figures, owed
from dashboards.wording.settlements import moves, stake_name
from dashboards.wording.times import in_utc, in_zone_of
from schemas.amounts import amount
from schemas.findings import Finding
from schemas.provisions import PROVISIONS
from schemas.rounds import RackResult

TEMPLATE = "hand.typ"
MARKS = {"breached": "✕", "interpretation": "□", "suspected": "▲", "indeterminate": "?", "nothing found": "✓"}


class PrintedFinding(Struct, frozen=True, kw_only=True):
    """Something that was found, with the duties it cites."""

    mark: str
    verdict: str
    severity: str
    where: str
    message: str
    money: str
    check: str
    cites: tuple[str, ...]
    id: str


class PaidRow(Struct, frozen=True, kw_only=True):
    """One stake of the payout check, as it is printed; `play` is what the decisions at a main wager gave, in words."""

    seat: str
    hand: str
    cards: str
    kind: str
    staked: str
    due: str
    paid: str
    difference: str
    word: str
    events: str
    clauses: str
    wrong: bool
    play: str = ""


class StepRow(Struct, frozen=True, kw_only=True):
    """One event; `clauses` are those something was found against, `governed` counts those that govern it."""

    sequence: int
    clock: str
    phase: str
    sentence: str
    found: str
    clauses: str
    governed: int
    mark: str
    wrong: bool


class Governed(Struct, frozen=True, kw_only=True):
    """The clauses that govern one kind of event of the round."""

    event: str
    clauses: tuple[str, ...]


class RivalRow(Struct, frozen=True, kw_only=True):
    """Another reading, and what it would change."""

    place: str
    question: str
    here: str
    there: str
    changes: tuple[str, ...]


class CitedClause(Struct, frozen=True, kw_only=True):
    """A clause cited, and its duty in our own words."""

    id: str
    duty: str


class HandContent(Struct, frozen=True, kw_only=True):
    """Everything on the pages."""

    title: str
    facts: tuple[tuple[str, str], ...]
    summary: str
    missing: tuple[str, ...]
    inferred: tuple[str, ...]
    words_missing: tuple[str, ...]
    wrong_batch: str
    found: tuple[PrintedFinding, ...]
    payouts: tuple[PaidRow, ...]
    net: str
    hands: tuple[PrintedHand, ...]
    pictures: tuple[PrintedPicture, ...]
    steps: tuple[StepRow, ...]
    rack: tuple[PrintedPicture, ...]
    rack_words: str
    rivals: tuple[RivalRow, ...]
    clauses: tuple[CitedClause, ...]
    governed: tuple[Governed, ...]
    proving: Proving


def hand_report(replay: Replay, source: RoundSource) -> bytes:
    """The report of one round as PDF; the time it bears is that of the round's last event.

    Raises:
        ValueError: the round has no event to report.
    """
    at = at_end(replay)  # refuses a round without an event before anything is drawn
    return typeset(TEMPLATE, hand_content(replay, source), at)


def at_end(replay: Replay) -> dt.datetime:
    """Time of the last event of a round, in UTC.

    Raises:
        ValueError: it has none.
    """
    if not replay.steps:
        raise ValueError(f"the record of {replay.subject} round {replay.round} holds no event")
    return replay.steps[-1].time


def hand_content(replay: Replay, source: RoundSource) -> HandContent:
    """What stands on the pages of a round's report."""
    facts, evidence, result = facts_of(source), evidence_of(source.lines), replay.result
    found = tuple(found_row(one) for one in source.findings)
    steps = tuple(step_row(step) for step in replay.steps)
    return HandContent(
        title=f"{replay.subject}, round {replay.round}",
        facts=(*round_rows(replay, facts, evidence), *fact_of(source.vouch)),
        summary=summary_of(replay, source.findings),
        missing=(*source.breaks, *(result.missing if result is not None else ())),
        found=found,
        payouts=tuple(paid_row(row, replay) for row in replay.payouts),
        net=signed(result.net_cents) if result is not None else "not known",
        inferred=inferred_words(replay.cards),
        words_missing=words_missing(replay),
        wrong_batch=wrong_batch(replay),
        hands=hand_rows(result.hands if result is not None else {}, replay.cards),
        pictures=moments(replay),
        steps=steps,
        rack=rack_pictures(replay.rack),
        rack_words=rack_words(result.rack if result is not None else None),
        rivals=tuple(rival_row(rival) for rival in facts.rivals),
        clauses=clauses_of(source.findings),
        governed=governed_of(replay.steps),
        proving=proving(replay.subject, evidence, source.vouch),
    )


def round_rows(replay: Replay, facts: RoundFacts, evidence: Evidence) -> tuple[tuple[str, str], ...]:
    """Where, when and by whom, as pairs of name and value."""
    result = replay.result
    began = facts.began
    rows = (
        ("Property", facts.property),
        ("Pit and table", listed(part for part in (facts.pit, replay.subject) if part)),
        ("Game", f"{facts.game} (58 Pa. Code Chapter {facts.chapter})" if facts.chapter else facts.game),
        ("Round", str(replay.round) + ("" if replay.ended else ", not ended where the record ends")),
        ("Gaming day", str(result.gaming_day) if result is not None and result.gaming_day else ""),
        ("Shoe", str(result.shoe) if result is not None and result.shoe else ""),
        ("Began", in_zone_of(began, facts.zone) if began is not None else ""),
        ("Began, UTC", in_utc(began) if began is not None else ""),
        ("Dealer", facts.dealer),
        ("Floorperson", facts.floorperson),
        ("Cameras", listed(facts.cameras, "")),
        ("Events", f"{evidence.first} to {evidence.last}"),
    )
    return tuple((name, value or "not in the record") for name, value in rows)


def summary_of(replay: Replay, findings: Sequence[Finding]) -> str:
    """The round in one sentence."""
    wrong = [row for row in replay.payouts if row.word == "differs"]
    breaches = sum(one.verdict == "breached" for one in findings)
    open_ = sum(one.verdict == "indeterminate" for one in findings)
    said = [f"{breaches} breach{'es' if breaches != 1 else ''} found" if breaches else "No breach was found"]
    if open_:
        said.append(f"{amount(open_, 'question')} could not be decided from the record")
    all_, agreed = len(replay.payouts), sum(row.word == "agrees" for row in replay.payouts)
    if wrong:
        said.append(f"{len(wrong)} of {amount(all_, 'stake')} settled otherwise than due")
    elif all_:
        many = f"{agreed} of {amount(all_, 'stake')}" if agreed < all_ else "every stake"
        said.append(f"{many} settled as due")
    return "; ".join(said) + "."


def found_row(one: Finding) -> PrintedFinding:
    """A finding as it is printed."""
    where = one.hand if isinstance(one.hand, str) else f"seat {one.seat}" if isinstance(one.seat, int) else ""
    return copied(
        PrintedFinding,
        one,
        mark=MARKS[one.verdict],
        where=" · ".join(
            part for part in (hand_name(where) if where else "", f"event {one.sequence}") if part
        ),
        money=owed(one.money_cents),
        check=one.check + (f", reading {one.reading}" if one.reading is not UNSET else ""),
        id=one.finding_id,
    )


_MARKED: Final = {
    "agrees": "✓ agrees", "differs": "✕ differs", "not settled": "✕ not settled", "nothing moved": "– nothing staked",
}  # fmt: skip


def paid_row(row: PayoutRow, replay: Replay) -> PaidRow:
    """A stake as it is printed, with the clauses that govern its settlement."""
    hands = replay.result.hands if replay.result is not None else {}
    line = hands.get(row.hand or "")
    settling = [step for step in replay.steps if step.sequence in row.sequences]
    return PaidRow(
        seat=str(row.seat),
        hand=row.hand or "–",
        cards=total_of(line),
        kind=stake_name(row.kind),
        staked=dollars(row.staked_cents),
        due=moves(row.expected, "not known"),
        paid=moves(row.observed, "nothing moved", staked_cents=row.staked_cents),
        difference=row.wrong_by or ("as due" if row.word == "agrees" else "–"),
        word=_MARKED.get(row.word, f"? {row.word}"),
        events=listed((f"event {sequence}" for sequence in row.sequences), ""),
        clauses=_found_against(settling),
        wrong=row.word in ("differs", "not settled"),
        play=_play(row, replay) if row.kind == "main" else "",
    )


def _play(row: PayoutRow, replay: Replay) -> str:
    """What the decisions of a seat gave the house against the best play, and which ones did."""
    if row.play_cents is None:
        return "what its decisions gave is not worked out"
    told = "; ".join(said for seat, said in replay.decisions if seat == row.seat)
    given = f"its decisions gave the house {figures(row.play_cents, '$')}"
    return f"{given}: {told}" if told and row.play_cents else given


def _found_against(steps: Iterable[ReplayStep]) -> str:
    """The clauses against which something was found at these events."""
    told = [one for step in steps for one in step.governing if one.verdict != "nothing found"]
    return listed(dict.fromkeys(clause for one in told for clause in one.provisions), "")


def step_row(step: ReplayStep) -> StepRow:
    """An event as it is printed."""
    told = [one for one in step.governing if one.verdict != "nothing found"]
    return copied(
        StepRow,
        step,
        found="; ".join(one.message for one in told if one.message),
        clauses=_found_against([step]),
        governed=len({clause for one in step.governing for clause in one.provisions}),
        mark=MARKS[told[0].verdict] if told else "✓" if step.governing else "",
    )


def rack_words(rack: RackResult | None) -> str:
    """What the rack proves, or why it does not."""
    if rack is None or not rack.observed:
        return "No card of this round was seen in the discard rack."
    parts = []
    if rack.expected is None:
        parts.append("What should lie there cannot be said.")
    elif rack.agrees:
        parts.append("The rack holds the round's cards in the order the rules and the table's pickup give.")
    if rack.divergence is not None:
        gap = rack.divergence
        whose = hand_name(gap.hand) if gap.hand else "no hand"
        parts.append(
            f"It first differs at place {gap.index + 1} from the bottom: the log puts {gap.expected or 'no card'}"
            f" there ({whose}), the rack has {gap.observed or 'none'}."
        )
    if rack.proof is not None:
        parts.append(f"Class of proof: {rack.proof}.")
    elif rack.no_proof is not None:
        parts.append(f"No proof from the rack: {rack.no_proof}.")
    return " ".join(parts)


def rival_row(rival: Rival) -> RivalRow:
    """Another reading as it is printed."""
    changes = [
        f"Seat {due.seat}, {stake_name(due.kind)}"
        f"{f' of hand {due.hand}' if due.hand else ''}:"
        f" {moves(due.there, 'not known')} instead of {moves(due.here, 'not known')}"
        for due in rival.stakes
    ]
    if rival.rack:
        changes.append("The cards should lie in the rack in another order.")
    return RivalRow(
        place=rival.place,
        question=rival.question,
        here=rival.here.replace("_", " "),
        there=rival.there.replace("_", " "),
        changes=tuple(changes),
    )


def clauses_of(findings: Iterable[Finding]) -> tuple[CitedClause, ...]:
    """The duties that findings cite."""
    cited = dict.fromkeys(clause for one in findings for clause in one.cites)
    return tuple(
        CitedClause(id=clause, duty=PROVISIONS[clause].duty) for clause in cited if clause in PROVISIONS
    )


def governed_of(steps: Iterable[ReplayStep]) -> tuple[Governed, ...]:
    """Which clauses govern which kind of event, as the registry of checks has it."""
    by_event: dict[str, dict[str, None]] = {}
    for step in steps:
        clauses = (clause for one in step.governing for clause in one.provisions)
        by_event.setdefault(step.event, {}).update(dict.fromkeys(clauses))
    return tuple(
        Governed(event=event.replace("_", " "), clauses=tuple(sorted(clauses)))
        for event, clauses in sorted(by_event.items())
        if clauses
    )

"""A replayed hand as the page and the script show it, in the same words."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence

from msgspec import UNSET, Struct

from dashboards.drawing.cards import spoken_card
from dashboards.hands.hand import StoredRound
from dashboards.replayer.replay import Replay, ReplayAsked, ReplayStep
from dashboards.replayer.rows import felt_rows
from dashboards.replayer.stakes import PayoutRow
from dashboards.replayer.videos import seconds_into
from dashboards.replayer.witnessed import WitnessedCard
from dashboards.wording.comparison import ComparedField, compared
from dashboards.wording.copying import copied
from dashboards.wording.money import figures, owed
from dashboards.wording.settlements import moves, stake_name
from processors.core.state import seat_of
from processors.games.readings import READINGS, otherwise, resolve
from schemas.findings import Finding
from schemas.provisions import PROVISIONS
from schemas.values import DEALER

SIGNS = {"nothing found": "✓", "breached": "✕", "indeterminate": "?", "interpretation": "▲", "suspected": "▲"}


class StepView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One step; `sign` and `clause` are what is worst at it, `governing` all of it; `frame` is SVG.

    `into` is how many seconds into the recording of the round it happened.
    """

    sequence: int
    time: dt.datetime
    clock: str
    phase: str
    sentence: str
    seat: int | None = None
    sign: str = ""
    word: str = ""
    clause: str = ""
    more: int = 0
    governing: tuple[GovernedView, ...] = ()
    count: str = ""
    adds_up: bool = True
    videos: tuple[tuple[str, str], ...] = ()
    into: float = 0.0
    rows: tuple[tuple[str, str, str, str], ...] = ()
    frame: str = ""


class GovernedView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A check at a step, with its clauses and what it said."""

    check: str
    provisions: tuple[str, ...]
    verdict: str
    sign: str
    message: str = ""
    finding: str = ""


class MarkView(Struct, frozen=True):
    """A mark of the slider: the step it stands at, and what begins or is wrong there."""

    index: int
    word: str


class StakeView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One stake of the payout check, in words; money in dollars, cents beside it for programs.

    `play` is what the decisions at a main wager gave the house, `–` where it is not worked out; others have none.
    `decisions` are those that gave something, for whoever sees cards.
    """

    seat: int
    hand: str | None
    kind: str
    staked: str
    due: str
    seen: str
    difference: str
    word: str
    sign: str
    clause: str = ""
    play: str = ""
    decisions: tuple[str, ...] = ()
    staked_cents: int = 0
    difference_cents: int | None = None
    play_cents: int | None = None
    sequences: tuple[int, ...] = ()


class FindingView(Struct, frozen=True, kw_only=True):
    """A finding with the text of its clauses in our words; `later` says it was made after the round."""

    id: str
    check: str
    verdict: str
    severity: str
    sign: str
    sequence: int
    place: str
    message: str
    money: str
    clauses: tuple[tuple[str, str], ...]
    compared: tuple[ComparedField, ...]
    missing: tuple[str, ...]
    because_of: str
    reading: str
    later: bool


class CardView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A card of a hand and the events at which shoe, layout and rack saw it.

    `known` says how its place is known where the layout did not report it in time.
    """

    hand: str
    card: str
    shoe: int | None
    layout: int | None
    rack: int | None
    known: str = ""


class RivalView(Struct, frozen=True, kw_only=True):
    """An unclear place: the reading in force and a rival, and the stakes due otherwise under it."""

    place: str
    about: str
    in_force: str
    rival: str
    stakes: tuple[tuple[str, str, str], ...]


def steps_of(replay: Replay) -> tuple[StepView, ...]:
    """All steps, in order."""
    return tuple(_step(step, replay.steps[0].time) for step in replay.steps)


def _step(step: ReplayStep, first: dt.datetime) -> StepView:
    governing = tuple(
        copied(GovernedView, one, sign=SIGNS[one.verdict], finding=one.finding_id) for one in step.governing
    )
    worst = governing[0] if governing else None
    clauses = [name for one in governing for name in one.provisions]
    return copied(
        StepView,
        step,
        time=step.time.astimezone(dt.UTC),
        sign=worst.sign if worst is not None else "",
        word=worst.verdict if worst is not None else "no duty is read from this event",
        clause=clauses[0] if clauses else "",
        more=max(len(set(clauses)) - 1, 0),
        governing=governing,
        count=str(step.count) if step.count is not None else "",
        adds_up=step.count is None or step.count.sign == "✓",
        into=seconds_into(first, step.time),
        rows=felt_rows(step.felt),
        frame=str(step.frame),  # a plain one: any encoder knows it
    )


def seat_in_question(findings: Sequence[Finding]) -> int:
    """The seat of the first breach that names one; 0 where none does."""
    wrong = (one for one in findings if one.verdict == "breached")
    seats = (
        one.seat if isinstance(one.seat, int) else seat_of(one.hand) if isinstance(one.hand, str) else 0
        for one in wrong
    )
    return next((seat for seat in seats if seat), 0)


def clauses_of(steps: Sequence[StepView], findings: Sequence[Finding]) -> dict[str, str]:
    """Every clause the steps and findings cite, with its duty in our words; one that is no provision has none."""
    named = {name for step in steps for one in step.governing for name in one.provisions}
    named = named.union(*(one.cites for one in findings))
    return {name: PROVISIONS[name].duty for name in sorted(named) if name in PROVISIONS}


def stakes_of(
    payouts: Sequence[PayoutRow], findings: Sequence[Finding], decisions: Sequence[tuple[int, str]] = ()
) -> tuple[StakeView, ...]:
    """The payout check in words; a stake of which something was found names the clause."""
    cited = {one.sequence: one.cites[0] for one in findings if one.cites}
    return tuple(_stake(row, cited, decisions) for row in payouts)


_SIGNS = {"agrees": "✓", "differs": "✕", "not settled": "✕", "not known": "?", "nothing moved": "–"}


def _stake(row: PayoutRow, cited: Mapping[int, str], decisions: Sequence[tuple[int, str]]) -> StakeView:
    return copied(
        StakeView,
        row,
        kind=stake_name(row.kind),
        staked=figures(row.staked_cents, "$"),
        due=moves(row.expected),
        seen=moves(row.observed, staked_cents=row.staked_cents),
        difference=row.wrong_by,
        play="" if row.kind != "main" else "–" if row.play_cents is None else figures(row.play_cents, "$"),
        decisions=tuple(said for seat, said in decisions if seat == row.seat and row.play_cents),
        word="nothing staked" if row.word == "nothing moved" else row.word,
        sign=_SIGNS.get(row.word, "?"),
        clause=next((cited[one] for one in row.sequences if one in cited), ""),
    )


def finding_views(findings: Sequence[Finding], last: int) -> tuple[FindingView, ...]:
    """Findings, worst first."""
    rank = {"breached": 0, "interpretation": 1, "suspected": 2, "indeterminate": 3}
    ordered = sorted(findings, key=lambda one: (rank[one.verdict], one.sequence, one.finding_id))
    return tuple(_finding(one, last) for one in ordered)


def _finding(one: Finding, last: int) -> FindingView:
    return copied(
        FindingView,
        one,
        id=one.finding_id,
        sign=SIGNS[one.verdict],
        place=_place(one),
        money=owed(one.money_cents),
        clauses=tuple((name, PROVISIONS[name].duty if name in PROVISIONS else "") for name in one.cites),
        compared=compared(one.expected, one.observed),
        missing=() if one.missing is UNSET else one.missing,
        because_of="" if one.because_of is UNSET else one.because_of,
        reading="" if one.reading is UNSET else one.reading,
        later=one.sequence > last,
    )


def _place(one: Finding) -> str:
    if isinstance(one.hand, str):
        return "Dealer" if one.hand == "D" else f"Hand {one.hand}"
    if isinstance(one.seat, int):
        return f"Seat {one.seat}"
    return "Round" if isinstance(one.round, int) else "The table, not this round alone"


def cards_of(cards: Sequence[WitnessedCard]) -> tuple[CardView, ...]:
    """The round's cards, each with who vouches for it."""
    return tuple(
        copied(
            CardView,
            one.by,
            hand="Dealer" if one.hand == DEALER else one.hand,
            card=spoken_card(one.card),
            known=one.by.known or "",
        )
        for one in cards
    )


def rivals_of(stored: StoredRound, base: Replay, findings: Sequence[Finding]) -> tuple[RivalView, ...]:
    """For each unclear place a finding rests on, every reading but the one in force, and what it would change."""
    config = stored.table().config
    if config is None or stored.is_going_on:
        return ()
    places = tuple(dict.fromkeys(one.reading for one in findings if isinstance(one.reading, str)))
    policies = resolve(config.readings or {}, {})
    found = []
    for reading, policy in otherwise(policies, tuple(one for one in places if one in READINGS)):
        other = stored.replay(ReplayAsked(frames=False, readings={reading.id: policy}), ())
        stakes, force = _changes(base.payouts, other.payouts), policies[reading.id]
        found.append(
            RivalView(place=reading.id, about=reading.about, in_force=force, rival=policy, stakes=stakes)
        )
    return tuple(found)


def _changes(base: Sequence[PayoutRow], other: Sequence[PayoutRow]) -> tuple[tuple[str, str, str], ...]:
    """Stakes that are due otherwise: the stake, what is due in force, what under the rival."""
    due = {(row.seat, row.hand, row.kind): row.expected for row in other}
    return tuple(
        (f"Seat {row.seat} {stake_name(row.kind)}", moves(row.expected), moves(due[key]))
        for row in base
        if (key := (row.seat, row.hand, row.kind)) in due and due[key] != row.expected
    )

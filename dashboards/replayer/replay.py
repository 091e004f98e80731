"""A round as a list of steps, one for each event: what happened, what governs it, what the table looked like.

A step shows what was known at its event and nothing later: cutting the lines off after it changes no step before.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dashboards.drawing.felt import draw_felt
from dashboards.drawing.palette import DARK, Palette
from dashboards.drawing.rack import RackRow
from dashboards.drawing.scene import CardCount, Felt
from dashboards.drawing.tall import draw_tall
from dashboards.replayer.admitting import Before, admitted
from dashboards.replayer.duties import Duties, Governing, governing
from dashboards.replayer.faces import Faces, veiled
from dashboards.replayer.phases import ORDER, Phase, phase_after, phase_of
from dashboards.replayer.picture import Picture, card_count
from dashboards.replayer.play_port import GivingsOf, decision_words
from dashboards.replayer.sentences import sentence
from dashboards.replayer.stakes import PayoutRow, as_shown, payout_check
from dashboards.replayer.videos import video_link
from dashboards.replayer.witnessed import WitnessedCard, witnessed
from dashboards.wording.times import in_zone
from processors.core.state import Round, Table, seat_of
from processors.games.whichever.reconstruct import reconstruct
from processors.games.whichever.taking import Taking
from schemas import events as e
from schemas.events.envelope import Envelope
from schemas.findings import Finding
from schemas.payload import short_name
from schemas.rounds import RoundResult
from schemas.values import DEALER

MOST_NOTES = 1
_OF_DEALER = (e.HoleCardRevealed, e.HoleCardRead, e.DealerTotalAnnounced, e.DealerHandPositioned)


class ReplayAsked(Struct, frozen=True):
    """For whom and how a round is shown.

    `cleared`: may see hidden cards before they are shown. `video`: a link with any of `{camera}`, `{time}`,
    `{subject}`, `{sequence}`. `readings`: policies chosen over the table's own. `frames`: draw the felts, upright with
    this seat first where `tall` is given. `givings`: who knows which decisions gave the house something.
    """

    cleared: bool = False
    palette: Palette = DARK
    duties: Duties | None = None
    givings: GivingsOf | None = None
    video: str = ""
    readings: Mapping[str, str] | None = None
    frames: bool = True
    tall: int | None = None


class ReplayStep(Struct, frozen=True):
    """One event of the round; `clock` is its time at the property, `wrong` whether a breach was found at it."""

    index: int
    sequence: int
    time: dt.datetime
    clock: str
    event: str
    phase: Phase
    sentence: str
    seat: int | None
    hand: str | None
    governing: tuple[Governing, ...]
    wrong: bool
    count: CardCount | None
    videos: tuple[tuple[str, str], ...]
    felt: Felt
    frame: str


class Mark(Struct, frozen=True):
    """A mark of the slider: a phase begins at this step, or something is wrong there."""

    index: int
    word: str


class Replay(Struct, frozen=True):
    """A whole round; `result` is the one given, or worked out here without the rack solver's proofs.

    `cards` are all that lay on the table, each with the devices that vouch for it. `decisions` are in words, by seat,
    those that gave the house something.
    """

    subject: str
    round: int
    ended: bool
    steps: tuple[ReplayStep, ...]
    phases: tuple[Mark, ...]
    mismatches: tuple[Mark, ...]
    payouts: tuple[PayoutRow, ...]
    rack: tuple[RackRow, ...]
    result: RoundResult | None
    cards: tuple[WitnessedCard, ...] = ()
    decisions: tuple[tuple[int, str], ...] = ()


def replay_round(
    before: Before,
    lines: Iterable[bytes],
    *,
    findings: Sequence[Finding] = (),
    result: RoundResult | None = None,
    asked: ReplayAsked | None = None,
) -> Replay:
    """Show a round from its exact lines (without line ends) and the state before them.

    Raises:
        msgspec.ValidationError: the snapshot is none of this version.
    """
    walk = _Walk(before, findings, asked or ReplayAsked())
    for line in lines:
        walk.take(line)
    return walk.told(result)


class _Walk:
    """The state of a replay between two events."""

    def __init__(self, before: Before, findings: Sequence[Finding], asked: ReplayAsked) -> None:
        self.table = before.table()
        self.taking = Taking(self.table, asked.readings)
        self.asked = asked
        self.steps: list[ReplayStep] = []
        self.round: Round | None = self.table.round
        self.phase = phase_of(self.round)
        self.ended = False
        self.faults: list[str] = []
        self.faces = Faces.of(self.round, asked.cleared)
        self.picture = Picture(self.faces, self.taking.rules)
        self._rules = self.taking.rules
        self._findings = tuple(findings)
        self._found: dict[int, list[Finding]] = {}
        for one in findings:
            self._found.setdefault(one.sequence, []).append(one)

    def take(self, line: bytes) -> None:
        """Fold one line and show it; a line that is no event, or not the next, is passed over: findings say so."""
        table = self.table
        event = admitted(table, line)
        if event is None:
            return
        self.faces.note(event.sequence, event.data)
        # What still lies on the table when a round ends lies there, although the fold takes it for racked.
        lying = card_count(table) if type(event.data) is e.RoundEnded else None
        self.taking.take(event)
        if table.round is not None:
            self.round, self._rules = table.round, self.taking.rules
        self.ended = self.ended or type(event.data) is e.RoundEnded
        self.phase = phase_after(self.phase, event.data)
        self.steps.append(self._step(event, lying or card_count(table)))

    def _step(self, event: Envelope, count: CardCount | None) -> ReplayStep:
        table, data, asked = self.table, event.data, self.asked
        if type(data) in (e.TableConfigured, e.GamingDayStarted):
            self.picture = Picture(self.faces, self.taking.rules)
        hidden = self.faces.hidden(table, self.round)
        name = short_name(type(data))
        found = self._found.get(event.sequence, [])
        clauses = tuple(
            replace(one, message=veiled(one.message, hidden))
            for one in governing(name, asked.duties or {}, found)
        )
        wrong = [one for one in found if one.verdict == "breached"]
        self.faults.extend(_spot(one) for one in wrong)
        said = veiled(sentence(data, asked.cleared), hidden)
        hand = _hand(data)
        seat = getattr(data, "seat", None) or (seat_of(hand) if hand else None) or None
        felt = self.picture.felt(
            table,
            self.round,
            phase=self.phase,
            caption=f"{event.sequence} · {said}",
            now=hand or (str(seat) if seat else ""),
            faults=self.faults,
            count=count,
            settled=_as_settled(data, wrong),
            notes=[f"✕ {', '.join(one.cites)}: {veiled(one.message, hidden)}" for one in wrong][:MOST_NOTES],
        )
        local = in_zone(event.time, table)
        return ReplayStep(
            index=len(self.steps),
            sequence=event.sequence,
            time=event.time,
            clock=f"{local:%H:%M:%S}.{local.microsecond // 100_000}",
            event=name,
            phase=self.phase,
            sentence=said,
            seat=seat,
            hand=hand,
            governing=clauses,
            wrong=bool(wrong),
            count=count,
            videos=_videos(table, event, asked.video),
            felt=felt,
            frame=_frame(felt, asked),
        )

    def told(self, result: RoundResult | None) -> Replay:
        """The replay as far as it went."""
        round_, table = self.round, self.table
        if result is None and round_ is not None:
            last = self.steps[-1].sequence if self.steps else round_.first_sequence
            shown = round_ if self.asked.cleared else as_shown(round_)
            result = reconstruct(table, shown, last, self.ended, self.asked.readings or {})
        rack = self.faces.rack_rows(result.rack, round_) if result is not None and round_ is not None else ()
        return Replay(
            subject=table.subject,
            round=round_.number if round_ is not None else 0,
            ended=self.ended,
            steps=tuple(self.steps),
            phases=_phase_marks(self.steps),
            mismatches=_mismatches(self.steps),
            payouts=payout_check(result, round_, self._findings, ended=self.ended)
            if result is not None
            else (),
            rack=rack,
            result=result,
            cards=witnessed(round_, self.faces) if round_ is not None else (),
            decisions=self._decisions(result),
        )

    def _decisions(self, result: RoundResult | None) -> tuple[tuple[int, str], ...]:
        """The decisions that gave the house something; a round that goes on has cards that are still hidden."""
        round_, rules, told = self.round, self._rules, self.asked.givings
        if round_ is None or result is None or rules is None or told is None or not self.ended:
            return ()
        return tuple((one.seat, decision_words(one)) for one in told(rules, round_, result))


def _frame(felt: Felt, asked: ReplayAsked) -> str:
    if not asked.frames:
        return ""
    return (
        draw_felt(felt, asked.palette) if asked.tall is None else draw_tall(felt, asked.tall, asked.palette)
    )


def _hand(data: Any) -> str | None:
    """The hand, position or spot an event is about."""
    if isinstance(data, _OF_DEALER):
        return DEALER
    if isinstance(data, e.CardsRacked) and data.hand == DEALER and data.reason != "settled":
        return None
    for name in ("hand", "position", "at", "to_hand"):
        spot = getattr(data, name, None)
        if isinstance(spot, str):
            return spot
    return None


def _as_settled(data: Any, wrong: Sequence[Finding]) -> tuple[str, ...]:
    """What breaches are about of which the cards may lie in the rack by then, and the dealer beside it.

    Of a breach in the racking itself the cards lie where they were put.
    """
    if not wrong or isinstance(data, e.CardsRacked):
        return ()
    return (*(_spot(one) for one in wrong), DEALER)


def _spot(finding: Finding) -> str:
    if isinstance(finding.hand, str):
        return finding.hand
    return str(finding.seat) if isinstance(finding.seat, int) else ""


def _videos(table: Table, event: Envelope, link: str) -> tuple[tuple[str, str], ...]:
    """Each camera of the table with its link at the event's time; without a link where none is set."""
    cameras = table.config.cameras if table.config is not None else None
    where = event.time, event.subject, event.sequence
    return tuple((camera, video_link(link, camera, *where)) for camera in cameras or ())


def _phase_marks(steps: Sequence[ReplayStep]) -> tuple[Mark, ...]:
    first: dict[str, int] = {}
    for step in steps:
        first.setdefault(step.phase, step.index)
    return tuple(Mark(first[phase], phase) for phase in ORDER if phase in first)


def _mismatches(steps: Sequence[ReplayStep]) -> tuple[Mark, ...]:
    """Steps at which a breach was found, or at which the cards of the shoe ceased to add up."""
    marks = []
    whole = True
    for step in steps:
        adds_up = step.count is None or step.count.agrees or bool(step.count.unseen)
        if step.wrong:
            marks.append(Mark(step.index, next(g.message for g in step.governing if g.verdict == "breached")))
        elif whole and not adds_up:
            marks.append(Mark(step.index, str(step.count)))
        whole = adds_up
    return tuple(marks)

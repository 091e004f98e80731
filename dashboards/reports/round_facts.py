"""What a report says of a round beside its steps: where it was played, by whose hand, and under which readings."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from msgspec import UNSET

from dashboards.replayer.admitting import Before, admitted
from dashboards.replayer.stakes import as_shown
from dashboards.reports.vouching import Vouch
from dashboards.wording.times import in_zone
from processors.core.state import Round, Table
from processors.games.readings import READINGS, resolve
from processors.games.whichever.reconstruct import reconstruct
from processors.games.whichever.taking import Taking
from schemas import events as e
from schemas.findings import Finding
from schemas.rounds import RoundResult, Settlement
from schemas.rulesets import RULESETS
from schemas.values import UNKNOWN


@dataclass(frozen=True, slots=True)
class RoundSource:
    """A round as the record has it: the table before it, its exact lines, what was found, and the readings chosen.

    `breaks` say what of the stretch is not there, `vouch` what a checkpoint says of the lines.
    """

    before: Before
    lines: tuple[bytes, ...]
    findings: Sequence[Finding] = ()
    breaks: tuple[str, ...] = ()
    readings: Mapping[str, str] | None = None
    vouch: Vouch | None = None


@dataclass(frozen=True, slots=True)
class RivalDue:
    """A stake that another reading decides otherwise."""

    seat: int
    hand: str | None
    kind: str
    here: Settlement | None
    there: Settlement | None


@dataclass(frozen=True, slots=True)
class Rival:
    """Another reading of an unclear place, and what would be otherwise under it in this round."""

    place: str
    question: str
    here: str
    there: str
    stakes: tuple[RivalDue, ...]
    rack: bool


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """Where, when and by whom a round was dealt; empty texts where the record does not say."""

    game: str
    chapter: str
    property: str
    pit: str
    dealer: str
    floorperson: str
    cameras: tuple[str, ...]
    zone: dt.tzinfo
    began: dt.datetime | None
    rivals: tuple[Rival, ...]


def facts_of(source: RoundSource) -> RoundFacts:
    """What the table's state tells of the round."""
    told = _Told(source.before.table(), source.readings)
    dealer = told.table.dealer
    for line in source.lines:
        told.take(line)
    table, config = told.table, told.table.config
    law = RULESETS[config.ruleset] if config is not None else None
    began = in_zone(told.began, table) if told.began is not None else None
    cameras = config.cameras if config is not None and config.cameras is not UNSET else ()
    return RoundFacts(
        game=law.title if law is not None else "",
        chapter=law.chapter if law is not None else "",
        property=config.property if config is not None else "",
        pit=config.pit if config is not None else "",
        dealer=dealer or table.dealer,
        floorperson=table.floorperson,
        cameras=tuple(cameras or ()),
        zone=(began.tzinfo if began is not None else None) or dt.UTC,
        began=began,
        rivals=told.rivals(source.readings or {}),
    )


class _Told:
    """A round folded once, to be reconstructed under any reading."""

    def __init__(self, table: Table, readings: Mapping[str, str] | None) -> None:
        self.table = table
        self._taking = Taking(table, readings)
        self.round: Round | None = table.round
        self.began: dt.datetime | None = None
        self.ended = False
        self.last = 0

    def take(self, line: bytes) -> None:
        table = self.table
        event = admitted(table, line)
        if event is None:
            return
        self.began = self.began or event.time
        self.ended = self.ended or type(event.data) is e.RoundEnded
        self.last = event.sequence
        self._taking.take(event)
        self.round = table.round or self.round

    def rivals(self, chosen: Mapping[str, str]) -> tuple[Rival, ...]:
        """Readings under which a stake is due something else, or the rack should lie otherwise."""
        if self.round is None or self.table.config is None:
            return ()
        shown = as_shown(self.round)
        here = self._under(shown, chosen)
        configured = self.table.config.readings
        policies = resolve(configured if configured is not UNSET else {}, chosen)
        found = []
        for place, reading in READINGS.items():
            in_force = policies[place]
            for policy in (reading.default, *reading.rivals):
                if policy == in_force:
                    continue
                there = self._under(shown, {**chosen, place: policy})
                stakes = _otherwise(here, there)
                rack = _rack(here) != _rack(there)
                if stakes or rack:
                    found.append(Rival(place, reading.about, in_force, policy, stakes, rack))
        return tuple(found)

    def _under(self, round_: Round, chosen: Mapping[str, str]) -> RoundResult:
        return reconstruct(self.table, round_, self.last, self.ended, chosen)


def _otherwise(here: RoundResult, there: RoundResult) -> tuple[RivalDue, ...]:
    pairs = zip(here.stakes, there.stakes, strict=False)
    return tuple(
        RivalDue(one.seat, one.hand, one.kind, one.expected, other.expected)
        for one, other in pairs
        if one.expected != other.expected
    )


def _rack(result: RoundResult) -> tuple[str, ...] | None:
    expected = result.rack.expected
    return None if expected is None or UNKNOWN in expected else expected

"""The table stage: what each family sees at one table, beside the table's fold.

What a table alone can judge becomes a finding here; what is about a dealer or a player goes on as an observation.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any

import msgspec
from msgspec import Struct, field

from processors.core.sights import BIT
from processors.core.state import Round, Table
from processors.detectors import families as _registered  # noqa: F401 - importing registers every family
from processors.detectors.curve import Curve, line_of
from processors.detectors.family import FAMILIES, Family, Said
from processors.detectors.shapes import (
    Alarm,
    CheckedStanding,
    Closed,
    Contribution,
    EvidenceStanding,
    Happened,
    Observation,
    key_of,
)
from processors.detectors.suspicion import all_held, broken_down, mark_of, suspicion, variant_of
from processors.play.boxes import RoundPlay
from schemas.events import DealerArrived, DealerLeft
from schemas.events.envelope import Envelope
from schemas.findings import Finding
from schemas.payload import Payload
from schemas.rounds import RoundResult

_RAISED = 256  # alarms of a family that are remembered; an older one is about a shoe long gone
_MET = 1024  # people of a family whose number at the table is remembered
_PACK = msgspec.msgpack.Encoder().encode
_CHANGED_HANDS = BIT[DealerArrived] | BIT[DealerLeft]


class Kept(Struct):
    """What is kept of one family: its state packed, the alarms raised, whom it met and how many these were."""

    state: msgspec.Raw
    raised: list[str]
    met: dict[str, int]
    count: int
    curve: Curve


class Place(Struct):
    """One family at one table."""

    family: Family
    state: Any
    raised: list[str] = field(default_factory=list)
    met: dict[str, int] = field(default_factory=dict)
    count: int = 0
    curve: Curve = field(default_factory=Curve)


class Told(Struct, frozen=True):
    """What the families said since they were asked last."""

    findings: tuple[Finding, ...]
    observations: tuple[Observation, ...]


class _Snapshot(Struct, frozen=True, array_like=True):
    """The families by name, and the latest time of an event."""

    families: dict[str, Kept]
    latest: dt.datetime | None


_UNPACK = msgspec.msgpack.Decoder(_Snapshot).decode


class TableStage:
    """All families at one table.

    `reads` are the types of events at which `happened` has anything to do; `told` says whether `take` has anything.
    """

    __slots__ = ("_closers", "_findings", "_latest", "_observations", "_places", "_readers", "reads", "told")

    def __init__(self) -> None:
        self._findings: list[Finding] = []
        self._observations: list[Observation] = []
        self._latest: dt.datetime | None = None
        self.told = False
        self._adopt({name: Place(one, one.table.state()) for name, one in FAMILIES.items() if one.table})

    def _adopt(self, places: dict[str, Place]) -> None:
        self._places = places
        self._closers = [
            (place, place.family.table.closed, place.family.table.standing)
            for place in places.values()
            if place.family.table is not None and (place.family.table.closed or place.family.table.standing)
        ]
        self._readers: dict[type[Payload], list[tuple[Place, Any]]] = {}
        for place in places.values():
            at = place.family.table
            for kind in at.reads if at is not None and at.happened is not None else ():
                self._readers.setdefault(kind, []).append((place, at.happened if at is not None else None))
        self.reads: frozenset[type[Payload]] = frozenset(self._readers)

    def take(self) -> Told:
        """What was said since the last call."""
        self.told = False
        told = Told(tuple(self._findings), tuple(self._observations))
        self._findings, self._observations = [], []
        return told

    def happened(self, table: Table, event: Envelope, round_: Round | None) -> None:
        """Tell the families that read it of an event that was folded in."""
        readers = self._readers.get(type(event.data))
        if readers is None:
            return
        self._now(event.time)
        told = Happened(table, event, round_)
        number = round_.number if round_ is not None else table.last_round
        for place, tell in readers:
            self._ask(place, tell, told, table.subject, number, event.sequence)

    def closed(
        self, table: Table, round_: Round, result: RoundResult, play: RoundPlay, *, ended: bool, late: bool
    ) -> None:
        """Tell all families of a round that is over; `late`, if the event that closes it belongs to the next one."""
        time, sequence = table.time, table.chain.next_sequence - 1
        if time is None:
            return
        self._now(time)
        closed = Closed(
            table=table,
            round=round_,
            result=result,
            dealer="" if late or round_.seen & _CHANGED_HANDS else table.dealer,
            sequence=sequence,
            time=time,
            ended=ended,
            whole=ended and _is_whole(result, round_),
            play=play,
        )
        for place, tell, standing in self._closers:
            # An alarm that this round raises ends its course with this round: so it is counted first.
            due = standing if standing is not None and place.curve.due() else None
            if tell is not None:
                self._ask(place, tell, closed, table.subject, round_.number, sequence)
            if due is not None:
                _follow(place, due, table.subject)

    def standings(self, subject: str, of: str | None = None) -> Iterator[CheckedStanding]:
        """The evidence about the table now; `of` asks one family alone."""
        return (one for _, found in self._standings(subject, of) for one in found)

    def followed(self, subject: str) -> Iterator[tuple[CheckedStanding, list[list[float]]]]:
        """The standings, each with the steps and evidence of its course."""
        for place, found in self._standings(subject, None):
            for now in found:
                yield now, place.curve.of(line_of(variant_of(now.check), now.about), now.e_value)

    def _standings(self, subject: str, of: str | None) -> Iterator[tuple[Place, tuple[CheckedStanding, ...]]]:
        for name, place in self._places.items():
            at = place.family.table
            if at is not None and at.standing is not None and of in (None, name):
                yield place, all_held(place.family, partial(at.standing, place.state, subject), place.raised)

    def snapshot(self) -> bytes:
        """The whole state as bytes."""
        kept = {
            name: Kept(msgspec.Raw(_PACK(place.state)), place.raised, place.met, place.count, place.curve)
            for name, place in self._places.items()
        }
        return _PACK(_Snapshot(kept, self._latest))

    @classmethod
    def restore(cls, data: bytes) -> TableStage:
        """Go on from a snapshot; a family that it does not hold begins anew.

        Raises:
            msgspec.DecodeError: the bytes are no snapshot of this version.
        """
        stage = cls()
        found = _UNPACK(data)
        stage._latest = found.latest
        places = stage._places
        for name, kept in found.families.items():
            place = places.get(name)
            if place is None:
                continue
            place.state = msgspec.msgpack.decode(kept.state, type=type(place.state))
            place.raised, place.met, place.count = kept.raised, kept.met, kept.count
            place.curve = kept.curve
        return stage

    def _ask(
        self,
        place: Place,
        tell: Callable[[Any, Any], Said],
        told: Happened | Closed,
        subject: str,
        round_: int,
        sequence: int,
    ) -> None:
        """Tell one family; where it breaks down, say so and let it begin anew: the fold goes on."""
        try:
            for said in tell(place.state, told):
                self._hear(place, said, subject, round_, sequence)
        except Exception as error:
            # A defect of one detector must not end the audit of a table.
            assert place.family.table is not None
            place.state = place.family.table.state()
            self.told = True
            self._findings.append(broken_down(place.family, error, subject, round_, sequence))

    def _hear(
        self, place: Place, said: Alarm | Contribution, subject: str, round_: int, sequence: int
    ) -> None:
        self.told = True
        family = place.family
        if isinstance(said, Alarm):
            mark = mark_of(said.variant, said.about)
            if mark not in place.raised:
                place.raised = [*place.raised[1 - _RAISED :], mark]
                self._findings.append(suspicion(family, said, place.curve, subject, round_, sequence))
            return
        assert self._latest is not None
        self._observations.append(
            Observation(
                family=family.name,
                whom=said.whom,
                subject=subject,
                round=round_,
                sequence=sequence,
                time=self._latest,
                nth=_number(place, key_of(said.whom)),
                note=msgspec.Raw(_PACK(said.note)),
            )
        )

    def _now(self, time: dt.datetime) -> None:
        """Take the time of an event; a clock that goes back does not carry what was seen before what was earlier."""
        if self._latest is None or time > self._latest:
            self._latest = time


def _follow(place: Place, standing: Callable[[Any, str], Iterable[EvidenceStanding]], subject: str) -> None:
    """Add a point to the curve; a family that cannot say how it stands has none, and the fold goes on."""
    try:
        place.curve.take(standing(place.state, subject))
    except Exception:
        return


def _number(place: Place, key: str) -> int:
    """The how many-th this one is of whom the family speaks at this table."""
    nth = place.met.get(key)
    if nth is None:
        place.count += 1
        nth = place.met[key] = place.count
        if len(place.met) > _MET:
            del place.met[next(iter(place.met))]
    return nth


def _is_whole(result: RoundResult, round_: Round) -> bool:
    return not (
        result.missing
        or result.words_missing
        or result.inferred
        or round_.unheard
        or round_.voided is not None
        or result.status == "indeterminate"
    )

"""The entity stage: what is known of each dealer, player or pair, joined over tables in order of event time.

Observations of one order give one result. Where they come in another order, as those of a table that was offline, the
order in which they came is part of the evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final

import msgspec
from msgspec import Struct, field

from processors.detectors import families as _registered  # noqa: F401 - importing registers every family
from processors.detectors.curve import Curve
from processors.detectors.family import FAMILIES, Family, share_of
from processors.detectors.shapes import WHOM, CheckedStanding, Observation
from processors.detectors.suspicion import all_held, broken_down, mark_of, suspicion, variant_of
from schemas.findings import Finding

_PACK = msgspec.msgpack.Encoder().encode
_TABLES: Final = 4096  # tables of one of them whose place is remembered: more than a property has


class Entity(Struct):
    """What one family knows of one dealer, player or pair; `share` is the part of the level it may spend."""

    whom: dict[str, str]
    share: float
    state: Any
    raised: list[str] = field(default_factory=list)
    curve: Curve = field(default_factory=Curve)


class Known(Struct):
    """What is known of one dealer, player or pair: by family, and the last event heard of each table."""

    families: dict[str, Entity] = field(default_factory=dict)
    heard: dict[str, int] = field(default_factory=dict)


class _KeptEntity(Struct):
    """What one family knows as it is stored, its state packed."""

    whom: dict[str, str]
    share: float
    state: msgspec.Raw
    raised: list[str]
    curve: Curve


class _Kept(Struct):
    """What is known of one of them as it is stored."""

    families: dict[str, _KeptEntity]
    heard: dict[str, int]


_DECODE = msgspec.msgpack.Decoder(_Kept).decode


class EntityStage:
    """Everybody who was met, by key."""

    __slots__ = ("_known", "_notes")

    def __init__(self) -> None:
        self._known: dict[str, Known] = {}
        self._notes = {
            name: msgspec.msgpack.Decoder(family.entity.note)
            for name, family in FAMILIES.items()
            if family.entity is not None
        }

    def hear(self, observations: Sequence[Observation]) -> tuple[Finding, ...]:
        """Take all that one event of a table brought about; the suspicions that it makes due, each once.

        Of each key what is not behind the last event heard of that table is passed over: it was taken before.
        """
        found: tuple[Finding, ...] = ()
        for key, said in by_key(observations).items():
            known = self._known.setdefault(key, Known())
            subject, sequence = said[0].subject, said[0].sequence
            if sequence <= known.heard.get(subject, 0):
                continue
            known.heard.pop(
                subject, None
            )  # the table heard last stands last, and the first is forgotten first
            known.heard[subject] = sequence
            if len(known.heard) > _TABLES:
                del known.heard[next(iter(known.heard))]
            for one in said:
                found += self.weigh(one)
        return found

    def weigh(self, observation: Observation) -> tuple[Finding, ...]:
        """Take one observation; the suspicions that it makes due, each once."""
        family = FAMILIES[observation.family]
        of = family.entity
        if of is None:
            return ()
        entity = self._entity(family, observation)
        place = observation.subject, observation.round, observation.sequence
        found: list[Finding] = []
        try:
            note = self._notes[family.name].decode(observation.note)
            alarms = tuple(of.weigh(entity.state, observation, note, entity.share))
            if entity.curve.due():
                entity.curve.take(of.standing(entity.state, entity.whom, entity.share))
            for alarm in alarms:
                mark = mark_of(alarm.variant, alarm.about)
                if mark not in entity.raised:
                    entity.raised.append(mark)
                    found.append(suspicion(family, alarm, entity.curve, *place))
        except Exception as error:
            # A defect of one detector must not end the others' work.
            entity.state = of.state()
            found.append(broken_down(family, error, *place))
        return tuple(found)

    def standings(self, key: str | None = None, of: str | None = None) -> Iterator[CheckedStanding]:
        """The evidence about everybody now, or about one of them, by family and key; `of` asks one family alone."""
        return (one for _, found in self._standings(key, of) for one in found)

    def followed(self, key: str | None = None) -> Iterator[tuple[CheckedStanding, list[list[float]]]]:
        """The standings, each with the steps and evidence of its course, the last being what stands now."""
        for entity, found in self._standings(key, None):
            for now in found:
                yield now, entity.curve.of(variant_of(now.check), now.e_value)

    def _standings(
        self, key: str | None, of: str | None
    ) -> Iterator[tuple[Entity, tuple[CheckedStanding, ...]]]:
        wanted = self._known if key is None else {key} & self._known.keys()
        places = sorted((name, one) for one in wanted for name in self._known[one].families)
        for name, one in places:
            at, entity = FAMILIES[name].entity, self._known[one].families[name]
            if at is not None and of in (None, name):
                tell = partial(at.standing, entity.state, entity.whom, entity.share)
                yield entity, all_held(FAMILIES[name], tell, entity.raised)

    @property
    def met(self) -> list[str]:
        """The keys of everybody of whom anything is known."""
        return sorted(self._known)

    def snapshot(self, key: str) -> bytes:
        """What all families know of one of them, as bytes."""
        known = self._known[key]
        families = {
            name: _KeptEntity(one.whom, one.share, msgspec.Raw(_PACK(one.state)), one.raised, one.curve)
            for name, one in sorted(known.families.items())
        }
        return _PACK(_Kept(families, known.heard))

    def adopt(self, key: str, data: bytes) -> None:
        """Go on from a snapshot of one of them.

        Raises:
            msgspec.DecodeError: the bytes are no snapshot of this version.
        """
        kept = _DECODE(data)
        known = Known(heard=kept.heard)
        for name, one in kept.families.items():
            of = FAMILIES[name].entity if name in FAMILIES else None
            if of is not None:
                state = msgspec.msgpack.decode(one.state, type=type(of.state()))
                known.families[name] = Entity(one.whom, one.share, state, one.raised, one.curve)
        self._known[key] = known

    def forget(self, keys: Iterable[str]) -> None:
        """Know nothing of these any more."""
        for key in keys:
            self._known.pop(key, None)

    def _entity(self, family: Family, observation: Observation) -> Entity:
        known = self._known.get(observation.key)
        if known is None:
            known = self._known[observation.key] = Known()
        entity = known.families.get(family.name)
        if entity is None:
            assert family.entity is not None
            whom: dict[str, str] = {kind: observation.whom[kind] for kind in WHOM if kind in observation.whom}
            entity = Entity(whom, share_of(observation.nth), family.entity.state())
            known.families[family.name] = entity
        return entity


def by_key(observations: Sequence[Observation]) -> dict[str, list[Observation]]:
    """The observations by whom they are about, each one's in their order."""
    found: dict[str, list[Observation]] = {}
    for one in observations:
        found.setdefault(one.key, []).append(one)
    return found

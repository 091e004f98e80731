"""The entity stage: what is known of each dealer, player or pair, joined over tables in order of event time.

Observations of one order give one result; where they come in another order (a table that was offline), the order in
which they came is part of the evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import Struct, field

from processors.detectors import families as _registered  # noqa: F401 - importing registers every family
from processors.detectors.family import FAMILIES, Family, share_of
from processors.detectors.shapes import WHOM, Held, Observation
from processors.detectors.suspicion import broken_down, held, mark_of, suspicion
from schemas.findings import Finding

_PACK = msgspec.msgpack.Encoder().encode


class Entity(Struct):
    """What one family knows of one dealer, player or pair; `share` is the part of the level it may spend."""

    whom: dict[str, str]
    share: float
    state: Any
    raised: list[str] = field(default_factory=list)


class KeptEntity(Struct):
    """An entity as it is stored, its state packed."""

    family: str
    whom: dict[str, str]
    share: float
    state: msgspec.Raw
    raised: list[str]


_DECODE: msgspec.msgpack.Decoder[list[KeptEntity]] = msgspec.msgpack.Decoder(list[KeptEntity])


class EntityStage:
    """Every entity that was met, by family and key."""

    __slots__ = ("_entities", "_notes")

    def __init__(self) -> None:
        self._entities: dict[tuple[str, str], Entity] = {}
        self._notes = {
            name: msgspec.msgpack.Decoder(family.entity.note)
            for name, family in FAMILIES.items()
            if family.entity is not None
        }

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
            for alarm in of.weigh(entity.state, observation, note, entity.share):
                mark = mark_of(alarm.variant, alarm.about)
                if mark not in entity.raised:
                    entity.raised.append(mark)
                    found.append(suspicion(family, alarm, *place))
        except Exception as error:
            # A defect of one detector must not end the others' work.
            entity.state = of.state()
            found.append(broken_down(family, error, *place))
        return tuple(found)

    def standings(self) -> Iterator[Held]:
        """The evidence about everybody now, by family and key."""
        for (name, _), entity in sorted(self._entities.items(), key=lambda one: one[0]):
            family = FAMILIES[name]
            if family.entity is not None:
                for one in family.entity.standing(entity.state, entity.whom, entity.share):
                    yield held(family, one, entity.raised)

    @property
    def met(self) -> list[str]:
        """The keys of everybody of whom anything is known."""
        return sorted({key for _, key in self._entities})

    def snapshot(self, key: str) -> bytes:
        """What all families know of one of them, as bytes."""
        return _PACK(
            [
                KeptEntity(name, one.whom, one.share, msgspec.Raw(_PACK(one.state)), one.raised)
                for (name, of), one in sorted(self._entities.items(), key=lambda item: item[0])
                if of == key
            ]
        )

    def adopt(self, key: str, data: bytes) -> None:
        """Go on from a snapshot of one of them.

        Raises:
            msgspec.DecodeError: the bytes are no snapshot of this version.
        """
        for kept in _DECODE.decode(data):
            of = FAMILIES[kept.family].entity if kept.family in FAMILIES else None
            if of is not None:
                state = msgspec.msgpack.decode(kept.state, type=type(of.state()))
                self._entities[kept.family, key] = Entity(kept.whom, kept.share, state, kept.raised)

    def _entity(self, family: Family, observation: Observation) -> Entity:
        key = family.name, observation.key
        entity = self._entities.get(key)
        if entity is None:
            assert family.entity is not None
            whom: dict[str, str] = {kind: observation.whom[kind] for kind in WHOM if kind in observation.whom}
            entity = Entity(whom, share_of(observation.nth), family.entity.state())
            self._entities[key] = entity
        return entity

"""What the detectors hold of people and tables, out of the states that the workers keep.

An embedded fold stores the states of both each second. Behind Kafka the sink stores those of tables, and those of
people stand in the analyst's topic.
"""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Iterator
from typing import Any, Final

from dashboards.reader.people import Kind
from dashboards.reader.question import Reader
from dashboards.suspicions.evidence import CourseOfEvidence, EvidenceAwaited, EvidenceHeld
from deploy.evidence.followed import TORN, FollowedPeople, KnownState
from processors.detectors.family import FAMILIES, Family
from processors.detectors.shapes import CheckedStanding
from processors.detectors.stages.entity_stage import EntityStage
from processors.detectors.suspicion import family_of, is_unread, unread
from processors.pipeline import TablePipeline
from schemas.answers import FOLD_VERSION

MOST_PAIRS: Final = 200  # of somebody with others, those heard of last
_PEOPLE: Final = (
    "SELECT subject, fold_version, snapshot_base64 FROM progress FINAL WHERE next_sequence = 0"
    " AND (subject = {key:String} OR startsWith(subject, concat({key:String}, '|'))"
    " OR endsWith(subject, concat('|', {key:String})))"
    " ORDER BY subject = {key:String} DESC, position DESC, subject LIMIT {most:UInt32}"
)
_TABLES: Final = (
    "SELECT subject, fold_version, snapshot_base64 FROM progress FINAL"
    " WHERE next_sequence > 0 AND subject IN {tables:Array(String)} ORDER BY subject"
)
_Followed = Iterator[tuple[CheckedStanding, list[list[float]], dt.datetime | None]]
"""Standings, their courses, and the time of the event behind which those of a table stand."""
_KEYS = {"dealer": "dealer", "patron": "player", "table": "table"}


class StoredEvidence:
    """The evidence of all families, also below an alarm; any thread may ask."""

    def __init__(self, records: Reader, people: FollowedPeople | None = None) -> None:
        """`people` are followed behind Kafka; in one process they stand in the store of records."""
        self._records, self._followed = records, people

    def __call__(self, kind: Kind, name: str, tables: tuple[str, ...]) -> EvidenceHeld:
        """All standings that name somebody, and the families of which a state cannot be read.

        Raises:
            EvidenceAwaited: the states of people are not read to their end yet.
            Exception: the store does not answer, or a state is not of this release.
        """
        known, read_at = ([], None) if kind == "table" else self._known(f"{_KEYS[kind]}:{name}")
        found = (*_of_people(known), *self._at_tables(tables))
        named = (one for one in found if str(one[0].about.get(_KEYS[kind], "")) == name)
        return EvidenceHeld(
            standings=tuple(_standing(*one) for one in named),
            unread=frozenset(family_of(one.check) for one, _, _ in found if is_unread(one)),
            read_at=read_at,
        )

    def _known(self, name: str) -> tuple[list[KnownState], dt.datetime | None]:
        if self._followed is None:
            rows = self._records.query(_PEOPLE, {"key": name, "most": MOST_PAIRS})
            return [KnownState(key, fold, _bytes(snapshot)) for key, fold, snapshot in rows], None
        known, read_at = self._followed.of(name, MOST_PAIRS)
        if read_at is None:
            raise EvidenceAwaited
        return known, read_at

    def _at_tables(self, tables: tuple[str, ...]) -> _Followed:
        rows: list[tuple[Any, ...]] = self._records.query(_TABLES, {"tables": tables}) if tables else []
        for subject, fold, snapshot in rows:
            _require_ours(fold)
            try:
                pipeline = TablePipeline.restore(_bytes(snapshot))
            except TORN:
                yield from ((unread(family), [], None) for family in FAMILIES.values() if _judges(family))
                continue
            for one, course in pipeline.detectors.followed(subject) if pipeline.detectors is not None else ():
                yield one, course, pipeline.state.times.utc


def _of_people(known: list[KnownState]) -> _Followed:
    stage = EntityStage()
    for one in known:
        if one.state or one.fold:  # a record that is no state of a version has neither
            _require_ours(one.fold)
        try:
            stage.adopt(one.key, one.state)
        except TORN:
            yield from ((unread(family), [], None) for family in FAMILIES.values() if _joins(family, one.key))
    for standing, course in stage.followed():
        yield standing, course, None


def _bytes(stored: str) -> bytes:
    """A state as it was stored; what cannot be read is no state."""
    try:
        return base64.b64decode(stored)
    except ValueError:
        return b""


def _joins(family: Family, key: str) -> bool:
    """Whether a family keeps its evidence under such keys: of a dealer, a player, or a pair of both."""
    named = {one.partition(":")[0] for one in key.split("|")}
    return family.entity is not None and named == set(family.about)


def _judges(family: Family) -> bool:
    """Whether a family weighs evidence at the table itself, and does not only pass on what it saw."""
    return family.table is not None and family.table.standing is not None


def _require_ours(fold: int) -> None:
    if fold != FOLD_VERSION:
        raise ValueError(
            f"fold {fold} wrote the state, and this release reads what fold {FOLD_VERSION} writes"
        )


def _standing(one: CheckedStanding, course: list[list[float]], up_to: dt.datetime | None) -> CourseOfEvidence:
    _, family, *variant = one.check.split(".")
    return CourseOfEvidence(
        family=family,
        variant=variant[0].replace("_", " ") if variant else "",
        about=one.about,
        e_value=one.e_value,
        highest=one.highest,
        alarm_at=one.alarm_at,
        rounds=one.rounds,
        raised=one.raised,
        course=tuple((int(step), e_value) for step, e_value in course),
        up_to=up_to,
        due=one.due,
    )

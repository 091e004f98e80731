"""What the detectors hold of people and tables, out of the state that an embedded fold stores each second."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from typing import Any, Final

from dashboards.reader.people import Kind
from dashboards.reader.question import Parameter, Reader
from dashboards.suspicions.evidence import CourseOfEvidence
from processors.detectors.shapes import CheckedStanding
from processors.detectors.stages.entity_stage import EntityStage
from processors.pipeline import TablePipeline

MOST_PAIRS: Final = 200  # of somebody with others, those heard of last
_PEOPLE: Final = (
    "SELECT subject, snapshot_base64 FROM progress FINAL WHERE next_sequence = 0"
    " AND (subject = {key:String} OR startsWith(subject, concat({key:String}, '|'))"
    " OR endsWith(subject, concat('|', {key:String})))"
    " ORDER BY subject = {key:String} DESC, position DESC, subject LIMIT {most:UInt32}"
)
_TABLES: Final = (
    "SELECT subject, snapshot_base64 FROM progress FINAL"
    " WHERE next_sequence > 0 AND subject IN {tables:Array(String)} ORDER BY subject"
)
_KEYS = {"dealer": "dealer", "patron": "player", "table": "table"}


class StoredEvidence:
    """The evidence in a store of the embedded fold; any thread may ask."""

    def __init__(self, records: Reader) -> None:
        self._records = records

    def __call__(self, kind: Kind, name: str, tables: tuple[str, ...]) -> tuple[CourseOfEvidence, ...]:
        """All standings that name somebody.

        Raises:
            Exception: the store does not answer, or its state is not of this release.
        """
        found = [*self._of_people(kind, name), *self._at_tables(tables)]
        return tuple(one for one in found if str(one.about.get(_KEYS[kind], "")) == name)

    def _of_people(self, kind: Kind, name: str) -> Iterator[CourseOfEvidence]:
        if kind == "table":
            return
        asked: dict[str, Parameter] = {"key": f"{_KEYS[kind]}:{name}", "most": MOST_PAIRS}
        stage = EntityStage()
        for key, snapshot in self._records.query(_PEOPLE, asked):
            stage.adopt(key, base64.b64decode(snapshot))
        for one, course in stage.followed():
            yield _standing(one, course)

    def _at_tables(self, tables: tuple[str, ...]) -> Iterator[CourseOfEvidence]:
        rows: list[tuple[Any, ...]] = self._records.query(_TABLES, {"tables": tables}) if tables else []
        for subject, snapshot in rows:
            detectors = TablePipeline.restore(base64.b64decode(snapshot)).detectors
            for one, course in detectors.followed(subject) if detectors is not None else ():
                yield _standing(one, course)


def _standing(one: CheckedStanding, course: list[list[float]]) -> CourseOfEvidence:
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
    )

"""Checks that are not asked would have said nothing: what `after` and `before` of a check promise."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec
import pytest

from processors.core.snapshots import seen_in
from processors.core.state import Table
from processors.law.check import REGISTRY, SORT, Check, Judgment, Moment
from processors.law.judge.dispatch import Dispatch
from processors.law.judge.judge import each
from processors.pipeline import TablePipeline
from schemas.events.codec import decode
from schemas.payload import Payload
from tests.law.harness import all_runs, broken_down, only
from tests.law.script import play
from tests.pipeline.soup import soup
from tests.pipeline.streams import EXAMPLES, lines_of
from tests.sampling import one_in

Said = list[tuple[int, str, Judgment]]
STREAMS = sorted(path.stem for path in EXAMPLES.glob("*.ndjson"))


def _said(lines: Iterable[bytes], subject: str) -> Said:
    """Every judgment of a run, upheld ones too."""
    said: Said = []

    def heard(entry: Check) -> Check:
        def ear(moment: Moment, data: Any) -> list[Judgment]:
            judgments = list(each(entry.function(moment, data)))
            said.extend((moment.sequence, entry.id, judgment) for judgment in judgments)
            return judgments

        return msgspec.structs.replace(entry, function=ear)

    with only({entry.id: heard(entry) for entry in REGISTRY.values()}):
        pipeline = TablePipeline(subject, detect=False)
        for line in lines:
            assert broken_down(pipeline.advance(line).findings) == []
    return said


def _everyone(dispatch: Dispatch, table: Table, data: Payload) -> tuple[Check, ...]:
    """All that read events of this type and sort."""
    kind = type(data)
    sort = getattr(data, SORT[kind]) if kind in SORT else ""
    return tuple(entry for entry in dispatch.checks if sort in entry.only.get(kind, (sort,)))


def _unheard(lines: tuple[bytes, ...], subject: str) -> list[str]:
    """The checks that have something to say only if they are asked when they need not be."""
    asked = _said(lines, subject)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Dispatch, "asked", _everyone)
        every = _said(lines, subject)
    if asked == every:
        return []
    return sorted(
        {
            f"{check} at event {sequence}"
            for sequence, check, one in every
            if (sequence, check, one) not in asked
        }
    )


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.soak] * (at % 8 > 0)) for at, name in enumerate(STREAMS)]
)
def test_nobody_is_left_unasked_in_a_published_stream(name: str) -> None:
    lines = lines_of(name)
    assert _unheard(lines, decode(lines[0]).subject) == []


@pytest.mark.parametrize(
    "seed", [*range(3), *(pytest.param(n, marks=pytest.mark.soak) for n in range(3, 20))]
)
def test_nobody_is_left_unasked_when_nothing_makes_sense(seed: int) -> None:
    subject, lines = soup(seed)
    assert _unheard(tuple(lines), subject) == []


@pytest.mark.parametrize("each", [24, pytest.param(1, marks=pytest.mark.soak)])
@pytest.mark.parametrize("check", one_in(3, sorted(REGISTRY)))
def test_nobody_is_left_unasked_in_the_cases_of_a_check(check: str, each: int) -> None:
    for run in [run for run in all_runs() if run.check == check][::each]:
        if run.verdict != "upheld":
            felt = play(run.steps, run.ruleset, run.table, run.players, run.day)
            assert _unheard(tuple(felt.lines), decode(felt.lines[0]).subject) == []


@pytest.mark.parametrize("name", one_in(4, STREAMS))
def test_what_a_round_has_shown_is_what_its_record_shows(name: str) -> None:
    lines = lines_of(name)
    pipeline = TablePipeline(decode(lines[0]).subject, detect=False)
    for line in lines:
        pipeline.advance(line)
        if pipeline.table.round is not None:
            assert pipeline.table.round.seen == seen_in(pipeline.table.round)

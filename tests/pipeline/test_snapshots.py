"""Replay to any point, snapshot, restore, replay the rest: it is one whole replay, to the byte."""

from __future__ import annotations

import json
from functools import cache

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from processors.pipeline import TablePipeline
from producers.simulator.floor.setup import RULESETS
from schemas.values import Ruleset
from tests.pipeline.hostile import GARBAGE
from tests.pipeline.simulated import PutRight, lines_of_table
from tests.pipeline.streams import EXAMPLES, lines_of

Lines = tuple[bytes, ...]
Whole = tuple[list[bytes], bytes]
STREAMS = sorted(path.stem for path in EXAMPLES.glob("*.ndjson"))
CUTS = st.lists(st.floats(0, 1), min_size=1, max_size=4)
SHORT_GARBAGE = tuple(line for line in GARBAGE.values() if len(line) < 1000)


def _told(pipeline: TablePipeline, lines: Lines) -> list[bytes]:
    """What the lines bring about, each as bytes."""
    return [msgspec.json.encode(outcome) for outcome in map(pipeline.advance, lines)]


def _ended(pipeline: TablePipeline) -> Whole:
    return [msgspec.json.encode(pipeline.finish())], pipeline.snapshot()


def _whole(lines: Lines) -> Whole:
    pipeline = TablePipeline(_subject(lines))
    told = _told(pipeline, lines)
    last, state = _ended(pipeline)
    return told + last, state


def _interrupted(lines: Lines, cuts: list[float]) -> Whole:
    pipeline = TablePipeline(_subject(lines))
    told: list[bytes] = []
    at = 0
    for cut in sorted(round(cut * len(lines)) for cut in cuts):
        told += _told(pipeline, lines[at:cut])
        state = pipeline.snapshot()
        pipeline = TablePipeline.restore(state)
        assert pipeline.snapshot() == state
        at = cut
    told += _told(pipeline, lines[at:])
    last, state = _ended(pipeline)
    return told + last, state


def _subject(lines: Lines) -> str:
    return str(json.loads(lines[0])["subject"])


@cache
def _published(name: str) -> Whole:
    return _whole(lines_of(name))


@cache
def _simulated(ruleset: Ruleset, seed: int) -> tuple[Lines, Whole]:
    lines = tuple(lines_of_table(ruleset, seed, 12, PutRight()))
    return lines, _whole(lines)


@settings(max_examples=settings().max_examples // 3)
@given(st.sampled_from(STREAMS), CUTS)
def test_a_published_stream_can_be_interrupted_anywhere(name: str, cuts: list[float]) -> None:
    assert _interrupted(lines_of(name), cuts) == _published(name)


@settings(max_examples=settings().max_examples // 4)
@given(st.sampled_from(RULESETS), st.integers(0, 3), CUTS)
def test_a_simulated_table_of_any_ruleset_can_be_interrupted_anywhere(
    ruleset: Ruleset, seed: int, cuts: list[float]
) -> None:
    lines, whole = _simulated(ruleset, seed)
    assert _interrupted(lines, cuts) == whole


@st.composite
def _damaged(draw: st.DrawFn) -> Lines:
    """A stream with lines gone, doubled, out of order, spoilt, or garbage between them."""
    lines = list(lines_of(draw(st.sampled_from(STREAMS)))[:400])
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(1, len(lines) - 2))
        match draw(st.sampled_from(["gone", "twice", "late", "spoilt", "between"])):
            case "gone":
                del lines[at]
            case "twice":
                lines.insert(at, lines[at])
            case "late":
                lines[at], lines[at + 1] = lines[at + 1], lines[at]
            case "spoilt":
                lines[at] = lines[at].replace(b'"id":"', b'"id":"x')
            case _:
                lines.insert(at, draw(st.sampled_from(SHORT_GARBAGE)))
    return tuple(lines)


@settings(max_examples=settings().max_examples // 4)
@given(_damaged(), CUTS)
def test_a_damaged_stream_can_be_interrupted_anywhere(lines: Lines, cuts: list[float]) -> None:
    assert _interrupted(lines, cuts) == _whole(lines)


@pytest.mark.parametrize("data", [b"", b"\x00", b"\x93\x01", b"not a snapshot", b"\xc1" * 50])
def test_bytes_that_are_no_snapshot_are_refused(data: bytes) -> None:
    with pytest.raises(msgspec.DecodeError):
        TablePipeline.restore(data)


def test_the_choice_of_readings_goes_on_after_a_restart() -> None:
    lines = lines_of("irregular_continuous_shuffler_du")
    whole = TablePipeline(_subject(lines), {"A1": "conventional"})
    told = _told(whole, lines)
    first = TablePipeline(_subject(lines), {"A1": "conventional"})
    begun = _told(first, lines[:700])
    second = TablePipeline.restore(first.snapshot(), {"A1": "conventional"})
    assert begun + _told(second, lines[700:]) == told
    assert told != _published("irregular_continuous_shuffler_du")[0][:-1]

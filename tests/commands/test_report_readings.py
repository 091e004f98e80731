"""`catwalk report readings`: its figures, the places it names as left out, and where its fold begins."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboards.folding.states import EVERY
from dashboards.reader.question import Reader
from dashboards.reader.rounds import RecordLine, lines_between
from dashboards.restitution.rivals import NOT_WORKED_OUT
from tests.commands.run import Catwalk, catwalk
from tests.console.test_rival_readings import BEST, SETUP, by_lines, streams

__all__ = ["catwalk"]  # a fixture


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catwalk: Catwalk) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "data"))
    stream = tmp_path / "stream.ndjson"
    stream.write_bytes(b"".join(line + b"\n" for line in streams()[SETUP.subject]))
    assert catwalk("record", stream).status == 0
    return tmp_path


def test_a_day_is_folded_from_the_opening_that_is_kept_before_it(
    floor: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun = list[int]()

    def overheard(reader: Reader, subject: str, first: int, last: int | None = None) -> Iterator[RecordLine]:
        begun.append(first)
        return lines_between(reader, subject, first, last)

    monkeypatch.setattr("dashboards.folding.states.lines_between", overheard)
    reckoned = by_lines(SETUP.subject)
    day = max(day for day, _ in reckoned)
    asked = ("report", "readings", "--day", day)
    first = catwalk(*asked).json
    assert min(begun) == 1
    begun.clear()
    assert catwalk(*asked).json == first
    assert min(begun) > EVERY
    due = sum(cents for (of, _), cents in reckoned.items() if of == day)
    of_best = [one["to_house"] for one in first["readings"] if (one["place"], one["policy"]) == BEST]
    assert of_best == [due]
    assert first["not_worked_out"] == list(NOT_WORKED_OUT)
    written = catwalk(*asked, "--format", "csv")
    assert f"not worked out: {', '.join(NOT_WORKED_OUT)}" in written.err
    assert "not worked out" not in written.out


def test_restitution_by_a_reading_that_is_not_worked_out_says_so(floor: Path, catwalk: Catwalk) -> None:
    told = catwalk("report", "restitution", "--reading", "A8=stands", "--reading", "A12=best")
    assert "report restitution: not worked out: A8\n" in told.err
    assert "not worked out" not in catwalk("report", "restitution", "--reading", "A12=best").err

"""The page of power is made from what was played and counted, and its pictures show just that."""

from __future__ import annotations

import math
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest

from benchmarks.honest.shifts import Shift
from benchmarks.patterns.finding import Found, chosen
from benchmarks.patterns.power import Played, powers
from tests.architecture.tracked import ROOT

PAGE = """# Power

<!-- measured: begin -->
old
<!-- measured: end -->
between
<!-- counted: begin -->
none
<!-- counted: end -->
after
"""


SHIFT = Shift(
    seed=1, detectors="d", tables="t", ruleset="free_bet_672a", worn=False, rounds=9, events=9, seconds=1.0,
    alarms=[], peaks={"pace": 30.0},
)  # fmt: skip


def _put(page: Path, kind: str, file: Path) -> None:
    command = [sys.executable, "-m", "benchmarks.patterns.page", kind, str(file), "--write", str(page)]
    subprocess.run(command, check=True, timeout=120, capture_output=True, text=True)


def _played(
    scenario: str, family: str, seed: int, round_: int | None, false: int = 0, version: str = "d"
) -> Played:
    found = Found(
        scenario=scenario, pattern=scenario, family=family, size=1.0, seed=seed, rounds=100, round=round_, hands=0,
        in_time=round_ is not None, false=["x"] * false, strays=[], others=[], seconds=1.0,
    )  # fmt: skip
    return Played(detectors=version, tables="t", found=found)


def test_the_page_has_a_table_and_a_picture_of_each_family_and_the_count_of_false_alarms(
    tmp_path: Path,
) -> None:
    rows = [_played("slug", "shuffle_quality", 9, 1, version="older")]
    rows += [_played("slug", "shuffle_quality", seed, 40 + seed) for seed in (1, 2, 3)]
    rows += [_played("sort_mode", "shuffle_quality", 1, 30), _played("sort_mode", "shuffle_quality", 2, None)]
    rows += [_played("five_in_a_row", "shuffle_quality", 1, None, false=1)]
    played, counted, page = (tmp_path / name for name in ("played.ndjson", "counted.ndjson", "power.md"))
    played.write_bytes(b"".join(msgspec.json.encode(row) + b"\n" for row in rows))
    counted.write_bytes(msgspec.json.encode(SHIFT) + b"\n")
    page.write_text(PAGE)
    _put(page, "--honest", counted)
    assert page.read_text().startswith(PAGE.partition("none")[0])
    _put(page, "--played", played)
    text = page.read_text()
    assert text.startswith(
        "# Power\n\n<!-- measured: begin -->\n2 scenarios of patterns and 1 look-alikes, 1 to 3 seeds"
    )
    assert "<!-- measured: end -->\nbetween\n<!-- counted: begin -->\n1 lawful table-shifts, " in text
    assert text.endswith("<!-- counted: end -->\nafter\n")
    assert "| slug | 7 (cards) | round 60 | 42 | 43 | 3 of 3 | 3 |" in text
    assert "| sort_mode | 1 (shoes) | round 50 | not found | not found | 1 of 2 | 1 |" in text
    assert "| five_in_a_row | shuffle_quality | 1 | 1 |" in text
    assert "| pace | 1 | 0 | 0.97 | 1 | 1.0000 (0.0250 to 1.0000) |" in text
    assert "old" not in text
    assert "none" not in text
    for name in ("shuffle_quality-round", "false-alarms"):
        assert f"](power/{name}.svg)" in text
        assert ElementTree.parse(tmp_path / "power" / f"{name}.svg").getroot().tag.endswith("svg")
    curves = (tmp_path / "power" / "shuffle_quality-round.svg").read_text()
    assert "slug" in curves
    assert "sort_mode" in curves


def test_a_page_without_a_place_for_the_count_stays_as_it_is(tmp_path: Path) -> None:
    counted, page = tmp_path / "counted.ndjson", tmp_path / "power.md"
    counted.write_bytes(msgspec.json.encode(SHIFT) + b"\n")
    page.write_text("# Power\n")
    with pytest.raises(subprocess.CalledProcessError) as refused:
        _put(page, "--honest", counted)
    assert "found no <!-- counted: begin --> with <!-- counted: end --> after it" in refused.value.stderr
    assert page.read_text() == "# Power\n"


def test_what_was_not_found_counts_as_later_than_everything() -> None:
    (row,) = powers(
        [_played("slug", "shuffle_quality", seed, round_).found for seed, round_ in ((1, 40), (2, None))]
    )
    assert (row.median, row.late, row.found, row.in_time) == (math.inf, math.inf, 1, 1)


BEFORE, _, MEASURED = (ROOT / "docs" / "power.md").read_text("utf-8").partition("<!-- measured: begin -->")
FOUND = re.findall(
    r"^\| ([\w.]+) \| ([\d.]+) \((.+?)\) \| (round|hands) (\d+) \| .* \| (\d+) of (\d+) \| (\d+) \|$",
    MEASURED,
    re.M,
)
SILENT = re.findall(r"^\| ([\w.]+) \| (\w+) \| (\d+) \| (\d+) \|$", MEASURED, re.M)


def test_the_published_page_has_every_scenario_as_the_catalogue_states_it() -> None:
    suite = chosen([])
    stated = [
        (name, f"{of.size:g}", pattern.unit, *map(str, next(iter(of.by.items()))))
        for name, pattern, of in suite
        if not pattern.null
    ]
    nulls = [(name, pattern.family) for name, pattern, _ in suite if pattern.null]
    assert sorted(row[:5] for row in FOUND) == sorted(stated)
    assert sorted(row[:2] for row in SILENT) == sorted(nulls)
    assert f"\n{len(stated)} scenarios of patterns and {len(nulls)} look-alikes, " in MEASURED


def test_the_published_page_speaks_of_each_scenario_that_was_missed_and_of_each_family_that_may_speak() -> (
    None
):
    missed = [name for name, *_, seeds, found in FOUND if found != seeds]
    assert [name for name in missed if f"`{name}`" not in BEFORE] == []
    allowed = [(pattern.name, family) for _, pattern, _ in chosen([]) for family in pattern.allowed]
    assert [pair for pair in allowed if not all(f"`{one}`" in BEFORE for one in pair)] == []
    assert {alarms for *_, alarms in SILENT} == {"0"}

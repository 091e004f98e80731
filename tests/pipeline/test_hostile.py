"""Lines that are no events are kept with their bytes, told once each, and change nothing beside them."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from deploy.replay.run import replay
from deploy.replay.sources import StreamSource
from tests.pipeline.hostile import GARBAGE, SPOILT
from tests.pipeline.streams import RULESETS, lines_of
from tests.sampling import one_in

Row = dict[str, Any]
HOSTILE = (*GARBAGE, *SPOILT)
TWO_ROUNDS = lines_of(RULESETS["free_bet_672a"])[:154]


def hostile(name: str, line: bytes) -> bytes:
    """The hostile line of that name, made from `line` where it is made from an event."""
    return GARBAGE[name] if name in GARBAGE else SPOILT[name](line)


@dataclass
class Replayed:
    """The files that replay wrote of one stream, and the bytes it read."""

    data: bytes
    rounds: list[Row]
    findings: list[Row]
    dead: list[Row]
    summary: Row


def replayed(tmp_path: Path, lines: Iterable[bytes], end: bytes = b"\n") -> Replayed:
    """Replay these lines as one file."""
    return _replayed(tmp_path, end.join((*lines, b"")))


def _replayed(tmp_path: Path, data: bytes) -> Replayed:
    path, out = tmp_path / "stream.ndjson", tmp_path / "out"
    path.write_bytes(data)
    replay([StreamSource("stream", path)], out)
    rows = {
        name: [json.loads(line) for line in (out / f"{name}.ndjson").read_bytes().splitlines()]
        for name in ("rounds", "findings", "deadletters")
    }
    summary = json.loads((out / "summary.json").read_bytes())
    return Replayed(data, rows["rounds"], rows["findings"], rows["deadletters"], summary)


def assert_kept(seen: Replayed, bad: list[bytes]) -> None:
    """Each bad line is a dead letter with its place, reason and exact bytes, and has one finding."""
    assert [base64.b64decode(letter["bytes_base64"]) for letter in seen.dead] == bad
    for letter in seen.dead:
        assert set(letter) == {"file", "line", "offset", "reason", "bytes_base64"}
        line, offset = base64.b64decode(letter["bytes_base64"]), letter["offset"]
        assert seen.data[offset : offset + len(line)] == line
        assert letter["line"] == seen.data[:offset].count(b"\n") + 1
        assert letter["file"] == "stream"
        assert len(letter["reason"]) > 5
    told = [finding for finding in seen.findings if finding["check"] == "integrity.schema"]
    assert all(finding["cites"] == ["integrity.schema"] for finding in told)
    assert len({finding["finding_id"] for finding in told}) == len(told) == len(bad)
    assert seen.summary["deadletters"] == len(bad)


@pytest.mark.parametrize("name", one_in(2, HOSTILE))
def test_a_line_that_was_put_in_between_is_kept_and_told_and_the_rounds_stay_as_they_were(
    name: str, tmp_path: Path
) -> None:
    clean = replayed(tmp_path, TWO_ROUNDS)
    for at in (0, 35, 70, 154):
        bad = hostile(name, TWO_ROUNDS[min(at, 153)])
        seen = replayed(tmp_path, (*TWO_ROUNDS[:at], bad, *TWO_ROUNDS[at:]))
        assert_kept(seen, [bad])
        assert len(seen.findings) == len(clean.findings) + 1
        assert [_without_findings(r) for r in seen.rounds] == [_without_findings(r) for r in clean.rounds]
        assert len(seen.rounds) == 2
        assert seen.summary["files"][0]["head"] == clean.summary["files"][0]["head"]
        assert seen.summary["files"][0]["records"] == 154


def _without_findings(round_: Row) -> Row:
    return {key: value for key, value in round_.items() if key != "findings"}


@pytest.mark.parametrize("name", one_in(3, HOSTILE))
def test_a_line_that_stands_in_for_an_event_breaks_the_chain_there_and_clouds_only_its_round(
    name: str, tmp_path: Path
) -> None:
    clean = replayed(tmp_path, TWO_ROUNDS)
    for at in (16, 60, 110):
        bad = hostile(name, TWO_ROUNDS[at])
        seen = replayed(tmp_path, (*TWO_ROUNDS[:at], bad, *TWO_ROUNDS[at + 1 :]))
        assert_kept(seen, [bad])
        assert seen.summary["files"][0]["first_bad_sequence"] == at + 1
        assert len(seen.rounds) == 2
        for before, after in zip(clean.rounds, seen.rounds, strict=True):
            if before["first_sequence"] <= at + 1 <= before["last_sequence"]:
                assert after["status"] == "indeterminate"
                assert after["missing"]
            else:
                assert _without_findings(after) == _without_findings(before)
        assert {f["check"] for f in seen.findings if f["verdict"] == "breached"} == {
            "integrity.schema",
            "integrity.chain",
        }


@pytest.mark.parametrize("stream", one_in(3, RULESETS.values()))
def test_all_of_them_at_once_change_no_round_of_any_ruleset(stream: str, tmp_path: Path) -> None:
    lines = lines_of(stream)
    clean = replayed(tmp_path, lines)
    mixed: list[bytes] = []
    bad: list[bytes] = []
    for at, line in enumerate(lines):
        if at % 23 == 11:
            bad.append(hostile(HOSTILE[at // 23 % len(HOSTILE)], line))
            mixed.append(bad[-1])
        mixed.append(line)
    seen = replayed(tmp_path, mixed)
    assert len(bad) > 55
    assert_kept(seen, bad)
    assert [_without_findings(r) for r in seen.rounds] == [_without_findings(r) for r in clean.rounds]
    assert {f["check"] for f in seen.findings} == {"integrity.schema"}
    assert (seen.summary["files"][0]["chain"], len(seen.rounds)) == ("intact", 25)


def test_many_in_a_row_are_each_told_and_the_neighbours_go_on(tmp_path: Path) -> None:
    bad = [b"noise %d" % number for number in range(500)]
    seen = replayed(tmp_path, (*TWO_ROUNDS[:100], *bad, *TWO_ROUNDS[100:]))
    assert_kept(seen, bad)
    assert [round_["status"] for round_ in seen.rounds] == ["consistent", "consistent"]


@pytest.mark.parametrize("data", [b"", b"\n", b"\r\n\r\n", b"\n" * 1000])
def test_a_file_of_no_lines_holds_no_records_and_nothing_is_amiss(data: bytes, tmp_path: Path) -> None:
    seen = _replayed(tmp_path, data)
    assert (seen.rounds, seen.findings, seen.dead) == ([], [], [])
    assert (seen.summary["records"], seen.summary["files"][0]["chain"]) == (0, "intact")


def test_a_file_of_nothing_but_garbage_is_all_dead_letters(tmp_path: Path) -> None:
    bad = [hostile(name, TWO_ROUNDS[0]) for name in HOSTILE]
    seen = replayed(tmp_path, bad)
    assert_kept(seen, bad)
    assert (seen.rounds, seen.summary["records"]) == ([], 0)


def test_empty_lines_are_no_lines(tmp_path: Path) -> None:
    clean = replayed(tmp_path, TWO_ROUNDS)
    seen = replayed(tmp_path, [part for line in TWO_ROUNDS for part in (b"", line, b"", b"")])
    assert (seen.rounds, seen.findings, seen.dead, seen.summary) == (
        clean.rounds,
        clean.findings,
        [],
        clean.summary,
    )


@pytest.mark.parametrize("end", [b"\r\n", b"\n\r\n"])
def test_windows_line_ends_are_line_ends_and_no_part_of_the_record(end: bytes, tmp_path: Path) -> None:
    clean = replayed(tmp_path, TWO_ROUNDS)
    seen = replayed(tmp_path, TWO_ROUNDS, end)
    assert (seen.rounds, seen.findings, seen.dead, seen.summary) == (
        clean.rounds,
        clean.findings,
        [],
        clean.summary,
    )


def test_the_last_line_need_not_end(tmp_path: Path) -> None:
    clean = replayed(tmp_path, TWO_ROUNDS)
    for data in (b"\n".join(TWO_ROUNDS), b"\r\n".join(TWO_ROUNDS)):
        seen = _replayed(tmp_path, data)
        assert (seen.rounds, seen.findings, seen.summary) == (clean.rounds, clean.findings, clean.summary)


def test_the_place_of_a_dead_letter_counts_empty_lines_and_carriage_returns(tmp_path: Path) -> None:
    lines = [TWO_ROUNDS[0], b"", b"one", TWO_ROUNDS[1], b"", b"", b"two"]
    seen = replayed(tmp_path, lines, b"\r\n")
    assert_kept(seen, [b"one", b"two"])
    assert [letter["line"] for letter in seen.dead] == [3, 7]
    assert seen.dead[0]["offset"] == len(TWO_ROUNDS[0]) + 4


def test_a_stream_cut_off_within_a_line_tells_of_the_line_and_of_the_open_round(tmp_path: Path) -> None:
    cut = (*TWO_ROUNDS[:120], TWO_ROUNDS[120][:99])
    seen = replayed(tmp_path, cut)
    assert_kept(seen, [cut[-1]])
    assert [round_["status"] for round_ in seen.rounds] == ["consistent", "indeterminate"]
    assert seen.summary["files"][0]["first_bad_sequence"] == 121

"""`catwalk replay`: the files it writes, the same bytes however it is run, and what it says when it cannot."""

from __future__ import annotations

import gc
import gzip
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from deploy.errors import UserError
from deploy.replay.run import replay
from deploy.replay.sources import find
from producers.recorder import Recorder
from producers.sqlite_log import SqliteLog
from schemas.provisions import PROVISIONS
from tests.commands.run import Catwalk, catwalk
from tests.producers.arriving import arrivals
from tests.producers.builders import GENESIS, digest, encode
from tests.sampling import one_in

__all__ = ["catwalk"]  # a fixture

Row = dict[str, Any]
ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"
FILES = ("rounds.ndjson", "findings.ndjson", "deadletters.ndjson", "summary.json")
RECORDED = (
    "lawful_down_under_685a",
    "lawful_fortune_670a10",
    "lawful_free_bet_590",
    "breach_c4_stub_short",
    "breach_overpay",
)


def rows(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


def written(out: Path) -> dict[str, bytes]:
    assert sorted(path.name for path in out.iterdir()) == sorted(FILES)
    return {name: (out / name).read_bytes() for name in FILES}


def with_unread_racks(lines: Iterable[bytes]) -> list[bytes]:
    """The stream with no card read on its way into the rack, its chain made whole."""
    made: list[bytes] = []
    prevhash = GENESIS
    for line in lines:
        event = json.loads(line)
        if event["type"].endswith("cards_racked"):
            event["data"]["cards"] = ["??"] * len(event["data"]["cards"])
        made.append(encode(event | {"prevhash": prevhash}))
        prevhash = digest(made[-1])
    return made


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All published streams, and one of garbage and a gap, replayed by the command in a process of its own."""
    folder = tmp_path_factory.mktemp("replay")
    lines = (EXAMPLES / "lawful_free_bet_590.ndjson").read_bytes().splitlines()
    (folder / "spoilt.ndjson").write_bytes(b"\n".join((*lines[:70], b"{}", b"noise", *lines[90:300])))
    command = [sys.executable, "-m", "deploy.cli", "replay", str(EXAMPLES), str(folder / "spoilt.ndjson")]
    subprocess.run([*command, "--out", str(folder / "out")], check=True, capture_output=True, cwd=ROOT)
    return folder / "out"


class TestTheFilesAreAContract:
    def test_there_are_four_and_nothing_else(self, out: Path) -> None:
        assert set(written(out)) == set(FILES)

    def test_a_round_has_the_fields_of_the_contract(self, out: Path) -> None:
        identity = {"file", "subject", "round", "shoe", "ruleset", "gaming_day"}
        evidence = {"first_sequence", "last_sequence", "status", "missing"}
        content = {"hands", "stakes", "rack", "net_cents", "findings"}
        seen = Counter[str]()
        for round_ in rows(out / "rounds.ndjson"):
            assert (identity | evidence | content) <= set(round_)
            assert round_["status"] in ("consistent", "breached", "indeterminate", "void")
            assert (
                bool(round_["missing"]) is (round_["status"] == "indeterminate")
                or round_["status"] == "breached"
            )
            assert {"expected", "observed", "agrees"} <= set(round_["rack"])
            assert type(round_["net_cents"]) is int
            seen[round_["status"]] += 1
        assert set(seen) == {"consistent", "breached", "indeterminate", "void"}

    def test_a_hand_has_cards_total_soft_result_and_parent(self, out: Path) -> None:
        results, parents = set(), set()
        for round_ in rows(out / "rounds.ndjson"):
            stacks = round_["ruleset"] in ("fortune_670a10", "manual_shoe_657a8")
            for name, hand in round_["hands"].items():
                if stacks:
                    assert "total" not in hand
                    assert "soft" not in hand
                    continue
                assert name == "D" or name[1] == "."
                assert {"cards", "total", "soft", "result", "from"} <= set(hand) or "??" in hand["cards"]
                results.add(hand["result"])
                parents.add(hand["from"] is not None)
        assert results == {"blackjack", "bust", "stand", "double", "surrender", "dead"}
        assert parents == {True, False}

    def test_a_stake_has_what_was_due_and_what_was_seen(self, out: Path) -> None:
        for round_ in rows(out / "rounds.ndjson"):
            for stake in round_["stakes"]:
                always = set(stake) - {"play"}
                assert always == {"seat", "hand", "kind", "staked_cents", "expected", "observed"}
                assert "play" not in stake or (stake["kind"] == "main" and stake["play"] >= 0)
                for settlement in (stake["expected"], stake["observed"]):
                    assert settlement is None or set(settlement) == {"outcome", "cents"}
                    assert settlement is None or settlement["outcome"] in ("pay", "collect", "return")

    def test_a_finding_has_the_fields_of_the_contract_and_cites_what_exists(self, out: Path) -> None:
        fields = {
            "file",
            "finding_id",
            "check",
            "cites",
            "verdict",
            "severity",
            "subject",
            "round",
            "sequences",
        }
        fields |= {"expected", "observed", "money_cents", "message"}
        findings = rows(out / "findings.ndjson")
        assert len(findings) > 12
        for finding in findings:
            assert fields <= set(finding)
            assert finding["verdict"] in ("breached", "indeterminate", "interpretation", "suspected")
            assert finding["severity"] in ("critical", "major", "minor", "info")
            assert all(cite in PROVISIONS or cite.startswith("integrity.") for cite in finding["cites"])
            assert finding["sequences"] == sorted(set(finding["sequences"]))
            assert finding["message"][-1:] == "."
            assert type(finding["money_cents"]) is int
        assert len({(f["file"], f["finding_id"]) for f in findings}) == len(findings)

    def test_a_round_names_its_findings(self, out: Path) -> None:
        found = {(f["file"], f["finding_id"]): f for f in rows(out / "findings.ndjson")}
        named = set()
        for round_ in rows(out / "rounds.ndjson"):
            for finding_id in round_["findings"]:
                finding = found[round_["file"], finding_id]
                assert (finding["round"], finding["subject"]) == (round_["round"], round_["subject"])
                named.add((round_["file"], finding_id))
        assert named == {key for key, finding in found.items() if finding["round"] is not None}

    def test_a_dead_letter_has_its_place_reason_and_bytes(self, out: Path) -> None:
        assert rows(out / "deadletters.ndjson") == [
            {
                "file": "spoilt",
                "line": line,
                "offset": offset,
                "reason": reason,
                "bytes_base64": content,
            }
            for line, offset, reason, content in (
                (71, _length_of_spoilt(), "Object missing required field `type` (at $)", "e30="),
                (
                    72,
                    _length_of_spoilt() + 3,
                    "not JSON: Expecting value: line 1 column 1 (char 0) (at $)",
                    "bm9pc2U=",
                ),
            )
        ]

    def test_lines_come_by_file_and_by_the_event_that_decided(self, out: Path) -> None:
        for name, sequence in (
            ("rounds", "last_sequence"),
            ("findings", "sequence"),
            ("deadletters", "line"),
        ):
            keys = [(row["file"], row[sequence]) for row in rows(out / f"{name}.ndjson")]
            assert keys == sorted(keys)
            assert keys

    def test_the_summary_adds_up(self, out: Path) -> None:
        summary = json.loads((out / "summary.json").read_bytes())
        rounds, findings = rows(out / "rounds.ndjson"), rows(out / "findings.ndjson")
        assert summary["records"] == sum(file["records"] for file in summary["files"]) > 37_000
        assert (summary["rounds"], summary["findings"]) == (len(rounds), len(findings))
        assert summary["by_verdict"] == dict(sorted(Counter(f["verdict"] for f in findings).items()))
        assert summary["by_check"] == dict(sorted(Counter(f["check"] for f in findings).items()))
        assert summary["by_cite"] == dict(sorted(Counter(c for f in findings for c in f["cites"]).items()))
        for file in summary["files"]:
            assert file["rounds"] == sum(r["file"] == file["file"] for r in rounds)
            assert file["findings"] == sum(f["file"] == file["file"] for f in findings)
            assert len(file["head"]) == 64
        names = [file["file"] for file in summary["files"]]
        assert names == sorted([path.stem for path in EXAMPLES.glob("*.ndjson")] + ["spoilt"])
        (spoilt,) = (file for file in summary["files"] if file["file"] == "spoilt")
        assert (spoilt["chain"], spoilt["first_bad_sequence"], spoilt["subject"]) == ("broken", 71, "FB90-1")
        intact = [f for f in summary["files"] if f["chain"] == "intact" and f["first_bad_sequence"] is None]
        assert len(intact) == len(names) - 1


def _length_of_spoilt() -> int:
    lines = (EXAMPLES / "lawful_free_bet_590.ndjson").read_bytes().splitlines(keepends=True)
    return sum(map(len, lines[:70]))


class TestTheSameBytesHoweverItIsRun:
    @pytest.mark.thorough
    def test_in_two_processes(self, catwalk: Catwalk, out: Path, tmp_path: Path) -> None:
        spoilt = out.parent / "spoilt.ndjson"
        ran = catwalk("replay", spoilt, EXAMPLES, "--out", tmp_path / "two", "--jobs", 2)
        assert (ran.status, ran.err) == (0, "")
        assert written(tmp_path / "two") == written(out)

    def test_over_the_embedded_ledger_but_for_the_files_name(self, catwalk: Catwalk, tmp_path: Path) -> None:
        streams = [EXAMPLES / f"{name}.ndjson" for name in RECORDED]
        with closing(SqliteLog(tmp_path / "ledger.db")) as log:
            recorder = Recorder(log, lambda: pytest.fail("chained events need no clock"))
            for path in streams:
                recorder.record_lines(arrivals(path.read_bytes().splitlines(), path.name))
        assert catwalk("replay", *streams, "--out", tmp_path / "files").status == 0
        assert catwalk("replay", tmp_path / "ledger.db", "--out", tmp_path / "ledger").status == 0
        for name in ("rounds.ndjson", "findings.ndjson"):
            of_files, of_ledger = rows(tmp_path / "files" / name), rows(tmp_path / "ledger" / name)
            assert {row["file"] for row in of_ledger} <= {row["subject"] for row in of_files}
            named = [row | {"file": row["subject"]} for row in of_files]
            assert of_ledger == sorted(named, key=lambda row: row["file"])
            assert of_ledger
            assert _unnamed(tmp_path / "ledger" / name) == _unnamed(tmp_path / "files" / name)

    def test_from_packed_files_and_from_a_folder_within_a_folder(
        self, catwalk: Catwalk, tmp_path: Path
    ) -> None:
        inner = tmp_path / "in" / "pit 2"
        inner.mkdir(parents=True)
        for name in RECORDED:
            data = (EXAMPLES / f"{name}.ndjson").read_bytes()
            (inner / f"{name}.ndjson.gz").write_bytes(gzip.compress(data))
        (inner / "notes.txt").write_text("no stream", "utf-8")
        plain = [EXAMPLES / f"{name}.ndjson" for name in RECORDED]
        assert catwalk("replay", *reversed(plain), "--out", tmp_path / "plain").status == 0
        assert catwalk("replay", tmp_path / "in", "--out", tmp_path / "packed").status == 0
        assert written(tmp_path / "packed") == written(tmp_path / "plain")

    def test_though_a_stream_lies_there_packed_too(self, catwalk: Catwalk, tmp_path: Path) -> None:
        stream = EXAMPLES / "breach_overpay.ndjson"
        (tmp_path / "in" / "packed").mkdir(parents=True)
        (tmp_path / "in" / stream.name).write_bytes(stream.read_bytes())
        packed = tmp_path / "in" / "packed" / "breach_overpay.ndjson.gz"
        packed.write_bytes(gzip.compress(stream.read_bytes()))
        assert catwalk("replay", stream, "--out", tmp_path / "once").status == 0
        assert catwalk("replay", tmp_path / "in", "--out", tmp_path / "twice").status == 0
        assert written(tmp_path / "once") == written(tmp_path / "twice")

    @pytest.mark.soak
    def test_for_five_hundred_small_files(self, catwalk: Catwalk, tmp_path: Path) -> None:
        streams = [path.read_bytes().splitlines(keepends=True) for path in sorted(EXAMPLES.glob("*.ndjson"))]
        (tmp_path / "in").mkdir()
        for number in range(500):
            lines = streams[number % len(streams)][: 30 + number % 70]
            (tmp_path / "in" / f"shift-{number}.ndjson").write_bytes(b"".join(lines))
        assert catwalk("replay", tmp_path / "in", "--out", tmp_path / "one").status == 0
        assert catwalk("replay", tmp_path / "in", "--out", tmp_path / "two", "--jobs", 2).status == 0
        assert written(tmp_path / "one") == written(tmp_path / "two")
        files = json.loads((tmp_path / "one" / "summary.json").read_bytes())["files"]
        assert [file["file"] for file in files] == sorted(f"shift-{number}" for number in range(500))

    @pytest.mark.parametrize(("seed", "zone"), one_in(2, [("1", "Asia/Tokyo"), ("2", "America/Phoenix")]))
    def test_in_any_process_and_place(self, out: Path, tmp_path: Path, seed: str, zone: str) -> None:
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": zone, "LC_ALL": "C"}
        command = [sys.executable, "-m", "deploy.cli", "replay", "../spoilt.ndjson", str(EXAMPLES)]
        command += ["--out", str(tmp_path / "out")]
        inside = {**environment, "PYTHONPATH": str(ROOT)}
        subprocess.run(command, env=inside, check=True, capture_output=True, cwd=out)
        assert written(tmp_path / "out") == written(out)

    def test_when_it_is_run_again_over_its_own_results(self, catwalk: Catwalk, tmp_path: Path) -> None:
        (tmp_path / "s.ndjson").write_bytes((EXAMPLES / "breach_overpay.ndjson").read_bytes())
        assert catwalk("replay", tmp_path, "--out", tmp_path / "out").status == 0
        before = written(tmp_path / "out")
        assert catwalk("replay", tmp_path, "--out", tmp_path / "out").status == 0
        assert written(tmp_path / "out") == before

    def test_each_table_of_a_shared_file_on_its_own(self, catwalk: Catwalk, tmp_path: Path) -> None:
        one, two = (
            (EXAMPLES / f"{name}.ndjson").read_bytes().splitlines(keepends=True) for name in RECORDED[:2]
        )
        mixed = b"".join(line for pair in zip(one[:900], two[:900], strict=True) for line in pair)
        (tmp_path / "pit.ndjson").write_bytes(mixed + b"".join(one[900:] + two[900:]))
        assert catwalk("replay", tmp_path / "pit.ndjson", "--out", tmp_path / "pit").status == 0
        apart = [EXAMPLES / f"{name}.ndjson" for name in RECORDED[:2]]
        assert catwalk("replay", *apart, "--out", tmp_path / "apart").status == 0
        assert _unnamed(tmp_path / "pit" / "rounds.ndjson") == _unnamed(tmp_path / "apart" / "rounds.ndjson")
        files = json.loads((tmp_path / "pit" / "summary.json").read_bytes())["files"]
        tables = [json.loads(lines[0])["subject"] for lines in (one, two)]
        assert [(f["subject"], f["chain"], f["rounds"]) for f in files] == [
            (table, "intact", 25) for table in tables
        ]


def _unnamed(path: Path) -> list[bytes]:
    """The lines' bytes without the file's name, in an order of their own."""
    return sorted(line.partition(b",")[2] for line in path.read_bytes().splitlines())


class TestTheExitStatus:
    @pytest.mark.parametrize(
        ("stream", "asked", "status"),
        [
            ("lawful_free_bet_672a", "breached", 0),
            ("lawful_free_bet_672a", "indeterminate", 0),
            ("breach_overpay", None, 0),
            ("breach_overpay", "breached", 1),
            ("breach_overpay", "indeterminate", 1),
        ],
    )
    def test_is_one_if_what_was_asked_about_was_found(
        self, catwalk: Catwalk, tmp_path: Path, stream: str, asked: str | None, status: int
    ) -> None:
        wanted = ("--fail-on", asked) if asked else ()
        ran = catwalk("replay", EXAMPLES / f"{stream}.ndjson", "--out", tmp_path, *wanted)
        assert (ran.status, ran.err) == (status, "")
        assert written(tmp_path)["rounds.ndjson"]

    @pytest.mark.parametrize(("asked", "status"), [("breached", 0), ("indeterminate", 1)])
    def test_what_cannot_be_said_is_no_breach(
        self, catwalk: Catwalk, tmp_path: Path, asked: str, status: int
    ) -> None:
        lines = (EXAMPLES / "lawful_free_bet_672a.ndjson").read_bytes().splitlines()
        path = tmp_path / "unread.ndjson"
        path.write_bytes(b"\n".join(with_unread_racks(lines[:154])))
        ran = catwalk("replay", path, "--out", tmp_path / "out", "--fail-on", asked)
        assert ran.status == status
        verdicts = {finding["verdict"] for finding in rows(tmp_path / "out" / "findings.ndjson")}
        assert verdicts == {"indeterminate"}

    def test_a_person_reads_the_totals_and_a_program_the_summary(
        self, catwalk: Catwalk, tmp_path: Path
    ) -> None:
        stream = EXAMPLES / "breach_overpay.ndjson"
        ran = catwalk("replay", stream, "--out", tmp_path)
        assert ran.out.splitlines()[0] == (
            f"1 table, 702 events, 12 rounds, 1 finding, 0 dead letters -> {tmp_path}"
        )
        ran = catwalk("replay", stream, "--out", tmp_path, "--format", "json")
        assert ran.out == (tmp_path / "summary.json").read_text("utf-8")

    def test_another_reading_gives_another_result(self, catwalk: Catwalk, tmp_path: Path) -> None:
        stream = EXAMPLES / "irregular_continuous_shuffler_du.ndjson"
        results = []
        for name, reading in (
            ("a", ()),
            ("b", ("--reading", "A1=literal")),
            ("c", ("--reading", "A1=conventional")),
        ):
            assert catwalk("replay", stream, "--out", tmp_path / name, *reading).status == 0
            results.append(written(tmp_path / name))
        assert results[0] == results[1] != results[2]


def test_the_summary_says_how_many_words_of_devices_are_missing(catwalk: Catwalk, tmp_path: Path) -> None:
    for name, rate in (("clean", "0"), ("noisy", "3%")):
        tables, out = tmp_path / name, tmp_path / f"{name} out"
        catwalk("simulate", "--out", tables, "--rounds", "12", "--noise", f"placements={rate}")
        told = catwalk("replay", tables, "--out", out, "--no-proofs").out
        summary = json.loads((out / "summary.json").read_bytes())
        rounds = [row for row in rows(out / "rounds.ndjson") if "words_missing" in row]
        missing = sum(len(row["words_missing"]) for row in rounds)
        if name == "clean":
            assert ("unsaid" in summary, rounds, "missing" in told) == (False, [], False)
        else:
            inferred = sum(len(row["inferred"]) for row in rounds)
            counted = {"words_missing": missing, "cards_inferred": inferred, "rounds": len(rounds)}
            assert summary["unsaid"] == counted
            assert missing > 0
            assert f"{missing} words of devices missing in {len(rounds)} rounds" in told


def test_python_looks_for_circles_of_objects_less_often_during_a_replay_alone(tmp_path: Path) -> None:
    usual, seen = gc.get_threshold(), set[int]()
    whole = (EXAMPLES / "lawful_free_bet_590.ndjson").read_bytes()
    (tmp_path / "whole.ndjson").write_bytes(whole)
    (tmp_path / "cut off.ndjson.gz").write_bytes(gzip.compress(whole)[:-100])
    with pytest.raises(UserError):
        replay(find([tmp_path]), tmp_path / "out", advance=lambda _: seen.add(gc.get_threshold()[0]))
    assert gc.get_threshold() == usual
    replay(find([tmp_path / "whole.ndjson"]), tmp_path / "out")
    assert gc.get_threshold() == usual
    assert min(seen) > usual[0]

"""Both stages: nothing depends on where they were interrupted or on how many processes worked."""

from __future__ import annotations

import itertools
import json
import random
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import msgspec
import pytest

from dashboards.suspicions.curve import odds
from deploy.replay.observed import Observed, path_of, read
from processors.detectors.families.dealer_mispay import Bad, Note
from processors.detectors.family import FAMILIES, LEVEL, RegistrationError, register, share_of
from processors.detectors.shapes import Observation
from processors.detectors.stages.entity_stage import EntityStage
from processors.pipeline import Outcome, TablePipeline
from schemas.findings import Finding
from tests.commands.run import Catwalk, catwalk
from tests.detectors.shoes import Racks, dealt, with_slug
from tests.detectors.worlds import (
    Change,
    changed,
    dropped,
    mispaid,
    named,
    observed,
    slowed,
    table,
    weighed,
)
from tests.sampling import one_in

__all__ = ["catwalk"]  # a fixture

CHANGES: dict[str, Change] = {
    "S-1": mispaid(0.05, 1, way="patrons"),
    "S-2": slowed(1.5, nth=1),
    "S-3": dropped("card_drawn", 0.04, 1, 20),
}


@cache
def _tables() -> dict[str, list[bytes]]:
    """The lines of each table; dealt when a test asks, for every worker imports this and one needs it."""
    return {
        subject: changed(table(number, 205), change)
        for number, (subject, change) in enumerate(CHANGES.items(), start=1)
    }


@cache
def passed_on() -> tuple[Observation, ...]:
    """What all of these tables pass on, in order of event time."""
    passed = (one for lines in _tables().values() for one in observed(lines)[1])
    return tuple(sorted(passed, key=lambda one: one.order))


def _all(outcomes: Iterable[Outcome]) -> tuple[list[Finding], list[Observation]]:
    findings: list[Finding] = []
    observations: list[Observation] = []
    for outcome in outcomes:
        findings += outcome.findings
        observations += outcome.observations
    return findings, observations


@pytest.mark.parametrize("subject", one_in(2, CHANGES))
def test_a_table_stage_that_is_interrupted_says_the_same(subject: str) -> None:
    lines = _tables()[subject]
    whole = TablePipeline(subject, proofs=False)
    expected = _all([*map(whole.advance, lines), whole.finish()])
    rng = random.Random(7)
    pipeline = TablePipeline(subject, proofs=False)
    outcomes = []
    for number, line in enumerate(lines):
        outcomes.append(pipeline.advance(line))
        if rng.random() < 0.003 or number == len(lines) - 1:
            state = pipeline.snapshot()
            pipeline = TablePipeline.restore(state)
            assert pipeline.snapshot() == state
    outcomes.append(pipeline.finish())
    assert _all(outcomes) == expected
    assert expected[1]


def test_an_entity_stage_that_is_interrupted_says_the_same() -> None:
    passed = passed_on()
    whole = EntityStage()
    expected = [finding for one in passed for finding in whole.weigh(one)]
    assert {*named(expected)} >= {"dealer_mispay.for_patrons D-011", "pace.slower D-012"}
    stage = EntityStage()
    found: list[Finding] = []
    for number, one in enumerate(passed):
        found += stage.weigh(one)
        if number % 37 == 0:
            kept = {key: stage.snapshot(key) for key in stage.met}
            stage = EntityStage()
            for key, data in kept.items():
                stage.adopt(key, data)
    assert found == expected
    assert list(stage.standings()) == list(whole.standings())


def test_what_is_known_of_one_does_not_depend_on_what_is_known_of_others() -> None:
    passed = passed_on()
    together = weighed(passed)
    apart = [
        finding
        for _, theirs in itertools.groupby(sorted(passed, key=lambda o: o.key), key=lambda o: o.key)
        for finding in weighed(theirs)
    ]
    assert sorted(together, key=lambda f: f.finding_id) == sorted(apart, key=lambda f: f.finding_id)


def test_a_suspicion_is_raised_once_however_long_it_goes_on() -> None:
    findings = weighed(passed_on())
    marks = [(one.check, json.dumps(one.about)) for one in findings]
    assert len(set(marks)) == len(marks) > 0
    assert len({one.finding_id for one in findings}) == len(findings)


def test_evidence_about_one_dealer_is_joined_over_tables() -> None:
    """At each of two tables she mispays too few hands to tell, and together they are enough."""
    streams = [changed(table(n, 200), mispaid(0.016, n + 7, way="patrons")) for n in (1, 2)]
    passed = [observed(lines)[1] for lines in streams]
    assert [weighed(sorted(one, key=lambda o: o.order)) for one in passed] == [[], []]
    (joined, *_) = weighed(sorted((o for one in passed for o in one), key=lambda o: o.order))
    assert joined.about == {"dealer": "D-011"}
    assert {round_["table"] for round_ in joined.observed["rounds"]} == {"S-1", "S-2"}


def test_what_is_kept_of_one_dealer_and_of_one_table_stays_bounded() -> None:
    """The same rounds again and again, as if for weeks: every second one with something wrong."""
    passed = [one for one in passed_on() if one.key == "dealer:D-011"]
    stage = EntityStage()
    sizes = []
    for _ in range(60):
        for observation in passed:
            stage.weigh(observation)
        sizes.append(len(stage.snapshot("dealer:D-011")))
    assert sizes[-1] < 20_000
    assert sizes[-1] < 1.2 * sizes[10]
    pipeline = TablePipeline("S-3", proofs=False)
    for line in _tables()["S-3"]:
        pipeline.advance(line)
    assert pipeline.detectors is not None
    assert len(pipeline.detectors.snapshot()) < 35_000


@pytest.mark.soak
def test_a_million_rounds_of_one_dealer_keep_the_state_small() -> None:
    """Ten rounds a note, and now and then one with a hand paid wrongly or turns at another pace."""
    passed = [one for one in passed_on() if one.key == "dealer:D-011"]
    well = next(one for one in passed if one.family == "dealer_mispay")
    stage = EntityStage()
    note = msgspec.msgpack.encode(Note(10, [0, 0, 20, 0, 0], [0] * 5, []))
    wrong = msgspec.msgpack.encode(Note(9, [0, 0, 18, 0, 0], [0, 0, 1, 0, 0], [Bad(2, 500)]))
    for number in range(100_000):
        due = wrong if number % 400 == 0 else note
        stage.weigh(msgspec.structs.replace(well, note=msgspec.Raw(due)))
        if number % 500 == 0:
            for one in passed:
                stage.weigh(one)
    assert len(stage.snapshot("dealer:D-011")) < 100_000


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    streams = tmp_path_factory.mktemp("streams")
    for subject, lines in _tables().items():
        (streams / f"{subject}.ndjson").write_bytes(b"\n".join(lines) + b"\n")
    return streams


def _files(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(out.iterdir())}


class TestReplay:
    @pytest.mark.soak  # commands/test_replay does so in every run
    def test_gives_the_same_bytes_for_any_number_of_processes_and_any_division_into_files(
        self, catwalk: Catwalk, folder: Path, tmp_path: Path
    ) -> None:
        for jobs in (1, 2):
            ran = catwalk("replay", folder, "--out", tmp_path / str(jobs), "--jobs", jobs, "--no-proofs")
            assert ran.status == 0
        one = _files(tmp_path / "1")
        assert one == _files(tmp_path / "2")
        assert sorted(one) == ["deadletters.ndjson", "findings.ndjson", "rounds.ndjson", "summary.json"]
        mixed = tmp_path / "pit.ndjson"
        mixed.write_bytes(
            b"\n".join(line for lines in itertools.zip_longest(*_tables().values()) for line in lines if line)
        )
        assert catwalk("replay", mixed, "--out", tmp_path / "pit", "--no-proofs").status == 0
        apart = [line.partition(b",")[2] for line in one["findings.ndjson"].splitlines()]
        together = [
            line.partition(b",")[2] for line in _files(tmp_path / "pit")["findings.ndjson"].splitlines()
        ]
        assert sorted(apart) == sorted(together)

    def test_puts_suspicions_where_they_rose_and_counts_them(
        self, catwalk: Catwalk, folder: Path, tmp_path: Path
    ) -> None:
        ran = catwalk("replay", folder, "--out", tmp_path, "--no-proofs", "--format", "json")
        found = [json.loads(line) for line in (tmp_path / "findings.ndjson").read_bytes().splitlines()]
        keys = [(one["file"], one["sequence"]) for one in found]
        assert keys == sorted(keys)
        suspicions = [one for one in found if one["verdict"] == "suspected"]
        assert {one["check"].split(".")[1] for one in suspicions} == {
            "dealer_mispay",
            "pace",
            "sensor_health",
        }
        assert all(one["file"] == one["subject"] for one in suspicions)
        assert ran.json["by_verdict"]["suspected"] == len(suspicions)
        assert ran.json["findings"] == len(found)
        for file in ran.json["files"]:
            assert file["findings"] == sum(one["file"] == file["file"] for one in found)

    def test_does_not_fail_on_suspicions(self, catwalk: Catwalk, tmp_path: Path) -> None:
        lines = changed(table(1, 210), slowed(1.5, nth=1))
        (tmp_path / "slow.ndjson").write_bytes(b"\n".join(lines))
        arguments = ("replay", tmp_path / "slow.ndjson", "--out", tmp_path / "out", "--no-proofs")
        assert catwalk(*arguments, "--fail-on", "indeterminate").status == 0
        assert b'"suspected"' in (tmp_path / "out" / "findings.ndjson").read_bytes()
        assert catwalk(*arguments, "--no-patterns").status == 0
        assert (tmp_path / "out" / "findings.ndjson").read_bytes() == b""


@pytest.fixture
def one(tmp_path: Path) -> Path:
    """The stream of one table."""
    stream = tmp_path / "S-3.ndjson"
    stream.write_bytes(b"\n".join(_tables()["S-3"][:3000]))
    return stream


class TestPatterns:
    def test_tells_the_evidence_about_everybody_alarms_first(self, catwalk: Catwalk, one: Path) -> None:
        rows = catwalk("patterns", one, "--format", "json").json
        alarms = [row["alarm"] is not None for row in rows]
        assert alarms == sorted(alarms, reverse=True)
        assert any(alarms)
        assert not all(alarms)
        for row in rows:
            assert row["check"].split(".")[1] in FAMILIES
            assert row["alarm_at"] == 1 / LEVEL
            assert row["e_value"] <= row["highest"]
            assert (row["highest"] >= row["alarm_at"]) == (row["alarm"] is not None)
            if row["alarm"] is not None:
                assert row["alarm"]["e_value"] >= row["alarm_at"]

    def test_odds_are_told_as_on_the_pages(self, catwalk: Catwalk, one: Path, tmp_path: Path) -> None:
        first = catwalk("patterns", one, "--format", "json").json[0]
        line = catwalk("patterns", one).out.splitlines()[1]
        assert f" {odds(first['e_value'])}  " in line
        catwalk("replay", one, "--out", tmp_path / "out")
        told = catwalk("explain", first["alarm"]["finding_id"], "--in", tmp_path / "out").out
        raised = odds(first["alarm"]["e_value"])
        assert f"evidence    {raised} to 1; false alarms on at most 1 stream in 10,000\n" in told

    def test_tells_of_one_alone(self, catwalk: Catwalk, one: Path) -> None:
        ran = catwalk("patterns", one, "--about", "table=S-3")
        shown = ran.out.splitlines()
        assert shown[0].split() == ["check", "about", "evidence", "highest", "rounds", "alarm"]
        assert shown[1].startswith("pattern.sensor_health.gaps")
        assert "S-3, round " in shown[1]
        assert all("table=S-3" in line for line in shown[1:])
        nobody = catwalk("patterns", one, "--about", "player=P-0")
        assert (nobody.status, nobody.err) == (0, "catwalk: patterns: nothing was seen of player=P-0\n")

    def test_says_of_a_shoe_that_is_gone_that_its_rounds_are_not_known(
        self, catwalk: Catwalk, tmp_path: Path
    ) -> None:
        def arrange(number: int, _batch: str, order: list[str], racks: Racks) -> list[str]:
            slugs = {3: racks[-1][1][50:57], 4: racks[-1][1][50:62]} if racks else {}
            return with_slug(order, slugs[number], 90) if number in slugs else order

        (tmp_path / "S-1.ndjson").write_bytes(b"\n".join(dealt(arrange, 1, 90)))
        about = ("patterns", tmp_path, "--about", "shoe=S-1/3")
        rows = [row for row in catwalk(*about, "--format", "json").json if row["alarm"] is not None]
        assert [row["rounds"] for row in rows] == [None]
        assert " - " in next(line for line in catwalk(*about).out.splitlines() if ", round " in line)

    @pytest.mark.parametrize("about", ["dealer", "dealer=", "D-1", "shoe=S", "shoe=S/x", "seat=3"])
    def test_refuses_what_names_nobody(self, catwalk: Catwalk, one: Path, about: str) -> None:
        ran = catwalk("patterns", one, "--about", about)
        assert (ran.status, ran.out) == (2, "")
        assert "write dealer=D-1, player=P-1, table=S or shoe=S/3" in ran.err


def test_observations_on_file_come_back_as_they_were(tmp_path: Path) -> None:
    passed = [one for one in passed_on() if one.subject == "S-1"]
    assert len(passed) > 30
    stem = tmp_path / "0"
    writer = Observed(stem)
    for one in passed:
        writer.write("S-1", [one])
    assert writer.close() == 1
    assert [msgspec.msgpack.encode(one) for one in read(path_of(stem, 0))] == [
        msgspec.msgpack.encode(one) for one in passed
    ]


def test_the_observations_of_a_table_do_not_go_back_in_time() -> None:
    early = b'"time":"2001-'
    lines = [
        line.replace(b'"time":"2026-', early) if n % 50 == 0 else line for n, line in enumerate(table(1, 60))
    ]
    times = [one.time for one in observed(changed(lines, lambda event: [event]))[1]]
    assert times == sorted(times)
    assert times


def test_those_of_whom_a_family_speaks_share_its_level() -> None:
    assert sum(share_of(nth) for nth in range(1, 10_000)) <= 1.0
    passed = [one for one in passed_on() if one.subject == "S-2"]
    for family in {one.family for one in passed}:
        numbers = {one.key: one.nth for one in passed if one.family == family}
        assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))


def test_a_family_is_registered_once_and_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    family = FAMILIES["pace"]
    monkeypatch.delitem(FAMILIES, "theoretical_win")
    replace = msgspec.structs.replace
    for wrong, why in (
        (family, "twice"),
        (replace(family, name="luck"), "no family of the contract"),
        (replace(family, name="theoretical_win", blind=()), "empty"),
        (replace(family, name="theoretical_win", table=None), "looks at no table"),
    ):
        with pytest.raises(RegistrationError, match=why):
            register(wrong)
    assert "theoretical_win" not in FAMILIES
    with pytest.raises(TypeError, match="level"):
        replace(family, level=0.01)  # all families weigh at one level


@pytest.mark.parametrize("stage", ["table", "entity"])
def test_a_detector_that_breaks_down_says_so_and_the_others_go_on(
    stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_told: object) -> None:
        raise ZeroDivisionError("planted")

    pace, replace = FAMILIES["pace"], msgspec.structs.replace
    table_side, entity_side = pace.table, pace.entity
    assert table_side is not None
    assert entity_side is not None
    if stage == "table":
        pace = replace(pace, table=replace(table_side, closed=broken))
    else:
        pace = replace(pace, entity=replace(entity_side, weigh=broken))
    monkeypatch.setitem(FAMILIES, "pace", pace)
    pipeline = TablePipeline("S-1", proofs=False)
    findings, observations = _all([*map(pipeline.advance, _tables()["S-1"]), pipeline.finish()])
    entities = EntityStage()
    findings = [*findings, *(one for seen in observations for one in entities.weigh(seen))]
    said = [one for one in findings if one.check == "pattern.pace"]
    assert {(one.verdict, one.message, one.missing) for one in said} == {
        (
            "indeterminate",
            "Detector pace could not judge this event: a defect of the detector, not of the table; what it held is "
            "lost.",
            ("a working detector (ZeroDivisionError: planted)",),
        )
    }
    assert "pattern.dealer_mispay.for_patrons" in {one.check for one in findings}

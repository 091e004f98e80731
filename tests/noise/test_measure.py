"""The measure of bad sensors measures what it says."""

from __future__ import annotations

import io

import pytest

from producers.simulator.noise.lost import WITNESSES
from tests.noise import tables
from tests.noise.judged import Judged
from tests.noise.measure import Measure, frequent, main, rows


@pytest.fixture(scope="module")
def small() -> Measure:
    return Measure(tables.lawful(5, 6), tables.breached(3))


def test_without_noise_nobody_is_accused_and_every_round_is_decided(small: Measure) -> None:
    figures = small.rated("draws", 0)
    assert (figures.accused.total(), figures.words, figures.records.total()) == (0, 0, 0)
    assert (figures.tables, figures.decided.right, figures.decided.whole) == (5, 30, 30)
    assert figures.untouched.right == figures.untouched.whole == len(small.breached) > 0


def test_noise_is_counted_and_the_record_says_so(small: Measure) -> None:
    figures = small.rated("placements", 20)
    assert figures.words > 20
    assert figures.records.total() > 0
    assert [line.split()[0] for line in rows([figures])] == ["kind", "placements"]


@pytest.mark.parametrize("witness", WITNESSES)
def test_a_dead_device_loses_words_in_its_rounds_alone(witness: str) -> None:
    [dealt, *_] = tables.lawful(1, 11)
    judged = Judged(dealt, tables.with_silence(dealt, witness))
    met = {number for number in judged.noise if number is not None}
    assert met <= set(range(tables.SILENT_FROM, tables.SILENT_TO))
    assert met or witness == "reader"


def test_a_hand_whose_rack_word_alone_was_lost_is_no_false_accusation() -> None:
    for dealt in tables.lawful(2, 4):
        entries = tables.without_one(dealt, "racked", 3)
        assert entries is not None
        judged = Judged(dealt, entries)
        unracked = [finding for finding in judged.findings if finding.check == "rack.order"]
        assert [finding.round for finding in unracked] == [3]
        assert not any(finding.check.startswith("rack.") for finding in judged.accusations())


def test_one_accusation_can_be_looked_at() -> None:
    out = io.StringIO()
    arguments = ["--tables", "2", "--rates", "40", "--kind", "wagers"]
    measure = Measure(tables.lawful(2), [])
    accused = list(frequent([measure.rated("wagers", 40)]))
    shown = accused[0].split()[0] if accused else "none.such"
    assert main([*arguments, "--show", shown], out) == 0
    assert ("LOST" if accused else "accuses nobody") in out.getvalue()


def test_a_hole_loses_every_word_of_some_seconds_and_no_other(small: Measure) -> None:
    figures = small.away(20, holes=4)
    assert 1 <= figures.tables <= 20
    assert figures.words >= figures.tables
    found = (tables.with_hole(small.lawful[0], 20, number) for number in range(20))
    entries = next(entries for entries in found if entries is not None)
    judged = Judged(small.lawful[0], entries)
    lost = [entry.word.time for entry in judged.entries if entry.line is None]
    said = [entry.word.time for entry in judged.entries if entry.line is not None]
    assert (lost[-1] - lost[0]).total_seconds() < 20
    assert not any(lost[0] < time < lost[-1] for time in said)
    out = io.StringIO()
    assert main(["--away", "20", "--tables", "1"], out) == 0
    assert "holes after which somebody is accused" in out.getvalue()


@pytest.mark.soak
@pytest.mark.timeout(1800)
def test_the_whole_measure_runs() -> None:
    out = io.StringIO()
    assert main([], out) == 0
    assert "most frequent false accusations" in out.getvalue()

"""Noise in simulated streams: what it does, that it follows from the seed, and that the record stays whole."""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter
from functools import cache
from itertools import groupby
from pathlib import Path

import pytest

from deploy.cli.main import main
from producers.simulator.floor.setup import usual_setup
from producers.simulator.noise.kinds import KINDS, through
from producers.simulator.noise.lost import is_of
from producers.simulator.noise.moved import LATEST, ONE_ACT
from producers.simulator.noise.words import Entry, words
from producers.simulator.session import simulate_table
from schemas.values import Ruleset
from tests.sampling import one_in
from tests.simulator.streams import contract_faults, events
from tests.simulator.test_simulate_command import files_of, simulate

LOSES = ("placements", "draws", "wagers", "decisions", "racked", "recorder")
SILENT = tuple(name for name in KINDS if name.startswith("silent_"))
MOVES = ("order", "late", "clock")  # which also let clocks go back, as the devices' own times do


@cache
def dealt(ruleset: Ruleset = "free_bet_672a") -> tuple[bytes, ...]:
    return tuple(simulate_table(usual_setup(ruleset, "T-1"), 25, 5))


def seen(name: str, rate: float, seed: int = 1, ruleset: Ruleset = "free_bet_672a") -> list[Entry]:
    return list(through(iter(dealt(ruleset)), {name: rate}, seed))


def lines_of(entries: list[Entry]) -> list[bytes]:
    return [entry.line for entry in entries if entry.line is not None]


def data_of(entry: Entry) -> dict[str, object]:
    assert entry.line is not None
    data: dict[str, object] = json.loads(entry.line)["data"]
    return data


@pytest.mark.parametrize("name", one_in(3, KINDS))
def test_at_rate_nought_the_bytes_are_those_dealt(name: str) -> None:
    assert lines_of(seen(name, 0.0)) == list(dealt())


@pytest.mark.parametrize("name", one_in(3, KINDS, 1))
def test_noise_follows_from_the_seed(name: str) -> None:
    assert seen(name, 0.3) == seen(name, 0.3)
    assert len({tuple(lines_of(seen(name, 0.3, seed))) for seed in range(8)}) > 1


@pytest.mark.parametrize("name", one_in(3, KINDS, 2))
def test_the_noisy_record_is_a_whole_chain_of_the_contract(name: str) -> None:
    faults = list(contract_faults(lines_of(seen(name, 0.2))))
    assert [fault for fault in faults if name not in MOVES or " after " not in fault] == []


@pytest.mark.parametrize("name", one_in(3, KINDS))
def test_the_truth_and_the_record_together_are_what_was_dealt(name: str) -> None:
    entries = seen(name, 0.2)
    assert sorted(entry.word.line for entry in entries) == sorted(dealt())
    for entry in entries:
        if entry.line is not None:
            read = json.loads(entry.line)
            assert read["sequence"] == entry.sequence
            if not entry.word.noise:
                assert read["data"] == json.loads(entry.word.line)["data"]
        else:
            assert entry.word.noise == (name,)


@pytest.mark.parametrize("name", LOSES[:-1])
def test_about_the_rate_of_a_kinds_words_is_lost_and_nothing_else(name: str) -> None:
    lost = Counter(entry.word.kind for entry in seen(name, 0.25) if entry.word.lost)
    whole = Counter(word.kind for word in words(iter(dealt())))
    assert lost
    for kind, count in lost.items():
        assert 0.1 < count / whole[kind] < 0.45


@pytest.mark.parametrize("name", SILENT)
def test_a_silent_device_says_nothing_for_a_while_and_speaks_again(name: str) -> None:
    witness = name.removeprefix("silent_")
    fates: set[frozenset[bool]] = set()
    for seed in range(8):
        heard = [entry.word for entry in seen(name, 0.5, seed)]
        assert all(is_of(word, witness) for word in heard if word.lost)
        fates.add(frozenset(word.lost for word in heard if is_of(word, witness)))
    assert frozenset((True, False)) in fates


def test_any_device_may_be_the_silent_one() -> None:
    lost = {
        frozenset(entry.word.kind for entry in seen("silent", 0.5, seed) if entry.word.lost)
        for seed in range(12)
    }
    assert len(lost) > 4


def test_a_recorder_that_is_away_misses_every_word_of_a_minute() -> None:
    entries = seen("recorder", 0.2)
    away = [[entry.word for entry in run] for lost, run in groupby(entries, lambda e: e.word.lost) if lost]
    assert away
    for gone in away:
        assert gone[-1].time - gone[0].time <= dt.timedelta(minutes=1)
    assert any(len({word.device for word in gone}) > 2 for gone in away)


def test_an_unread_card_is_unknown_to_shoe_and_layout_and_known_to_the_rack() -> None:
    entries = seen("unread", 0.2)
    met = Counter(entry.word.kind for entry in entries if entry.word.noise)
    assert set(met) == {"card_drawn", "card_placed"}
    assert met["card_drawn"] >= met["card_placed"] > 10
    assert all(data_of(entry)["card"] == "??" for entry in entries if entry.word.noise)


def test_words_of_one_act_change_places_within_two_seconds() -> None:
    entries = seen("order", 0.3)
    swapped = [at for at, entry in enumerate(entries) if entry.word.noise]
    assert len(swapped) > 10
    for at in swapped:
        first, second = entries[at].word, entries[at - 1].word
        assert first.device != second.device
        assert dt.timedelta() <= second.time - first.time <= ONE_ACT


def test_late_words_keep_their_time_and_their_devices_order() -> None:
    entries = seen("late", 0.1)
    by_device: dict[str, list[dt.datetime]] = {}
    latest = entries[0].word.time
    for entry in entries:
        word = entry.word
        by_device.setdefault(word.device, []).append(word.time)
        if word.noise:
            assert json.loads(entry.line or b"")["time"] == word.event["time"]
        assert latest - word.time <= dt.timedelta(seconds=LATEST)
        latest = max(latest, word.time)
    assert all(times == sorted(times) for times in by_device.values())


def test_a_clock_that_is_off_is_off_by_the_same_for_a_while() -> None:
    entries = [entry for entry in seen("clock", 0.9) if entry.word.noise]
    offsets = {
        (
            entry.word.device,
            dt.datetime.fromisoformat(json.loads(entry.line or b"")["time"]) - entry.word.time,
        )
        for entry in entries
    }
    assert 0 < len(offsets) < 20 < len(entries)


def test_kinds_of_noise_do_not_change_one_another() -> None:
    both = list(through(iter(dealt()), {"draws": 0.1, "racked": 0.1}, 1))
    for name in ("draws", "racked"):
        alone = [entry.word.line for entry in seen(name, 0.1) if entry.word.noise]
        assert [entry.word.line for entry in both if name in entry.word.noise] == alone


@pytest.mark.parametrize("ruleset", ["fortune_670a10", "manual_shoe_657a8"])
def test_stack_games_lose_their_words_too(ruleset: Ruleset) -> None:
    for name in ("placements", "draws", "racked"):
        assert any(entry.word.lost for entry in seen(name, 0.2, ruleset=ruleset))


def test_the_command_writes_the_truth_beside_the_stream(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ("--rounds", 6, "--noise", "racked=30%", "--noise", "unread=0.05")
    assert simulate("--out", tmp_path / "a", *arguments, "--format", "json") == 0
    [row] = json.loads(capsys.readouterr().out)
    assert simulate("--out", tmp_path / "b", *arguments) == 0
    assert f"{row['noise']['racked']} racked" in capsys.readouterr().out
    assert files_of(tmp_path / "a") == files_of(tmp_path / "b")
    truth = [json.loads(line) for line in Path(row["truth"]).read_bytes().splitlines()]
    assert Counter(name for each in truth for name in each["noise"]) == row["noise"]
    assert row["noise"]["racked"] > 0
    stream = Path(row["file"]).read_bytes().splitlines()
    assert list(contract_faults(stream)) == []
    for each in truth:
        if not each["lost"]:
            assert events([stream[each["sequence"] - 1]])[0].name == each["type"]
    assert main(["verify", str(tmp_path / "a")]) == 0


def test_without_noise_or_at_rate_nought_the_command_writes_the_same_stream(tmp_path: Path) -> None:
    simulate("--out", tmp_path / "a", "--rounds", 3)
    simulate("--out", tmp_path / "b", "--rounds", 3, "--noise", "draws=0")
    assert files_of(tmp_path / "b") == files_of(tmp_path / "a") | {"FB90-101.noise.jsonl": b""}


def test_the_kinds_of_noise_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert simulate("--noise", "list") == 0
    assert [line.split()[0] for line in capsys.readouterr().out.splitlines()] == list(KINDS)
    assert simulate("--noise", "list", "--format", "json") == 0
    assert [row["name"] for row in json.loads(capsys.readouterr().out)] == list(KINDS)


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        (["fog=1%"], ["--noise fog=1%: there is no kind of noise `fog`", "--noise list"]),
        (["drwas=1%"], ["no kind of noise `drwas`", "write `draws`"]),
        (["=1%"], ["--noise =1%", "names no kind", "--noise list"]),
        (["draws=2"], ["--noise draws=2", "`2` is no share from 0 to 1", "draws=1%"]),
        (["draws=a lot"], ["draws", "`a lot`"]),
        (["draws=nan"], ["draws", "`nan`"]),
        (["draws"], ["draws", "no rate"]),
        (["draws=1%", "draws=2%"], ["draws", "once"]),
    ],
)
def test_a_noise_that_cannot_be_is_told_with_its_remedy(
    noise: list[str], said: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [part for each in noise for part in ("--noise", each)]
    assert simulate("--out", tmp_path / "x", *arguments) == 2
    told = capsys.readouterr().err
    assert told.count("\n") == 1
    assert all(word in told for word in said)
    assert list(tmp_path.iterdir()) == []

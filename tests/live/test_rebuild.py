"""`catwalk rebuild` behind the topics: new groups, an empty database, the same rows; and what was altered is named."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.live.checker import check
from tests.live.folding import REPOSITORY, catwalk, in_turn, produce
from tests.live.test_end_to_end import published
from tests.live.test_sink import execute
from tests.live.working import all_caught_up, prepared, workers

Environment = dict[str, str]
ALL = ("fold", "analyst", "sink")


@pytest.mark.soak  # half a minute; tests/embedded rebuilds in every run
def test_everything_folded_again_is_bit_for_bit_what_it_was_and_what_was_altered_is_named(
    live_environment: Environment, tmp_path: Path
) -> None:
    prepared(live_environment)
    tables = published()
    produce(live_environment, in_turn(tables))
    with workers(live_environment, tmp_path, *ALL) as started:
        all_caught_up(live_environment, kinds=ALL)
        catwalk(live_environment, "rebuild", status=2)  # workers run
        assert [one.stop() for one in started] == [0, 0, 0]
    said = json.loads(catwalk(live_environment, "rebuild", "--format", "json"))
    assert said["identical"] is True
    assert said["before"] == said["after"]
    assert said["after"]["counters"] > 0
    assert check(live_environment, tables).wrong == []

    [(subject, number, first)] = execute(
        live_environment, "SELECT subject, round, first_sequence FROM `@`.stakes FINAL ORDER BY ALL LIMIT 1"
    )
    round_ = f"subject = '{subject}' AND round = {number}"
    at_once = " SETTINGS mutations_sync = 2"
    execute(
        live_environment, f"ALTER TABLE `@`.stakes UPDATE staked_cents = 1 WHERE {round_}{at_once}"
    )  # edited
    execute(live_environment, f"ALTER TABLE `@`.racks DELETE WHERE {round_}{at_once}")  # deleted
    execute(live_environment, f"ALTER TABLE `@`.events DELETE WHERE subject = '{subject}' AND sequence > {first + 100}"
                              f"{at_once}")  # fmt: skip  # truncated
    swap_two_events(live_environment, others_of(tables, subject))  # in each other's place, hashes and all
    wrong = check(live_environment, tables).wrong
    assert len(wrong) >= 4
    said = json.loads(catwalk(live_environment, "rebuild", "--format", "json", status=1))
    named = said["differences"]
    assert any(
        one.startswith(f"stakes of table {subject}, rounds 1 to 63") and "other content" in one
        for one in named
    )
    swapped = f"events of table {others_of(tables, subject)}, "
    assert any(one.startswith(swapped) and "other content" in one for one in named)
    assert any(one.startswith(f"racks of table {subject}") and " rows before, " in one for one in named)
    assert any(one.startswith(f"events of table {subject}") and " 0 rows before, " in one for one in named)
    assert check(live_environment, tables).wrong == []


def others_of(tables: dict[bytes, list[bytes]], subject: str) -> str:
    """Another table."""
    return next(key.decode() for key in sorted(tables) if key != subject.encode())


def swap_two_events(environment: Environment, subject: str) -> None:
    """What stands at places 5 and 6 of a table stands in the other's place."""
    rows = "SELECT line, row_hash FROM `@`.events FINAL WHERE subject = '{}' AND sequence IN (5, 6) ORDER BY sequence"
    (five, five_hash), (six, six_hash) = execute(environment, rows.format(subject))
    lines = " ".join(f"WHEN {place} THEN {quoted(line)}" for place, line in ((5, six), (6, five)))
    hashes = f"CASE sequence WHEN 5 THEN {six_hash} ELSE {five_hash} END"
    execute(
        environment,
        f"ALTER TABLE `@`.events UPDATE line = CASE sequence {lines} ELSE line END, row_hash = {hashes}"
        f" WHERE subject = '{subject}' AND sequence IN (5, 6) SETTINGS mutations_sync = 2",
    )


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


@pytest.mark.soak  # test_lag is told the same in every run; ten seconds
def test_brokers_that_are_away_are_said_in_one_line(live_environment: Environment) -> None:
    environment = live_environment | {"CATWALK_KAFKA": "127.0.0.1:1"}
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "rebuild"],
        env=environment, cwd=REPOSITORY, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, len(done.stderr.splitlines())) == (2, "", 1), done.stderr
    assert "catwalk stack status" in done.stderr

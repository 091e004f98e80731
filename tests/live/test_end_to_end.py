"""From the device to the answer: recorded, folded, counted, stored, and held against a clean run by a checker."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.embedded.ledgers import lines_of, subject_of
from tests.live.checker import check
from tests.live.figures import tell
from tests.live.folding import catwalk, in_turn, produce, simulated
from tests.live.killing import in_lives
from tests.live.working import (
    Process,
    Proxy,
    Unacknowledged,
    all_caught_up,
    delivered_again,
    events_in,
    prepared,
    workers,
)

Environment = dict[str, str]
BREACHES = ("breach_masque_wrong", "breach_surrender_after_hit", "breach_overpay", "lawful_fortune_670a10")


def published() -> dict[bytes, list[bytes]]:
    return {subject_of(name).encode(): lines_of(name) for name in BREACHES}


def test_simulated_and_published_tables_come_through_record_fold_and_sink(
    live_environment: Environment, tmp_path: Path
) -> None:
    prepared(live_environment)
    tables = simulated(tmp_path / "tables", 4, 25, 11, live_environment)
    for key, lines in published().items():
        (tmp_path / "tables" / f"{key.decode()}.ndjson").write_bytes(b"".join(line + b"\n" for line in lines))
    tables |= published()
    catwalk(live_environment, "record", "--to", "kafka", str(tmp_path / "tables"))
    with workers(live_environment, tmp_path, "fold", "analyst", "sink"):
        all_caught_up(live_environment, kinds=("fold", "analyst", "sink"))
    verdict = check(live_environment, tables)
    assert verdict.wrong == []
    assert (
        min(verdict.rows[name] for name in ("events", "rounds", "hands", "stakes", "findings", "patrons")) > 0
    )
    catwalk(live_environment, "export", "--out", str(tmp_path / "exported"))
    catwalk(live_environment, "replay", str(tmp_path / "tables"), "--out", str(tmp_path / "replayed"))
    for name in ("rounds", "findings", "deadletters"):
        exported = (tmp_path / "exported" / f"{name}.ndjson").read_bytes().splitlines()
        replayed = (tmp_path / "replayed" / f"{name}.ndjson").read_bytes().splitlines()
        # The files of the simulator and those written here are named after their tables: `file` is the subject.
        assert exported == replayed, name
    same = (tmp_path / "exported" / "summary.json").read_bytes()
    assert same == (tmp_path / "replayed" / "summary.json").read_bytes()


@pytest.mark.parametrize("kills", [2, pytest.param(12, marks=[pytest.mark.soak, pytest.mark.timeout(900)])])
@pytest.mark.parametrize(
    "kinds",
    [
        pytest.param(("fold", "sink"), id="fold and sink"),
        pytest.param(("sink",), id="sink", marks=pytest.mark.soak),
    ],
)
def test_workers_killed_again_and_again_store_every_row_once(
    live_environment: Environment,
    proxied: tuple[Proxy, Environment],
    tmp_path: Path,
    kinds: tuple[str, ...],
    kills: int,
) -> None:
    proxy, through = proxied
    prepared(live_environment)
    simulation = (3, 30, 7) if kills < 10 else (6, 100, 7)
    tables = published() | simulated(tmp_path / "tables", *simulation, live_environment)
    with workers(live_environment, tmp_path, *({"fold"} - set(kinds))):
        in_lives(
            through,
            tmp_path,
            kinds,
            list(in_turn(tables)),
            kills,
            unacknowledged=Unacknowledged(proxy, partial(events_in, live_environment)),
        )
        with workers(through, tmp_path, *kinds, named=True):
            all_caught_up(live_environment, seconds=180)
    verdict = check(live_environment, tables)
    again = delivered_again(tmp_path)
    tell("kills of each", kills)
    tell("events", verdict.rows["events"])
    tell("rows delivered again", again)
    tell("of them stored again until merged", verdict.duplicates)
    assert verdict.wrong == []
    assert again > 0, "nothing was delivered twice: the kills proved nothing"


@pytest.mark.soak  # the sinks of test_sink come when all is there
def test_a_sink_that_comes_late_finds_everything(live_environment: Environment, tmp_path: Path) -> None:
    prepared(live_environment)
    tables = published()
    produce(live_environment, in_turn(tables))
    with workers(live_environment, tmp_path, "fold"):
        all_caught_up(live_environment, kinds=("fold",))
    sink = Process(live_environment, tmp_path, "sink")
    try:
        all_caught_up(live_environment)
        assert sink.stop() == 0
    finally:
        sink.kill()
    assert check(live_environment, tables).wrong == []

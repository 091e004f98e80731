"""Nothing that is accepted can stop anything: whatever `record` takes, every part folds, stores, shows and exports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.accepted.console import every_page_answers, pages_of
from tests.accepted.desk import KEY, every_act_is_done, every_bundle_proves_itself
from tests.accepted.home import every_command_reads, nothing_is_lost, recorded
from tests.accepted.lines import tables
from tests.commands.run import Catwalk, catwalk
from tests.sampling import SOAK

__all__ = ["catwalk"]  # a fixture
# Each seed is so many lines, and the pages of one in so many hands and alerts are opened; in soak 300,000 lines.
QUICK = (1, 900, 12)
WHOLE = [pytest.param(seed, 10_000, 30, marks=SOAK) for seed in range(100, 130)]


@pytest.mark.timeout(900)
@pytest.mark.parametrize(("seed", "lines", "each"), [QUICK, *WHOLE])
def test_every_part_reads_what_was_accepted(
    seed: int, lines: int, each: int, tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "data"))
    (tmp_path / "signing.key").write_text(KEY.text)
    monkeypatch.setenv("CATWALK_SIGNING_KEY", str(tmp_path / "signing.key"))
    monkeypatch.setenv("CATWALK_CHECKPOINTS", str(tmp_path / "checkpoints"))
    home = recorded(tmp_path, [*tables(seed, lines)], catwalk)
    assert sum(len(table.lines) for table in home.tables) == lines
    every_command_reads(home)
    with pages_of(home) as pages:
        every_page_answers(home, pages, each)
        every_act_is_done(home, pages, each)
        every_bundle_proves_itself(home, pages, each)
        assert (pages.failed, pages.opened > lines // (4 * each)) == ([], True)
    home.run("report", "shift", "--format", "json")
    home.run("backup", "--out", "copy of all", ends=(0, 1))
    nothing_is_lost(home, tmp_path / "data" / "ledger.db")

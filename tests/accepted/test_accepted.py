"""Nothing that is accepted can stop anything: whatever `record` takes, every part folds, stores, shows and exports."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.accepted.home import every_command_reads, recorded
from tests.accepted.lines import tables
from tests.commands.run import Catwalk, catwalk

__all__ = ["catwalk"]  # a fixture


@pytest.mark.parametrize("seed", [1])
def test_every_command_reads_what_was_accepted(
    seed: int, tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "data"))
    every_command_reads(recorded(tmp_path, [*tables(seed, 3000)], catwalk))

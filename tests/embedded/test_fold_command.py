"""`catwalk fold` and the other workers' commands where everything is in one folder."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from deploy.configured.store import FOLDER
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from tests.commands.run import Catwalk, catwalk
from tests.embedded.ledgers import EXAMPLES, contents, filled, folded, lines_of
from tests.starting import start
from tests.waiting import until

__all__ = ["catwalk"]
NAME = "breach_overpay"


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The data folder of the embedded mode, empty."""
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("CATWALK_MODE", "embedded")
    return tmp_path / "data"


def test_what_is_new_is_folded_once_and_then_nothing_is(data: Path, catwalk: Catwalk, tmp_path: Path) -> None:
    lines = lines_of(NAME)
    half = tmp_path / "half.ndjson"
    half.write_bytes(b"".join(line + b"\n" for line in lines[:400]))
    assert catwalk("record", half).status == 0
    assert "400 records folded" in catwalk("fold", "--once").err
    assert catwalk("record", EXAMPLES / f"{NAME}.ndjson").status == 0
    assert f"{len(lines) - 400:,} records folded" in catwalk("fold", "--once").err
    said = catwalk("fold", "--once")
    assert (said.status, said.out, said.err) == (0, "", "catwalk: fold: nothing is new\n")
    store = ChdbWarehouse(data / FOLDER)
    try:
        assert contents(store) == contents(folded(filled([NAME], events=len(lines))))
    finally:
        store.close()


def test_it_goes_on_with_what_is_recorded_beside_it_until_it_is_asked_to_end(
    data: Path, catwalk: Catwalk, tmp_path: Path
) -> None:
    lines = lines_of(NAME)
    half = tmp_path / "half.ndjson"
    half.write_bytes(b"".join(line + b"\n" for line in lines[:400]))
    assert catwalk("record", half).status == 0
    log = tmp_path / "fold.log"
    with log.open("w") as out:
        fold = start([sys.executable, "-m", "deploy.cli", "fold"], env=os.environ, stderr=out)
    try:
        until(lambda: "400 records folded" in log.read_text(), running=fold)
        held = catwalk("fold", "--once")
        assert (held.status, len(held.err.splitlines())) == (2, 1)
        assert str(fold.pid) in held.err, "it says which process has the store"
        assert catwalk("record", EXAMPLES / f"{NAME}.ndjson").status == 0
        until(lambda: f"{len(lines):,} in all" in log.read_text(), running=fold)
        fold.send_signal(signal.SIGTERM)
        assert fold.wait(30) == 0
    finally:
        fold.kill()
        fold.wait()
    assert catwalk("fold", "--once").err == "catwalk: fold: nothing is new\n"


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (("fold", "--once"), "there is no ledger"),
        (("fold", "--forget"), "`catwalk rebuild` folds everything again"),
        (("sink",), "run `catwalk fold`"),
        (("analyst",), "no counters are kept"),
        (("lag",), "`catwalk fold --once`"),
    ],
)
def test_what_one_folder_does_not_have_is_said_with_what_does_it(
    data: Path, catwalk: Catwalk, command: tuple[str, ...], said: str
) -> None:
    shown = catwalk(*command)
    assert (shown.status, shown.out, len(shown.err.splitlines())) == (2, "", 1)
    assert said in shown.err


def test_a_worker_on_topics_has_no_end(catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CATWALK_MODE", "distributed")
    shown = catwalk("fold", "--once")
    assert shown.status == 2
    assert "`catwalk lag --wait`" in shown.err

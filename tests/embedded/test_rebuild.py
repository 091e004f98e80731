"""`catwalk rebuild` in one process: the same rows again, and where the store was not what the ledger gives."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from deploy.cli.main import catwalk, main
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from schemas.warehouse import RELATIONS
from tests.embedded.ledgers import EXAMPLES, subject_of

NAME = "breach_overpay"


def run(*arguments: str) -> Result:
    return CliRunner().invoke(catwalk, list(arguments))


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with one recorded table, folded."""
    folder = tmp_path / "data"
    folder.mkdir()
    monkeypatch.setenv("CATWALK_DATA", str(folder))
    monkeypatch.setenv("CATWALK_MODE", "embedded")
    assert run("record", str(EXAMPLES / f"{NAME}.ndjson")).exit_code == 0
    assert run("export", "--out", str(tmp_path / "out")).exit_code == 0
    return folder


def test_folding_again_gives_every_row_as_it_was_and_says_so(data: Path, tmp_path: Path) -> None:
    done = run("rebuild")
    assert done.exit_code == 0, done.output
    beside = "with what the whole ledger, folded again, gives: every row is the same"
    assert f"compared the store as it stood, with what was new in the ledger, {beside}" in done.output
    assert run("export", "--out", str(tmp_path / "again")).exit_code == 0
    for name in ("rounds.ndjson", "findings.ndjson", "summary.json"):
        assert (tmp_path / "again" / name).read_bytes() == (tmp_path / "out" / name).read_bytes()


@pytest.mark.parametrize(
    "relation",
    [
        "findings",
        *(
            pytest.param(one, marks=pytest.mark.soak)
            for one in (
                "rounds",
                "events",
                "hands",
                "stakes",
                "takings",
                "racks",
                "patrons",
                "account_events",
            )
        ),
    ],
)
def test_an_edited_row_is_named_and_put_right(data: Path, relation: str) -> None:
    store = ChdbWarehouse(data / "warehouse")
    [row, *_] = store.query(f"SELECT * FROM {relation} FINAL")
    names = RELATIONS[relation].column_names
    moment = names.index("time" if relation in ("events", "patrons", "account_events") else "decided_at")
    store.insert(
        RELATIONS[relation], [(*row[:moment], row[moment].replace(microsecond=7), *row[moment + 1 :])]
    )
    store.close()
    done = run("rebuild", "--format", "json")
    assert done.exit_code == 1, done.output
    said = json.loads(done.stdout)
    assert said["identical"] is False
    assert len(said["differences"]) == 1
    assert said["differences"][0].startswith(f"{relation} of table {subject_of(NAME)}, ")
    assert "with other content" in said["differences"][0]
    assert run("rebuild").exit_code == 0


def test_a_row_that_was_taken_out_or_put_in_is_named(data: Path) -> None:
    store = ChdbWarehouse(data / "warehouse")
    [row, *_] = store.query("SELECT * FROM stakes FINAL")
    store._execute("ALTER TABLE stakes DELETE WHERE ordinal = 2 SETTINGS mutations_sync = 2")
    phantom = list(row)
    phantom[1] = 4_000
    store.insert(RELATIONS["stakes"], [tuple(phantom)])
    store.close()
    done = run("rebuild", "--format", "json")
    assert done.exit_code == 1, done.output
    differences = json.loads(done.stdout)["differences"]
    assert json.loads(done.stdout)["compared"] == "the store as it stood, with what was new in the ledger"
    assert any(" rows before, " in one for one in differences)
    assert any("1 row before, 0 after" in one and "rounds 3,968 to 4,031" in one for one in differences)


def test_what_another_release_made_is_compared_with_what_this_one_makes(data: Path) -> None:
    store = ChdbWarehouse(data / "warehouse")
    progress = store.query("SELECT * FROM progress FINAL")
    store.insert(RELATIONS["progress"], [(*row[:-1], row[-1] - 1) for row in progress])
    names = RELATIONS["findings"].column_names
    older = [list(row) for row in store.query("SELECT * FROM findings FINAL")]
    older[0][names.index("severity")] = "info"
    store._execute("TRUNCATE TABLE findings")
    version = names.index("fold_version")
    store.insert(
        RELATIONS["findings"], [(*row[:version], row[version] - 1, *row[version + 1 :]) for row in older]
    )
    store.close()
    done = run("rebuild", "--format", "json")
    assert done.exit_code == 1, done.output
    [difference] = json.loads(done.stdout)["differences"]
    assert difference.startswith("findings of table ")
    assert json.loads(done.stdout)["compared"] == "the store as another fold had filled it"
    assert run("rebuild").exit_code == 0


def test_an_empty_store_is_compared_with_a_first_folding_and_that_is_said(data: Path) -> None:
    shutil.rmtree(data / "warehouse")
    done = run("rebuild")
    assert done.exit_code == 0, done.output
    assert "compared a first folding of the ledger into the empty store with " in done.output


def test_without_a_ledger_there_is_nothing_to_rebuild(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "nothing"))
    monkeypatch.setenv("CATWALK_MODE", "embedded")
    assert main(["rebuild"]) == 2
    assert (
        "ledger.db: there is no ledger; check the path, or record into it first\n" in capsys.readouterr().err
    )
    assert not (tmp_path / "nothing" / "warehouse").exists()

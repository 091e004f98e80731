"""`catwalk reconcile` in one process: whatever was done to the store is named, and put right."""

from __future__ import annotations

import base64
import datetime as dt
import shutil
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from deploy.cli.main import main
from processors.pipeline import TablePipeline
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.reconcile.reconciler import Reconciler
from processors.runtime.reconcile.seals import STRETCH, TableSeal, sealed
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.shapes import COMPARED
from schemas.answers import FOLD_VERSION
from schemas.events.codec import record_hash
from schemas.warehouse import RELATIONS
from tests.commands.run import Catwalk, catwalk
from tests.embedded.asked import ledger
from tests.embedded.ledgers import EXAMPLES, lines_of, subject_of
from tests.sampling import one_in

__all__ = ["catwalk"]

NAME = "breach_overpay"
OTHER = "breach_masque_wrong"
TABLE = subject_of(NAME)


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with `data`, two recorded tables, folded, and `before`, what is exported of it."""
    folder = tmp_path_factory.mktemp("recorded")
    with pytest.MonkeyPatch.context() as settings:
        settings.setenv("CATWALK_DATA", str(folder / "data"))
        settings.setenv("CATWALK_MODE", "embedded")
        assert main(["record", *(str(EXAMPLES / f"{name}.ndjson") for name in (NAME, OTHER))]) == 0
        assert main(["export", "--out", str(folder / "before")]) == 0
    return folder


@pytest.fixture
def data(recorded: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the data folder; what is exported of it stands in `before` beside it."""
    shutil.copytree(recorded, tmp_path, dirs_exist_ok=True, symlinks=True)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("CATWALK_MODE", "embedded")
    return tmp_path / "data"


def harmed(data: Path, harm: Callable[[ChdbWarehouse], None]) -> None:
    store = ChdbWarehouse(data / "warehouse")
    harm(store)
    store.close()


def mended(catwalk: Catwalk, folder: Path) -> bool:
    """Whether a repair says what it found, and leaves the store as it was; what is exported shows it."""
    found = catwalk("reconcile", "--format", "json").json["differences"]
    shown = catwalk("reconcile", "--repair", "--format", "json")
    assert (shown.status, shown.json["repaired"], shown.json["differences"]) == (0, True, found)
    assert shown.json["left"] == []
    shown = catwalk("reconcile", "--format", "json")
    assert (shown.status, shown.json["identical"], shown.json["differences"]) == (0, True, []), shown.out
    assert catwalk("export", "--out", folder / "after").status == 0
    names = ("rounds.ndjson", "findings.ndjson", "deadletters.ndjson", "summary.json")
    return all(
        (folder / "after" / one).read_bytes() == (folder / "before" / one).read_bytes() for one in names
    )


def altered(store: ChdbWarehouse, relation: str, number: int, **changes: Any) -> None:
    """Another row in the place of one of the table's, as someone leaves it who may write whatever they like."""
    rows = store.query(f"SELECT * FROM {relation} FINAL WHERE subject = '{TABLE}' ORDER BY ALL")
    columns = dict(zip(RELATIONS[relation].column_names, rows[number], strict=True)) | changes
    store.remove(RELATIONS[relation], [RELATIONS[relation].of(*RELATIONS[relation].key)(rows[number])])
    store.insert(RELATIONS[relation], [RELATIONS[relation].row(**columns)])


def test_a_store_that_is_what_the_ledger_gives_is_said_to_be(data: Path, catwalk: Catwalk) -> None:
    shown = catwalk("reconcile")
    assert (shown.status, shown.err) == (0, "")
    assert shown.out.endswith("2 tables: every row is what the ledger gives\n")


EDITS: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("rounds", 1, {"net_cents": 7}),
    ("rounds", 5, {"fold_version": FOLD_VERSION + 1}),  # it would win over whatever a fold writes
    ("hands", 3, {"cards": ("As", "Kd")}),
    ("stakes", 3, {"staked_cents": 1}),
    ("stakes", 9, {"row_hash": 0}),
    ("takings", 4, {"paid_cents": 1}),
    ("racks", 2, {"agrees": None}),
    ("findings", 0, {"ordinal": 9}),
    ("events", 10, {"source": "somebody"}),
    ("events", 20, {"line": "{}"}),
    ("patrons", 3, {"seat": 9}),
    ("account_events", 0, {"line": "{}"}),
)


def test_rows_that_were_edited_are_named_whatever_hash_they_bear_and_put_right(
    data: Path, catwalk: Catwalk, tmp_path: Path
) -> None:
    def harm(store: ChdbWarehouse) -> None:
        for relation, number, changes in EDITS:
            altered(store, relation, number, **changes)

    harmed(data, harm)
    shown = catwalk("reconcile", "--format", "json")
    assert shown.status == 1
    found = [(one["relation"], one["subject"], one["kind"], one["rows"]) for one in shown.json["differences"]]
    assert sorted(found) == sorted((relation, TABLE, "different", 1) for relation, _, _ in EDITS)
    assert mended(catwalk, tmp_path)


def test_a_second_row_of_a_key_in_another_month_is_named_and_taken_out(
    data: Path, catwalk: Catwalk, tmp_path: Path
) -> None:
    versions = (FOLD_VERSION - 1, FOLD_VERSION, FOLD_VERSION + 1)
    relation = RELATIONS["takings"]

    def harm(store: ChdbWarehouse) -> None:
        rows = store.query(f"SELECT * FROM takings FINAL WHERE subject = '{TABLE}' ORDER BY ALL")
        for row, version in zip(rows[2::3], versions, strict=False):
            columns = dict(zip(relation.column_names, row, strict=True))
            before = columns["decided_at"] - dt.timedelta(days=40)
            twin = columns | {"decided_at": before, "fold_version": version, "paid_cents": 999_999}
            store.insert(relation, [relation.row(**twin)])

    harmed(data, harm)
    shown = catwalk("reconcile", "--format", "json")
    assert shown.status == 1
    found = [(one["relation"], one["subject"], one["kind"], one["rows"]) for one in shown.json["differences"]]
    assert found == [("takings", TABLE, "different", 1)] * len(versions)
    assert mended(catwalk, tmp_path)


def test_rows_that_were_taken_out_or_put_in_are_named_by_stretch_and_put_right(
    data: Path, catwalk: Catwalk, tmp_path: Path
) -> None:
    def harm(store: ChdbWarehouse) -> None:
        [row, *_] = store.query(f"SELECT * FROM stakes FINAL WHERE subject = '{TABLE}'")
        relation = RELATIONS["stakes"]
        store.insert(relation, [(row[0], 4_000, 3_999_999, *row[3:]), (row[0], 4_001, 4_000_000, *row[3:])])
        cut = "SETTINGS mutations_sync = 2"
        store._execute(
            f"ALTER TABLE events DELETE WHERE subject = '{TABLE}' AND sequence BETWEEN 40 AND 60 {cut}"
        )
        store._execute(
            f"ALTER TABLE events DELETE WHERE subject = '{TABLE}' AND sequence IN (70, 71, 90) {cut}"
        )
        store.insert(RELATIONS["racks"], [("NOWHERE", *row) for row in [  # a table that nobody has
            one[1:] for one in store.query("SELECT * FROM racks FINAL LIMIT 3")]])  # fmt: skip

    harmed(data, harm)
    shown = catwalk("reconcile")
    assert shown.status == 1
    assert [line.strip() for line in shown.out.splitlines() if " table " in line] == [
        f"events of table {TABLE}, events 40 to 60: 21 rows missing",
        f"events of table {TABLE}, events 70 to 71: 2 rows missing",
        f"events of table {TABLE}, event 90: 1 row missing",
        f"stakes of table {TABLE}, rounds 4,000 to 4,001: 2 rows extra",
        "racks of table NOWHERE, rounds 1 to 3: 3 rows extra",
    ]
    assert "29 rows are not what the ledger gives; `catwalk reconcile --repair` puts them right" in shown.out
    assert mended(catwalk, tmp_path)


@pytest.mark.parametrize("state", one_in(3, ["no state at all", "that of earlier", "an earlier place"], 1))
def test_the_state_that_the_store_keeps_is_held_against_the_ledger_too(
    data: Path, catwalk: Catwalk, tmp_path: Path, state: str
) -> None:
    def harm(store: ChdbWarehouse) -> None:
        relation = RELATIONS["progress"]
        [row] = store.query(f"SELECT * FROM progress FINAL WHERE subject = '{TABLE}'")
        columns = dict(zip(relation.column_names, row, strict=True))
        pipeline = TablePipeline(TABLE)
        lines = lines_of(NAME)[:100]
        for line in lines:
            pipeline.advance(line)
        if state == "no state at all":
            columns["snapshot_base64"] = "aaaa"
        else:
            columns["snapshot_base64"] = base64.b64encode(pipeline.snapshot()).decode()
        if state == "an earlier place":  # the records behind it would never be folded again
            columns |= {"next_sequence": 101, "chain_head": record_hash(lines[-1])}
        store.insert(relation, [relation.row(**columns)])

    harmed(data, harm)
    shown = catwalk("reconcile", "--format", "json")
    assert shown.status == 1, shown.err
    [one] = shown.json["differences"]
    assert (one["relation"], one["subject"], one["kind"]) == ("progress", TABLE, "different")
    assert mended(catwalk, tmp_path)


def test_a_table_of_which_the_store_forgot_where_it_stands_is_folded_from_its_beginning(
    data: Path, catwalk: Catwalk, tmp_path: Path
) -> None:
    harmed(data, lambda store: store.remove(RELATIONS["progress"], [(TABLE,)]))
    assert catwalk("reconcile").status == 0
    assert catwalk("export", "--out", tmp_path / "after").status == 0
    for name in ("rounds.ndjson", "findings.ndjson", "summary.json"):
        assert (tmp_path / "after" / name).read_bytes() == (tmp_path / "before" / name).read_bytes()


def test_what_was_found_is_said_by_export_and_doctor_until_it_is_put_right(
    data: Path, catwalk: Catwalk, tmp_path: Path
) -> None:
    assert examined(catwalk)["state"] == "absent"
    assert catwalk("reconcile").status == 0
    assert examined(catwalk)["state"] == "ok"
    harmed(data, lambda store: altered(store, "stakes", 3, staked_cents=1))
    assert catwalk("reconcile").status == 1
    shown = catwalk("export", "--out", tmp_path / "wrong")
    said = f"1 row was not what the ledger gives, the first of them stakes of table {TABLE}, round "
    assert (shown.status, len(shown.err.splitlines())) == (1, 1)
    assert said in shown.err
    assert "`catwalk reconcile --repair`" in shown.err
    row = examined(catwalk)
    assert (row["state"], said in row["found"]) == ("failed", True)
    shown = catwalk("reconcile", "--repair")
    assert (shown.status, shown.err) == (0, "")
    assert "1 row was not what the ledger gives; all are now: compared again" in shown.out
    assert catwalk("export", "--out", tmp_path / "right").status == 0
    assert "was put right" in examined(catwalk)["found"]
    store = ChdbWarehouse(data / "warehouse")
    assert "process " in examined(catwalk)["found"]
    store.close()


def test_a_repair_that_did_not_hold_is_told_and_nobody_trusts_the_store(
    data: Path, catwalk: Catwalk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    harmed(data, lambda store: altered(store, "stakes", 3, staked_cents=1))

    def in_vain(self: Reconciler, *_: object) -> None:
        """A store that takes the rows and does not keep them."""

    monkeypatch.setattr(Reconciler, "put_right", in_vain)
    shown = catwalk("reconcile", "--repair", "--format", "json")
    assert (shown.status, shown.json["repaired"], len(shown.json["left"])) == (1, False, 1)
    assert "1 row is not what the ledger gives after the repair, the first of them stakes of" in shown.err
    assert "all workers stopped, `catwalk rebuild`" in shown.err
    assert catwalk("export", "--out", tmp_path / "wrong").status == 1


def examined(catwalk: Catwalk) -> dict[str, str]:
    """What the doctor says of store and ledger."""
    rows: list[dict[str, str]] = catwalk("doctor", "--format", "json").json
    return next(row for row in rows if row["name"] == "store and ledger")


def test_what_another_fold_wrote_is_not_compared(data: Path, catwalk: Catwalk) -> None:
    def harm(store: ChdbWarehouse) -> None:
        rows = store.query("SELECT * FROM progress FINAL")
        store.insert(RELATIONS["progress"], [(*row[:-1], row[-1] - 1) for row in rows])

    harmed(data, harm)
    shown = catwalk("reconcile", "--repair")
    assert (shown.status, shown.out, len(shown.err.splitlines())) == (2, "", 1)
    assert f"fold {FOLD_VERSION - 1} wrote it" in shown.err
    assert "`catwalk rebuild`" in shown.err


def test_without_a_ledger_or_beside_a_process_that_has_the_store_it_says_what_to_do(
    data: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = ChdbWarehouse(data / "warehouse")
    shown = catwalk("reconcile")
    store.close()
    assert (shown.status, len(shown.err.splitlines())) == (2, 1)
    assert "stop that one" in shown.err
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "nothing"))
    shown = catwalk("reconcile")
    assert (shown.status, len(shown.err.splitlines())) == (2, 1)
    assert "there is no ledger" in shown.err


def test_a_stretch_has_one_digest_whether_rows_of_it_were_given_late_or_not(tmp_path: Path) -> None:
    with closing(ChdbWarehouse(tmp_path / "warehouse")) as store:
        store.migrate()
        EmbeddedFold(ledger(), store).catch_up()
        for (subject,) in store.query("SELECT DISTINCT subject FROM rounds"):
            seal = TableSeal(before=STRETCH)
            none_of_it = {name: [(0, ("no row",))] for name in COMPARED}
            whole, without = (sealed(store, subject, seal, late) for late in ({}, none_of_it))
            assert whole.digests["events"][0].rows > 300, "some of so many hashes end with a null"
            assert whole.digests == without.digests

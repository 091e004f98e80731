"""A home that has recorded tables of extreme lines, and every command that reads it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from producers.sqlite_log import SqliteLog
from schemas.answers import FOLD_VERSION
from schemas.warehouse import RELATIONS
from tests.accepted.lines import Table
from tests.commands.run import Catwalk, Ran
from tests.runtime.tables import replayed

FOUND, WELL = (0, 1), (0,)


@dataclass(frozen=True)
class Home:
    """A folder, the tables that its ledger holds, and the command that is run in it."""

    folder: Path
    tables: Sequence[Table]
    catwalk: Catwalk

    def run(self, *words: object, ends: Sequence[int] = WELL) -> Ran:
        """Run a command that may end so."""
        ran = self.catwalk(*words)
        assert (ran.status in ends, "Traceback" in ran.err) == (True, False), (
            words,
            ran.status,
            ran.err[-3000:],
        )
        return ran

    def rows(self, out: str, name: str) -> list[dict[str, Any]]:
        """The rows of a file that a command wrote."""
        return [json.loads(line) for line in (self.folder / out / f"{name}.ndjson").read_bytes().splitlines()]


def recorded(folder: Path, tables: Sequence[Table], catwalk: Catwalk) -> Home:
    """The home in which these lines were recorded, all of them, from files of a folder."""
    home = Home(folder, tables, catwalk)
    (folder / "streams").mkdir()
    for table in tables:
        path = folder / "streams" / f"{table.subject}.ndjson"
        path.write_bytes(b"".join(line + b"\n" for line in table.lines))
    told = home.run("record", folder / "streams", "--format", "json").json
    assert (told["recorded"], told["refusals"]) == (sum(len(table.lines) for table in tables), [])
    return home


def nothing_is_lost(home: Home, ledger: Path) -> None:
    """Each line that was accepted stands in the ledger once, in its place, byte for byte."""
    log = SqliteLog(ledger, read_only=True)
    try:
        assert sorted(log.subjects()) == sorted(table.subject for table in home.tables)
        for table in home.tables:
            assert [line for _, line in log.read_from(table.subject)] == table.lines
    finally:
        log.close()


def every_command_reads(home: Home) -> None:
    """Fold, replay with patterns, verify, export, reconcile, backup, restore and the reports, one after another."""
    ledger, lines = home.folder / "data" / "ledger.db", sum(len(table.lines) for table in home.tables)
    home.run("fold", "--once")
    replayed = home.run("replay", ledger, "--out", "replayed", "--jobs", 1, "--format", "json").json
    assert (replayed["records"], replayed["deadletters"]) == (lines, 0)
    ends = {table.subject: len(table.lines) for table in home.tables}
    for finding in home.rows("replayed", "findings"):
        assert all(1 <= event <= ends[finding["subject"]] for event in finding["sequences"]), finding
    home.run("replay", "streams", "--out", "of_files", "--jobs", 1, "--compare-readings", "A1")
    home.run("patterns", ledger, "--jobs", 1)
    proofs = home.run("verify", ledger, "--format", "json", ends=FOUND).json["streams"]
    assert sorted(proof["subject"] for proof in proofs) == sorted(table.subject for table in home.tables)
    assert all(proof["chain"] == "intact" or "checkpoint" in proof["reason"] for proof in proofs)
    home.run("export", "--out", "exported")
    assert home.rows("exported", "rounds") == [
        {**row, "file": row["subject"]} for row in home.rows("replayed", "rounds")
    ]
    home.run("reconcile")
    home.run("backup", "--out", "copy", ends=FOUND)
    home.run("backup", "--verify", "copy", ends=FOUND)
    every_report(home)
    home.run("rebuild")
    _upgrade(home)
    nothing_is_lost(home, ledger)


def _upgrade(home: Home) -> None:
    """What an older fold has stored gives way to what this one makes of the whole ledger, which is the same here."""
    path, versions = home.folder / "data" / "warehouse", "SELECT DISTINCT fold_version FROM progress FINAL"
    with closing(ChdbWarehouse(path)) as store:
        rows = store.query("SELECT * FROM progress FINAL")
        store.insert(RELATIONS["progress"], [(*row[:-1], FOLD_VERSION - 1) for row in rows])
        assert store.query(versions) == [(FOLD_VERSION - 1,)]
    home.run("fold", "--once")
    with closing(ChdbWarehouse(path)) as store:
        assert store.query(versions) == [(FOLD_VERSION,)]
    home.run("export", "--out", "upgraded")
    for name in ("rounds", "findings"):
        assert home.rows("upgraded", name) == home.rows("exported", name)


def every_report(home: Home) -> None:
    """Reports of the last gaming day of each year, of two readings, and of a finding."""
    rounds = home.rows("replayed", "rounds")
    # What a replay tells as its files end is not stored: a table goes on.
    told = [one for table in home.tables for one in replayed(table.subject, table.lines)[1]]
    findings = [json.loads(one) for one in told]
    years = {day[:4]: day for day in sorted({row["gaming_day"] for row in rounds if row["gaming_day"]})}
    for number, day in enumerate(years.values()):
        if not "1900-01-02" <= day <= "2299-12-30":
            refused = home.run("report", "revenue", "--day", day, ends=(2,))
            assert f"no books are kept of {day}; name a day from 1900-01-02 to 2299-12-30" in refused.err
            continue
        by = ("table", "game", "pit", "shift", "dealer", "day")[number % 6]
        home.run("report", "revenue", "--day", day, "--period", "ytd", "--by", by)
        form = ("csv", "xlsx", "pdf")[number % 3]
        home.run("report", "revenue", "--day", day, "--format", form, "--out", f"revenue.{form}")
    home.run("report", "restitution", "--reading", "A1=literal", "--format", "csv")
    for form, finding in zip(
        ("json", "csv", "xlsx", "pdf"), findings[:: max(1, len(findings) // 4)], strict=False
    ):
        asked = ("--finding", finding["finding_id"], "--format", form, "--out", f"back.{form}")
        home.run("report", "restitution", *asked, ends=FOUND)

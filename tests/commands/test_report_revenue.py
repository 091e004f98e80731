"""`catwalk report revenue`: the day's money as JSON, CSV, workbook and PDF, held against what the lines add up to."""

from __future__ import annotations

import csv
import io
import json
import os
from pathlib import Path
from typing import Any

import openpyxl
import pypdf
import pytest

from dashboards.revenue.wanted import BYS
from deploy.configured.embedded import embedded
from deploy.settings import load
from tests.commands.run import Catwalk, catwalk
from tests.console.books import SETUPS, recounted, simulated

__all__ = ["catwalk"]  # a fixture
DAY = "2026-03-02"
MONTH = ("--day", "2026-03-31", "--period", "mtd")
LINES = {setup.subject: simulated(setup) for setup in SETUPS}


@pytest.fixture
def floor(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, catwalk: Catwalk) -> Path:
    """Three tables in the ledger of a data folder; nothing of it is folded yet."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "data"))
    (tmp_path / "streams").mkdir()
    for subject, lines in LINES.items():
        (tmp_path / "streams" / f"{subject}.ndjson").write_bytes(b"".join(line + b"\n" for line in lines))
    assert catwalk("record", tmp_path / "streams").status == 0
    return tmp_path


def test_the_figures_of_a_day_are_those_of_the_lines_in_every_format(floor: Path, catwalk: Catwalk) -> None:
    told = catwalk("report", "revenue", "--day", DAY)
    assert told.status == 0, told.err
    report = told.json
    assert {name: report[name] for name in ("day", "period", "from", "to", "by")} == {
        "day": DAY, "period": "day", "from": DAY, "to": DAY, "by": "table",
    }  # fmt: skip
    for line in report["lines"]:
        books = recounted(LINES[line["key"]])[DAY]
        # The chips that the simulator counts at closing are its own books: they share no code with the settlements.
        assert line["net_win"] == books["net"] == line["win"] == books["win"]
        assert line["handle"] == books["handle"]
        assert (line["rounds"], line["drop"]) == (books["rounds"], books["drop"])
        assert line["lammers"] == books.get("lammers", 0)
        assert line["unexplained"] == 0
        assert line["state_tax"] == round(line["net_win"] * 0.14)
    assert_files_say_the_same(catwalk, floor)
    refused_with_one_line(catwalk)


def assert_files_say_the_same(catwalk: Catwalk, floor: Path) -> None:
    assert catwalk("report", "revenue", *MONTH, "--format", "xlsx", "--out", "m.xlsx").status == 0
    book = openpyxl.load_workbook(floor / "m.xlsx")
    reckoned = openpyxl.load_workbook(floor / "m.xlsx", data_only=True)
    assert book.sheetnames == [f"by {by}" for by in ("table", *(by for by in BYS if by != "table"))]
    totals = []
    for by in BYS:
        told = catwalk("report", "revenue", *MONTH, "--by", by, "--format", "json")
        report = told.json
        rows = list(
            csv.reader(io.StringIO(catwalk("report", "revenue", *MONTH, "--by", by, "--format", "csv").out))
        )
        assert rows[0] == list(report["total"])
        assert rows[-1][0] == "total"
        lines = [*report["lines"], report["total"]]
        assert [row[0] for row in rows[1:-1]] == [line["key"] for line in report["lines"]]
        sheet = reckoned[f"by {by}"]
        assert sheet.freeze_panes == "B2"
        cells = list(sheet.iter_rows(values_only=True))
        assert list(cells[0]) == rows[0]
        for row, cell, line in zip(rows[1:], cells[1:], lines, strict=True):
            for place, name in enumerate(rows[0][1:-1], 1):
                assert_same(name, line[name], row[place], cell[place])
        assert_totals_are_formulas(book[f"by {by}"], reckoned[f"by {by}"])
        totals.append(
            {name: report["total"][name] for name in ("handle", "win", "theoretical", "luck", "side_win")}
        )
    assert all(one == totals[0] for one in totals)
    first = (floor / "m.xlsx").read_bytes()
    catwalk("report", "revenue", *MONTH, "--format", "xlsx", "--out", "again.xlsx")
    assert (floor / "again.xlsx").read_bytes() == first
    assert catwalk("report", "revenue", *MONTH, "--format", "pdf", "--out", "m.pdf").status == 0
    printed = "".join(page.extract_text() for page in pypdf.PdfReader(floor / "m.pdf").pages)
    assert "13A62" in printed
    assert all(subject in printed for subject in LINES)


COUNTS = ("rounds", "hands", "stakes", "void_rounds", "unseen_stakes", "corrections")


def assert_same(name: str, told: Any, text: str, cell: Any) -> None:
    """A figure of the JSON is that of CSV and workbook."""
    if told is None:
        assert (text, cell) == ("", None), name
    elif name in COUNTS:
        assert (int(text), cell) == (told, told), name
    else:
        value = told if name == "hours" else told / 100
        assert text == f"{value:.2f}", name
        assert cell == pytest.approx(value, abs=1e-9), name


def assert_totals_are_formulas(sheet: Any, reckoned: Any) -> None:
    """Every total that is known is the sum of its column, and holds that sum."""
    last = sheet.max_row
    for column in range(2, sheet.max_column):
        cell = sheet.cell(last, column)
        if cell.value is None or sheet.cell(1, column).value == "band_95":
            continue
        letter = cell.column_letter
        assert cell.value == f"=SUM({letter}2:{letter}{last - 1})"
        parts = [reckoned.cell(row, column).value or 0 for row in range(2, last)]
        assert sum(parts) == pytest.approx(reckoned.cell(last, column).value, abs=1e-6)


def refused_with_one_line(catwalk: Catwalk) -> None:
    for arguments in (
        ("--day", "2026-02-30"),
        ("--day", DAY, "--by", "moon"),
        ("--day", DAY, "--format", "xlsx"),
        (),
    ):
        told = catwalk("report", "revenue", *arguments)
        assert (told.status, told.out) == (2, "")
        assert told.err.count("\n") == 1


def test_a_folder_without_a_ledger_is_refused(
    tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "none"))
    told = catwalk("report", "revenue", "--day", DAY)
    assert (told.status, told.out) == (2, "")


def test_while_another_process_has_the_store_the_report_says_which_and_its_help_says_so(
    floor: Path, catwalk: Catwalk
) -> None:
    with embedded(load().values):
        told = catwalk("report", "revenue", "--day", DAY)
    assert (told.status, told.out) == (2, "")
    assert f"process {os.getpid()} has it open" in told.err
    assert told.err.count("\n") == 1
    assert catwalk("report", "revenue", "--day", DAY).status == 0
    said = " ".join(catwalk("report", "--help").out.split())
    assert "a command that reads the store says which process has it open and ends with status 2" in said


def test_the_days_of_a_month_are_those_that_the_tables_declared(floor: Path, catwalk: Catwalk) -> None:
    days = catwalk("report", "revenue", *MONTH, "--by", "day").json
    books: dict[str, int] = {}
    for lines in LINES.values():
        for day, sums in recounted(lines).items():
            books[day] = books.get(day, 0) + sums["handle"]
    assert {line["key"]: line["handle"] for line in days["lines"]} == books
    assert json.dumps(days["total"]["handle"]) == str(sum(books.values()))

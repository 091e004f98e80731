"""`catwalk report sealed`: figures out of the desk's ledger alone, in every form, and what cannot be reported."""

from __future__ import annotations

import csv
import datetime as dt
import io
from contextlib import closing
from pathlib import Path

import openpyxl
import pypdf
import pytest

from dashboards.desk.desk import Desk
from dashboards.ledger.seal_acts import FiguresSealed, SealedDivision, SealedLine
from dashboards.revenue.sealing.figures import NAMES
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.commands.run import Catwalk, catwalk

__all__ = ["catwalk"]  # a fixture
DAY = dt.date(2026, 3, 2)
SEALED_AT = dt.datetime(2026, 3, 3, 14, tzinfo=dt.UTC)
LINE = SealedLine(
    key="FB-1",
    values=tuple({"hours": 0.5, "net_win": None}.get(name, number) for number, name in enumerate(NAMES)),
    lacks=("drop box not counted yet",),
)
TOTAL = SealedLine(key="", values=LINE.values)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A desk on which one gaming day is sealed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path))
    act = FiguresSealed(
        first=DAY,
        last=DAY,
        property="Parkside",
        columns=NAMES,
        total=TOTAL,
        divisions=(SealedDivision(by="table", lines=(LINE,)),),
        records={"FB-1": 7},
        note="the count room was closed",
    )
    with closing(SqliteDeskLog(tmp_path / "desk.db")) as log:
        Desk(log, lambda: SEALED_AT).decide("rex", lambda _state, _at: [act])
    return tmp_path


def test_a_sealed_day_is_told_in_every_form_without_a_store(folder: Path, catwalk: Catwalk) -> None:
    told = catwalk("report", "sealed", "--day", str(DAY))
    assert told.status == 0, told.err
    seal, [report] = told.json["seal"], told.json["reports"]
    assert (seal["by"], seal["at"], seal["note"]) == (
        "rex",
        "2026-03-03T14:00:00Z",
        "the count room was closed",
    )
    [line] = report["lines"]
    assert [line[name] for name in NAMES] == list(LINE.values)
    assert (line["key"], line["lacks"]) == ("FB-1", ["drop box not counted yet"])
    rows = list(
        csv.DictReader(io.StringIO(catwalk("report", "sealed", "--day", str(DAY), "--format", "csv").out))
    )
    assert [row["key"] for row in rows] == ["FB-1", "total"]
    for form in ("xlsx", "pdf"):
        asked = ("report", "sealed", "--day", str(DAY), "--format", form, "--out", f"sealed.{form}")
        assert catwalk(*asked).status == 0
    assert openpyxl.load_workbook(folder / "sealed.xlsx").sheetnames == ["by table"]
    printed = " ".join(page.extract_text() for page in pypdf.PdfReader(folder / "sealed.pdf").pages)
    assert "Sealed by" in printed
    assert "3 Mar 2026 14:00:00 UTC" in printed


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--day", "2026-03-03"), "the figures of 2026-03-03 are not sealed"),
        (("--month", "2026-03"), "the figures of 2026-03 are not sealed"),
        ((), "give --day or --month"),
        (("--day", "2026-03-02", "--month", "2026-03"), "give --day or --month"),
        (("--day", "2026-03-02", "--format", "pdf"), "name a file: --out sealed.pdf"),
        (("--day", "0001-01-01"), "no books are kept of"),
    ],
)
def test_what_is_not_sealed_is_said(folder: Path, catwalk: Catwalk, given: tuple[str, ...], why: str) -> None:
    told = catwalk("report", "sealed", *given)
    assert (told.status, why in told.err) == (2, True), told.err


def test_without_a_desk_nothing_is_sealed(
    tmp_path: Path, catwalk: Catwalk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path))
    told = catwalk("report", "sealed", "--day", "2026-03-02")
    assert told.status == 2
    assert "there is no desk yet" in told.err

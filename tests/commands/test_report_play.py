"""`catwalk report revenue` and `catwalk report month` tell what patrons' decisions gave, in every form."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import openpyxl
import pypdf
import pytest

import deploy.cli.report.month
import deploy.cli.report.revenue
from dashboards.revenue.books import statement
from dashboards.revenue.wanted import WantedRevenue
from dashboards.wording.money import dollars
from deploy.settings import Settings
from processors.runtime.store.warehouse import Warehouse
from tests.commands.run import Catwalk, catwalk
from tests.console.books import store_of
from tests.console.decided import decided
from tests.console.refolded import refolded
from tests.console.test_revenue import DAY

__all__ = ["catwalk"]  # a fixture


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with store_of(tmp_path_factory.mktemp("play")) as held, refolded(held, "1", decided):
        yield held


@pytest.fixture(autouse=True)
def read_from(store: Warehouse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands read this store in place of the data folder's."""

    @contextmanager
    def records(_settings: Settings) -> Iterator[Warehouse]:
        yield store

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path / "data"))
    for command in (deploy.cli.report.revenue, deploy.cli.report.month):
        monkeypatch.setattr(command, "records", records)


def test_every_form_of_the_day_has_the_play(catwalk: Catwalk, store: Warehouse, tmp_path: Path) -> None:
    sums = statement(store, WantedRevenue(day=DAY)).total.figures
    told = {"play": sums.play_cents, "play_handle": sums.play_handle_cents, "luck": sums.luck_cents}
    assert sums.play_cents != 0
    asked = ("report", "revenue", "--day", DAY)
    total = catwalk(*asked).json["total"]
    assert {name: total[name] for name in told} == told
    *_, last = csv.DictReader(io.StringIO(catwalk(*asked, "--format", "csv").out))
    assert {name: round(100 * float(last[name])) for name in told} == told
    assert catwalk(*asked, "--format", "xlsx", "--out", "day.xlsx").status == 0
    heads, *_, cells = openpyxl.load_workbook(tmp_path / "day.xlsx", data_only=True)["by table"].iter_rows(
        values_only=True
    )
    row = dict(zip(heads, cells, strict=True))
    assert {name: round(100 * float(str(row[name]))) for name in told} == told
    assert catwalk(*asked, "--format", "pdf", "--out", "day.pdf").status == 0
    printed = text_of(tmp_path / "day.pdf")
    assert all(dollars(cents or 0) in printed for cents in told.values())


def test_the_month_has_the_play_of_its_days(catwalk: Catwalk, store: Warehouse, tmp_path: Path) -> None:
    wanted = WantedRevenue(day=DAY.replace(day=31), period="month", by="day")
    sums = statement(store, wanted).total.figures
    asked = ("report", "month", "--month", f"{DAY:%Y-%m}")
    total = catwalk(*asked).json["month"]["revenue"]["total"]
    assert (total["play"], total["luck"]) == (sums.play_cents, sums.luck_cents)
    assert catwalk(*asked, "--format", "xlsx", "--out", "month.xlsx").status == 0
    heads, *rows = openpyxl.load_workbook(tmp_path / "month.xlsx", data_only=True)["days"].iter_rows(
        values_only=True
    )
    column = heads.index("play")
    (totals, *_) = (row for row in rows if "total" in row)
    assert round(100 * float(str(totals[column]))) == sums.play_cents != 0
    assert catwalk(*asked, "--format", "pdf", "--out", "month.pdf").status == 0
    printed = text_of(tmp_path / "month.pdf")
    for name, cents in (
        ("Play", sums.play_cents),
        ("Luck", sums.luck_cents or 0),
        ("Handle whose play is worked out", sums.play_handle_cents),
    ):
        assert f"{name} {dollars(cents)}" in printed


def text_of(path: Path) -> str:
    return " ".join("".join(page.extract_text() for page in pypdf.PdfReader(path).pages).split())

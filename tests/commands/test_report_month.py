"""`catwalk report month`: one month out of a real ledger, beside the month before."""

from pathlib import Path

import pypdf
import pytest

from tests.commands.run import Catwalk, catwalk
from tests.commands.test_report_revenue import MONTH, floor
from tests.console.month_workbook import require_told

__all__ = ["catwalk", "floor"]  # fixtures


def test_a_month_is_told_as_json_as_a_workbook_and_as_pdf(floor: Path, catwalk: Catwalk) -> None:
    told = catwalk("report", "month", "--month", "2026-03")
    assert told.status == 0, told.err
    revenue = catwalk("report", "revenue", *MONTH, "--by", "day").json
    month, before = told.json["month"], told.json["before"]
    assert month["revenue"] == revenue
    assert (month["month"], before["month"], before["revenue"]["total"]["rounds"]) == (
        "2026-03",
        "2026-02",
        0,
    )
    assert month["since"] == before["until"]
    assert (month["alerts"], month["disputes"]) == (None, None), "no console was ever started"
    assert catwalk("report", "month", "--month", "2026-03", "--format", "pdf", "--out", "m.pdf").status == 0
    printed = " ".join(page.extract_text() for page in pypdf.PdfReader(floor / "m.pdf").pages)
    for heading in ("Gaming days", "Beside the month before", "Irregularities", "Disputes", "Devices"):
        assert heading in printed
    assert catwalk("report", "month", "--month", "2026-03", "--format", "xlsx", "--out", "m.xlsx").status == 0
    require_told((floor / "m.xlsx").read_bytes(), told.json)
    first = (floor / "m.pdf").read_bytes()
    catwalk("report", "month", "--month", "2026-03", "--format", "pdf", "--out", "again.pdf")
    assert (floor / "again.pdf").read_bytes() == first


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (("--month", "2026-13"), "2026-13"),
        (("--month", "2026-03-02"), "2026-03-02"),
        (("--month", "2026-03", "--format", "pdf"), "name a file: --out month.pdf"),
        (("--month", "2026-03", "--format", "xlsx"), "name a file: --out month.xlsx"),
        (("--month", "0001-01"), "no books are kept of"),
    ],
)
def test_what_cannot_be_reported_says_why(catwalk: Catwalk, given: tuple[str, ...], why: str) -> None:
    told = catwalk("report", "month", *given)
    assert (told.status, why in told.err) == (2, True), told.err

"""The month's report as a file: a workbook or a PDF."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from dashboards.monthly.figures import MonthReport
from dashboards.monthly.printed import as_pdf
from dashboards.monthly.workbook import as_workbook

MonthForm = Literal["pdf", "xlsx"]


def month_file(made: MonthReport, form: MonthForm, zone: dt.tzinfo, who: str) -> bytes:
    """The report in a form; a PDF says who had it made, and its times are those of the zone."""
    return as_workbook(made) if form == "xlsx" else as_pdf(made, zone, who)

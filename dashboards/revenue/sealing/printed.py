"""Sealed figures on paper: the report as it was signed for, by whom, when, and where its record stands."""

from __future__ import annotations

from dashboards.ledger.seals import Seal
from dashboards.revenue.filing.line import RevenueReport
from dashboards.revenue.filing.printed import as_pdf
from dashboards.wording.times import in_utc


def sealed_pdf(seal: Seal, report: RevenueReport) -> bytes:
    """The report as PDF; the same seal is always the same bytes."""
    facts = [
        ("Sealed by", seal.by),
        ("Sealed at", in_utc(seal.at)),
        ("Record of the desk", f"{seal.sequence}, SHA-256 {seal.hash}"),
    ]
    return as_pdf(report, None, [*facts, *([("Note", seal.note)] if seal.note else [])])

"""The same gaming days told apart by everything there is: the sheets of a workbook."""

from __future__ import annotations

from msgspec.structs import replace

from dashboards.accounts.visibility import DenyList
from dashboards.reader.question import Reader
from dashboards.revenue.books import statement
from dashboards.revenue.filing.line import RevenueReport, report_of
from dashboards.revenue.wanted import BYS, WantedRevenue


def divided(reader: Reader, wanted: WantedRevenue, withheld: DenyList = frozenset()) -> list[RevenueReport]:
    """A report by each division, without what is withheld, the wanted one first.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    bys = (wanted.by, *(by for by in BYS if by != wanted.by))
    return [report_of(statement(reader, replace(wanted, by=by), withheld)) for by in bys]

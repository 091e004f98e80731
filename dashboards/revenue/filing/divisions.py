"""The same gaming days told apart by everything there is: the sheets of a workbook."""

from __future__ import annotations

from msgspec.structs import replace

from dashboards.accounts.visibility import DenyList
from dashboards.reader.question import Reader
from dashboards.revenue.books import statement
from dashboards.revenue.filing.line import RevenueReport, report_of
from dashboards.revenue.statement import RevenueStatement
from dashboards.revenue.wanted import BYS


def divided(reader: Reader, made: RevenueStatement, withheld: DenyList = frozenset()) -> list[RevenueReport]:
    """The report of a statement, and behind it one by each other division, without what is withheld.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    others = (replace(made.wanted, by=by) for by in BYS if by != made.wanted.by)
    return [report_of(made), *(report_of(statement(reader, wanted, withheld)) for wanted in others)]

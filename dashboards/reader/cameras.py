"""Which cameras look at a table, by its configurations as they followed one another."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from dashboards.reader.cash import told
from dashboards.reader.question import Question, columns

MOST_OF_A_TABLE = 50  # the newest: of one before them it is not said


class CamerasRow(Struct, frozen=True):
    """From event `sequence` of a table on, these cameras look at it; empty where none is named."""

    subject: str
    sequence: int
    cameras: list[str]


def cameras(subjects: Sequence[str]) -> Question[CamerasRow]:
    """The newest configurations of these tables, the newest first."""
    sql = f"""
        SELECT {columns(CamerasRow, cameras="JSONExtract(line, 'data', 'cameras', 'Array(String)')")}
        FROM ({told(("table_configured",), "subject IN {subjects:Array(String)}")})
        ORDER BY subject, sequence DESC LIMIT {{most:UInt32}} BY subject
    """
    return Question(CamerasRow, sql, {"subjects": tuple(subjects), "most": MOST_OF_A_TABLE})

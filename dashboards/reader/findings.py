"""Findings of a round as the store holds them."""

from __future__ import annotations

from msgspec import Struct

from dashboards.reader.question import Question, stored


class FindingRow(Struct, frozen=True):
    """One finding; `record` is its whole line as JSON, with expected, observed and evidence."""

    sequence: int
    finding_id: str
    record: str


def findings_of_round(subject: str, number: int, first: int, last: int) -> Question[FindingRow]:
    """Findings made in a round's stretch of the record, and those about its number that were made after it."""
    rest = (
        "WHERE subject = {subject:String} AND (sequence BETWEEN {first:UInt32} AND {last:UInt32}"
        " OR (round = {round:UInt32} AND sequence > {last:UInt32})) ORDER BY sequence, ordinal, finding_id"
    )
    return stored(
        FindingRow, "findings", rest, {"subject": subject, "round": number, "first": first, "last": last}
    )

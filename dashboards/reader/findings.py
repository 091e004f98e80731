"""Alerts and findings: the newest first, by severity, table, clause or check; one; those of a round."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from msgspec import Struct

from dashboards.reader.question import Parameter, Question

MOST = 500
_COLUMNS = (
    "subject, sequence, finding_id, decided_at, round, seat, hand, check_id, cites, verdict, severity,"
    " money_cents, message, record"
)
VERDICTS = ("breached", "indeterminate", "interpretation", "suspected")
SEVERITIES = ("critical", "major", "minor", "info")


class FindingRow(Struct, frozen=True):
    """One finding; `record` is its whole line as JSON, with expected, observed and evidence."""

    subject: str
    sequence: int
    finding_id: str
    decided_at: dt.datetime
    round: int | None
    seat: int | None
    hand: str | None
    check_id: str
    cites: tuple[str, ...]
    verdict: str
    severity: str
    money_cents: int
    message: str
    record: str


def alerts(
    since: dt.datetime,
    until: dt.datetime,
    *,
    verdicts: Sequence[str] = VERDICTS,
    severities: Sequence[str] = SEVERITIES,
    subject: str | None = None,
    clause: str | None = None,
    check: str | None = None,
    before: tuple[dt.datetime, str] | None = None,
    most: int = 100,
) -> Question[FindingRow]:
    """Findings decided from `since` to `until`, newest first.

    The span chooses the months that are read. `before` is the time and id of the last one that was shown: the
    answer goes on behind it, and no finding is shown twice or left out when others come meanwhile.
    """
    terms = ["decided_at >= {since:DateTime64(6, 'UTC')}", "decided_at <= {until:DateTime64(6, 'UTC')}"]
    given: dict[str, Parameter] = {"since": since, "until": until, "most": min(most, MOST)}
    for name, chosen, all_of_them in (("verdict", verdicts, VERDICTS), ("severity", severities, SEVERITIES)):
        if set(chosen) != set(all_of_them):
            terms.append(f"has({{{name}:Array(String)}}, {name})")
            given[name] = tuple(chosen)
    if subject is not None:
        terms.append("subject = {subject:String}")
        given["subject"] = subject
    if clause is not None:
        terms.append("has(cites, {clause:String})")
        given["clause"] = clause
    if check is not None:
        terms.append("check_id = {check:String}")
        given["check"] = check
    if before is not None:
        terms.append("(decided_at, finding_id) < ({at:DateTime64(6, 'UTC')}, {id:String})")
        given["at"], given["id"] = before
    sql = (
        f"SELECT {_COLUMNS} FROM findings FINAL WHERE {' AND '.join(terms)}"
        " ORDER BY decided_at DESC, finding_id DESC LIMIT {most:UInt32}"
    )
    return Question(FindingRow, sql, given)


def findings_of_clause(
    clause: str, since: dt.datetime, until: dt.datetime, most: int = 100
) -> Question[FindingRow]:
    """Findings that rest on a clause, newest first."""
    return alerts(since, until, clause=clause, most=most)


def finding(subject: str, sequence: int, finding_id: str) -> Question[FindingRow]:
    """One finding by the whole of its key: it is found without a search."""
    sql = (
        f"SELECT {_COLUMNS} FROM findings FINAL WHERE subject = {{subject:String}}"
        " AND sequence = {sequence:UInt32} AND finding_id = {id:String}"
    )
    return Question(FindingRow, sql, {"subject": subject, "sequence": sequence, "id": finding_id})


def findings_of_round(subject: str, number: int, first: int, last: int) -> Question[FindingRow]:
    """Findings made in a round's stretch of the record, and those about its number that were made after it."""
    sql = (
        f"SELECT {_COLUMNS} FROM findings FINAL WHERE subject = {{subject:String}}"
        " AND (sequence BETWEEN {first:UInt32} AND {last:UInt32}"
        " OR (round = {round:UInt32} AND sequence > {last:UInt32})) ORDER BY sequence, ordinal, finding_id"
    )
    return Question(FindingRow, sql, {"subject": subject, "round": number, "first": first, "last": last})


def findings_between(subject: str, first: int, last: int) -> Question[FindingRow]:
    """Findings of a stretch of a table's record, in the order in which they were made."""
    sql = (
        f"SELECT {_COLUMNS} FROM findings FINAL WHERE subject = {{subject:String}}"
        " AND sequence BETWEEN {first:UInt32} AND {last:UInt32} ORDER BY sequence, ordinal, finding_id"
    )
    return Question(FindingRow, sql, {"subject": subject, "first": first, "last": last})

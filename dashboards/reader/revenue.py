"""Revenue: what each table's stakes of a gaming day come to, and what the analyst counted beside it."""

from __future__ import annotations

import datetime as dt

from msgspec import Struct

from dashboards.reader.question import Question


class RevenueRow(Struct, frozen=True):
    """One kind of stake at one table in one gaming day, in cents; wins are the house's.

    `actual` is what was seen, `due` what the rules ask; `unknown` counts stakes of which one is not known.
    """

    gaming_day: dt.date
    property: str | None
    subject: str
    ruleset: str | None
    kind: str
    rounds: int
    stakes: int
    handle_cents: int
    paid_cents: int
    collected_cents: int
    actual_win_cents: int
    due_win_cents: int
    unknown: int


class CounterRow(Struct, frozen=True):
    """One row of the analyst's counters, by day, table, ruleset and dealer."""

    gaming_day: dt.date
    subject: str
    ruleset: str
    dealer: str
    rounds: int
    hands: int
    handle_cents: int
    net_cents: int
    judged: int
    overpaid: int
    overpaid_cents: int
    underpaid: int
    underpaid_cents: int
    paces: int
    pace_ms: int
    breached: int
    indeterminate: int
    interpretation: int
    suspected: int


def _win(side: str) -> str:
    """House's win of a stake as one side has it."""
    return (
        f"multiIf({side}_outcome = 'collect', ifNull({side}_cents, 0),"
        f" {side}_outcome = 'pay', -ifNull({side}_cents, 0), 0)"
    )


def revenue(first: dt.date, last: dt.date, subject: str | None = None) -> Question[RevenueRow]:
    """What stakes come to from one gaming day to another, by day, table and kind of stake.

    Gaming days are no calendar days: rounds are read from the day before to two days behind, which is where a
    day's rounds can lie, and chosen by the gaming day they name.
    """
    table = " AND subject = {subject:String}" if subject is not None else ""
    span = "decided_at BETWEEN toDateTime64({first:Date32}, 6, 'UTC') - INTERVAL 1 DAY" \
           " AND toDateTime64({last:Date32}, 6, 'UTC') + INTERVAL 3 DAY"  # fmt: skip
    sql = f"""
        SELECT r.gaming_day, any(r.property), s.subject, r.ruleset, s.kind,
               toUInt64(uniqExact(s.round, s.first_sequence)), toUInt64(count()), sum(s.staked_cents),
               sumIf(ifNull(s.observed_cents, 0), s.observed_outcome = 'pay'),
               sumIf(ifNull(s.observed_cents, 0), s.observed_outcome = 'collect'),
               sum({_win("s.observed")}), sum({_win("s.expected")}),
               toUInt64(countIf(isNull(s.observed_outcome) OR isNull(s.expected_outcome)))
        FROM (SELECT * FROM stakes FINAL WHERE {span}{table}) AS s
        INNER JOIN (SELECT subject, round, first_sequence, assumeNotNull(gaming_day) AS gaming_day, property, ruleset
                    FROM rounds FINAL
                    WHERE {span}{table} AND gaming_day BETWEEN {{first:Date32}} AND {{last:Date32}}) AS r
            ON r.subject = s.subject AND r.round = s.round AND r.first_sequence = s.first_sequence
        GROUP BY r.gaming_day, s.subject, r.ruleset, s.kind
        ORDER BY r.gaming_day, s.subject, r.ruleset, s.kind
    """
    parameters = {"first": first, "last": last} | ({"subject": subject} if subject is not None else {})
    return Question(RevenueRow, sql, parameters)


def counters(first: dt.date, last: dt.date) -> Question[CounterRow]:
    """The analyst's counters of these gaming days; empty where no analyst runs."""
    columns = (
        "gaming_day, subject, ruleset, dealer, rounds, hands, handle_cents, net_cents, judged, overpaid,"
        " overpaid_cents, underpaid, underpaid_cents, paces, pace_ms, breached, indeterminate, interpretation,"
        " suspected"
    )
    sql = (
        f"SELECT {columns} FROM counters FINAL WHERE gaming_day BETWEEN {{first:Date32}} AND {{last:Date32}}"
        " ORDER BY gaming_day, subject, ruleset, dealer"
    )
    return Question(CounterRow, sql, {"first": first, "last": last})

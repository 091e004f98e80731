"""Views for people who ask the store by themselves: each row once, as it stands, without versions or `FINAL`.

A condition on `subject`, or on `decided_at`, is handed down to the relation behind a view, which then reads no other
table's rows and no other month's. Revenue is asked with a span of gaming days, because these are no calendar days and
stakes do not name them: `revenue_by_table_and_day(first = '2026-03-02', last = '2026-03-08')`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from schemas.warehouse.relation import DAY, Column, Relation
from schemas.warehouse.relations import FINDINGS, HANDS, OF_FINDINGS, OF_ROUNDS, ROUNDS, STAKES

_OF_MACHINES = ("fold_version", "row_hash", "record", "head")


@dataclass(frozen=True, slots=True)
class View:
    """A view: its columns with types and comments, and the SQL behind it, in which `{database}` stands for the store's.

    `parameters` are those that whoever asks has to give, with their types.
    """

    name: str
    grain: str
    columns: tuple[Column, ...]
    sql: str
    parameters: tuple[tuple[str, str], ...] = ()


Chosen = dict[Column, str]
"""Columns, each with its SQL over the relation `r`."""


def _plain(*columns: Column) -> Chosen:
    """Columns that people may read; how they are compressed is the relation's affair."""
    return {
        Column(column.name, column.type, column.comment): f"r.`{column.name}`"
        for column in columns
        if column.name not in _OF_MACHINES
    }


def _select(chosen: Chosen) -> str:
    return "SELECT " + ", ".join(f"{value} AS `{column.name}`" for column, value in chosen.items())


def _current(relation: Relation, grain: str, chosen: Chosen) -> View:
    sql = f"{_select(chosen)} FROM {{database}}.`{relation.name}` AS r FINAL"
    return View(f"current_{relation.name}", grain, tuple(chosen), sql)


def patron_cents(side: str, of: str = "") -> str:
    """SQL for what a stake brought its patron, as one side has it; `of` is put before each column.

    It says what `schemas.rounds.Settlement.patron_cents` says, and 0 where the side has nothing.
    """
    cents, outcome, staked = f"ifNull({of}{side}_cents, 0)", f"{of}{side}_outcome", f"{of}staked_cents"
    return (
        f"multiIf({outcome} = 'pay', {cents}, {outcome} = 'collect', -{cents},"
        f" {outcome} = 'return' AND {staked} != 0, {cents} - {staked}, 0)"
    )


def _first_patrons(side: str) -> str:
    """What a stake brought its patron, without what is returned otherwise than it was staked."""
    cents, outcome = f"r.{side}_cents", f"r.{side}_outcome"
    return f"multiIf({outcome} = 'pay', {cents}, {outcome} = 'collect', -{cents}, 0)"


def _overpaid(patrons: Callable[[str], str]) -> str:
    return (
        "if(r.observed_outcome IS NOT NULL AND r.expected_outcome IS NOT NULL,"
        f" {patrons('observed')} - {patrons('expected')}, NULL)"
    )


_OVERPAID = Column(
    "overpaid_cents",
    "Nullable(Int64)",
    "patron's view: + paid more or taken less than the rules ask, - the reverse; null: one of the two is not known",
)
_KEY = "subject, round, first_sequence"
# A gaming day's rounds lie from the day before it to two days behind.
_SPAN = (
    "decided_at BETWEEN toDateTime64({{first:Date32}}, 6, 'UTC') - INTERVAL 1 DAY"
    " AND toDateTime64({{last:Date32}}, 6, 'UTC') + INTERVAL 3 DAY"
)
_SEEN = "sumIf(ifNull(r.observed_cents, 0), r.observed_outcome = '{outcome}')"


def _by_round(paid: str, collected: str, overpaid: str) -> str:
    return f"""
    SELECT r.subject AS subject, r.round AS round, r.first_sequence AS first_sequence,
           countIf(r.kind != 'lammer') AS stakes, sumIf(r.staked_cents, r.kind != 'lammer') AS staked,
           {paid} AS paid, {collected} AS collected,
           countIf(isNull(r.observed_outcome)) AS unknown, count({overpaid}) AS judged,
           ifNull(sumIf({overpaid}, {overpaid} > 0), 0) AS over,
           ifNull(sumIf(-{overpaid}, {overpaid} < 0), 0) AS under
    FROM {{database}}.stakes AS r FINAL WHERE {_SPAN} GROUP BY {_KEY}
"""


_REVENUE: Chosen = {
    Column(
        "property", "LowCardinality(Nullable(String))", "property that the table's configuration names"
    ): "r.property",
    Column("gaming_day", DAY, "accounting day"): "assumeNotNull(r.gaming_day)",
    Column("subject", "LowCardinality(String)", "gaming table"): "r.subject",
    Column(
        "ruleset", "LowCardinality(Nullable(String))", "rules in force; null where not known"
    ): "r.ruleset",
    Column("rounds", "UInt64", "rounds reconstructed"): "count()",
    Column("rounds_breached", "UInt64", "of them, breached"): "countIf(r.status = 'breached')",
    Column("rounds_indeterminate", "UInt64", "of them, indeterminate"): "countIf(r.status = 'indeterminate')",
    Column("rounds_void", "UInt64", "of them, void"): "countIf(r.status = 'void')",
    Column("stakes", "UInt64", "patrons' stakes; lammers are none"): "sum(s.stakes)",
    Column("handle_cents", "Int64", "money that patrons staked in rounds that were not void"): (
        "sumIf(s.staked, r.status != 'void')"
    ),
    Column("paid_cents", "Int64", "winnings seen paid, those of lammers too"): "sum(s.paid)",
    Column("collected_cents", "Int64", "stakes seen taken"): "sum(s.collected)",
    Column(
        "win_cents", "Int64", "the house's of these stakes: collected less paid; no drop, fill or credit"
    ): ("sum(s.collected) - sum(s.paid)"),
    Column(
        "unknown", "UInt64", "stakes of which nothing was seen to come: the win lacks them"
    ): "sum(s.unknown)",
    Column(
        "judged", "UInt64", "stakes of which both what was due and what was done are known"
    ): "sum(s.judged)",
    Column("overpaid_cents", "Int64", "of these, paid more or taken less than the rules ask"): "sum(s.over)",
    Column(
        "underpaid_cents", "Int64", "of these, paid less or taken more than the rules ask"
    ): "sum(s.under)",
}
_DAYS = "gaming_day BETWEEN {{first:Date32}} AND {{last:Date32}}"


def _stakes(overpaid: str) -> View:
    chosen = _plain(*STAKES.columns) | {_OVERPAID: overpaid}
    return _current(STAKES, "one row for each stake of a round as it stands", chosen)


def _revenue(by_round: str) -> View:
    return View(
        "revenue_by_table_and_day",
        "one row for each gaming day from `first` to `last`, table and ruleset: what its stakes came to, as was seen",
        tuple(_REVENUE),
        f"""{_select(_REVENUE)}
FROM (SELECT {_KEY}, property, gaming_day, ruleset, status
      FROM {{database}}.rounds FINAL WHERE {_DAYS} AND {_SPAN}) AS r
LEFT JOIN ({by_round}) AS s
    ON r.subject = s.subject AND r.round = s.round AND r.first_sequence = s.first_sequence
GROUP BY r.property, r.gaming_day, r.subject, r.ruleset""",
        (("first", DAY), ("last", DAY)),
    )


_FIRST = _overpaid(_first_patrons)
FIRST_VIEWS = (
    _current(ROUNDS, "one row for each round as it stands", _plain(*ROUNDS.columns, *OF_ROUNDS)),
    _current(HANDS, "one row for each hand of a round as it stands", _plain(*HANDS.columns)),
    _stakes(_FIRST),
    _current(FINDINGS, "one row for each finding as it stands", _plain(*FINDINGS.columns, *OF_FINDINGS)),
    _revenue(_by_round(_SEEN.format(outcome="pay"), _SEEN.format(outcome="collect"), _FIRST)),
)
"""The views of migration 5: there the return of more or less than the stake moved no money."""
_BROUGHT = patron_cents("observed", "r.")
_NOW = _overpaid(lambda side: patron_cents(side, "r."))
VIEWS_OF_MONEY = (
    _stakes(_NOW),
    _revenue(_by_round(f"sumIf({_BROUGHT}, {_BROUGHT} > 0)", f"sumIf(-({_BROUGHT}), {_BROUGHT} < 0)", _NOW)),
)

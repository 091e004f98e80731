"""What was found at the tables between two moments, by check, and the tables whose devices failed."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from dashboards.accounts.visibility import DenyList
from dashboards.reader.question import MOMENT, Parameter, Question, Reader, columns
from schemas.check_names import current

DutyOf = Callable[[str], str]
"""What a check holds tables to, in a sentence, by the id of the check."""
DEVICES = "integrity.device"
_MOMENTS = f"decided_at >= {{since:{MOMENT}}} AND decided_at < {{until:{MOMENT}}}"
_SPAN = f"{_MOMENTS} AND NOT has({{tables:Array(String)}}, subject)"
# A finding of a round under a withheld dealer, and one that names a withheld dealer or patron, is nobody's to count.
_ABOUT = (
    " AND NOT has({dealers:Array(String)}, JSONExtractString(record, 'about', 'dealer'))"
    " AND NOT has({patrons:Array(String)}, JSONExtractString(record, 'about', 'player'))"
)
_NEAR = f"decided_at BETWEEN {{since:{MOMENT}}} - INTERVAL 1 DAY AND {{until:{MOMENT}}} + INTERVAL 1 DAY"
_COUNTS = ("proven", "by_one_reading", "not_proven", "suspected", "owed", "overpaid")


class CheckRow(Struct, frozen=True):
    """The findings of one check; `clauses` and `subjects` (the tables) each once, money in cents, of proven ones."""

    check_id: str
    clauses: Sequence[str]
    subjects: Sequence[str]
    proven: int
    by_one_reading: int
    not_proven: int
    suspected: int
    owed: int
    overpaid: int


class RoundsRow(Struct, frozen=True):
    """The rounds of a table, and those of them that cannot be decided."""

    subject: str
    rounds: int
    undecided: int


class FailureRow(Struct, frozen=True):
    """Findings about the devices of a table: each names a device for a stretch."""

    subject: str
    failures: int


class Irregularity(Struct, frozen=True, kw_only=True):
    """What was found by one check; `owed` to patrons and `overpaid`, in cents, are what its proven findings state.

    `duty` is what the check holds tables to. A stake of which two checks state money counts in both.
    """

    check: str
    duty: str
    clauses: tuple[str, ...]
    tables: int
    proven: int
    by_one_reading: int
    not_proven: int
    suspected: int
    owed: int
    overpaid: int


class TableDevices(Struct, frozen=True, kw_only=True):
    """A table at which a device failed or a round cannot be decided: how often, and of how many rounds."""

    table: str
    failures: int
    rounds: int
    undecided: int


class Span(Struct, frozen=True, kw_only=True):
    """From one moment to before another: all that was found, without what is `withheld` (kinds and names)."""

    since: dt.datetime
    until: dt.datetime
    withheld: DenyList = frozenset()

    def names(self, kind: str) -> tuple[str, ...]:
        """What of this kind is withheld."""
        return tuple(sorted(name for what, name in self.withheld if what == kind))

    @property
    def parameters(self) -> dict[str, Parameter]:
        """As questions name them."""
        return {
            "since": self.since,
            "until": self.until,
            "tables": self.names("table"),
            "dealers": self.names("dealer"),
            "patrons": self.names("patron"),
            "alerts": self.names("alert"),
        }


def irregularities(reader: Reader, span: Span, duty_of: DutyOf) -> tuple[Irregularity, ...]:
    """By check, those about devices left out: what is proven most first, then by name."""
    held: defaultdict[str, list[CheckRow]] = defaultdict(list)
    for row in _found(span).ask(reader):
        held[current(row.check_id)].append(row)
    held.pop(DEVICES, None)
    told = (_irregularity(check, duty_of(check), rows) for check, rows in held.items())
    return tuple(sorted(told, key=lambda one: (-one.proven, one.check)))


def devices(reader: Reader, span: Span) -> tuple[TableDevices, ...]:
    """The tables at which a device failed or a round cannot be decided, by name."""
    failures = {row.subject: row.failures for row in _failed(span).ask(reader)}
    rounds = {row.subject: row for row in _dealt(span).ask(reader)}
    subjects = sorted({*failures, *(row.subject for row in rounds.values() if row.undecided)})
    return tuple(
        TableDevices(
            table=subject,
            failures=failures.get(subject, 0),
            rounds=rounds[subject].rounds if subject in rounds else 0,
            undecided=rounds[subject].undecided if subject in rounds else 0,
        )
        for subject in subjects
    )


def _irregularity(check: str, duty: str, rows: Iterable[CheckRow]) -> Irregularity:
    """Findings under the present and the former ids of a check, as one."""
    rows = tuple(rows)
    provisions = {one for row in rows for one in row.clauses}
    return Irregularity(
        check=check,
        duty=duty,
        clauses=tuple(sorted({one.partition("#")[0] for one in provisions})),
        tables=len({one for row in rows for one in row.subjects}),
        **{name: sum(getattr(row, name) for row in rows) for name in _COUNTS},
    )


def _found(span: Span) -> Question[CheckRow]:
    chosen = columns(
        CheckRow,
        clauses="arraySort(groupUniqArrayArray(cites))",
        subjects="groupUniqArray(subject)",
        proven="toUInt64(countIf(verdict = 'breached'))",
        by_one_reading="toUInt64(countIf(verdict = 'interpretation'))",
        not_proven="toUInt64(countIf(verdict = 'indeterminate'))",
        suspected="toUInt64(countIf(verdict = 'suspected'))",
        owed="sumIf(money_cents, verdict = 'breached' AND money_cents > 0)",
        overpaid="-sumIf(money_cents, verdict = 'breached' AND money_cents < 0)",
    )
    given = span.parameters
    rows = (
        "SELECT subject, sequence, toUInt32(ifNull(round, 0)) AS number, check_id, cites, verdict, money_cents"
        f" FROM findings FINAL WHERE {_SPAN} AND NOT has({{alerts:Array(String)}}, finding_id)"
    )
    rows += _ABOUT if given["dealers"] or given["patrons"] else ""
    if given["dealers"]:
        # A table may deal two rounds of one number: a finding is of the last that had begun.
        rounds = f"SELECT subject, round AS number, first_sequence, dealer FROM rounds FINAL WHERE {_NEAR}"
        of_finding = "f.subject AS subject, f.check_id AS check_id, f.cites AS cites, f.verdict AS verdict"
        rows = (
            f"SELECT {of_finding}, f.money_cents AS money_cents FROM ({rows}) AS f ASOF LEFT JOIN ({rounds}) AS r"
            " ON f.subject = r.subject AND f.number = r.number AND f.sequence >= r.first_sequence"
            " WHERE NOT has({dealers:Array(String)}, ifNull(r.dealer, ''))"
        )
    return Question(CheckRow, f"SELECT {chosen} FROM ({rows}) GROUP BY check_id ORDER BY check_id", given)


def _failed(span: Span) -> Question[FailureRow]:
    sql = (
        f"SELECT {columns(FailureRow, failures='toUInt64(count())')} FROM findings FINAL"
        # The end of a stretch is told as a finding of its own, which is no second failure.
        f" WHERE check_id = {{check:String}} AND severity != 'info' AND {_SPAN} GROUP BY subject ORDER BY subject"
    )
    return Question(FailureRow, sql, {**span.parameters, "check": DEVICES})


def _dealt(span: Span) -> Question[RoundsRow]:
    chosen = columns(
        RoundsRow,
        rounds="toUInt64(count())",
        undecided="toUInt64(countIf(status = 'indeterminate'))",
    )
    theirs = f"{_SPAN} AND NOT has({{dealers:Array(String)}}, ifNull(dealer, ''))"
    sql = f"SELECT {chosen} FROM rounds FINAL WHERE {theirs} GROUP BY subject ORDER BY subject"
    return Question(RoundsRow, sql, span.parameters)

"""The gaming floor as a terminal shows it: tables, alerts and totals, and how they are put into words."""

from __future__ import annotations

import datetime as dt
from collections import deque
from dataclasses import dataclass, field

from dashboards.wording.money import figures, owed
from dashboards.wording.times import in_zone
from processors.core.state import Table
from schemas.amounts import amount
from schemas.findings import Finding

_KEPT = 200  # alerts, more than any terminal has lines


@dataclass(slots=True)
class TerminalLine:
    """One gaming table; `behind` counts records that are not folded yet."""

    subject: str
    state: Table | None = None
    last_event: str = ""
    behind: int = 0
    findings: int = 0


@dataclass(frozen=True, slots=True)
class TerminalAlert:
    """One finding, at the time of its event in the property's zone."""

    at: dt.datetime
    finding: Finding


@dataclass(slots=True)
class Floor:
    """Everything that is shown."""

    title: str
    hint: str
    note: str = ""
    tables: dict[str, TerminalLine] = field(default_factory=dict)
    alerts: deque[TerminalAlert] = field(default_factory=lambda: deque(maxlen=_KEPT))
    events: int = 0
    rounds: int = 0
    findings: int = 0
    events_per_second: float = 0.0
    rows_stored: int = 0

    def table(self, subject: str) -> TerminalLine:
        """The line of a table, new if the table is."""
        return self.tables.setdefault(subject, TerminalLine(subject))

    def count(self, finding: Finding) -> None:
        """Count a finding of a table."""
        self.table(finding.subject).findings += 1
        self.findings += 1

    def raise_alert(self, finding: Finding, at: dt.datetime) -> TerminalAlert:
        """Count a finding and put it on top; `at` is the time of its event."""
        self.count(finding)
        alert = TerminalAlert(in_zone(at, self.table(finding.subject).state), finding)
        self.alerts.appendleft(alert)
        return alert


def printable(text: str) -> str:
    """The text without anything a terminal would obey: what a record says is shown, never followed."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def dollars(cents: int) -> str:
    """`$1,234.50`, the sign before the currency."""
    return f"{'-' if cents < 0 else ''}{figures(cents, '$')}"


def money(finding: Finding) -> str:
    """What a finding is worth: `owed to patron $15.00`, `overpaid $7.50`, or nothing."""
    return owed(finding.money_cents)


def clause(finding: Finding) -> str:
    """The clauses a finding cites, or the check where it cites none."""
    return ", ".join(finding.cites) if finding.cites else finding.check


def place(finding: Finding) -> str:
    """Seat or hand it concerns, as staff say it."""
    if isinstance(finding.hand, str):
        return "dealer" if finding.hand == "D" else f"hand {finding.hand}"
    return f"seat {finding.seat}" if isinstance(finding.seat, int) else ""


def alert_line(alert: TerminalAlert) -> str:
    """An alert in one line, for files and pipes."""
    finding = alert.finding
    round_ = f"round {finding.round}" if finding.round is not None else "between rounds"
    where = " ".join(part for part in (finding.subject, round_, place(finding)) if part)
    parts = [f"{alert.at:%Y-%m-%d %H:%M:%S}", finding.severity, finding.verdict, where, clause(finding)]
    return printable("  ".join(part for part in (*parts, money(finding), finding.message) if part))


def totals_line(floor: Floor) -> str:
    """The totals in one line."""
    return (
        f"{amount(len(floor.tables), 'table')}, {amount(floor.events, 'event')} ({floor.events_per_second:,.0f}/s),"
        f" {amount(floor.rounds, 'round')}, {amount(floor.findings, 'finding')},"
        f" {amount(floor.rows_stored, 'row')} stored"
    )

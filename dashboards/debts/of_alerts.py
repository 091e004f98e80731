"""The rounds of alerts with what the record owes in them; of several alerts by a few questions in all."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from dashboards.debts.begun import Begun, all_with, first_holding, parts, started
from dashboards.debts.settling import Debt
from dashboards.desk.alerts import Alert
from dashboards.reader.question import Reader, RecordsAway
from dashboards.reader.rounds import (
    EndedRow,
    RoundNumber,
    TableFindingRow,
    findings_of_rounds,
    rounds_numbered,
)
from dashboards.replayer.stakes import payout_check
from dashboards.web.console import Console
from schemas.findings import Finding
from schemas.rounds import RoundResult

_log = logging.getLogger("catwalk.console")
_Ended = Mapping[RoundNumber, Mapping[int, EndedRow]]


class RoundOfAlert(Struct, frozen=True, kw_only=True):
    """The round of an alert: its first event, its debts (None: its record is not there), all rounds of its number."""

    first: int
    debts: tuple[Debt, ...] | None
    begun: Begun


def rounds_of_alerts(console: Console, alerts: Iterable[Alert]) -> dict[str, RoundOfAlert]:
    """The rounds of alerts by the id of the alert, without alerts between rounds, and without what the store lacks."""
    of_round = [one for one in alerts if isinstance(one.finding.round, int)]
    try:
        return _rounds(console, of_round) if of_round else {}
    except Exception as error:  # whatever the store raises: an alert can be closed without it
        tables = sorted({one.finding.subject for one in of_round})
        if len(tables) > 1 and not isinstance(error, RecordsAway):  # the others may be had
            found: dict[str, RoundOfAlert] = {}
            for table in tables:
                found |= rounds_of_alerts(console, [one for one in of_round if one.finding.subject == table])
            return found
        first, more = of_round[0].id, len(of_round) - 1
        _log.warning("the debts of the round of alert %s and %s more cannot be had: %s", first, more, error)
        return {}


def _rounds(console: Console, alerts: Sequence[Alert]) -> dict[str, RoundOfAlert]:
    numbers = {one.id: (one.finding.subject, int(one.finding.round or 0)) for one in alerts}
    subjects = {subject for subject, _ in numbers.values()}
    going_on, ended = started(console.records, subjects), _ended(console.records, numbers.values())
    tables = console.states.now_of(subjects)
    firsts: dict[str, int] = {}
    for one in alerts:
        number = numbers[one.id]
        round_ = tables[number[0]].table.round if number[0] in tables else None
        at_table = [round_.first_sequence] if round_ is not None and round_.number == number[1] else []
        first = first_holding(dict.fromkeys([*ended.get(number, ()), *at_table]), one.finding.sequence)
        if first is not None:
            firsts[one.id] = first
    shown = {
        (row.subject, row.first_sequence): row
        for alert, first in firsts.items()
        if (row := ended.get(numbers[alert], {}).get(first)) is not None
    }
    debts = _debts(console.records, tuple(shown.values()))
    found = {}
    for alert, first in firsts.items():
        number = numbers[alert]
        place = number[0], first
        if place in debts or place not in shown:
            begun = {number: all_with(first, ended.get(number, ()), going_on.get(number, ()))}
            found[alert] = RoundOfAlert(first=first, debts=debts.get(place), begun=begun)
    return found


def _ended(reader: Reader, numbers: Iterable[RoundNumber]) -> _Ended:
    """The rounds of these numbers that ended, by number, and of each number in order by the first event."""
    found: dict[RoundNumber, dict[int, EndedRow]] = defaultdict(dict)
    for part in parts(sorted(set(numbers))):
        for row in rounds_numbered(part).ask(reader):
            found[row.subject, row.round][row.first_sequence] = row
    return found


def _debts(reader: Reader, rows: Sequence[EndedRow]) -> dict[tuple[str, int], tuple[Debt, ...]]:
    """What the record owes in these rounds, by table and first event; without rounds that cannot be read."""
    found: dict[tuple[str, int], tuple[Debt, ...]] = {}
    for part in parts(rows):
        told: dict[str, list[TableFindingRow]] = defaultdict(list)
        for one in findings_of_rounds(part).ask(reader):
            told[one.subject].append(one)
        for row in part:
            try:
                found[row.subject, row.first_sequence] = _debts_of(row, told[row.subject])
            except Exception as error:  # whatever the record holds: the others are read
                _log.warning(
                    "the debts of table %s round %s cannot be had: %s", row.subject, row.round, error
                )
    return found


def _debts_of(row: EndedRow, told: Iterable[TableFindingRow]) -> tuple[Debt, ...]:
    result = msgspec.json.decode(row.record, type=RoundResult)
    last, named = row.last_sequence, set(result.findings)
    findings = [
        msgspec.json.decode(one.record, type=Finding)
        for one in told
        if row.first_sequence <= one.sequence <= last
        or (one.sequence > last and one.round == row.round and one.finding_id in named)
    ]
    return tuple(
        Debt(seat=one.seat, hand=one.hand, player=None, owed=one.owed_cents, kind=one.kind)
        for one in payout_check(result, findings=findings)
    )

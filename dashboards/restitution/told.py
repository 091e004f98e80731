"""What findings say of the money of stakes: a stored stake alone does not tell an unpaid stake from an unseen one."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final

import msgspec

from dashboards.debts.begun import parts
from dashboards.debts.decided import RoundPlace
from dashboards.reader import restitution as asked
from dashboards.reader.question import Reader
from dashboards.reader.restitution import ClaimRow, StakePlace
from dashboards.replayer.stated import StatedMoney, stated_of
from dashboards.restitution.claims import expected, observed, place_of
from processors.games.named_stakes import MONEY_CHECKS, is_of
from schemas.findings import Finding

AT_ONCE: Final = 2_000  # rounds asked for at a time
_FINDING = msgspec.json.Decoder(Finding)


def stakes_of(reader: Reader, places: Iterable[RoundPlace]) -> Iterator[ClaimRow]:
    """Every stake of these rounds, table by table in the order of the record.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    for subject, of_table in groupby(sorted(places), lambda place: place[0]):
        for firsts in parts((first for _, first in of_table), AT_ONCE):
            yield from asked.of_rounds(subject, firsts).ask(reader)


def said_of(reader: Reader, rows: Iterable[ClaimRow]) -> dict[StakePlace, StatedMoney]:
    """What findings say of the money of these stakes, by the place of the stake; nothing of most.

    All stakes of a round are to be among the rows, or the lammers of a hand are not told apart.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    rounds: dict[str, dict[int, list[ClaimRow]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        rounds[row.subject][row.first_sequence].append(row)
    said: dict[StakePlace, StatedMoney] = {}
    for subject, of_table in rounds.items():
        found: dict[int, list[Finding]] = defaultdict(list)
        for firsts in parts(sorted(of_table), AT_ONCE):
            for one in asked.money_findings(subject, firsts, tuple(MONEY_CHECKS)).ask(reader):
                found[one.first_sequence].append(_FINDING.decode(one.record))
        for first, findings in found.items():
            said |= said_in_round(findings, of_table[first])
    return said


def said_in_round(findings: Sequence[Finding], rows: Iterable[ClaimRow]) -> dict[StakePlace, StatedMoney]:
    """What the findings of a round, in order, say of its stakes."""
    said: dict[StakePlace, StatedMoney] = {}
    lammers: dict[tuple[str | None, str], list[ClaimRow]] = defaultdict(list)
    for row in rows:
        mine = [one for one in findings if is_of(one, row.seat, row.kind, row.hand)]
        told = stated_of(mine, row.observed_outcome is not None, expected(row)) if mine else None
        if told is None:
            continue
        said[place_of(row)] = told
        if row.kind == "lammer" and told.owed_cents:
            lammers[row.hand, told.finding].append(row)
    for (_, finding), of_hand in lammers.items():
        # One finding tells of one lammer, and of which is not on record: it counts once.
        owed = said[place_of(of_hand[0])].owed_cents
        one = next((row for row in of_hand if _owed(row) == owed), of_hand[0])
        for row in of_hand:
            if row is not one and said[place_of(row)].finding == finding:
                del said[place_of(row)]
    return said


def _owed(row: ClaimRow) -> int:
    """What the row alone would owe if nothing more had moved than was seen."""
    return (expected(row) or 0) - (observed(row) or 0)

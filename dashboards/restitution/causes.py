"""Causes that the store alone answers: a finding, a shoe, and gaming days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from itertools import groupby
from typing import Final

import msgspec
from msgspec import UNSET

from dashboards.reader import restitution as asked
from dashboards.reader.question import Reader
from dashboards.reader.restitution import ClaimRow
from dashboards.restitution.claims import Restitution, restitution
from schemas.findings import Finding
from schemas.rulesets import RULESETS

_JUDGED: Final = sorted(name for name, one in RULESETS.items() if one.family == "blackjack")
AT_ONCE: Final = 2_000  # rounds asked for at a time
_FINDING = msgspec.json.Decoder(Finding)


class UnknownCause(LookupError):
    """There is no such finding, or no such shoe."""


def of_finding(reader: Reader, finding_id: str) -> Restitution:
    """What a finding leaves to be paid back.

    Of one that says which rounds a wrong shoe exposed: every stake of these rounds. Of others: what is owed in the
    rounds within which its evidence lies, of its hand alone where it names one and money.

    Raises:
        Unknown: the store has no finding of this id.
        Exception: what the reader raises when it has no answer.
    """
    found = asked.finding(finding_id).ask(reader)
    if not found:
        raise UnknownCause(f"the store has no finding {finding_id}")
    finding = _FINDING.decode(found[0].record)
    cause = f"finding {finding_id}: {finding.message}"
    if finding.exposure is not UNSET:
        first, last = finding.exposure["rounds"]
        rows = asked.between(finding.subject, first, last).ask(reader)
        return restitution(cause, rows, every_stake=True)
    rows = asked.around(finding.subject, sorted({*finding.sequences, finding.sequence})).ask(reader)
    return restitution(cause, _concerned(finding, rows))


def of_shoe(reader: Reader, subject: str, shoe: int) -> Restitution:
    """Every stake that was dealt from a shoe.

    Raises:
        Unknown: no round of the table was dealt from it.
        Exception: what the reader raises when it has no answer.
    """
    rows = asked.of_shoe(subject, shoe).ask(reader)
    if not rows:
        raise UnknownCause(f"the store has no stake of shoe {shoe} of table {subject}")
    return restitution(f"shoe {shoe} of table {subject}", rows, every_stake=True)


def of_days(reader: Reader, first: dt.date, last: dt.date) -> Restitution:
    """Every stake of these gaming days that was not settled as it was due, and each of which that cannot be said.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    rows: list[ClaimRow] = []
    for subject, of_table in groupby(
        asked.of_days(first, last, _JUDGED).ask(reader), lambda one: one.subject
    ):
        wanted = {(one.first_sequence, one.ordinal) for one in of_table}
        firsts = sorted({sequence for sequence, _ in wanted})
        for at in range(0, len(firsts), AT_ONCE):
            told = asked.of_rounds(subject, firsts[at : at + AT_ONCE]).ask(reader)
            rows += (row for row in told if (row.first_sequence, row.ordinal) in wanted)
    days = f"gaming day {first}" if first == last else f"gaming days {first} to {last}"
    return restitution(days, rows)


def _concerned(finding: Finding, rows: Iterable[ClaimRow]) -> list[ClaimRow]:
    """The stakes that a finding about money of one hand or seat is of; all where it is about more than that."""
    if not finding.money_cents or (finding.hand is UNSET and finding.seat is UNSET):
        return list(rows)
    seat = finding.seat if finding.seat is not UNSET else int(str(finding.hand).partition(".")[0])
    hand = None if finding.hand is UNSET else finding.hand
    return [row for row in rows if row.seat == seat and (hand is None or row.hand in (None, hand))]

"""Causes that the store alone answers: a finding, and a shoe."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec
from msgspec import UNSET

from dashboards.reader import restitution as asked
from dashboards.reader.question import Reader
from dashboards.reader.restitution import ClaimRow
from dashboards.restitution.claims import Restitution, restitution
from schemas.findings import Finding

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


def _concerned(finding: Finding, rows: Iterable[ClaimRow]) -> list[ClaimRow]:
    """The stakes that a finding about money of one hand or seat is of; all where it is about more than that."""
    if not finding.money_cents or (finding.hand is UNSET and finding.seat is UNSET):
        return list(rows)
    seat = finding.seat if finding.seat is not UNSET else int(str(finding.hand).partition(".")[0])
    hand = None if finding.hand is UNSET else finding.hand
    return [row for row in rows if row.seat == seat and (hand is None or row.hand in (None, hand))]

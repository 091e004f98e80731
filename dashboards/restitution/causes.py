"""Causes that the store alone answers: a finding, a shoe, and gaming days."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Sequence
from itertools import groupby
from typing import Final

import msgspec
from msgspec import UNSET

from dashboards.debts.begun import parts
from dashboards.debts.decided import RoundPlace
from dashboards.reader import restitution as asked
from dashboards.reader.question import Reader
from dashboards.reader.restitution import ClaimRow, StakePlace
from dashboards.replayer.stated import StatedMoney
from dashboards.restitution.claims import Restitution, place_of, restitution
from dashboards.restitution.told import AT_ONCE, said_of, stakes_of
from processors.games.named_stakes import is_of
from schemas.findings import Finding
from schemas.rulesets import RULESETS

JUDGED: Final = sorted(name for name, one in RULESETS.items() if one.family == "blackjack")
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
        return restitution(cause, rows, every_stake=True, said=said_of(reader, rows))
    rows = asked.around(finding.subject, sorted({*finding.sequences, finding.sequence})).ask(reader)
    return restitution(cause, _concerned(finding, rows), said=said_of(reader, rows))


def of_shoe(reader: Reader, subject: str, shoe: int) -> Restitution:
    """Every stake that was dealt from a shoe.

    Raises:
        Unknown: no round of the table was dealt from it.
        Exception: what the reader raises when it has no answer.
    """
    rows = asked.of_shoe(subject, shoe).ask(reader)
    if not rows:
        raise UnknownCause(f"the store has no stake of shoe {shoe} of table {subject}")
    said = said_of(reader, rows)
    return restitution(f"shoe {shoe} of table {subject}", rows, every_stake=True, said=said)


def of_days(
    reader: Reader, first: dt.date, last: dt.date, withheld: Collection[tuple[str, str]] = ()
) -> Restitution:
    """Every stake of these gaming days that was not settled as it was due, and each of which that cannot be said.

    Without the rounds of tables and dealers that are withheld.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    found = asked.of_days(first, last, JUDGED, *tables_and_dealers(withheld)).ask(reader)
    rows: list[ClaimRow] = []
    said: dict[StakePlace, StatedMoney] = {}
    for subject, of_table in groupby(found, lambda one: one.subject):
        shown = {(one.first_sequence, one.ordinal): one.shows for one in of_table}
        for firsts in parts(sorted({sequence for sequence, _ in shown}), AT_ONCE):
            told = asked.of_rounds(subject, firsts).ask(reader)
            said |= said_of(reader, told)
            rows += (
                row for row in told if shown.get((row.first_sequence, row.ordinal)) or place_of(row) in said
            )
    days = f"gaming day {first}" if first == last else f"gaming days {first} to {last}"
    return restitution(days, rows, said=said)


def tables_and_dealers(withheld: Collection[tuple[str, str]]) -> tuple[list[str], list[str]]:
    """The tables and the dealers among what is withheld, each by name."""
    tables, dealers = (
        sorted({name for kind, name in withheld if kind == one}) for one in ("table", "dealer")
    )
    return tables, dealers


def every_stake_of(reader: Reader, places: Collection[RoundPlace]) -> Restitution:
    """Every stake of these rounds, also where it was settled as due, and also where its round is of no gaming day.

    Raises:
        Exception: what the reader raises when it has no answer.
    """
    rows = list(stakes_of(reader, places))
    return restitution("decisions about stakes", rows, every_stake=True, said=said_of(reader, rows))


def _concerned(finding: Finding, rows: Sequence[ClaimRow]) -> list[ClaimRow]:
    """The stakes that a finding about money of one hand or seat is of; all where it is about more than that."""
    if not finding.money_cents or (finding.hand is UNSET and finding.seat is UNSET):
        return list(rows)
    of_round = [one for one in rows if one.round == finding.round and one.first_sequence <= finding.sequence]
    named = [row for row in of_round if is_of(finding, row.seat, row.kind, row.hand)]
    if named:
        return named
    seat = finding.seat if finding.seat is not UNSET else int(str(finding.hand).partition(".")[0])
    hand = None if finding.hand is UNSET else finding.hand
    return [row for row in rows if row.seat == seat and (hand is None or row.hand in (None, hand))]

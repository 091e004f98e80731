"""Results of the fold as rows of the warehouse's relations; pure, so that a fold done again writes the same rows.

The same functions make the rows in this process and behind the topics: one ledger gives one set of rows.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import struct
from collections.abc import Iterable
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

from processors.pipeline import Outcome, TablePipeline
from processors.runtime.ledger import Letter
from processors.runtime.store.answers import ANSWERS
from processors.runtime.store.warehouse import Row
from schemas.codec import record_hash
from schemas.findings import Finding
from schemas.messages import DeadLetterMessage
from schemas.rounds import RoundResult, Settlement

FOLD_VERSION: Final = len(ANSWERS)

# What the store's types can hold; an event may claim any year, and `record` has what it claimed.
_EARLIEST = dt.datetime(1900, 1, 1, tzinfo=dt.UTC)
_LATEST = dt.datetime(2299, 12, 31, tzinfo=dt.UTC)

_FIRST_8 = struct.Struct(">q").unpack_from
Rows = dict[str, list[Row]]
_encode = msgspec.json.Encoder().encode  # the bytes that `catwalk replay` writes, but for its `file`


class Owner(NamedTuple):
    """Whose round it is: what the table's record says by then, None for what it does not."""

    property: str | None
    dealer: str | None


class Stood(NamedTuple):
    """Where a line stands in its table's ledger written as a file: its number from 1, its offset in bytes."""

    number: int
    offset: int


def owner_of(pipeline: TablePipeline) -> Owner:
    """Whose the rounds are that the pipeline's last line closed."""
    table = pipeline.state
    return Owner(table.config.property if table.config is not None else None, table.dealer or None)


def rows_of(
    outcome: Outcome, line: bytes, subject: str, decided_at: dt.datetime, owner: Owner, stood: Stood
) -> Rows:
    """Rows by relation for what one line of a table brought about; `decided_at` is that line's time."""
    rows: Rows = {}
    add_rounds(rows, outcome.rounds, decided_at, owner)
    for ordinal, finding in enumerate(outcome.findings, 1):
        rows.setdefault("findings", []).append(finding_row(finding, decided_at, ordinal))
    if outcome.dead is not None:
        rows["dead_letters"] = [
            _letter_row(
                (subject, outcome.dead.sequence, 0),
                decided_at,
                ("unreadable", "ledger", outcome.dead.reason, "$", record_hash(line)),
                base64.b64encode(line).decode(),
                stood,
            )
        ]
    return rows


def quarantined_row(number: int, letter: Letter) -> Row:
    """The row of a line that the ledger keeps in quarantine under this number."""
    return _letter_row(
        (letter.subject or "", letter.sequence or 0, number),
        msgspec.convert(letter.received, dt.datetime),
        (letter.kind, letter.origin, letter.reason, letter.path, record_hash(letter.line)),
        base64.b64encode(letter.line).decode(),
        Stood(0, 0),
    )


def dead_letter_row(letter: DeadLetterMessage) -> Row:
    """The row of a line that a fold behind the topics set aside; one that stands in a chain came by the ledger."""
    origin = letter.origin if letter.number else "ledger"
    return _letter_row(
        (letter.subject, letter.sequence, letter.number),
        letter.at,
        (letter.kind, origin, letter.reason, letter.path, letter.digest),
        letter.bytes_base64,
        Stood(letter.line, letter.offset),
    )


def finding_row(finding: Finding, decided_at: dt.datetime, ordinal: int = 0) -> Row:
    """The row of a finding; `ordinal` 0 leaves its place to whoever knows what else its event brought about."""
    hashed = _hashed(
        finding.subject,
        finding.sequence,
        finding.finding_id,
        within_range(decided_at),
        finding.round,
        _given(finding.seat),
        _given(finding.hand),
        finding.check,
        finding.cites,
        finding.verdict,
        finding.severity,
        finding.money_cents,
        finding.message,
        finding.sequences,
        _encode(finding).decode(),
    )
    return (*hashed, ordinal)


def within_range(moment: dt.datetime) -> dt.datetime:
    """The moment, or the nearest the store can hold."""
    return moment if _EARLIEST <= moment <= _LATEST else min(max(moment, _EARLIEST), _LATEST)


def short_hash(digest: bytes) -> int:
    """The first 8 bytes of a digest as the store holds them."""
    return int(_FIRST_8(digest)[0])


def _hashed(*values: Any, behind: tuple[Any, ...] = ()) -> Row:
    """The row with its hash; `behind` are columns that were added behind it."""
    digest = hashlib.sha256(_encode((*values, *behind))).digest()
    return (*values, FOLD_VERSION, short_hash(digest), *behind)


def add_rounds(rows: Rows, results: Iterable[RoundResult], decided_at: dt.datetime, owner: Owner) -> None:
    """Add the rows of rounds, of their hands, stakes and racks; `decided_at` is when they were decided."""
    at = within_range(decided_at)
    for result in results:
        _add_round(rows, result, at, owner)


def _add_round(rows: Rows, result: RoundResult, at: dt.datetime, owner: Owner) -> None:
    key = (result.subject, result.round, result.first_sequence)
    day = result.gaming_day
    known_day = day if day is not None and _EARLIEST.date() <= day <= _LATEST.date() else None
    rows.setdefault("rounds", []).append(
        _hashed(
            *key,
            result.last_sequence,
            at,
            result.shoe,
            result.ruleset,
            known_day,
            result.status,
            result.missing,
            result.net_cents,
            result.findings,
            result.head,
            _encode(result).decode(),
            behind=owner,
        )
    )
    rows.setdefault("hands", []).extend(
        _hashed(
            *key,
            name,
            at,
            hand.cards,
            _given(hand.total),
            _given(hand.soft),
            _given(hand.result),
            _given(hand.came_from),
            hand.sequences,
        )
        for name, hand in result.hands.items()
    )
    rows.setdefault("stakes", []).extend(
        _hashed(
            *key,
            ordinal,
            at,
            stake.seat,
            stake.hand,
            stake.kind,
            stake.staked_cents,
            *_settlement(stake.expected),
            *_settlement(stake.observed),
        )
        for ordinal, stake in enumerate(result.stakes, 1)
    )
    rack = result.rack
    known = rack.expected is not None
    rows.setdefault("racks", []).append(
        _hashed(*key, at, known, rack.expected or (), rack.observed, rack.agrees)
    )


def _letter_row(
    key: tuple[str, int, int], at: dt.datetime, said: tuple[str, str, str, str, str], text: str, stood: Stood
) -> Row:
    return _hashed(*key, within_range(at), *said, text, behind=stood)


def _settlement(settlement: Settlement | None) -> tuple[str | None, int | None]:
    return (None, None) if settlement is None else (settlement.outcome, settlement.cents)


def _given(value: Any) -> Any:
    return None if value is UNSET else value

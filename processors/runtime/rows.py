"""Results of the fold as rows of the warehouse's relations; pure, so that a fold done again writes the same rows."""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
from typing import Any, Final

import msgspec
from msgspec import UNSET

from processors.pipeline import DeadLetter, Outcome
from processors.runtime.ledger import Letter
from processors.runtime.warehouse import Row
from schemas.codec import record_hash
from schemas.findings import Finding
from schemas.rounds import RoundResult, Settlement

FOLD_VERSION: Final = 1  # raised by every release whose rounds or findings differ: stores are folded again

# What the store's types can hold; an event may claim any year, and `record` has what it claimed.
_EARLIEST = dt.datetime(1900, 1, 1, tzinfo=dt.UTC)
_LATEST = dt.datetime(2299, 12, 31, tzinfo=dt.UTC)

Rows = dict[str, list[Row]]
_encode = msgspec.json.Encoder().encode  # the bytes that `catwalk replay` writes, but for its `file`


def rows_of(outcome: Outcome, line: bytes, subject: str, decided_at: dt.datetime) -> Rows:
    """Rows by relation for what one line of a table brought about; `decided_at` is that line's time."""
    at = within_range(decided_at)
    rows: Rows = {}
    for result in outcome.rounds:
        _add_round(rows, result, at)
    for finding in outcome.findings:
        rows.setdefault("findings", []).append(_finding(finding, at))
    if outcome.dead is not None:
        rows["dead_letters"] = [_dead(outcome.dead, line, subject, at)]
    return rows


def quarantined_row(number: int, letter: Letter) -> Row:
    """The row of a line that the ledger keeps in quarantine under this number."""
    received = within_range(msgspec.convert(letter.received, dt.datetime))
    return _hashed(
        letter.subject or "",
        letter.sequence or 0,
        number,
        received,
        letter.kind,
        letter.origin,
        letter.reason,
        letter.path,
        record_hash(letter.line),
        base64.b64encode(letter.line).decode(),
    )


def within_range(moment: dt.datetime) -> dt.datetime:
    """The moment, or the nearest the store can hold."""
    return min(max(moment, _EARLIEST), _LATEST)


def _hashed(*values: Any) -> Row:
    digest = hashlib.sha256(_encode(values)).digest()
    return (*values, FOLD_VERSION, int.from_bytes(digest[:8], signed=True))


def _add_round(rows: Rows, result: RoundResult, at: dt.datetime) -> None:
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


def _finding(finding: Finding, at: dt.datetime) -> Row:
    return _hashed(
        finding.subject,
        finding.sequence,
        finding.finding_id,
        at,
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


def _dead(dead: DeadLetter, line: bytes, subject: str, at: dt.datetime) -> Row:
    text = base64.b64encode(line).decode()
    return _hashed(
        subject, dead.sequence, 0, at, "unreadable", "ledger", dead.reason, "$", record_hash(line), text
    )


def _settlement(settlement: Settlement | None) -> tuple[str | None, int | None]:
    return (None, None) if settlement is None else (settlement.outcome, settlement.cents)


def _given(value: Any) -> Any:
    return None if value is UNSET else value

"""Results of the fold as rows of the warehouse's relations; pure, so that a fold done again writes the same rows.

The same functions make the rows in this process and behind the topics: one ledger gives one set of rows.
"""

from __future__ import annotations

import base64
import datetime as dt
import hashlib
import struct
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import msgspec
from msgspec import UNSET

from processors.pipeline import Outcome, TablePipeline
from processors.runtime.store.takings import takings_of
from processors.runtime.store.warehouse import Row
from schemas.answers import FOLD_VERSION
from schemas.findings import Finding
from schemas.messages import DeadLetterMessage, dead_letter
from schemas.rounds import RoundResult, Settlement
from schemas.values import EARLIEST, LATEST, within_calendar
from schemas.warehouse import RELATIONS, Relation
from schemas.warehouse.relation import row_maker

_FIRST_8 = struct.Struct(">q").unpack_from
Rows = dict[str, list[Row]]
_encode = msgspec.json.Encoder().encode  # the bytes that `catwalk replay` writes, but for its `file`


class Owner(NamedTuple):
    """Property and dealer of a round, as far as the table's record names them by then; else None."""

    property: str | None
    dealer: str | None


Told = Mapping[int, Mapping[str, int]]
"""By event, the findings of it that were told before, each with its place among them."""


class Stood(NamedTuple):
    """Where a line stands in its table's ledger written as a file: its number from 1, its offset in bytes."""

    number: int
    offset: int


def owner_of(pipeline: TablePipeline) -> Owner:
    """Whose the rounds are that the pipeline's last line closed."""
    table = pipeline.state
    return Owner(table.config.property if table.config is not None else None, table.dealer or None)


def rows_of(
    outcome: Outcome,
    line: bytes,
    subject: str,
    decided_at: dt.datetime,
    owner: Owner,
    stood: Stood,
    told: Told = MappingProxyType({}),
) -> Rows:
    """Rows by relation of one line's outcome; `decided_at` is that line's time.

    `told` are the findings of earlier events of which the outcome has more: those that had waited.
    """
    rows: Rows = {}
    add_rounds(rows, outcome.rounds, decided_at, owner)
    last = {sequence: max(places.values(), default=0) for sequence, places in told.items()}
    for finding in outcome.findings:
        sequence = finding.sequence
        ordinal = told.get(sequence, {}).get(finding.finding_id, 0)
        if not ordinal:
            ordinal = last[sequence] = last.get(sequence, 0) + 1
        rows.setdefault("findings", []).append(finding_row(finding, decided_at, ordinal))
    dead = outcome.dead
    if dead is not None:
        letter = dead_letter(
            line, dead.reason, decided_at, "ledger",
            subject=subject, sequence=dead.sequence, line=stood.number, offset=stood.offset,
        )  # fmt: skip
        rows["dead_letters"] = [dead_letter_row(letter)]
    return rows


def dead_letter_row(letter: DeadLetterMessage) -> Row:
    """The row of a line that was set aside; one without a number stands in a chain, and came by the ledger."""
    content = _LETTER.content(
        subject=letter.subject,
        sequence=letter.sequence,
        number=letter.number,
        decided_at=within_calendar(letter.at),
        kind=letter.kind,
        origin=letter.origin if letter.number else "ledger",
        reason=letter.reason,
        path=letter.path,
        digest=letter.digest,
        bytes_base64=letter.bytes_base64,
        line_number=letter.line,
        byte_offset=letter.offset,
    )
    return _LETTER.row(content, letter.fold or FOLD_VERSION)


def finding_row(finding: Finding, decided_at: dt.datetime, ordinal: int = 0, fold: int | None = None) -> Row:
    """The row of a finding; with `ordinal` 0 the sink numbers it among the stored findings of its event."""
    content = _FINDING.content(
        subject=finding.subject,
        sequence=finding.sequence,
        finding_id=finding.finding_id,
        decided_at=within_calendar(decided_at),
        round=finding.round,
        seat=_given(finding.seat),
        hand=_given(finding.hand),
        check_id=finding.check,
        cites=finding.cites,
        verdict=finding.verdict,
        severity=finding.severity,
        money_cents=finding.money_cents,
        message=finding.message,
        sequences=finding.sequences,
        record=_encode(finding).decode(),
    )
    return _FINDING.row(content, FOLD_VERSION if fold is None else fold, ordinal)


def progress_row(
    subject: str,
    next_sequence: int,
    position: int,
    chain_head: str = "",
    snapshot: bytes = b"",
    fold: int | None = None,
) -> Row:
    """The row that says how far a table, a partition or the quarantine is stored; `fold` is this version by default."""
    return RELATIONS["progress"].row(
        subject=subject,
        next_sequence=next_sequence,
        position=position,
        chain_head=chain_head,
        snapshot_base64=base64.b64encode(snapshot).decode(),
        fold_version=FOLD_VERSION if fold is None else fold,
    )


def short_hash(digest: bytes) -> int:
    """The first 8 bytes of a digest as the store holds them."""
    return int(_FIRST_8(digest)[0])


class _Hashed:
    """Makes rows of a relation that carry a hash of their content.

    The content is every column but `fold_version`, `row_hash` and those that are `unhashed`, which stand last.
    """

    def __init__(self, relation: Relation, *unhashed: str) -> None:
        names = [n for n in relation.column_names if n not in ("fold_version", "row_hash", *unhashed)]
        self._folded = relation.at("fold_version")
        self.content = row_maker(names)  # makes a content of its columns by name

    def row(self, content: Row, fold: int, *unhashed: Any) -> Row:
        """The content with version and hash in their places."""
        digest = hashlib.sha256(_encode(content)).digest()
        at = self._folded
        return (*content[:at], fold, short_hash(digest), *content[at:], *unhashed)


_ROUND: Final = _Hashed(RELATIONS["rounds"])
_HAND: Final = _Hashed(RELATIONS["hands"])
_STAKE: Final = _Hashed(RELATIONS["stakes"])
_TAKING: Final = _Hashed(RELATIONS["takings"])
_RACK: Final = _Hashed(RELATIONS["racks"])
_LETTER: Final = _Hashed(RELATIONS["dead_letters"])
_FINDING: Final = _Hashed(RELATIONS["findings"], "ordinal")


def add_rounds(
    rows: Rows,
    results: Iterable[RoundResult],
    decided_at: dt.datetime,
    owner: Owner,
    fold: int | None = None,
) -> None:
    """Add the rows of rounds, of their hands, stakes, takings and racks.

    `decided_at` is when they were decided, `fold` the version of the fold that made them, by default this one.
    """
    at = within_calendar(decided_at)
    for result in results:
        _add_round(rows, result, at, owner, FOLD_VERSION if fold is None else fold)


def _add_round(rows: Rows, result: RoundResult, at: dt.datetime, owner: Owner, fold: int) -> None:
    day = _stored_day(result)
    rows.setdefault("rounds", []).append(_round_row(result, at, day, owner, fold))
    rows.setdefault("hands", []).extend(_hand_rows(result, at, fold))
    rows.setdefault("stakes", []).extend(_stake_rows(result, at, fold))
    rows.setdefault("takings", []).extend(_taking_rows(result, at, day, owner, fold))
    rack = result.rack
    content = _RACK.content(
        subject=result.subject,
        round=result.round,
        first_sequence=result.first_sequence,
        decided_at=at,
        expected_known=rack.expected is not None,
        expected=rack.expected or (),
        observed=rack.observed,
        agrees=rack.agrees,
    )
    rows.setdefault("racks", []).append(_RACK.row(content, fold))


def _stored_day(result: RoundResult) -> dt.date | None:
    """The round's gaming day as far as the store can hold one."""
    day = result.gaming_day
    return day if day is not None and EARLIEST.date() <= day <= LATEST.date() else None


def _round_row(result: RoundResult, at: dt.datetime, day: dt.date | None, owner: Owner, fold: int) -> Row:
    content = _ROUND.content(
        subject=result.subject,
        round=result.round,
        first_sequence=result.first_sequence,
        last_sequence=result.last_sequence,
        decided_at=at,
        shoe=result.shoe,
        ruleset=result.ruleset,
        gaming_day=day,
        status=result.status,
        missing=result.missing,
        net_cents=result.net_cents,
        findings=result.findings,
        head=result.head,
        record=_encode(result).decode(),
        property=owner.property,
        dealer=owner.dealer,
    )
    return _ROUND.row(content, fold)


def _hand_rows(result: RoundResult, at: dt.datetime, fold: int) -> Iterator[Row]:
    for name, hand in result.hands.items():
        content = _HAND.content(
            subject=result.subject,
            round=result.round,
            first_sequence=result.first_sequence,
            hand=name,
            decided_at=at,
            cards=hand.cards,
            total=_given(hand.total),
            soft=_given(hand.soft),
            result=_given(hand.result),
            came_from=_given(hand.came_from),
            sequences=hand.sequences,
        )
        yield _HAND.row(content, fold)


def _stake_rows(result: RoundResult, at: dt.datetime, fold: int) -> Iterator[Row]:
    for ordinal, stake in enumerate(result.stakes, 1):
        due, due_cents = _settlement(stake.expected)
        done, done_cents = _settlement(stake.observed)
        content = _STAKE.content(
            subject=result.subject,
            round=result.round,
            first_sequence=result.first_sequence,
            ordinal=ordinal,
            decided_at=at,
            seat=stake.seat,
            hand=stake.hand,
            kind=stake.kind,
            staked_cents=stake.staked_cents,
            expected_outcome=due,
            expected_cents=due_cents,
            observed_outcome=done,
            observed_cents=done_cents,
        )
        yield _STAKE.row(content, fold)


def _taking_rows(
    result: RoundResult, at: dt.datetime, day: dt.date | None, owner: Owner, fold: int
) -> Iterator[Row]:
    for columns in takings_of(result):
        content = _TAKING.content(
            subject=result.subject,
            round=result.round,
            first_sequence=result.first_sequence,
            decided_at=at,
            gaming_day=day,
            dealer=owner.dealer,
            **columns,
        )
        yield _TAKING.row(content, fold)


def _settlement(settlement: Settlement | None) -> tuple[str | None, int | None]:
    return (None, None) if settlement is None else (settlement.outcome, settlement.cents)


def _given(value: Any) -> Any:
    return None if value is UNSET else value

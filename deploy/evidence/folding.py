"""One round of a ledger's table as the fold reads it, and which records it is read from."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable
from typing import Final

import msgspec
from msgspec import Struct

from deploy.errors import UserError
from deploy.replay.run import ENCODE, prefix_of
from processors.games.readings import resolve
from processors.pipeline import Outcome, TablePipeline
from schemas.findings import Finding
from schemas.payload import WIRE_PREFIX
from schemas.provisions import PROVISIONS
from schemas.rounds import RoundResult
from schemas.rulesets import RULESETS
from schemas.values import DEALER

# A round is read under these; the last of each before it counts.
RESTS_ON: Final = ("table_configured", "gaming_day_started", "shoe_loaded", "dealer_arrived")
_UNSEEN: Final = frozenset({"stub", "unwagered"})  # why cards are racked that nobody turned over
_STEP: Final = 1024


class _Data(Struct):
    hand: str = ""
    face_up: bool = True
    card: str = "??"
    cards: object = None
    reason: str = ""
    seal: str = ""


class _Event(Struct):
    type: str
    data: _Data


class _Kind(Struct):
    type: str


_read_kind = msgspec.json.Decoder(_Kind).decode
_read = msgspec.json.Decoder(_Event).decode


class Found(Struct, frozen=True):
    """A finished round: what was made of it, and the sequences of the records that it is read under.

    `day` is the one on which it started, whose law holds for it.
    """

    result: RoundResult
    day: dt.date
    findings: tuple[Finding, ...]
    rests_on: tuple[int, ...]
    readings: dict[str, str]


def find_round(
    subject: str,
    number: int,
    records: Iterable[tuple[int, bytes]],
    advance: Callable[[int], None],
    begins: int | None = None,
) -> Found:
    """Fold a table from its first record, as a replay does, and keep one round.

    Of two of a number it is that which begins with event `begins`, else the last.

    Suspicions of detectors are left out: they rest on many rounds.

    Raises:
        UserError: there is no such round, or it is not over.
    """
    pipeline = TablePipeline(subject, detect=False)
    rounds: list[RoundResult] = []
    findings: list[Finding] = []
    readings: dict[str, str] = {}
    under: list[tuple[int, str]] = []

    def asked(round_: int | None, first: int) -> bool:
        return round_ == number and begins in (None, first)

    def keep(outcome: Outcome) -> None:
        findings.extend(one for one in outcome.findings if one.round == number)
        for one in outcome.rounds:
            if asked(one.round, one.first_sequence):
                rounds.append(one)
                config = pipeline.table.config
                readings.clear()
                readings.update(resolve((config.readings or {}) if config is not None else {}, {}))

    sequence, day = 0, dt.date.min
    for sequence, line in records:
        keep(pipeline.advance(line))
        going = pipeline.table.round
        if going is not None and asked(going.number, going.first_sequence):
            day = going.day
        kind = kind_of(line)
        if kind in RESTS_ON:
            under.append((sequence, kind))
        if sequence % _STEP == 0:
            advance(_STEP)
    going = pipeline.table.round
    if going is not None and asked(going.number, going.first_sequence):
        why = "it is not over: its cards are not all turned over"
        raise UserError(f"round {number} of table {subject}", why, "ask again when it has ended")
    keep(pipeline.finish())
    if not rounds:
        why = "there is no such round" if sequence else "there is no such table"
        raise UserError(f"round {number} of table {subject}", why, "`catwalk replay` lists all rounds")
    result = rounds[-1]
    last = {kind: at for at, kind in under if at < result.first_sequence}
    mine = (one for one in findings if _is_of(result, one))
    return Found(result, day, tuple(mine), tuple(sorted(last.values())), readings)


def _is_of(result: RoundResult, finding: Finding) -> bool:
    """Whether a finding of the round's number is of this round: told within it, or named by it."""
    within = result.first_sequence <= finding.sequence <= result.last_sequence
    return within or finding.finding_id in result.findings


def kind_of(line: bytes) -> str:
    """The type of an event without its prefix; empty for a line that is none."""
    try:
        return _read_kind(line).type.removeprefix(WIRE_PREFIX)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ""


def shows_unseen(line: bytes) -> bool:
    """Whether a record may show a card that nobody at the table saw: undealt, burnt, or never turned over.

    A line that cannot be read may show anything.
    """
    try:
        event = _read(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return True
    kind = event.type.removeprefix(WIRE_PREFIX)
    cards = event.data.cards if isinstance(event.data.cards, list) else [event.data.card]
    known = any(one not in ("??", None) for one in cards)
    if kind == "cards_racked":
        return known and event.data.reason in _UNSEEN
    return known and kind in ("card_burned", "shoe_emptied")


def hides_a_card(lines: Iterable[bytes]) -> bool:
    """Whether a card of the round was sealed or laid face down before the dealer, and never turned over."""
    hidden = False
    for line in lines:
        kind = kind_of(line)
        if kind == "hole_card_revealed":
            hidden = False
        elif kind in ("card_drawn", "card_placed"):
            data = _read(line).data
            hidden |= bool(data.seal) or (data.hand == DEALER and not data.face_up)
    return hidden


def round_line(found: Found) -> bytes:
    """The round as `rounds.ndjson` has it."""
    return prefix_of(found.result.subject) + ENCODE(found.result)[1:] + b"\n"


def finding_lines(findings: Iterable[Finding]) -> bytes:
    """Findings as `findings.ndjson` has them."""
    return b"".join(prefix_of(one.subject) + ENCODE(one)[1:] + b"\n" for one in findings)


def rules_of(found: Found, findings: Iterable[Finding]) -> dict[str, object]:
    """What the round was held against: numbers in force on its day, readings, and duties that findings cite."""
    result = found.result
    law = RULESETS.get(result.ruleset or "")
    cited = sorted({cite for one in findings for cite in one.cites})
    rules = None
    if law is not None:
        rules = {
            "name": law.name,
            "title": law.title,
            "chapter": law.chapter,
            "since": str(law.since),
            "until": str(law.until) if law.until is not None else None,
            "values": dict(sorted(msgspec.to_builtins(law.on(found.day)).items())),
        }
    return {
        "gaming_day": str(result.gaming_day) if result.gaming_day is not None else None,
        "ruleset": rules,
        "readings": dict(sorted(found.readings.items())),
        "duties": {one: PROVISIONS[one].duty for one in cited if one in PROVISIONS},
    }

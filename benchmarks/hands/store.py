"""A store as large as a property's after years, made by the engine itself: rounds with what stands beside them.

Lines and records are short here; what a question reads of them is one round's. Keys and times are as declared.
"""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable

from processors.core.snapshots import snapshot
from processors.core.state import Chain, Table
from processors.runtime.store.warehouse import Warehouse
from schemas.events import TableConfigured
from schemas.events.codec import decode
from schemas.warehouse import RELATIONS

TABLES = 200
ROUND_EVENTS = 60  # sequences between the beginnings of two rounds
EVERY = 310  # seconds between them
SEATS = 6
PATRONS = 40_000
DEALERS = 400
FINDING_EVERY = 1_000
START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)
_STEP = 1_000_000  # rounds inserted by one statement

_N = "number"
_ROUND = f"toUInt32(intDiv({_N}, {TABLES}) + 1)"
_SUBJECT = f"concat('BJ-', leftPad(toString({_N} % {TABLES}), 3, '0'))"
_FIRST = f"toUInt32({_ROUND} * {ROUND_EVENTS})"
_BEGAN = f"(toDateTime64('2026-01-01 00:00:00', 6, 'UTC') + toIntervalSecond({_ROUND} * {EVERY} + {_N} % {TABLES}))"
_ENDED = f"({_BEGAN} + toIntervalSecond(50))"
_SEAT = f"toUInt8({_ROUND} % {SEATS} + 1)"
_HAND = f"concat(toString({_SEAT}), '.1')"
_PATRON = f"concat('P-', toString(cityHash64({_N} % {TABLES}, intDiv({_ROUND}, 60), {_SEAT}) % {PATRONS}))"
_DEALER = f"concat('D-', toString(({_N} % {TABLES} * 7 + intDiv({_ROUND}, 12)) % {DEALERS}))"
_FINDING = f"lower(hex(MD5(toString({_N}))))"
_FOUND = f"{_N} % {FINDING_EVERY} = 0"

# Totals lie as rounds do: some 7 of 100 dealers' hands are 22, 18 of 100 players' 20.
_MINE = f"toUInt16(if(cityHash64({_N}, 'm') % 100 < 18, 20, 12 + cityHash64({_N}, 'p') % 8))"
_DEALT = f"toUInt16(if(cityHash64({_N}, 'd') % 100 < 7, 22, 17 + cityHash64({_N}, 'q') % 5))"
_CENTS = f"toInt64(2500 * (1 + cityHash64({_N}, 's') % 40))"
_MOVED = f"['pay', 'collect', 'collect', 'return'][1 + cityHash64({_N}, 'o') % 4]"

_ROWS: tuple[tuple[str, str], ...] = (
    ("rounds", (
        f"{_SUBJECT}, {_ROUND}, {_FIRST}, {_FIRST} + 57, {_ENDED}, toUInt32(intDiv({_ROUND}, 25)), 'free_bet_672a',"
        f" toDate32({_BEGAN}), if({_FOUND}, 'breached', 'consistent'), [], toInt64({_N} % 200) * 100 - 9900,"
        f" if({_FOUND}, [{_FINDING}], []), lower(hex(SHA256(toString({_N})))), repeat(toString({_N}), 12), 1,"
        f" toInt64({_N}), 'north', {_DEALER}"
    )),
    ("stakes", (
        f"{_SUBJECT}, {_ROUND}, {_FIRST}, toUInt32(1), {_ENDED}, {_SEAT}, {_HAND}, 'main', {_CENTS}, {_MOVED},"
        f" {_CENTS}, {_MOVED}, {_CENTS}, 1, toInt64({_N})"
    )),
    ("takings", (
        f"{_SUBJECT}, {_ROUND}, {_FIRST}, 'main', {_ENDED}, toDate32({_BEGAN}), 'free_bet_672a', {_DEALER}, 1,"
        f" if({_FOUND}, 'breached', 'consistent'), false, 1, 1, 1, {_CENTS}, pow(toFloat64({_CENTS}), 2),"
        f" if({_MOVED} = 'pay', {_CENTS}, 0), if({_MOVED} = 'collect', {_CENTS}, 0), 1, 0, 0, 0, 0, 0,"
        f" if({_N} % 10 = 0, toInt64({_CENTS} / 20), 0), {_CENTS}, 1, toInt64({_N})"
    )),
    ("hands", (
        f"{_SUBJECT}, {_ROUND}, {_FIRST}, {_HAND}, {_ENDED}, ['Ks', '9h'], {_MINE}, false, 'stand', NULL,"
        f" [{_FIRST} + 8, {_FIRST} + 12], 1, toInt64({_N})"
    )),
    ("hands", (
        f"{_SUBJECT}, {_ROUND}, {_FIRST}, 'D', {_ENDED}, ['Kd', '7h'], {_DEALT}, false, 'stand', NULL,"
        f" [{_FIRST} + 9, {_FIRST} + 13], 1, toInt64({_N})"
    )),
    ("events", (
        f"{_SUBJECT}, {_FIRST}, {_BEGAN}, 'round_started', 'console', toString({_N}), '{{}}', 1, toInt64({_N})"
    )),
    ("patrons", f"{_PATRON}, {_SUBJECT}, {_FIRST} + 1, {_BEGAN}, {_SEAT}, 'wager_placed', 1, toInt64({_N})"),
    ("findings", (
        f"{_SUBJECT}, {_FIRST} + 40, {_FINDING}, {_ENDED}, {_ROUND}, {_SEAT}, {_HAND}, 'settlement.stake',"
        f" ['672a.11(a)#1'], 'breached', 'critical', -10000, 'Paid too much.', [{_FIRST} + 40], '{{}}', 1,"
        f" toInt64({_N}), toUInt32(1)"
    )),
)  # fmt: skip


def fill(
    store: Warehouse, rounds: int, config: TableConfigured, advance: Callable[[int], None] = lambda _: None
) -> None:
    """Rows of this many rounds, spread over the tables, and the state of each table behind its last.

    `advance` is told after each part how many rounds there are by then.
    """
    for begin in range(0, rounds, _STEP):
        for name, values in _ROWS:
            where = f"WHERE {_FOUND}" if name == "findings" else ""
            columns = ", ".join(f"`{column}`" for column in RELATIONS[name].column_names)
            span = f"numbers({begin}, {min(_STEP, rounds - begin)})"
            store.query(f"INSERT INTO `{name}` ({columns}) SELECT {values} FROM {span} {where}")
        advance(min(begin + _STEP, rounds))
    last = (rounds // TABLES + 1) * ROUND_EVENTS
    store.insert(RELATIONS["progress"], [_progress(table, last, config) for table in range(TABLES)])


def configured(lines: list[bytes]) -> TableConfigured:
    """The configuration that a stream begins with."""
    data = decode(lines[0]).data
    assert isinstance(data, TableConfigured)
    return data


def subject(table: int) -> str:
    """Name of a table by its number."""
    return f"BJ-{table:03d}"


def began(table: int, number: int) -> dt.datetime:
    """When a round of a table began."""
    return START + dt.timedelta(seconds=number * EVERY + table)


def _progress(table: int, last: int, config: TableConfigured) -> tuple[object, ...]:
    name = subject(table)
    state = Table(subject=name, chain=Chain(next_sequence=last + 1), config=config)
    text = base64.b64encode(snapshot(state)).decode()
    return name, last + 1, last, "0" * 64, text, 1

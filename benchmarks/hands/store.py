"""A store as large as a property's after years, made by the engine itself: rounds with what stands beside them.

Lines and records are short here; what a question reads of them is one round's. Keys and times are as declared.
"""

from __future__ import annotations

import base64
import datetime as dt
from collections.abc import Callable, Iterator

from benchmarks.hands.accounts import DAY_SECONDS, Row, account_of, configured
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


def _taking(kind: str, staked: str, of_round: int) -> str:
    """What a round's stakes of a kind came to; `of_round` is 1 on the row by which the round is counted."""
    main = kind == "main"
    return (
        f"{_SUBJECT}, {_ROUND}, {_FIRST}, '{kind}', {_ENDED}, toDate32({_BEGAN}), 'free_bet_672a', {_DEALER}, 1,"
        f" if({_FOUND}, 'breached', 'consistent'), false, {of_round}, {of_round}, 1, {staked},"
        f" pow(toFloat64({staked}), 2), if({_MOVED} = 'pay', {_CENTS}, 0), if({_MOVED} = 'collect', {staked}, 0),"
        f" 1, 0, 0, 0, 0, 0, {f'if({_N} % 10 = 0, toInt64({_CENTS} / 20), 0)' if main else 0},"
        f" {staked if main else 0}, 1, toInt64({_N})"
    )


# Beside the main wager: of so many rounds one has such a stake. Free bets are laid with lammers, which are no money.
_BESIDE = {
    "double": (12, _CENTS),
    "lammer": (5, "toInt64(0)"),
    "insurance": (40, _CENTS),
    "push22": (3, "toInt64(500)"),
}
_ROWS: tuple[tuple[str, str, str], ...] = (
    ("rounds", (
        f"{_SUBJECT}, {_ROUND}, {_FIRST}, {_FIRST} + 57, {_ENDED}, toUInt32(intDiv({_ROUND}, 25)), 'free_bet_672a',"
        f" toDate32({_BEGAN}), if({_FOUND}, 'breached', 'consistent'), [], toInt64({_N} % 200) * 100 - 9900,"
        f" if({_FOUND}, [{_FINDING}], []), lower(hex(SHA256(toString({_N})))), repeat(toString({_N}), 12), 1,"
        f" toInt64({_N}), 'north', {_DEALER}"
    ), "1"),
    ("stakes", (
        f"{_SUBJECT}, {_ROUND}, {_FIRST}, toUInt32(1), {_ENDED}, {_SEAT}, {_HAND}, 'main', {_CENTS}, {_MOVED},"
        f" {_CENTS}, {_MOVED}, {_CENTS}, 1, toInt64({_N})"
    ), "1"),
    ("takings", _taking("main", _CENTS, 1), "1"),
    *(("takings", _taking(kind, staked, 0), f"{_N} % {every} = 1") for kind, (every, staked) in _BESIDE.items()),
    ("hands", (
        f"{_SUBJECT}, {_ROUND}, {_FIRST}, {_HAND}, {_ENDED}, ['Ks', '9h'], {_MINE}, false, 'stand', NULL,"
        f" [{_FIRST} + 8, {_FIRST} + 12], 1, toInt64({_N})"
    ), "1"),
    ("hands", (
        f"{_SUBJECT}, {_ROUND}, {_FIRST}, 'D', {_ENDED}, ['Kd', '7h'], {_DEALT}, false, 'stand', NULL,"
        f" [{_FIRST} + 9, {_FIRST} + 13], 1, toInt64({_N})"
    ), "1"),
    ("events", (
        f"{_SUBJECT}, {_FIRST}, {_BEGAN}, 'round_started', 'console', toString({_N}), '{{}}', 1, toInt64({_N})"
    ), "1"),
    ("patrons", f"{_PATRON}, {_SUBJECT}, {_FIRST} + 1, {_BEGAN}, {_SEAT}, 'wager_placed', 1, toInt64({_N})", "1"),
    ("findings", (
        f"{_SUBJECT}, {_FIRST} + 40, {_FINDING}, {_ENDED}, {_ROUND}, {_SEAT}, {_HAND}, 'settlement.stake',"
        f" ['672a.11(a)#1'], 'breached', 'critical', -10000, 'Paid too much.', [{_FIRST} + 40], '{{}}', 1,"
        f" toInt64({_N}), toUInt32(1)"
    ), _FOUND),
)  # fmt: skip


def fill(
    store: Warehouse, rounds: int, configuration: bytes, advance: Callable[[int], None] = lambda _: None
) -> None:
    """Rows of this many rounds, spread over the tables, and the state of each table behind its last.

    `configuration` is the line of an event that configures a table: all are configured so. `advance` is told after
    each part how many rounds there are by then.
    """
    for begin in range(0, rounds, _STEP):
        for name, values, where in _ROWS:
            columns = ", ".join(f"`{column}`" for column in RELATIONS[name].column_names)
            span = f"numbers({begin}, {min(_STEP, rounds - begin)})"
            store.query(f"INSERT INTO `{name}` ({columns}) SELECT {values} FROM {span} WHERE {where}")
        advance(min(begin + _STEP, rounds))
    for name in ("events", "account_events"):
        for table in range(TABLES):
            store.insert(RELATIONS[name], list(_accounts(configuration, table, rounds // TABLES)))
    data = decode(configuration).data
    assert isinstance(data, TableConfigured)
    last = (rounds // TABLES + 1) * ROUND_EVENTS
    store.insert(RELATIONS["progress"], [_progress(table, last, data) for table in range(TABLES)])


def _accounts(configuration: bytes, table: int, rounds: int) -> Iterator[Row]:
    """Events of a table's account over so many rounds: of each gaming day that its rounds fill."""
    yield configured(configuration, subject(table), START)
    a_day = DAY_SECONDS // EVERY
    for day in range(1, rounds // a_day):
        first, last = (number * a_day * ROUND_EVENTS + table % ROUND_EVENTS for number in (day, day + 1))
        yield from account_of(subject(table), first, last, START + dt.timedelta(days=day))


def subject(table: int) -> str:
    """Name of a table by its number."""
    return f"BJ-{table:03d}"


def began(table: int, number: int) -> dt.datetime:
    """When a round of a table began."""
    return START + dt.timedelta(seconds=number * EVERY + table)


def _progress(table: int, last: int, config: TableConfigured) -> Row:
    name = subject(table)
    state = Table(subject=name, chain=Chain(next_sequence=last + 1), config=config)
    text = base64.b64encode(snapshot(state)).decode()
    return name, last + 1, last, "0" * 64, text, 1

"""The simulated tables of a demonstration: which they are, and where they go on."""

from __future__ import annotations

import dataclasses
import datetime as dt
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

import msgspec
from msgspec import Struct, structs

from deploy.demo.lapses import Lapses
from deploy.errors import UserError
from producers.log import EventLog
from producers.simulator.floor.gaming_floor import gaming_floor, seed_of
from producers.simulator.floor.setup import TableSetup
from producers.simulator.noise.kinds import through
from producers.simulator.session import simulate_table
from schemas.events.codec import record_hash
from schemas.rulesets import RULESETS
from schemas.values import Ruleset

FILE = "demo.json"
ROUNDS = 10_000_000  # more than anybody waits for
HISTORY = 2.0  # hours that were dealt on the day before, unless another number is asked for
FAVOURED: Final = 5  # the table at which a dealer favours a patron: a blackjack table
WITH_HISTORY = 12  # tables that have it: each costs half a second at the first start
# What devices miss: one in five hundred of the words about cards; and seldom the layout says nothing of cards for some
# minutes.
NOISE: Final = {"unread": 0.002, "placements": 0.002, "silent_placements": 0.005}
OPENS: Final = dt.time(10, 0)  # of all tables: they are at one time of day, as those of a floor are
ZONE: Final = ZoneInfo("America/New_York")
_DAY_BEGINS: Final = dt.timedelta(hours=6)


def gaming_day_at(now: dt.datetime) -> dt.date:
    """The gaming day that a floor of the demonstration has at a moment."""
    return (now.astimezone(ZONE) - _DAY_BEGINS).date()


class Begun(Struct, frozen=True):
    """What a demonstration was begun with, as its folder keeps it; `history` is in hours of the day before `day`.

    The tables are live from `day` on, the gaming day on which it was begun: the same seed and day, the same bytes.
    """

    seed: int
    tables: int
    day: dt.date
    history: float = 0.0


class Table(NamedTuple):
    """A simulated table: the lines that the ledger does not hold yet, and the gaming day from which on it is live."""

    subject: str
    lines: Iterator[bytes]
    live_from: dt.date


class Played(NamedTuple):
    """A simulated table from its first event on, and the gaming day from which on it is live."""

    setup: TableSetup
    lines: Iterator[bytes]
    live_from: dt.date


def begin(
    folder: Path,
    seed: int | None,
    tables: int | None,
    ledger_is_there: bool,
    history: float | None = None,
    *,
    today: dt.date,
) -> Begun:
    """What the folder was begun with, or is from now on, on `today`; more tables than before are welcome.

    Raises:
        UserError: another seed or history than before, or a ledger that no demonstration wrote.
    """
    path = folder / FILE
    if not path.exists():
        if ledger_is_there:
            why = "it holds a ledger that no demo wrote, and simulated events would stand in it for ever"
            raise UserError(str(folder), why, "name another folder with --data")
        history = HISTORY if history is None else history
        begun = Begun(1 if seed is None else seed, 6 if tables is None else tables, today, history)
    else:
        begun = _read(path)
        if seed is not None and seed != begun.seed:
            why = f"its tables were begun with --seed {begun.seed}"
            raise UserError(str(folder), why, "leave --seed away, or name another folder with --data")
        if history is not None and history != begun.history:
            why = f"its tables were begun with --history {begun.history:g}"
            raise UserError(str(folder), why, "leave --history away, or name another folder with --data")
        begun = structs.replace(begun, tables=begun.tables if tables is None else tables)
    _write(path, begun)
    return begun


def tables_in_force(day: dt.date) -> tuple[Ruleset, ...]:
    """Rulesets that are in force on a gaming day."""
    return tuple(
        rules.name
        for rules in RULESETS.values()
        if rules.since <= day and (rules.until is None or rules.until >= day)
    )


def played(begun: Begun) -> Iterator[Played]:
    """Each table from its first event on; those that have no day behind begin on the one that is live."""
    live_from, day_before = begun.day, begun.day - dt.timedelta(days=1)
    for usual in gaming_floor(begun.tables, begun.seed, tables_in_force(begun.day)):
        setup = dataclasses.replace(usual, opens=OPENS, first_day=day_before)
        if begun.history and setup.number <= WITH_HISTORY:
            begins = dataclasses.replace(setup, first_day_hours=begun.history)
        else:
            begins = dataclasses.replace(setup, first_day=live_from)
        seed = seed_of(begun.seed, setup.subject)
        lapses = Lapses(live_from, favours=setup.number == FAVOURED)
        heard = through(simulate_table(begins, ROUNDS, seed, lapses), NOISE, seed)
        yield Played(setup, (one.line for one in heard if one.line is not None), live_from)


def simulated(begun: Begun, log: EventLog) -> Iterator[Table]:
    """Each table with the lines that the ledger does not hold yet.

    Raises:
        UserError: the ledger's table is not the one that this seed gives.
    """
    for setup, lines, live_from in played(begun):
        yield Table(setup.subject, _behind_the_ledger(lines, setup.subject, log), live_from)


def _behind_the_ledger(lines: Iterator[bytes], subject: str, log: EventLog) -> Iterator[bytes]:
    head = log.head(subject)
    if head.sequence == 0:
        return lines
    last = next(itertools.islice(lines, head.sequence - 1, None), b"")
    if record_hash(last) != head.hash:
        why = f"table {subject} stands there with other events than this catwalk simulates"
        raise UserError("ledger", why, "name another folder with --data")
    return lines


def _read(path: Path) -> Begun:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Begun)
    except msgspec.MsgspecError as error:
        raise UserError(str(path), str(error), "restore it, or name another folder with --data") from error


def _write(path: Path, begun: Begun) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_suffix(".part")
    draft.write_bytes(msgspec.json.encode(begun) + b"\n")
    draft.replace(path)

"""How long a console takes to find a hand among ten million and to show it, beside a scan of the same relations."""

from __future__ import annotations

import random
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import islice
from pathlib import Path

from benchmarks.core import Measurement, milliseconds, spread, subject_of, write_long_stream
from benchmarks.hands import store as made
from benchmarks.hands.searches import searches
from dashboards.accounts.accounts import Accounts
from dashboards.accounts.roles import ROLES
from dashboards.desk.desk import Desk
from dashboards.filters.hand_terms import HandTerms
from dashboards.folding.states import States
from dashboards.hands.search import Asking
from dashboards.replayer.admitting import round_of
from dashboards.replayer.replay import ReplayAsked, replay_round
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.server import utc_now
from processors.core.chain import admit
from processors.core.state import Table
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from processors.runtime.store.event_rows import add_event
from processors.runtime.store.rows import Rows
from processors.runtime.store.warehouse import Warehouse
from schemas.events.codec import decode, record_hash
from schemas.warehouse import RELATIONS

ROUNDS = 10_000_000
TIMES = 40  # questions of each kind
SCANS = 3
MILLION = 1_000_000
_BLOCK = 50_000

Measured = tuple[list[Measurement], list[str]]
Say = Callable[[str], None]


def measure(
    streams: Path, rounds: int = ROUNDS, events: int = MILLION, say: Say = lambda _: None
) -> Measured:
    """Milliseconds to draw a hand, to find one, and to fold a long table up to it; `say` is told what is being done.

    Without `events` no long table is folded.
    """
    lines = (streams / "lawful_free_bet_590.ndjson").read_bytes().splitlines()
    say("a hand is drawn")
    drawn = drawing(lines)
    with tempfile.TemporaryDirectory() as place:
        figures, notes = finding(Path(place), rounds, lines, events, say)
    return [*drawn, *figures], notes


def finding(place: Path, rounds: int, lines: list[bytes], events: int, say: Say = lambda _: None) -> Measured:
    """Questions to a full store as the page asks them, and the states of a table with a long record."""
    with closing(ChdbWarehouse(place / "warehouse")) as store, console_over(place, store) as console:
        store.migrate()
        begun = time.perf_counter()

        def advance(done: int) -> None:
            say(f"{done:,} of {rounds:,} rounds made, {time.perf_counter() - begun:,.0f} s")

        made.fill(store, rounds, lines[0], advance)
        notes = [f"{rounds:,} rounds of {made.TABLES} tables made in {time.perf_counter() - begun:,.0f} s"]
        chance = random.Random(7)
        figures, told = questions(console, store, rounds, chance, say)
        if events:
            say(f"a record of {events:,} events is stored and folded")
            figures += _states(place, store, lines, events)
        return figures, [*notes, *told]


def questions(
    console: Console, store: Warehouse, rounds: int, chance: random.Random, say: Say = lambda _: None
) -> Measured:
    """Each kind of question some times over, by the clock and in processor time."""
    figures: list[Measurement] = []
    notes: list[str] = []
    for name, ask, scan in searches(rounds):
        busy = time.process_time()
        took = [milliseconds(partial(_found, console, ask(chance))) for _ in range(TIMES)]
        busy = 1000 * (time.process_time() - busy) / TIMES
        say(f"find {name}: {statistics.median(took):,.0f} ms in the middle of {TIMES}")
        notes.append(f"find {name}: {busy:,.0f} ms of processor time each")
        scans = statistics.median(milliseconds(partial(store.query, scan)) for _ in range(SCANS))
        figures += spread(f"find {name}", took, "ms", "scan of the whole relation", [scans])
    return figures, notes


def _found(console: Console, terms: HandTerms) -> None:
    answer = Asking(console, "bench", ROLES["surveillance"]).answer(terms)
    if answer.wrong or (not answer.hands and not (terms.patron or terms.against or answer.like)):
        raise AssertionError(f"nothing was found by {terms.in_words()}: {answer.hint}{answer.wrong}")


def _states(place: Path, store: Warehouse, lines: list[bytes], events: int) -> list[Measurement]:
    """The first look into a long record, and looks elsewhere in it after that."""
    stream = place / "long.ndjson"
    count = write_long_stream(stream, lines, events)
    subject = subject_of(lines[0])
    _store_events(store, stream, subject)
    chance = random.Random(3)
    states = States(store)
    first = milliseconds(lambda: states.before(subject, count))
    later = [milliseconds(lambda: states.before(subject, chance.randrange(2, count))) for _ in range(TIMES)]
    now = States(store)
    newest = milliseconds(lambda: now.now(subject))
    again = milliseconds(lambda: now.now(subject))
    peer = f"the first look at {count:,} events"
    return [
        *spread("state before an event, looked at before", later, "ms", peer, [first]),
        Measurement("state now, looked at before", again, "ms", "the first look", newest),
    ]


def _store_events(store: Warehouse, stream: Path, subject: str) -> None:
    table = Table(subject=subject)
    with stream.open("rb") as file:
        while block := list(islice(file, _BLOCK)):
            rows: Rows = {}
            for raw in block:
                line = raw.rstrip(b"\n")
                event = decode(line, table.chain.head, subject)
                admit(table.chain, event, record_hash(line), table.blind)
                add_event(rows, event, line)
            store.insert(RELATIONS["events"], rows["events"])


def drawing(lines: list[bytes]) -> list[Measurement]:
    """Milliseconds for each step of a hand, drawn, beside the same hand told without drawing."""
    before, own = round_of(subject_of(lines[0]), 16, lines)
    drawn, told = (
        min(milliseconds(partial(replay_round, before, own, asked=asked)) for _ in range(7)) / len(own)
        for asked in (ReplayAsked(), ReplayAsked(frames=False))
    )
    return [Measurement("a step of a hand, drawn", drawn, "ms", "the step told without drawing", told)]


@contextmanager
def console_over(place: Path, store: Warehouse) -> Iterator[Console]:
    """A console over a store, with a desk and accounts of its own."""
    with (
        closing(SqliteDeskLog(place / "desk.db")) as log,
        closing(Accounts(place / "console.db", utc_now)) as accounts,
    ):
        yield Console(Desk(log, utc_now), accounts, utc_now, ("http://127.0.0.1",), records=store)

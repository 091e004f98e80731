"""Times that no zone can write, anywhere in a table's record: every page about the table answers."""

from collections.abc import Callable, Iterator

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.runtime.store.warehouse import Warehouse
from tests.console.conftest import Browser, Clock
from tests.console.hands_building import a_console, listed
from tests.hands.stored import floor
from tests.mutations.rechain import Event, inserted, kind, like, load
from tests.producers.builders import GENESIS, digest, encode

NAME = "lawful_free_bet_672a"
FIRST, LAST = "0001-01-01T00:00:00+01:00", "9999-12-31T23:59:59.999999-05:00"


def _lines() -> tuple[str, list[bytes]]:
    """A table whose cage and console say the first and the last moment, between rounds and at the end of a round."""
    events: list[Event] = load(NAME)
    ends = [at for at, event in enumerate(events) if kind(event) == "round_ended"]
    events[ends[1]] = {**events[ends[1]], "time": FIRST}
    events[ends[2]] = {**events[ends[2]], "time": LAST}
    fill = like(events[ends[0]], "fill_received", slip="FL-1", cents=500_000) | {"time": LAST}
    head, lines = GENESIS, []
    for sequence, event in enumerate(inserted(events, ends[0] + 1, fill), 1):
        lines.append(encode(event | {"sequence": sequence, "prevhash": head}))
        head = digest(lines[-1])
    return events[0]["subject"], lines


SUBJECT, LINES = _lines()


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with floor(tmp_path_factory.mktemp("extreme"), {SUBJECT: LINES}) as held:
        yield held


@pytest.fixture
def console(log: SqliteDeskLog, accounts: Accounts, clock: Clock, store: Warehouse) -> Console:
    return a_console(Desk(log, clock), accounts, clock, store)


def test_every_page_about_the_table_answers(signed_in: Callable[[str], Browser]) -> None:
    watching, revenue = signed_in("hale"), signed_in("rex")
    for path in ("/tables", f"/tables/{SUBJECT}", f"/tables/{SUBJECT}/history", "/hands", "/status"):
        assert watching.get(path).status_code == 200, path
    hands = listed(watching, table=SUBJECT)
    assert len(hands) == sum(b"round_ended" in line for line in LINES)
    for hand in hands[-4:]:
        for path in (f"/hands/{SUBJECT}/{hand['round']}", f"/hands/{SUBJECT}/{hand['round']}/evidence.pdf"):
            assert watching.get(path).status_code == 200, path
    shown = revenue.get("/revenue/slips?day=2026-03-02&what=fills")
    assert (shown.status_code, "5,000.00" in shown.text) == (200, True)

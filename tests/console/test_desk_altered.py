"""A desk whose ledger is altered under it: no hang, an alarm on every page, read-only, and so after a restart."""

from __future__ import annotations

import datetime as dt
import logging
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import Accessed, Acknowledged
from dashboards.ledger.ledger import DeskAltered, DeskBusy, MemoryFailed
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.desk_memory import DeskMemory, memory_in
from tests.console.altering import AT_ONCE, EACH, cut
from tests.console.apps import browser_of
from tests.console.conftest import ORIGIN, Browser, Clock
from tests.console.desk_building import a_finding, a_raise
from tests.console.test_feed import told, watch
from tests.waiting import PATIENCE, until

Alter = Callable[[Path], None]
SignedIn = Callable[[str], Browser]
ALERT = a_finding(1).finding_id


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "desk.db"


@pytest.fixture
def memory(path: Path) -> Iterator[DeskMemory]:
    with closing(memory_in(path.parent, path)) as opened:
        yield opened


@pytest.fixture
def console(log: SqliteDeskLog, memory: DeskMemory, accounts: Accounts, clock: Clock) -> Console:
    desk = Desk(log, clock, memory=memory, rest=0.0)
    desk.raise_alerts(a_raise(a_finding(n)) for n in range(1, 4))
    return Console(desk, accounts, clock, (ORIGIN,), heartbeat=0.1, look_every=0.02, send_within=0.5)


def unhealthy(browser: Browser) -> None:
    """Wait until `/health` says that the desk is not as it was."""
    until(lambda: browser.get("/health").status_code != 200)
    answer = browser.get("/health")
    assert (answer.status_code, answer.json()["status"]) == (
        503,
        "the desk's ledger was altered: the console is read-only",
    )


def restarted(path: Path, clock: Clock) -> Desk:
    """A desk of a process that starts now."""
    with closing(SqliteDeskLog(path)) as log, closing(memory_in(path.parent, path)) as memory:
        return Desk(log, clock, memory=memory)


@pytest.mark.timeout(60, func_only=True)  # nobody waits for a desk that was altered
@pytest.mark.parametrize("alter", EACH, ids=lambda alter: str(alter.__name__))
def test_a_ledger_that_is_altered_while_the_console_runs(
    alter: Alter, path: Path, signed_in: SignedIn, caplog: pytest.LogCaptureFixture
) -> None:
    hale = signed_in("hale")
    assert hale.get("/health").status_code == 200
    alter(path)
    unhealthy(hale)
    said = [record for record in caplog.records if record.levelno == logging.CRITICAL]
    assert len(said) == 1, "the log says it, once"
    assert "ALARM: the record of the desk was altered; the console is read-only" in said[0].message

    done = hale.post(f"/api/alerts/{ALERT}/acts", json={"act": "acknowledged", "version": 1})
    assert done.status_code == 503
    assert "the console is read-only: nothing was shown or done" in done.json()["detail"]
    assert "restore it from a copy" in done.json()["detail"]
    page = hale.get("/alerts/" + ALERT, headers={"accept": "text/html"})
    assert page.status_code == 503
    assert "The record of the desk is not the one this console knows" in page.text
    form = {"name": "ito", "password": "whatever it may be"}
    refused = hale.post("/sign-in", data=form, headers={"accept": "text/html"})
    assert refused.status_code == 503
    assert "the record of the desk was altered" in refused.text.lower()

    health = hale.get("/status")
    assert health.status_code == 200, "it is the page that says what is wrong"
    assert "ALARM, read-only since" in health.text
    assert 'id="alarm" class="banner alarm" role="alert">The record of the desk' in health.text
    (desk,) = [part for part in hale.get("/api/status").json()["parts"] if part["part"] == "Desk"]
    assert (desk["state"], "catwalk verify" in desk["remedy"]) == ("failed", True)


@pytest.mark.timeout(60, func_only=True)  # nobody waits for a desk that was altered
@pytest.mark.parametrize("alter", AT_ONCE, ids=lambda alter: str(alter.__name__))
def test_an_act_upon_an_altered_ledger_is_refused(
    alter: Alter, path: Path, log: SqliteDeskLog, clock: Clock
) -> None:
    """The desk's own look has not come yet: the act is the first that meets the altered ledger."""
    desk = Desk(log, clock)
    desk.raise_alerts(a_raise(a_finding(n)) for n in range(1, 4))
    alter(path)
    with pytest.raises(DeskAltered):
        desk.act(Acknowledged(alert=ALERT, version=1), "hale")
    with pytest.raises(DeskAltered):
        desk.note(Accessed(what="page", object="x", granted=True), "hale")
    assert desk.alarm is not None


def test_an_open_feed_tells_the_alarm(path: Path, signed_in: SignedIn) -> None:
    with watch(signed_in("hale")) as feed:
        told(feed, 3)
        cut(path)
        alarm = until(lambda: feed.receive_json(timeout=PATIENCE).get("alarm"))
    assert "The record of the desk is not the one this console knows" in alarm


def test_a_ledger_that_is_as_it_was_makes_no_alarm(
    path: Path, console: Console, signed_in: SignedIn, clock: Clock
) -> None:
    """Others append, passes over all records come and go, and the desk is healthy all the while."""
    hale = signed_in("hale")
    with closing(SqliteDeskLog(path)) as other_log:
        other = Desk(other_log, clock)
        for number in range(30):
            other.raise_alerts([a_raise(a_finding(100 + number))])
            assert hale.get("/health").status_code == 200
            time.sleep(0.01)
    assert console.desk.alarm is None
    assert "alarm" not in hale.get("/").text.partition('id="alarm"')[0]


@pytest.mark.parametrize("alter", EACH, ids=lambda alter: str(alter.__name__))
def test_a_ledger_that_is_altered_between_two_runs_is_not_taken(
    alter: Alter, path: Path, clock: Clock, accounts: Accounts
) -> None:
    with closing(SqliteDeskLog(path)) as log, closing(memory_in(path.parent, path)) as memory:
        Desk(log, clock, memory=memory).raise_alerts(a_raise(a_finding(n)) for n in range(1, 4))
    assert restarted(path, clock).alarm is None
    alter(path)
    with ExitStack() as stack:
        desk = Desk(
            stack.enter_context(closing(SqliteDeskLog(path))),
            clock,
            memory=stack.enter_context(closing(memory_in(path.parent, path))),
        )
        assert desk.alarm is not None
        with pytest.raises(DeskAltered):
            desk.note(Accessed(what="page", object="x", granted=True), "hale")
        console = Console(desk, accounts, clock, (ORIGIN,))
        with browser_of(console) as browser:
            assert browser.get("/health").status_code == 503, "from the first answer on"
            assert "Nobody can sign in" in browser.get("/sign-in").text
    assert restarted(path, clock).alarm is not None, "however often it is started"


def test_a_crash_between_ledger_and_memory_is_no_alarm(path: Path, clock: Clock) -> None:
    """What is remembered is earlier in the ledger: a process that died before it remembered the last records."""
    with closing(SqliteDeskLog(path)) as log, closing(memory_in(path.parent, path)) as memory:
        desk = Desk(log, clock, memory=memory)
        desk.raise_alerts(a_raise(a_finding(n)) for n in range(1, 3))
        acknowledged = memory.recall()
    with closing(SqliteDeskLog(path)) as log:
        Desk(log, clock).raise_alerts(a_raise(a_finding(n)) for n in range(3, 6))
    assert acknowledged is not None
    assert acknowledged.sequence == 2, "what was answered was remembered before it was answered"
    again = restarted(path, clock)
    assert (again.alarm, again.records) == (None, 5)


def test_two_consoles_with_one_memory_take_turns_without_an_alarm(path: Path, clock: Clock) -> None:
    with ExitStack() as stack:
        desks = [
            Desk(
                stack.enter_context(closing(SqliteDeskLog(path))),
                clock,
                memory=stack.enter_context(closing(memory_in(path.parent, path))),
            )
            for _ in range(2)
        ]
        for number in range(10):
            desks[number % 2].raise_alerts([a_raise(a_finding(number))])
            assert restarted(path, clock).alarm is None
        for desk in desks:
            desk.catch_up()
            assert (desk.alarm, desk.records) == (None, 10)


@pytest.mark.timeout(60, func_only=True)
def test_who_is_outrun_again_and_again_gives_up_and_says_so(
    log: SqliteDeskLog, path: Path, clock: Clock
) -> None:
    """A rival appends before each try: the act ends, is not done, and the desk goes on afterwards."""

    class Rivalled(SqliteDeskLog):
        rivals = True

        def append(self, lines: Sequence[bytes], after: int, head: str) -> None:
            if self.rivals:
                rival.raise_alerts([a_raise(a_finding(1000 + after))])
            super().append(lines, after, head)

    rival = Desk(log, clock)
    with closing(Rivalled(path)) as own:
        desk = Desk(own, clock)
        with pytest.raises(DeskBusy, match="faster than this console"):
            desk.note(Accessed(what="page", object="x", granted=True), "hale")
        own.rivals = False
        desk.note(Accessed(what="page", object="x", granted=True), "hale")
        assert (desk.alarm, rival.alarm) == (None, None)


def test_a_memory_that_cannot_be_written_is_told_and_stops_nothing(
    path: Path, console: Console, memory: DeskMemory, signed_in: SignedIn
) -> None:
    hale = signed_in("hale")
    memory.close()
    console.desk.act(Acknowledged(alert=ALERT, version=1), "hale")
    (desk,) = [part for part in hale.get("/api/status").json()["parts"] if part["part"] == "Desk"]
    assert (desk["state"], "not remembered" in desk["told"]) == ("warning", True)


def test_a_damaged_memory_is_not_taken_for_none(path: Path) -> None:
    (path.parent / "desk_memory.db").write_bytes(b"x" * 4096)
    with pytest.raises(MemoryFailed, match=r"desk_memory\.db: file is not a database"):
        memory_in(path.parent, path)


def test_two_threads_that_read_the_ledger_again_raise_no_alarm(tmp_path: Path) -> None:
    log = SqliteDeskLog(tmp_path / "desk.db")
    desk = Desk(log, lambda: dt.datetime.now(dt.UTC), rest=0.0)
    for number in range(60):
        desk.note(Accessed(what="queue", object=f"{number}", granted=True), "hale")

    def again() -> None:
        for _ in range(200):
            desk.reread(5)

    with ThreadPoolExecutor(2) as threads:
        for one in [threads.submit(again) for _ in range(2)]:
            one.result()
    assert desk.alarm is None
    log.close()

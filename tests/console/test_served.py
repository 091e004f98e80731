"""A console that really serves, on a port of this machine: over restarts, to those who do not read, in time."""

import contextlib
import json
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest
from argon2 import PasswordHasher
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.configured.embedded import LEDGER, embedded
from deploy.console.alerting import Alerting
from deploy.console.server import Served, server_of, utc_now
from deploy.settings import Settings
from producers.recorder import Arrival, Recorder
from producers.sqlite_log import SqliteLog
from tests.console.conftest import PASSWORD
from tests.console.desk_building import a_finding, a_raise
from tests.waiting import until

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "breach_dealer22_paid.ndjson"


@contextmanager
def serving(folder: Path, port: int, backlog: int = 1_000) -> Iterator[Console]:
    """A console on the files of this folder, as long as the block lasts."""
    origin = f"http://127.0.0.1:{port}"
    cheap = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)
    with (
        closing(SqliteDeskLog(folder / "desk.db")) as log,
        closing(Accounts(folder / "console.db", utc_now, cheap)) as accounts,
    ):
        if not accounts.users():
            accounts.add("hale", "surveillance", PASSWORD)
        console = Console(Desk(log, utc_now), accounts, utc_now, (origin,), heartbeat=0.2, backlog=backlog)
        server = server_of(console, Served("127.0.0.1", port, (origin,)))
        thread = threading.Thread(target=server.run)
        thread.start()
        try:
            until(lambda: server.started)
            yield console
        finally:
            server.should_exit = True
            thread.join(10)
            assert not thread.is_alive(), "the server did not end"


def sign_in(port: int) -> dict[str, str]:
    """Headers of someone who has signed in."""
    origin = f"http://127.0.0.1:{port}"
    form = {"name": "hale", "password": PASSWORD}
    answer = httpx.post(f"{origin}/sign-in", data=form, headers={"origin": origin})
    assert answer.status_code == 303
    return {"cookie": f"catwalk={answer.cookies['catwalk']}", "origin": origin}


def watch(port: int, headers: dict[str, str], after: int | None = None) -> ClientConnection:
    query = "" if after is None else f"?after={after}"
    plain = {name: value for name, value in headers.items() if name != "origin"}
    origin: Any = headers["origin"]
    return connect(f"ws://127.0.0.1:{port}/feed{query}", origin=origin, additional_headers=plain)


def told(feed: ClientConnection, until: int) -> list[int]:
    seqs: list[int] = []
    while not seqs or seqs[-1] < until:
        messages = map(json.loads, str(feed.recv(timeout=10)).splitlines())
        seqs += [message["seq"] for message in messages if message["kind"] != "heartbeat"]
    return seqs


def test_over_a_restart_nothing_is_lost_or_doubled_and_the_sign_in_lasts(tmp_path: Path, port: int) -> None:
    seqs: list[int] = []
    with ExitStack() as stack:
        with serving(tmp_path, port) as console:
            headers = sign_in(port)
            feed = stack.enter_context(watch(port, headers, 0))
            console.desk.raise_alerts(a_raise(a_finding(n)) for n in range(1, 51))
            seqs += told(feed, 50)
        assert rest_of(feed) == []
    with closing(SqliteDeskLog(tmp_path / "desk.db")) as log:
        Desk(log, utc_now).raise_alerts(a_raise(a_finding(n)) for n in range(51, 61))
    with serving(tmp_path, port) as console, watch(port, headers, seqs[-1]) as feed:
        console.desk.raise_alerts(a_raise(a_finding(n)) for n in range(61, 71))
        seqs += told(feed, 70)
    assert seqs == list(range(1, 71))


@pytest.mark.thorough
def test_who_does_not_read_is_cut_off_and_resumes_from_where_it_was(tmp_path: Path, port: int) -> None:
    last = 20_000  # some 6 MB: more than the buffers of both ends hold, and as much as the desk keeps
    with serving(tmp_path, port, backlog=2_000) as console:
        headers = sign_in(port)
        with watch(port, headers, 0) as slow:
            until(lambda: viewers(port, headers) == 1)
            for first in range(1, last, 20):  # fewer at once than may wait: who reads is not cut off
                console.desk.raise_alerts(a_raise(a_finding(n)) for n in range(first, first + 20))
            until(lambda: viewers(port, headers) == 0)
            seqs = rest_of(slow)
        assert 500 < len(seqs) < last, "the buffers of the link were filled first"
        assert seqs == list(range(1, len(seqs) + 1))
        assert [c.seq for c in console.desk.changes_after(seqs[-1]) or ()] == list(
            range(seqs[-1] + 1, last + 1)
        )


def rest_of(feed: ClientConnection) -> list[int]:
    """Numbers of the changes that come before the feed is closed."""
    seqs = []
    with contextlib.suppress(ConnectionClosed):
        while True:
            messages = map(json.loads, str(feed.recv(timeout=10)).splitlines())
            seqs += [message["seq"] for message in messages if message["kind"] == "change"]
    return seqs


def viewers(port: int, headers: dict[str, str]) -> int:
    told = httpx.get(f"http://127.0.0.1:{port}/health", headers=headers, verify=False)
    return int(told.json()["viewers"])


def test_an_alert_does_not_wait_for_the_next(tmp_path: Path, port: int) -> None:
    with serving(tmp_path, port) as console, watch(port, sign_in(port), 0) as feed:
        for number in range(1, 41):
            console.desk.raise_alerts([a_raise(a_finding(number))])
            assert told(feed, number) == [number]


def _has_alerts(desk: Desk) -> bool:
    return bool(desk.snapshot().alerts)


def test_what_the_ledger_holds_and_what_comes_to_it_is_at_the_desk_once(tmp_path: Path) -> None:
    """Stopped before the breach and behind it: each finding is raised one time, under the dealer of its round."""
    lines = EXAMPLE.read_bytes().splitlines()
    settings = Settings(data=str(tmp_path))
    raised: list[dict[str, str | None]] = []
    for name, *parts in (("desk", lines[:100], lines[100:]), ("desk", [], []), ("new", [], [])):
        with (
            closing(SqliteLog(tmp_path / LEDGER)) as ledger,
            closing(SqliteDeskLog(tmp_path / f"{name}.db")) as log,
        ):
            recorder = Recorder(ledger, utc_now)
            recorder.record_lines([Arrival(line, "test") for line in parts[0]])
            with embedded(settings) as held:
                desk = Desk(log, utc_now)
                alerting = Alerting(held, desk)
                ended = threading.Event()
                following = threading.Thread(target=alerting.follow, args=(ended,))
                following.start()
                recorder.record_lines([Arrival(line, "test") for line in parts[1]])
                until(partial(_has_alerts, desk))
                time.sleep(0.3)
                ended.set()
                following.join(10)
                raised.append({alert.id: alert.dealer for alert in desk.snapshot().alerts})
                found = held.store.query(
                    "SELECT finding_id FROM findings FINAL"
                    " WHERE verdict IN ('breached', 'suspected') OR severity = 'critical'"
                )
                assert {row[0] for row in found} == set(raised[-1])
    assert raised[0] == raised[1] == raised[2]
    assert raised[0]
    assert all(raised[0].values()), "the dealer of each is known"

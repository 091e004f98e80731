"""What the operator of an altered desk has: `catwalk verify` names it, a copy restores it, `console accept` goes on."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

import httpx
import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.ledger.acts import LedgerAccepted, read
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.desk_memory import memory_in
from schemas.events.codec import record_hash
from tests.commands.run import Catwalk, catwalk
from tests.console.altering import cut, delete, edit_in_place, edit_last, empty, replace_by_older, write_anew
from tests.console.conftest import Clock
from tests.console.desk_building import a_finding, a_raise
from tests.console.test_served import EXAMPLE
from tests.starting import start
from tests.waiting import PATIENCE, answered, until

__all__ = ["catwalk"]  # a fixture

Alter = Callable[[Path], None]
REASON = "restored the copy of last night after the disk failed"


@pytest.fixture
def path(tmp_path: Path, clock: Clock, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ledger of three records, which a console has acknowledged."""
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path))
    path = tmp_path / "desk.db"
    with closing(SqliteDeskLog(path)) as log, closing(memory_in(tmp_path, path)) as memory:
        Desk(log, clock, memory=memory).raise_alerts(a_raise(a_finding(n)) for n in range(1, 4))
    return path


def alarm_of(path: Path, clock: Clock) -> str:
    with closing(SqliteDeskLog(path)) as log, closing(memory_in(path.parent, path)) as memory:
        alarm = Desk(log, clock, memory=memory).alarm
        return alarm.why if alarm is not None else ""


@pytest.mark.parametrize(
    ("alter", "bad", "why"),
    [
        (cut, 3, "it ends at record 2; a console acknowledged 3"),
        (empty, 1, "there is not a single record"),
        (edit_last, 3, "a console acknowledged another record 3"),
        (write_anew, 3, "a console acknowledged another record 3"),
        (edit_in_place, 1, "record 1 of the desk was edited"),
        (replace_by_older, 3, "it ends at record 2; a console acknowledged 3"),
    ],
)
def test_verify_names_what_was_altered(
    alter: Alter, bad: int, why: str, path: Path, catwalk: Catwalk
) -> None:
    assert catwalk("verify", path).status == 0
    alter(path)
    ran = catwalk("verify", path, "--format", "json")
    assert ran.status == 1
    (proof,) = ran.json["streams"]
    assert (proof["subject"], proof["first_bad_sequence"]) == ("desk", bad)
    assert why in proof["reason"]


def test_a_copy_that_is_restored_is_served_again(path: Path, clock: Clock) -> None:
    copy = path.with_name("copy.db")
    shutil.copy(path, copy)
    delete(path)
    assert alarm_of(path, clock) == "it ends at record 0, and this console acknowledged 3"
    delete(path)
    shutil.move(copy, path)
    assert alarm_of(path, clock) == ""


@pytest.mark.parametrize(("alter", "left"), [(cut, 2), (empty, 0), (delete, 0), (write_anew, 3)])
def test_what_is_accepted_is_on_the_record(
    alter: Alter, left: int, path: Path, clock: Clock, catwalk: Catwalk
) -> None:
    with closing(memory_in(path.parent, path)) as memory:
        remembered = memory.recall()
    assert remembered is not None
    alter(path)
    ran = catwalk("console", "accept", "--reason", REASON)
    assert (ran.status, ran.out) == (0, "")
    assert f"accepted as it ended, at record {left}; 3 were remembered" in ran.err
    assert alarm_of(path, clock) == ""
    with closing(SqliteDeskLog(path)) as log:
        lines = [line for _, line in log.read_from(1)]
    assert len(lines) == left + 1
    record, _ = read(lines[-1], left + 1, record_hash(lines[-2]) if left else "0" * 64)
    assert isinstance(record.data, LedgerAccepted)
    assert (record.data.remembered, record.data.remembered_head) == remembered
    assert (record.data.reason, bool(record.data.by)) == (REASON, True)
    cut(path)
    assert alarm_of(path, clock), "and from then on that record is remembered"


def test_what_cannot_or_need_not_be_accepted(path: Path, catwalk: Catwalk, clock: Clock) -> None:
    ran = catwalk("console", "accept", "--reason", REASON)
    assert (ran.status, "nothing to accept" in ran.err) == (0, True)
    with closing(SqliteDeskLog(path)) as log:
        assert len(list(log.read_from(1))) == 3
    short = catwalk("console", "accept", "--reason", "because")
    assert (short.status, "write 10 characters or more" in short.err) == (2, True)
    edit_in_place(path)
    broken = catwalk("console", "accept", "--reason", REASON)
    assert (broken.status, broken.err.count("\n")) == (2, 1)
    assert "restore it from a copy" in broken.err
    assert alarm_of(path, clock)


@contextmanager
def a_console(folder: Path, port: int) -> Iterator[tuple[httpx.Client, subprocess.Popen[str]]]:
    """A console process of this folder, once it answers."""
    command = [sys.executable, "-m", "deploy.cli", "console", "--port", str(port)]
    environment = {**os.environ, "CATWALK_DATA": str(folder)}
    with (
        start(command, env=environment, stderr=subprocess.PIPE, text=True) as process,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", verify=False) as browser,
    ):
        try:
            until(partial(answered, f"http://127.0.0.1:{port}/health"), running=process)
            yield browser, process
        finally:
            process.kill()


@pytest.mark.thorough
def test_a_console_process_over_a_cut_a_restart_and_an_acceptance(
    tmp_path: Path, port: int, catwalk: Catwalk, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CATWALK_DATA", str(tmp_path))
    assert catwalk("record", EXAMPLE).status == 0
    with closing(Accounts(tmp_path / "console.db", clock)) as accounts:
        accounts.add("hale", "surveillance", "correct horse battery")
    with a_console(tmp_path, port) as (browser, process):
        assert browser.get("/health").status_code == 200
        cut(tmp_path / "desk.db")
        until(lambda: browser.get("/health").status_code != 200)
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=PATIENCE)
        assert "ALARM: the record of the desk was altered; the console is read-only" in said
        assert (process.returncode, "Traceback" in said) == (0, False)
    with a_console(tmp_path, port) as (browser, _):
        answer = browser.get("/health")
        assert (answer.status_code, "altered" in answer.text) == (503, True)
    assert catwalk("console", "accept", "--reason", REASON).status == 0
    with a_console(tmp_path, port) as (browser, _):
        assert browser.get("/health").status_code == 200
        with closing(SqliteDeskLog(tmp_path / "desk.db")) as log:
            assert Desk(log, clock).seq == 1, "the alert that was cut is raised again"

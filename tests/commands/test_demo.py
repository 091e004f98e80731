"""`catwalk demo` as a user runs it: in a process of its own, stopped in every way."""

from __future__ import annotations

import datetime as dt
import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from deploy.console.alerting import asks_for_alert
from deploy.demo.tables import Begun, begin, gaming_day_at
from deploy.errors import UserError
from processors.runtime.store.chdb_warehouse import ChdbWarehouse
from producers.sqlite_log import SqliteLog
from schemas.findings import Finding
from tests.commands.demonstrations import (
    CATWALK,
    ENOUGH,
    UNOPENED,
    Demonstrated,
    assert_whole,
    demo,
    demonstrated,
    events,
    finished,
    started,
)
from tests.commands.run import Catwalk, catwalk
from tests.commands.test_private_files import open_below
from tests.embedded.ledgers import lines_of, subject_of
from tests.sampling import one_in
from tests.starting import start
from tests.waiting import until

__all__ = ["catwalk", "demonstrated"]  # fixtures


def test_killed_on_its_way_and_asked_to_end_it_records_folds_stores_and_says_where_and_how_to_look_further(
    demonstrated: Demonstrated,
) -> None:
    folder = demonstrated.folder
    assert "Traceback" not in demonstrated.all_said
    said = re.search(r"Recorded +([\d,]+) events of 3 tables", demonstrated.said)
    assert said is not None, demonstrated.said
    assert int(said.group(1).replace(",", "")) == events(folder) > 2_000
    first = (
        "Look at   Alerts: by a click on Money the largest debt stands first; it is closed by two people\n"
    )
    assert first in demonstrated.said
    for line in (f"in {folder}/ledger.db", f"in {folder}/warehouse", f"catwalk verify {folder}/ledger.db"):
        assert line in demonstrated.said
    assert_whole(folder)
    # Where no test has opened the store, which merges its files by the umask of the test.
    assert open_below(folder.with_name(UNOPENED)) == [], "it is for its user alone, whatever the umask"


def test_a_day_lies_behind_it_with_its_drop_counted_today_is_live_and_all_tables_share_one_clock(
    demonstrated: Demonstrated,
) -> None:
    last, days, counted = answers(
        demonstrated,
        "SELECT max(time) FROM events FINAL GROUP BY subject",
        "SELECT gaming_day, uniqExact(subject), count() FROM rounds FINAL GROUP BY gaming_day ORDER BY gaming_day",
        "SELECT count() FROM events FINAL WHERE type = 'drop_counted'",
    )
    times = [at for (at,) in last]
    assert len(times) == 3
    assert max(times) - min(times) < dt.timedelta(hours=1), (
        "at 900 times their pace, by the clock of the tables"
    )
    begun = dt.datetime.fromtimestamp((demonstrated.folder.parent / "life-0").stat().st_mtime, dt.UTC)
    today = gaming_day_at(begun)
    assert [str(day) for day, _, _ in days] == [str(today - dt.timedelta(days=1)), str(today)]
    assert days[0][1] == 3
    assert 45 < days[0][2] < 900
    assert counted == [(3,)]


def test_there_are_a_few_breaches_among_lawful_play(demonstrated: Demonstrated) -> None:
    found, records = answers(
        demonstrated,
        "SELECT status, count() FROM rounds FINAL GROUP BY status",
        "SELECT record FROM findings FINAL",
    )
    statuses: dict[str, int] = dict(found)
    findings = [msgspec.json.decode(record, type=Finding) for (record,) in records]
    assert 3 <= statuses["breached"] < statuses["consistent"] / 3
    alerts = {one.message for one in findings if asks_for_alert(one)}
    assert alerts
    for message in alerts:
        assert message in demonstrated.all_said, "each alert is a line"
    for message in {one.message for one in findings} - alerts:
        assert message not in demonstrated.all_said, "and nothing else is"


def test_the_store_answers_as_the_document_shows(demonstrated: Demonstrated) -> None:
    document = (Path(__file__).parents[2] / "docs" / "embedded.md").read_text()
    [program] = re.findall(r"^```python\n(.*?)^```$", document, re.M | re.S)
    program = program.replace("data/demo", str(demonstrated.folder))
    asked = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=ENOUGH)
    assert asked.returncode == 0, asked.stderr
    assert re.search(r"^(FB|DU)-\d+ \S+ \d+ -?\d", asked.stdout, re.M), asked.stdout


def answers(demonstrated: Demonstrated, *questions: str) -> list[list[tuple[Any, ...]]]:
    """What the store of a demonstration that has ended answers."""
    with closing(ChdbWarehouse(demonstrated.folder / "warehouse")) as store:
        return [store.query(one) for one in questions]


@pytest.mark.soak  # the day before is gone on with in every run
@pytest.mark.thorough
def test_started_again_it_goes_on_and_takes_more_tables(tmp_path: Path) -> None:
    folder = tmp_path / "floor"
    first = finished(folder, "--speed", 300, "--tables", 2, "--seed", 7, "--for", 1)
    before = events(folder)
    second = finished(folder, "--speed", 300, "--tables", 3, "--for", 1)
    assert (first.returncode, second.returncode) == (0, 0), (first, second)
    assert events(folder) > before
    assert "events of 3 tables" in second.stdout
    assert_whole(folder)


def test_seed_and_tables_are_kept_and_a_damaged_note_of_them_is_said(tmp_path: Path) -> None:
    today, later = dt.date(2026, 11, 26), dt.date(2026, 11, 28)
    assert begin(tmp_path, 7, 2, False, 0.5, today=today) == Begun(7, 2, today, 0.5)
    assert begin(tmp_path, None, None, True, today=later) == Begun(7, 2, today, 0.5), "its day as well"
    assert begin(tmp_path, 7, 9, True, today=later) == Begun(7, 9, today, 0.5)
    assert begin(tmp_path, None, None, True, today=later) == Begun(7, 9, today, 0.5)
    with pytest.raises(UserError, match=r"begun with --history 0\.5"):
        begin(tmp_path, None, None, True, 2, today=later)
    (tmp_path / "demo.json").write_text('{"seed": "seven"}')
    with pytest.raises(UserError, match=r"demo\.json"):
        begin(tmp_path, None, None, True, today=later)


@pytest.mark.soak  # tests/simulator deals by the same seed twice in every run
@pytest.mark.thorough
def test_the_same_seed_deals_the_same_bytes(tmp_path: Path) -> None:
    logs = []
    for name, speed in (("one", 200), ("two", 700)):
        process = started(tmp_path / name, "--speed", speed, "--tables", 2, each=(51, 51))
        process.terminate()
        assert process.communicate(timeout=ENOUGH)[1] == ""
        assert process.returncode == 0
        logs.append(SqliteLog(tmp_path / name / "ledger.db", read_only=True))
    for subject in logs[0].subjects():
        shorter = min(log.head(subject).sequence for log in logs)
        assert shorter > 50
        lines = [[line for _, line in log.read_from(subject)][:shorter] for log in logs]
        assert lines[0] == lines[1]
    for log in logs:
        log.close()


@pytest.mark.thorough
@pytest.mark.parametrize("number", one_in(2, [signal.SIGINT, signal.SIGTERM], 1))
def test_a_second_demo_over_the_same_folder_is_refused_and_the_first_goes_on_and_asked_to_stop_stores_what_it_has(
    tmp_path: Path, catwalk: Catwalk, number: signal.Signals
) -> None:
    folder = tmp_path / "floor"
    first = started(folder, "--speed", 200, "--tables", 3)
    second = catwalk(*demo(folder)[len(CATWALK) :])
    assert second.status == 2
    [line] = second.err.splitlines()
    assert f"process {first.pid} has it open" in line
    assert first.poll() is None
    first.send_signal(number)
    out, err = first.communicate(timeout=ENOUGH)
    assert first.returncode == 0, err
    assert "Traceback" not in err
    assert f"Recorded  {events(folder):,} events of 3 tables" in out
    assert_whole(folder)


@pytest.mark.soak  # the day before is killed on its way in every run
@pytest.mark.thorough
def test_kill_minus_nine_loses_nothing_that_was_recorded(tmp_path: Path) -> None:
    folder = tmp_path / "floor"
    recorded = 0
    for _ in range(3):
        process = started(folder, "--speed", 400, "--tables", 3)
        time.sleep(0.4)
        recorded = max(recorded, events(folder))
        process.kill()
        process.communicate(timeout=ENOUGH)
        assert events(folder) >= recorded
    last = finished(folder, "--for", 0.1)
    assert last.returncode == 0, last
    assert_whole(folder)


def test_another_seed_and_a_ledger_of_somebody_else_are_refused_with_the_way_out(
    tmp_path: Path, catwalk: Catwalk, demonstrated: Demonstrated
) -> None:
    before = events(demonstrated.folder)
    other_seed = catwalk(*demo(demonstrated.folder, "--seed", 4)[len(CATWALK) :])
    assert other_seed.status == 2
    assert "begun with --seed 1" in other_seed.err
    assert events(demonstrated.folder) == before
    (tmp_path / "real").mkdir(mode=0o700)
    log = SqliteLog(tmp_path / "real" / "ledger.db")
    name = "lawful_free_bet_590"
    log.append(subject_of(name), lines_of(name)[:5], log.head(subject_of(name)))
    log.close()
    real = catwalk(*demo(tmp_path / "real")[len(CATWALK) :])
    assert real.status == 2
    assert len(real.err.splitlines()) == 1
    assert "no demo wrote" in real.err
    assert events(tmp_path / "real") == 5


@pytest.mark.thorough
def test_a_reader_that_goes_away_ends_it_without_a_traceback(tmp_path: Path) -> None:
    command = demo(tmp_path / "floor", "--speed", 2000, "--tables", 5, "--for", 20)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    err = process.stderr.read()
    process.stderr.close()
    assert process.wait(ENOUGH) == 141
    assert "Traceback" not in err


class Terminal:
    """A demonstration on a terminal of its own."""

    def __init__(self, folder: Path, *arguments: object) -> None:
        self._main, theirs = pty.openpty()
        environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"}
        self.process = start(
            demo(folder, *arguments),
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
            preexec_fn=_take_terminal,
        )
        os.close(theirs)
        self.written = ""

    def until(self, wanted: str) -> None:
        """Read until it has written this."""
        until(
            lambda: wanted in self.written or not self._read(0.2),
            lambda: self.written[-2000:],
            seconds=ENOUGH,
        )
        assert wanted in self.written, self.written[-2000:]

    def press(self, keys: bytes) -> None:
        """Type."""
        os.write(self._main, keys)

    def end(self) -> int:
        """Read to the end; its exit status."""
        while self._read(ENOUGH):
            pass
        os.close(self._main)
        return self.process.wait(ENOUGH)

    def _read(self, seconds: float) -> bool:
        waiting = select.poll()  # select.select refuses a descriptor of 1024 or more
        waiting.register(self._main, select.POLLIN)
        if not waiting.poll(seconds * 1000):
            return self.process.poll() is None
        try:
            found = os.read(self._main, 65536)
        except OSError:  # the other side is closed
            return False
        self.written += found.decode("utf-8", "replace")
        return bool(found)


def _take_terminal() -> None:
    import fcntl
    import termios

    fcntl.ioctl(0, termios.TIOCSCTTY, 0)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    terminal = Terminal(tmp_path / "floor", "--speed", 100, "--tables", 3)
    yield terminal
    if terminal.process.poll() is None:
        terminal.process.kill()
        terminal.end()


def test_on_a_terminal_tables_are_shown_live_and_ctrl_c_gives_the_screen_back(terminal: Terminal) -> None:
    terminal.until("Last event")
    terminal.until("card placed")
    terminal.press(b"\x03")
    assert terminal.end() == 0
    live, after = terminal.written.split("\x1b[?1049l", 1)
    assert "\x1b[?1049h" in live
    assert "Recorded" in after
    assert "Traceback" not in terminal.written


def test_help_says_what_the_port_is_for_and_gives_an_example(catwalk: Catwalk) -> None:
    shown = catwalk("demo", "--help")
    assert shown.status == 0
    assert "web console" in shown.out
    assert "Example:" in shown.out

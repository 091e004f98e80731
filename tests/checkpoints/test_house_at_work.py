"""Checkpoints of a house at work: a demonstration and a console, each ended as people end them."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.ledger.acts import SUBJECT
from deploy.console.server import utc_now
from producers.log import LedgerUnusable
from producers.sqlite_log import SqliteLog
from tests.browser.site import free_port
from tests.checkpoints.houses import KEY, VKEY, House
from tests.commands.demonstrations import ENOUGH, demo
from tests.commands.run import Catwalk, catwalk
from tests.console.conftest import PASSWORD
from tests.console.test_served import EXAMPLE
from tests.starting import start
from tests.waiting import answered, until

__all__ = ["catwalk"]  # a fixture


@pytest.fixture
def house(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house whose settings ask for checkpoints, in this process and in those it starts."""
    key = tmp_path / "signing.key"
    key.write_text(KEY.text)
    house = House(tmp_path)
    settings = {"DATA": house.data, "SIGNING_KEY": key, "CHECKPOINTS": house.log, "CHECKPOINT_SECONDS": 1}
    for name, value in settings.items():
        monkeypatch.setenv(f"CATWALK_{name}", str(value))
    return house


def vouched(catwalk: Catwalk, house: House) -> dict[str, int]:
    """How many records came after the last checkpoint, by table."""
    ran = catwalk("verify", house.data, "--checkpoints", house.log, "--key", VKEY, "--format", "json")
    assert ran.status == 0, ran
    return {one["subject"]: one["after"] for one in ran.json["log"]["tables"]}


def has_more_notes(house: House, before: int) -> bool:
    return len(house.notes()) > before


def has_an_alert_and_more_notes(house: House, before: int) -> bool:
    try:
        with closing(SqliteLog(house.data / "desk.db", read_only=True)) as desk:
            return desk.head(SUBJECT).sequence > 0 and has_more_notes(house, before)
    except LedgerUnusable:  # not there yet, or not whole yet
        return False


def test_a_demonstration_signs_tables_and_desk_while_it_runs_and_at_its_end(
    catwalk: Catwalk, house: House
) -> None:
    for _ in range(2):
        signed = partial(has_an_alert_and_more_notes, house, len(house.notes()))
        process = start(demo(house.data, "--tables", 2, "--speed", 60), stdout=subprocess.DEVNULL)
        until(signed, running=process)
        process.terminate()
        assert process.wait(ENOUGH) == 0
        after = vouched(catwalk, house)
        assert set(after.values()) == {0}
        assert len(after) == 3
        assert "desk" in after


@pytest.mark.thorough
def test_a_console_signs_what_others_recorded_and_its_own_desk(catwalk: Catwalk, house: House) -> None:
    assert catwalk("record", EXAMPLE).status == 0
    accounts = Accounts(house.data / "console.db", utc_now)
    accounts.add("hale", "surveillance", PASSWORD)
    accounts.close()
    port = free_port()
    command = [sys.executable, "-m", "deploy.cli", "console", "--port", str(port)]
    environment = {**os.environ, "CATWALK_CONSOLE_FACTOR_ROLES": "none"}
    with start(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            # One note of the recorder, and one of the desk's alerts.
            until(lambda: len(house.notes()) > 1, running=process)
            # Until then TERM ends it as it ends any command.
            answer = until(partial(answered, f"http://127.0.0.1:{port}/health"))
            assert answer.status_code == 200
            process.send_signal(signal.SIGTERM)
            _, said = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 0, said
    assert vouched(catwalk, house) == {"FB-12": 0, "desk": 0}

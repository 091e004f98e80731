"""How the tests come by their servers: never a silent skip, and nothing left running."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from deploy.errors import UserError
from deploy.settings import SKIP_LIVE
from deploy.stack.processes import identify
from tests.live.servers import _or_fail, _still_there
from tests.live.test_stack import catwalk

AWAY = UserError("java", "not found, and the broker runs on it", "apt-get install default-jre-headless")


@pytest.mark.parametrize(("skip", "ci"), [("", ""), ("", "true"), ("1", "true"), ("1", "1")])
def test_a_server_that_cannot_be_had_fails_the_test_with_the_remedy(
    skip: str, ci: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(SKIP_LIVE, skip)
    monkeypatch.setenv("CI", ci)
    with pytest.raises(pytest.fail.Exception, match=r"java.*apt-get install.*CATWALK_SKIP_LIVE=1"):
        _or_fail(AWAY)


def test_who_has_no_servers_may_leave_them_out_and_is_told_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(SKIP_LIVE, "1")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="java: not found"):
        _or_fail(AWAY)


def test_a_worker_of_the_run_that_died_does_not_keep_the_servers_running(tmp_path: Path) -> None:
    me = identify(os.getpid())
    assert me is not None
    assert _still_there(tmp_path / f"{me.pid}-{me.started}-x")
    assert not _still_there(tmp_path / f"{me.pid}-{me.started + 1}-x")  # another process by the same number
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        gone.wait()
    assert not _still_there(tmp_path / f"{gone.pid}-1-x")


def test_several_who_migrate_at_once_leave_one_form(live_environment: dict[str, str]) -> None:
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: catwalk("migrate", environment=live_environment), range(3)))
    assert [(one.returncode, one.stderr) for one in done] == [(0, "")] * 3
    assert catwalk("migrate", "--check", environment=live_environment).returncode == 0


def test_several_who_apply_topics_at_once_leave_one_form(live_environment: dict[str, str]) -> None:
    with ThreadPoolExecutor(3) as pool:
        done = list(pool.map(lambda _: catwalk("topics", "apply", environment=live_environment), range(3)))
    assert [(one.returncode, one.stderr) for one in done] == [(0, "")] * 3
    assert catwalk("topics", "check", environment=live_environment).returncode == 0

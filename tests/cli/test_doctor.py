"""`catwalk doctor`: what a user learns about an installation that works, and about one that does not."""

from __future__ import annotations

import json
import socket
from pathlib import Path
from typing import Any

import pytest

from deploy.cli.main import main
from deploy.settings import DECLARED
from producers.sqlite_log import SqliteLog


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def _examined(capsys: pytest.CaptureFixture[str]) -> dict[str, dict[str, Any]]:
    rows = json.loads(capsys.readouterr().out)
    return {row["name"]: row for row in rows}


def test_a_working_installation_has_nothing_failed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor", "--format", "json"]) == 0
    rows = _examined(capsys)
    assert {row["state"] for row in rows.values()} == {"ok", "absent"}
    assert rows["msgspec"]["found"] in rows["msgspec"]["origin"]
    assert rows["store engine"]["found"].startswith("ClickHouse ")
    assert rows["ledger"] | {"found": ""} == {
        "part": "reachable",
        "name": "ledger",
        "state": "absent",
        "found": "",
        "origin": "",
        "remedy": "`catwalk demo` or `catwalk record` makes one",
    }
    assert [setting.name for setting in DECLARED if setting.name not in rows] == []


def test_a_ledger_is_opened_and_a_file_that_is_none_is_not_taken_for_one(
    here: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "data").mkdir()
    SqliteLog(here / "data" / "ledger.db").close()
    assert main(["doctor", "--format", "json"]) == 0
    assert _examined(capsys)["ledger"]["state"] == "ok"
    (here / "data" / "ledger.db").write_bytes(b"no ledger at all")
    assert main(["doctor", "--format", "json"]) == 1
    assert _examined(capsys)["ledger"]["state"] == "failed"


# A server that stands still is not waited for as for a large question, which may take minutes.
@pytest.mark.timeout(60, func_only=True)
@pytest.mark.parametrize("frozen", [False, True])
def test_servers_that_do_not_answer_are_named_with_what_to_do(
    frozen: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("deploy.cli.doctor.PATIENCE_MS", 400)  # what does not answer never will
    with socket.create_server(("127.0.0.1", 0)) as dumb, socket.socket() as silent:
        silent.bind(("127.0.0.1", 0))  # taken, and nobody listens
        if frozen:  # takes connections, and never answers
            silent.listen()
        monkeypatch.setenv("CATWALK_MODE", "distributed")
        monkeypatch.setenv("CATWALK_KAFKA", f"127.0.0.1:{dumb.getsockname()[1]}")  # listens, and is no broker
        monkeypatch.setenv("CATWALK_CLICKHOUSE_HOST", "127.0.0.1")
        monkeypatch.setenv("CATWALK_CLICKHOUSE_PORT", str(silent.getsockname()[1]))
        assert main(["doctor", "--format", "json"]) == 1
    rows = _examined(capsys)
    assert (rows["kafka brokers"]["state"], rows["clickhouse server"]["state"]) == ("failed", "failed")
    assert "CATWALK_KAFKA" in rows["kafka brokers"]["remedy"]
    assert "CATWALK_CLICKHOUSE_HOST" in rows["clickhouse server"]["remedy"]
    assert rows["clickhouse_host"]["origin"] == "environment CATWALK_CLICKHOUSE_HOST"


def test_a_secret_is_never_shown(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("CATWALK_CLICKHOUSE_PASSWORD", "hush-hush")
    assert main(["doctor"]) == 0
    shown = capsys.readouterr().out
    assert "hush-hush" not in shown
    assert "set, not shown" in shown


def test_a_broken_settings_file_and_a_stray_variable_are_said_and_the_rest_is_still_examined(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "catwalk.toml").write_text("port = 1", encoding="utf-8")
    assert main(["doctor"]) == 1
    shown = capsys.readouterr().out
    assert "! catwalk.toml: port" in shown
    assert "store engine" in shown
    (here / "catwalk.toml").unlink()
    monkeypatch.setenv("CATWALK_PORT", "1")
    assert main(["doctor"]) == 0
    assert "- CATWALK_PORT" in capsys.readouterr().out


def test_a_data_folder_that_cannot_be_is_reported(
    here: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (here / "file").write_text("x", encoding="utf-8")
    monkeypatch.setenv("CATWALK_DATA", "file")
    assert main(["doctor", "--format", "json"]) == 1
    assert _examined(capsys)["data folder"]["remedy"] == "set CATWALK_DATA to a folder that can be written"

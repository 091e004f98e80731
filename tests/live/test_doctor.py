"""`catwalk doctor` beside a real broker and a real server: what is there, and whether it is this release's."""

from __future__ import annotations

import json

from tests.architecture.tracked import ROOT
from tests.live.folding import catwalk
from tests.live.test_stack import catwalk as process
from tests.live.working import prepared


def _examined(environment: dict[str, str]) -> tuple[int, dict[str, dict[str, str]]]:
    done = process("doctor", "--format", "json", environment=environment)
    return done.returncode, {row["name"]: row for row in json.loads(done.stdout)}


def test_servers_that_hold_nothing_yet_are_told_with_the_commands_that_help(
    live_environment: dict[str, str],
) -> None:
    status, rows = _examined(live_environment)
    assert status == 1
    assert (rows["kafka brokers"]["state"], rows["clickhouse server"]["state"]) == ("ok", "ok")
    assert (rows["topics"]["state"], rows["relations"]["state"]) == ("failed", "failed")
    assert "catwalk topics" in rows["topics"]["remedy"]
    assert "catwalk migrate" in rows["relations"]["remedy"]


def test_servers_that_are_current_are_told_so(live_environment: dict[str, str]) -> None:
    prepared(live_environment)
    status, rows = _examined(live_environment)
    assert {name for name, row in rows.items() if row["state"] == "failed"} == set()
    assert status == 0
    assert rows["topics"]["found"].endswith("as declared")
    assert rows["relations"]["found"].endswith("as declared")
    assert "ClickHouse " in rows["clickhouse server"]["found"]
    assert rows["gateway's journal"]["state"] == "absent"
    stream = str(ROOT / "examples" / "breach_overpay.ndjson")
    catwalk(live_environment, "record", stream)
    _, rows = _examined(live_environment)
    assert rows["gateway's journal"]["state"] == "ok"
    assert "702 events, 0 wait; acknowledged ones kept 7 days" in rows["gateway's journal"]["found"]

"""`catwalk migrate` on a real server and on the embedded store: applied once, drift named, nothing told twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from clickhouse_driver import Client

from schemas.warehouse import MIGRATIONS, RELATIONS
from tests.live.servers import database_of
from tests.live.test_stack import catwalk


@pytest.fixture(params=["embedded", "distributed"])
def environment(request: pytest.FixtureRequest, tmp_path: Path) -> dict[str, str]:
    if request.param == "distributed":
        return dict(request.getfixturevalue("live_environment"))
    return {"PATH": "/usr/bin:/bin", "CATWALK_DATA": str(tmp_path / "data")}


def test_migrating_says_what_it_did_and_done_again_does_nothing(environment: dict[str, str]) -> None:
    first = catwalk("migrate", environment=environment)
    assert first.returncode == 0, first.stderr
    assert first.stdout.splitlines()[:-1] == [f"applied {m.number:>3}  {m.name}" for m in MIGRATIONS]
    again = catwalk("migrate", "--format", "json", environment=environment)
    assert json.loads(again.stdout) == {"applied": [], "drift": []}
    check = catwalk("migrate", "--check", environment=environment)
    assert (check.returncode, check.stdout.count("\n")) == (0, 1)


def test_a_store_that_was_never_migrated_is_refused_by_check_and_stays_as_it_is(
    live_environment: dict[str, str],
) -> None:
    check = catwalk("migrate", "--check", environment=live_environment)
    assert check.returncode == 2
    assert check.stderr.endswith(
        f"database {database_of(live_environment)} is not there; `catwalk migrate` makes it\n"
    )


def test_what_was_changed_by_hand_on_the_server_is_named_field_by_field(
    live_environment: dict[str, str], clickhouse: tuple[str, int], database: str
) -> None:
    assert catwalk("migrate", environment=live_environment).returncode == 0
    client = Client(clickhouse[0], port=clickhouse[1], database=database_of(live_environment))
    client.execute("ALTER TABLE rounds DROP COLUMN head")
    client.execute("ALTER TABLE rounds ADD COLUMN mine String")
    client.execute("ALTER TABLE hands MODIFY COLUMN result LowCardinality(String) DEFAULT ''")
    client.execute("ALTER TABLE stakes COMMENT COLUMN seat 'which one'")
    client.execute("ALTER TABLE stakes MODIFY TTL toDateTime(decided_at) + INTERVAL 1 YEAR")
    client.execute("ALTER TABLE findings MODIFY COLUMN message CODEC(LZ4)")
    client.execute("ALTER TABLE racks RESET SETTING fsync_after_insert")
    client.execute("DROP TABLE dead_letters SYNC")
    client.execute("DROP TABLE progress SYNC")
    client.execute("CREATE TABLE progress AS hands ENGINE = MergeTree ORDER BY round")
    client.disconnect()
    check = catwalk("migrate", "--check", "--format", "json", environment=live_environment)
    assert check.returncode == 1
    found = {
        (d["relation"], d["field"]): (d["declared"], d["found"]) for d in json.loads(check.stdout)["drift"]
    }
    assert found["rounds", "column head"] == ("String", None)
    assert found["rounds", "column mine"] == (None, "String")
    assert found["hands", "type of result"] == ("LowCardinality(Nullable(String))", "LowCardinality(String)")
    assert found["stakes", "comment of seat"] == ("seat that staked", "which one")
    assert found["stakes", "retention"] == ("for ever", "1 year")
    assert found["findings", "codec of message"] == ("ZSTD(3)", "LZ4")
    assert found["racks", "settings"][0] == "fsync_after_insert = 1, fsync_part_directory = 1"
    assert found["dead_letters", "relation"] == ("exists", None)
    assert found["progress", "engine"] == ("ReplacingMergeTree(position)", "MergeTree")
    assert found["progress", "key"] == ("subject", "round")
    assert {relation for relation, _ in found} <= RELATIONS.keys()


def test_retention_is_what_the_settings_say(live_environment: dict[str, str]) -> None:
    kept = live_environment | {"CATWALK_CLICKHOUSE_RETENTION_YEARS": "5"}
    assert catwalk("migrate", environment=kept).returncode == 0
    assert catwalk("migrate", "--check", environment=kept).returncode == 0
    check = catwalk("migrate", "--check", environment=live_environment)
    assert "rounds  retention: 5 years; declared for ever\n" in check.stdout


def test_a_server_that_is_away_is_one_line_with_what_to_check(live_environment: dict[str, str]) -> None:
    away = catwalk("migrate", environment=live_environment | {"CATWALK_CLICKHOUSE_PORT": "1"})
    assert (away.returncode, away.stdout) == (2, "")
    assert away.stderr.count("\n") == 1
    assert "Connection refused" in away.stderr
    assert "clickhouse_host and clickhouse_port" in away.stderr

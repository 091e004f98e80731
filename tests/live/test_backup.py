"""Topics into files and into new topics: a property at work is backed up, and goes on with an empty store."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

from schemas.topics import DEADLETTER, DESK, EVENTS, WRITERS
from tests.live.consoles import Person, consoles, kept, prepared_users, to_be_raised
from tests.live.folding import REPOSITORY, Environment, catwalk, expected, read
from tests.live.test_console import tables_of
from tests.live.test_sink import execute
from tests.live.working import all_caught_up, prepared, workers

ALL = ("fold", "analyst", "sink")
BREACHES = ("breach_masque_wrong", "breach_overpay", "breach_surrender_after_hit")
RESULTS = ("rounds.ndjson", "findings.ndjson", "summary.json")


def refused(environment: Environment, *arguments: str) -> str:
    """What a command says that cannot be done, in one line."""
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", *arguments],
        env=dict(environment), cwd=REPOSITORY, capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1), done.stderr
    return done.stderr


def test_a_property_goes_on_with_new_brokers_and_a_new_store(
    live_environment: Environment, tmp_path: Path
) -> None:
    prepared(live_environment)
    environment = prepared_users(live_environment, tmp_path, "hale")
    tables = tables_of(*BREACHES)
    streams = tmp_path / "streams"
    streams.mkdir()
    for key, lines in tables.items():
        (streams / f"{key.decode()}.ndjson").write_bytes(b"\n".join(lines) + b"\n")
    (streams / "torn.ndjson").write_bytes(b'{"no": "event"\n')
    catwalk(environment, "record", str(streams), status=1)  # one line of it is no event
    wanted = set(to_be_raised(expected(tables)[1]))
    with workers(environment, tmp_path, *ALL), consoles(environment, tmp_path, "one") as (console,):
        all_caught_up(environment, kinds=ALL)
        hale = Person(console.ready(), "hale")
        found = hale.sees(len(wanted))
        alert = min(found)
        assert hale.act(alert, found[alert]["version"], "acknowledged").status_code == 200
        made = json.loads(
            catwalk(environment, "backup", "--out", str(tmp_path / "copy"), "--format", "json")
        )  # while all are at work
        hale.close()
    catwalk(environment, "export", "--out", str(tmp_path / "before"))
    assert (made["mode"], made["partitions"], made["breaks"]) == ("distributed", 3, [])
    assert {file["topic"] for file in made["files"] if file["holds"] == "topic"} == {
        topic.name for topic in (EVENTS, DESK, DEADLETTER, WRITERS)
    }
    assert {file["name"] for file in made["files"] if file["holds"] != "topic"} == {
        "console.db",
        "journal.db",
    }
    catwalk(environment, "backup", "--verify", str(tmp_path / "copy"))

    other = {
        **environment,
        "CATWALK_KAFKA_PREFIX": environment["CATWALK_KAFKA_PREFIX"] + "new.",
        "CATWALK_DATA": str(tmp_path / "elsewhere"),
        "CATWALK_CONSOLE_USERS": str(tmp_path / "people"),
    }
    copy = str(tmp_path / "copy")
    assert "it is not there; `CATWALK_KAFKA_PARTITIONS=3 catwalk topics apply`" in refused(
        other, "restore", copy
    )
    catwalk(other, "topics", "apply")
    damaged = tmp_path / "damaged"
    shutil.copytree(copy, damaged)
    (file,) = damaged.glob("catwalk.desk-0.records")
    file.write_bytes(file.read_bytes()[:-3])
    assert "catwalk.desk-0.records: cut off: found " in refused(other, "restore", str(damaged))
    assert not (tmp_path / "elsewhere").exists()
    catwalk(other, "restore", copy)
    for topic in (EVENTS, DESK, DEADLETTER):
        assert read(other, topic) == read(environment, topic)[: len(read(other, topic))], topic.name
    assert read(other, EVENTS) == read(environment, EVENTS)
    assert "records, expected none; restore to new brokers" in refused(
        {**other, "CATWALK_DATA": str(tmp_path / "third"), "CATWALK_CONSOLE_USERS": str(tmp_path / "p3")},
        "restore", copy,
    )  # fmt: skip

    execute(environment, "DROP DATABASE `@` SYNC")
    catwalk(other, "migrate")
    catwalk(other, "rebuild")
    catwalk(other, "export", "--out", str(tmp_path / "after"))
    for name in RESULTS:
        assert (tmp_path / "after" / name).read_bytes() == (tmp_path / "before" / name).read_bytes(), name
    with workers(other, tmp_path, "fold"), consoles(other, tmp_path, "two") as (console,):
        hale = Person(console.ready(), "hale")
        found = hale.sees(len(wanted))
        assert set(found) == wanted
        assert [one for one in found if found[one]["status"] == "acknowledged"] == [alert]
        hale.close()
    assert [one["data"]["act"] for one in kept(other).records].count("raised") == len(wanted)
    # The gateway goes on where its journal stands.
    again = json.loads(catwalk(other, "record", str(streams), "--format", "json", status=1))
    assert (again["recorded"], again["already_had"]) == (0, sum(map(len, tables.values())))

"""Topics into files and into new topics: a property at work is backed up, and goes on with an empty store."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from deploy.backup.answers import OldHouse
from deploy.configured.kafka import connection
from deploy.configured.store import open_store
from deploy.settings import load
from processors.core.grammar.aside import MOST
from producers.kafka.topics import TopicAdmin
from schemas.topics import DEADLETTER, DESK, EVENTS, OBSERVATIONS, WRITERS
from tests.embedded.test_people import streams
from tests.live.consoles import Person, consoles, kept, prepared_users, to_be_raised
from tests.live.folding import (
    REPOSITORY,
    Environment,
    Sent,
    catwalk,
    caught_up,
    expected,
    produce,
    read,
    worker,
    written,
)
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


def recorded(environment: Environment, folder: Path) -> dict[bytes, list[bytes]]:
    """Tables with breaches, sent by a gateway, and a line that is no event."""
    tables = tables_of(*BREACHES)
    folder.mkdir()
    for key, lines in tables.items():
        (folder / f"{key.decode()}.ndjson").write_bytes(b"\n".join(lines) + b"\n")
    (folder / "torn.ndjson").write_bytes(b'{"no": "event"\n')
    catwalk(environment, "record", str(folder), status=1)  # one line of it is no event
    return tables


def backed_up_at_work(environment: Environment, folder: Path, alerts: int) -> tuple[str, Any]:
    """The alert that somebody acknowledged, and the manifest of the backup made while all are at work."""
    with workers(environment, folder, *ALL), consoles(environment, folder, "one") as (console,):
        all_caught_up(environment, kinds=ALL)
        with closing(Person(console.ready(), "hale")) as hale:
            found = hale.sees(alerts)
            alert = min(found)
            assert hale.act(alert, found[alert]["version"], "acknowledged").status_code == 200
            made = catwalk(environment, "backup", "--out", str(folder / "copy"), "--format", "json")
    return alert, json.loads(made)


def refused_first(environment: Environment, copy: Path, folder: Path) -> None:
    """Brokers without topics, and a damaged copy: nothing is touched. The topics are there afterwards."""
    missing = refused(environment, "restore", str(copy))
    assert "it is not there; `CATWALK_KAFKA_PARTITIONS=3 catwalk topics apply`" in missing
    catwalk(environment, "topics", "apply")
    damaged = folder / "damaged"
    shutil.copytree(copy, damaged)
    (file,) = damaged.glob("catwalk.desk-0.records")
    file.write_bytes(file.read_bytes()[:-3])
    assert "catwalk.desk-0.records: cut off: found " in refused(environment, "restore", str(damaged))
    assert not Path(environment["CATWALK_DATA"]).exists()


def unlike_the_copy(environment: Environment, copy: Path, alteration: str) -> str:
    """The one answer of a store that is not the copied house's, once its store is altered."""
    execute(environment, f"{alteration} SETTINGS mutations_sync = 2")
    with closing(open_store(load(environment=environment).values)) as store:
        (told,) = OldHouse(copy).differences(store)
    return told


def test_a_property_goes_on_with_new_brokers_and_a_new_store(
    live_environment: Environment, tmp_path: Path
) -> None:
    prepared(live_environment)
    environment = prepared_users(live_environment, tmp_path, "hale")
    tables = recorded(environment, tmp_path / "streams")
    wanted = set(to_be_raised(expected(tables)[1]))
    alert, made = backed_up_at_work(environment, tmp_path, len(wanted))
    catwalk(environment, "export", "--out", str(tmp_path / "before"))
    assert (made["mode"], made["partitions"], made["breaks"]) == ("distributed", 3, [])
    topics = {file["topic"] for file in made["files"] if file["holds"] == "topic"}
    assert topics == {topic.name for topic in (EVENTS, DESK, DEADLETTER, WRITERS, OBSERVATIONS)}
    assert {file["name"] for file in made["files"] if file["holds"] != "topic"} == {
        "answers.json",
        "console.db",
        "journal.db",
    }

    copy = tmp_path / "copy"
    other = {
        **environment,
        "CATWALK_KAFKA_PREFIX": environment["CATWALK_KAFKA_PREFIX"] + "new.",
        "CATWALK_DATA": str(tmp_path / "elsewhere"),
        "CATWALK_CONSOLE_USERS": str(tmp_path / "people"),
    }
    refused_first(other, copy, tmp_path)
    said = catwalk(other, "restore", str(copy))
    assert f": {sum(map(len, tables.values())):,} events, " in said
    assert f"\n  catwalk rebuild --against {copy}\n" in said
    assert read(other, EVENTS) == read(environment, EVENTS)
    for topic in (DESK, DEADLETTER):
        there = read(other, topic)
        assert there == read(environment, topic)[: len(there)], topic.name
    third = {**other, "CATWALK_DATA": str(tmp_path / "third"), "CATWALK_CONSOLE_USERS": str(tmp_path / "p3")}
    assert "records, expected none; restore to new brokers" in refused(third, "restore", str(copy))

    execute(environment, "DROP DATABASE `@` SYNC")
    catwalk(other, "migrate")
    told = catwalk(other, "rebuild", "--against", str(copy))
    assert (
        f"what the house of {copy} had answered with what is answered now: every answer is the same" in told
    )
    catwalk(other, "export", "--out", str(tmp_path / "after"))
    for name in RESULTS:
        assert (tmp_path / "after" / name).read_bytes() == (tmp_path / "before" / name).read_bytes(), name
    told = unlike_the_copy(other, copy, f"ALTER TABLE `@`.findings DELETE WHERE finding_id = '{alert}'")
    assert told.startswith(f"alert {alert[:8]} of table ")
    assert told.endswith("”; the record gives no such finding")
    with workers(other, tmp_path, "fold"), consoles(other, tmp_path, "two") as (console,):
        with closing(Person(console.ready(), "hale")) as hale:
            found = hale.sees(len(wanted))
        assert set(found) == wanted
        assert [one for one in found if found[one]["status"] == "acknowledged"] == [alert]
    assert [one["data"]["act"] for one in kept(other).records].count("raised") == len(wanted)
    # The gateway goes on where its journal stands.
    again = json.loads(catwalk(other, "record", str(tmp_path / "streams"), "--format", "json", status=1))
    assert (again["recorded"], again["already_had"]) == (0, sum(map(len, tables.values())))


def test_a_gap_that_was_believed_is_believed_again_behind_a_restore(
    live_environment: Environment, tmp_path: Path
) -> None:
    """What came when is a part of the record: of a lost event all that follows would wait for ever."""
    prepared(live_environment)
    (name, lines), *_ = tables_of(*BREACHES).items()
    lost, end = (
        len(lines) // 3,
        len(lines) // 2,
    )  # fewer lines follow than are believed for their number alone
    assert end - lost < MOST
    began = time.time_ns() // 1_000_000 - 600_000
    came = [Sent(name, line, at=began + 1_000 * at) for at, line in enumerate(lines[:end]) if at != lost]
    settings = load(environment=live_environment).values
    with (
        TopicAdmin(connection(settings)) as admin,
        admin.keeping_times([settings.kafka_prefix + EVENTS.name]),
    ):
        produce(live_environment, came)
    with worker(live_environment, tmp_path / "fold.log"):
        caught_up(live_environment)
    before = written(live_environment)
    assert any(json.loads(one)["check"] == "integrity.gap" for one in before.findings)
    catwalk(live_environment, "backup", "--out", str(tmp_path / "copy"))
    other = {
        **live_environment,
        "CATWALK_KAFKA_PREFIX": live_environment["CATWALK_KAFKA_PREFIX"] + "new.",
        "CATWALK_DATA": str(tmp_path / "elsewhere"),
    }
    catwalk(other, "topics", "apply")
    catwalk(other, "restore", str(tmp_path / "copy"))
    assert "topics as declared" in catwalk(other, "topics", "apply"), "the brokers' clock counts again"
    with worker(other, tmp_path / "restored.log"):
        caught_up(other)
    after = written(other)
    assert (after.rounds, after.findings) == (before.rounds, before.findings)


def about_people(findings: Iterable[bytes]) -> set[bytes]:
    """What is suspected of dealers and players, each finding as it stands."""
    told = {one: json.loads(one) for one in findings}
    return {
        one
        for one, said in told.items()
        if said["verdict"] == "suspected" and {"dealer", "player"} & said["about"].keys()
    }


def test_evidence_is_weighed_behind_a_restore_in_the_order_in_which_people_acted_on_it(
    live_environment: Environment, tmp_path: Path
) -> None:
    """A dealer is weighed at two tables, of which one was offline: another order raises the alarm elsewhere."""
    prepared(live_environment)
    weigh = ("fold", "analyst")
    with workers(live_environment, tmp_path, *weigh):
        for subject in sorted(streams(), reverse=True):
            produce(live_environment, [Sent(subject.encode(), line) for line in streams()[subject]])
            all_caught_up(live_environment, kinds=weigh)
    before = about_people(written(live_environment).findings)
    folder = tmp_path / "streams"
    folder.mkdir()
    for subject, lines in streams().items():
        (folder / f"{subject}.ndjson").write_bytes(b"".join(line + b"\n" for line in lines))
    catwalk(live_environment, "replay", str(folder), "--out", str(tmp_path / "replayed"))
    in_time = about_people((tmp_path / "replayed" / "findings.ndjson").read_bytes().splitlines())
    assert len(before) == len(in_time) > 0
    assert {json.loads(one)["sequence"] for one in before} != {json.loads(one)["sequence"] for one in in_time}

    catwalk(live_environment, "backup", "--out", str(tmp_path / "copy"))
    other = {
        **live_environment,
        "CATWALK_KAFKA_PREFIX": live_environment["CATWALK_KAFKA_PREFIX"] + "new.",
        "CATWALK_DATA": str(tmp_path / "elsewhere"),
    }
    catwalk(other, "topics", "apply")
    assert "weighed anew" not in catwalk(other, "restore", str(tmp_path / "copy"))
    assert read(other, OBSERVATIONS) == read(live_environment, OBSERVATIONS)
    with workers(other, tmp_path / "elsewhere", *weigh):
        all_caught_up(other, kinds=weigh)
    assert len(read(other, OBSERVATIONS)) > len(read(live_environment, OBSERVATIONS)), (
        "the fold told all again"
    )
    assert about_people(written(other).findings) == before

"""A release that folds otherwise comes in while events flow: beside the old one, compared, put in force, and back.

The next release is a copy of the code with another version and other answers. Everything is killed at the switch.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from deploy.configured.kafka import connection
from deploy.configured.workers import brokers_of
from deploy.errors import UserError
from deploy.settings import Settings, load
from deploy.upgrade.switching import name_the_first, retire, switch
from processors.runtime.versions import registry
from producers.kafka.topics import Form, TopicAdmin, declared
from schemas.answers import FOLD_VERSION
from schemas.fold_versions import Switched, VersionsCompared
from schemas.topics import FINDINGS, TOPICS
from tests.live.checker import check
from tests.live.consoles import ConsoleProcess, Person, kept, prepared_users, to_be_raised
from tests.live.folding import Environment, Sent, catwalk, expected, home_of, in_turn, produce
from tests.live.releases import (
    ADDED,
    ADDED_TO,
    CHANGED,
    GONE,
    NEXT,
    RENAMED,
    SAID_BY_NEXT,
    next_release,
    of_next,
)  # fmt: skip
from tests.live.test_console import tables_of
from tests.live.test_reconcile import AT_ONCE
from tests.live.test_sink import execute
from tests.live.working import prepared, workers
from tests.starting import start

NAMES = ("breach_masque_wrong", "breach_overpay", "breach_surrender_after_hit")
KINDS = ("fold", "sink")
NOON = dt.datetime(2026, 11, 23, 12, tzinfo=dt.UTC)


def said(environment: Environment, *words: str, status: int) -> str:
    """Both outputs of `catwalk upgrade`, which ends with this status."""
    done = subprocess.run(
        [sys.executable, "-m", "deploy.cli", "upgrade", *words],
        env=dict(environment), cwd=home_of(environment), capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == status, (done.stdout, done.stderr)
    return done.stdout + done.stderr


def in_force(environment: Environment) -> int:
    return asyncio.run(registry.standing(brokers_of(load(environment=environment).values))).fold


@contextmanager
def flowing(environment: Environment, records: Sequence[Sent], pause: float) -> Iterator[None]:
    """Events come while the body runs, some at a time; all of them are there at its end."""
    hurry = threading.Event()

    def flow() -> None:
        for at in range(0, len(records), 40):
            produce(environment, records[at : at + 40])
            hurry.wait(pause)

    thread = threading.Thread(target=flow)
    thread.start()
    try:
        yield
    finally:
        hurry.set()
        thread.join(120)
    assert not thread.is_alive()


def killed_at_the_switch(environment: Environment, seen: str) -> list[int]:
    """What was in force each time a switch was killed, later and later, and at last one came through."""
    found = []
    for wait in (1.0, 2.0, 3.0, 4.0, 6.0, 9.0):
        words = [sys.executable, "-m", "deploy.cli", "upgrade", "switch", str(NEXT), "--seen", seen]
        process = start(words, env=dict(environment), cwd=home_of(environment),
                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)  # fmt: skip
        try:
            process.wait(wait)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        found.append(in_force(environment))
        if found[-1] == NEXT:
            return found
    said(environment, "switch", str(NEXT), "--seen", seen, status=0)
    return found


@pytest.mark.soak  # some forty processes; tests/runtime and tests/console try its parts in every run
@pytest.mark.timeout(1_800)
def test_a_new_fold_comes_beside_the_old_one_is_compared_put_in_force_under_kill_9_and_gone_back_from(
    live_environment: dict[str, str], tmp_path: Path
) -> None:
    prepared(live_environment)
    old = prepared_users(live_environment, tmp_path, "hale")
    new = of_next(old, next_release(tmp_path / "next"))
    tables = tables_of(*NAMES)
    records = list(in_turn(tables))
    third = len(records) // 3
    by_old = to_be_raised(expected(tables)[1])
    with workers(old, tmp_path, *KINDS) as olds:
        console = ConsoleProcess(new, tmp_path, "console")  # consoles of the new release come first
        try:
            with closing(Person(console.ready(), "hale")) as hale:
                produce(old, records[:third])
                console.until(lambda: len(hale.alerts()) > 0)
            assert f'catwalk_fold_version{{worker="console"}} {FOLD_VERSION}.0' in console.page("metrics")[1]
            prepared(new)
            assert f"fold {NEXT}  beside it" in said(new, "status", status=0)
            why = said(new, "switch", str(NEXT), status=2)
            assert f"it was never compared with fold {FOLD_VERSION}" in why
            assert "records behind" in said(new, "compare", str(NEXT), "--seconds", "1", status=2)
            with flowing(old, records[third:], pause=0.5), workers(new, tmp_path, *KINDS) as started:
                compared = json.loads(
                    catwalk(new, "upgrade", "compare", str(NEXT), "--format", "json", status=1)
                )
                seen = compared["seen"]
                assert f"found --seen {'0' * 12}" in said(
                    new, "switch", str(NEXT), "--seen", "0" * 12, status=2
                )
                attempts = killed_at_the_switch(new, seen)
                assert attempts == sorted(attempts), "a switch that was killed is done or not, and stays so"
                console.kill()
                for one in started:
                    one.kill()
                console.start()
            with workers(new, tmp_path, *KINDS):
                again_compared = json.loads(
                    catwalk(new, "upgrade", "compare", str(FOLD_VERSION), "--format", "json", status=1)
                )
                assert_what_differs(again_compared)
                assert_stores(old, new, tables, tmp_path)
                assert_held_against_the_ledger(old, new)
                assert in_force(new) == NEXT
                assert_desk(console, old, by_old)
                assert "it is the one in force" in said(new, "compare", str(NEXT), status=2)
                back = said(new, "switch", str(FOLD_VERSION), "--seen", again_compared["seen"], status=0)
                assert f"fold {FOLD_VERSION} is in force; fold {NEXT} goes on beside it" in back
                shows(console, FOLD_VERSION)
                said(new, "switch", str(NEXT), "--seen", again_compared["seen"], status=0)
                shows(console, NEXT)
                time.sleep(2)  # whoever would raise once more has had the time for it
                assert_desk(console, old, by_old)
                assert "and stays for 7 days" in said(new, "retire", str(FOLD_VERSION), status=2)
                assert "workers run: fold, sink" in said(new, "retire", str(FOLD_VERSION), "--now", status=2)
                assert [one.stop() for one in olds] == [0, 0]
        finally:
            console.kill()
    assert_retired(old, new)


def assert_what_differs(found: Mapping[str, Any]) -> None:
    """The next release's planted differences and nothing else; here the old one is what is compared with it."""
    sums: dict[str, Counter[str]] = {}
    for line in found["lines"]:
        sums.setdefault(line["rule"] or line["kind"], Counter()).update(line["count"])
    differs = {
        name: {what: n for what, n in count.items() if n and what != "same"} for name, count in sums.items()
    }
    assert {name: count for name, count in differs.items() if count} == {
        CHANGED: {"changed": 2},
        RENAMED: {"new": 1, "gone": 1},
        GONE: {"new": 1},
        ADDED: {"gone": 1},
    }
    assert sums["rounds"]["same"] > 20
    assert sums["settlements"]["same"] > 100


def assert_stores(old: Environment, new: Environment, tables: dict[bytes, list[bytes]], folder: Path) -> None:
    """Each version's store holds each row once, and is what a replay by its release makes."""
    assert check(old, tables).wrong == []
    streams = folder / "streams"
    streams.mkdir()
    for key, lines in tables.items():
        (streams / f"{key.decode()}.ndjson").write_bytes(b"".join(line + b"\n" for line in lines))
    for name, environment in (("old", old), ("new", new)):
        catwalk(environment, "export", "--out", str(folder / name / "exported"))
        catwalk(environment, "replay", str(streams), "--out", str(folder / name / "replayed"))
        for file in ("rounds.ndjson", "findings.ndjson"):
            exported = (folder / name / "exported" / file).read_bytes()
            assert exported == (folder / name / "replayed" / file).read_bytes(), (name, file)
    assert (folder / "old" / "exported" / "findings.ndjson").read_bytes() != (
        folder / "new" / "exported" / "findings.ndjson"
    ).read_bytes()


def assert_held_against_the_ledger(old: Environment, new: Environment) -> None:
    """Each release's `reconcile` holds its own version's store, of two beside each other, against the one ledger."""
    for one in (old, new):
        catwalk(one, "reconcile")
    database = load(environment=new).values.clickhouse_database
    execute(new, f"ALTER TABLE {database}_v{NEXT}.findings DELETE WHERE check_id = '{ADDED}' {AT_ONCE}")
    assert "findings" in catwalk(new, "reconcile", status=1)
    catwalk(old, "reconcile")
    catwalk(new, "reconcile", "--repair")
    for one in (new, old):
        catwalk(one, "reconcile")


def assert_desk(
    console: ConsoleProcess, environment: Environment, by_old: Mapping[str, tuple[str, int]]
) -> None:
    """Every alert once: those of the old fold, and of the new one what is no matter of theirs."""
    wanted = len(by_old) + 1
    with closing(Person(console.ready(), "hale")) as hale:
        shown = hale.sees(wanted)
        raised = [one["data"]["finding"] for one in kept(environment).acts("raised")]
        changed = [one for one in raised if one["check"] == CHANGED]
        for one in changed:
            panel = hale.browser.get(f"/alerts/{one['finding_id']}/panel").text
            by_next = SAID_BY_NEXT in one["message"]
            assert ("The record, read anew, says: " in panel) != by_next, (
                "an alert says how its finding is told now"
            )
    assert len(changed) == 2
    assert len(shown) == len(raised) == len({one["finding_id"] for one in raised})
    matters = Counter((one["check"], one["subject"], one["sequence"]) for one in raised)
    assert max(matters.values()) == 1, "one matter, one alert"
    checks = Counter(check for check, _, _ in matters)
    assert checks[RENAMED] == checks[ADDED_TO] == checks[ADDED] == 1
    missing = {(subject, sequence) for subject, sequence in by_old.values()} - {
        (subject, sequence) for _, subject, sequence in matters
    }
    assert missing == set()


def shows(console: ConsoleProcess, fold: int) -> None:
    text = f'catwalk_fold_version{{worker="console"}} {fold}.0'
    console.until(lambda: text in console.page("metrics")[1], 20)


def assert_retired(old: dict[str, str], new: dict[str, str]) -> None:
    """The old version's topics, groups and database are gone, and nothing else is."""
    gone = said(new, "retire", str(FOLD_VERSION), "--now", status=0)
    assert FINDINGS.named(old["CATWALK_KAFKA_PREFIX"], FOLD_VERSION) in gone
    assert gone.count("removed topic") == sum(topic.by_fold for topic in TOPICS)
    assert gone.count("removed group") == len(KINDS)
    status = said(new, "status", status=0)
    assert f"fold {NEXT}  in force since" in status
    assert f"fold {FOLD_VERSION} " not in status
    assert execute(old, "SELECT count() FROM system.databases WHERE name = '@'") == [(0,)]
    said(new, "retire", str(FOLD_VERSION), "--now", status=0)  # ended in the middle it would be done again
    assert "switch to another first" in said(new, "retire", str(NEXT), "--now", status=2)


def test_what_is_not_lawful_is_refused_with_place_reason_and_remedy(
    applied_topics: list[Form], live_settings: Settings
) -> None:
    assert len(applied_topics) == len(TOPICS)
    with pytest.raises(
        UserError, match=f"fold {NEXT}: no version was ever put in force; `catwalk topics apply`"
    ):
        switch(live_settings, NEXT, "", "ito", 1)
    assert (
        name_the_first(live_settings, "ito").fold == name_the_first(live_settings, "ito").fold == FOLD_VERSION
    )
    with pytest.raises(UserError, match=f"fold {FOLD_VERSION}: it is in force already"):
        switch(live_settings, FOLD_VERSION, "", "ito", 1)
    with pytest.raises(UserError, match=f"fold {NEXT}: it has no topics; found {FOLD_VERSION};"):
        switch(live_settings, NEXT, "", "ito", 1)
    with pytest.raises(UserError, match=f"fold {FOLD_VERSION}: it is in force; switch to another first"):
        retire(live_settings, FOLD_VERSION, "ito", print, now=True)
    with pytest.raises(UserError, match="it was never in force, and stays for 7 days"):
        retire(live_settings, NEXT, "ito", print)
    with TopicAdmin(connection(live_settings)) as admin:
        topics = [topic for topic in TOPICS if topic.by_fold]
        admin.apply([declared(topic, live_settings.kafka_prefix, 3, 1, NEXT) for topic in topics])
    with pytest.raises(UserError, match=f"it was never compared with fold {FOLD_VERSION}"):
        switch(live_settings, NEXT, "1" * 12, "ito", 1)
    brokers = brokers_of(live_settings)
    note = VersionsCompared(
        old=FOLD_VERSION, new=NEXT, at=NOON, by="", digest="1" * 64, same=1, changed=0, added=0, gone=0
    )
    asyncio.run(registry.append(brokers, note))
    for seen in ("", "1", "2" * 12):
        with pytest.raises(UserError, match="expected the number of the last comparison"):
            switch(live_settings, NEXT, seen, "ito", 1)
    with pytest.raises(UserError, match="found no fold and no sink of it at work, expected at least one"):
        switch(live_settings, NEXT, "1" * 12, "ito", 1)
    assert asyncio.run(registry.standing(brokers)).fold == FOLD_VERSION


def test_of_two_who_switch_at_once_one_does(applied_topics: list[Form], live_settings: Settings) -> None:
    assert applied_topics
    brokers = brokers_of(live_settings)
    name_the_first(live_settings, "ito")

    async def at_once() -> list[int]:
        found = await asyncio.gather(
            *(
                registry.append(brokers, Switched(fold=fold, before=FOLD_VERSION, at=NOON, by="ito"))
                for fold in (NEXT, NEXT + 1)
            )
        )
        return [one.fold for one in found]

    asyncio.run(at_once())
    found = asyncio.run(registry.standing(brokers))
    assert found.fold in (NEXT, NEXT + 1)
    assert [one.fold for one in found.earlier] == [FOLD_VERSION]

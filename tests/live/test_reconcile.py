"""`catwalk reconcile` beside workers at work: what was done to the store is named and put right, and they go on."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.commands.run import Catwalk, catwalk
from tests.live.checker import check
from tests.live.folding import Sent, in_turn, produce, worker
from tests.live.test_end_to_end import published
from tests.live.test_rebuild import others_of, swap_two_events
from tests.live.test_sink import execute
from tests.live.test_store_behind import ended, environment, stored_and_set_back
from tests.live.working import all_caught_up, prepared, workers
from tests.sampling import one_in
from tests.waiting import until

__all__ = ["catwalk", "environment"]

Environment = dict[str, str]
ALL = ("fold", "analyst", "sink")
AT_ONCE = "SETTINGS mutations_sync = 2"


def test_what_was_done_to_the_store_is_named_and_put_right_while_tables_are_dealt_and_workers_run(
    environment: Environment, catwalk: Catwalk, tmp_path: Path
) -> None:
    prepared(environment)
    tables = published()
    sent = list(in_turn(tables))
    half = len(sent) // 2
    with workers(environment, tmp_path, *ALL) as started:
        produce(environment, sent[:half])
        shown = catwalk("reconcile", "--format", "json")
        assert (shown.status, shown.json["differences"], shown.err) == (0, [], "")
        assert shown.json["rows"]["events"] > 0
        [(subject, number)] = execute(
            environment, "SELECT subject, round FROM `@`.rounds FINAL WHERE round = 3 ORDER BY ALL LIMIT 1"
        )
        other = others_of(tables, subject)
        harm(environment, subject, number)
        swap_two_events(environment, other)
        wrong = sum(one["rows"] for one in catwalk("reconcile", "--format", "json").json["differences"])
        shown = catwalk("lag", "--format", "json")
        assert (shown.json["reconciled"]["rows"], "catwalk reconcile --repair" in shown.err) == (wrong, True)
        shown = catwalk("export", "--out", str(tmp_path / "wrong"))
        assert (shown.status, "what was written may be wrong" in shown.err) == (1, True)
        with dealing(environment, sent[half:]):
            shown = catwalk("reconcile", "--repair", "--format", "json")
        assert (shown.status, shown.err, shown.json["left"]) == (0, "", [])
        found = {(one["relation"], one["subject"], one["kind"]) for one in shown.json["differences"]}
        assert found == {
            ("stakes", subject, "different"), ("racks", subject, "missing"), ("rounds", subject, "extra"),
            ("events", subject, "missing"), ("events", other, "different"), ("counters", subject, "different"),
        }  # fmt: skip
        all_caught_up(environment, kinds=ALL)
        assert [one.stop() for one in started] == [0, 0, 0]
    shown = catwalk("reconcile", "--format", "json")
    assert [one["text"] for one in shown.json["differences"]] == []
    assert shown.status == 0
    assert check(environment, tables).wrong == []


def harm(environment: Environment, subject: str, number: int) -> None:
    """Edit, delete and invent rows of a round, its events and its counters."""
    round_ = f"subject = '{subject}' AND round = {number}"
    for statement in (
        f"ALTER TABLE `@`.stakes UPDATE staked_cents = 1 WHERE {round_} {AT_ONCE}",
        f"ALTER TABLE `@`.racks DELETE WHERE {round_} {AT_ONCE}",
        f"ALTER TABLE `@`.events DELETE WHERE subject = '{subject}' AND sequence BETWEEN 9 AND 30 {AT_ONCE}",
        "INSERT INTO `@`.rounds SELECT * REPLACE (toUInt32(90000) AS round)"
        f" FROM (SELECT * FROM `@`.rounds FINAL WHERE {round_})",
        "INSERT INTO `@`.counters SELECT * REPLACE (toInt64(1) AS handle_cents, covers + 1000000 AS covers)"
        f" FROM `@`.counters FINAL WHERE subject = '{subject}'",
    ):
        execute(environment, statement)


class dealing:
    """Records that come while something else is done, a few at a time."""

    def __init__(self, environment: Environment, records: Sequence[Sent]) -> None:
        self._thread = threading.Thread(target=self._deal, args=(environment, records))

    def _deal(self, environment: Environment, records: Sequence[Sent]) -> None:
        for at in range(0, len(records), 100):
            produce(environment, records[at : at + 100])
            time.sleep(0.2)

    def __enter__(self) -> None:
        self._thread.start()

    def __exit__(self, *_: object) -> None:
        self._thread.join()


@pytest.mark.soak  # what is done to a store while workers run is tried above
def test_what_a_store_from_a_backup_lacks_is_named_with_every_stretch_and_put_back(
    environment: Environment, catwalk: Catwalk, tmp_path: Path
) -> None:
    prepared(environment)
    tables = published()
    stored_and_set_back(environment, tables, tmp_path)
    [(held,)] = execute(environment, "SELECT count() FROM `@`.events FINAL")
    lost = sum(map(len, tables.values())) - held
    assert lost > 0
    shown = catwalk("reconcile", "--repair", "--format", "json")
    assert shown.status == 1
    missing = [one for one in shown.json["differences"] if one["relation"] == "events"]
    assert {one["kind"] for one in missing} == {"missing"}
    assert (sum(one["rows"] for one in missing), len(missing)) == (lost, len(tables))
    assert catwalk("lag", "--format", "json").json["reconciled"]["rows"] == 0, "they were put right"
    assert "`catwalk sink --set-back`" in shown.err, "rows are back, and the sinks' group still stands ahead"
    assert "the sinks' group: a repair leaves it where it is" in shown.err
    assert check(environment, tables).wrong == []
    assert "`catwalk sink --set-back`" in ended(environment, tmp_path)
    assert catwalk("sink", "--set-back").status == 0
    shown = catwalk("reconcile", "--seconds", "0.5")
    assert (shown.status, shown.out, len(shown.err.splitlines())) == (2, "", 1)
    assert "start the workers" in shown.err
    with workers(environment, tmp_path, "fold", "sink"):
        shown = catwalk("reconcile", "--format", "json")
        assert (shown.status, shown.json["differences"], shown.err) == (0, [], "")
        with worker(environment, tmp_path / "again.log", "--every", "0.0001", kind="reconcile") as again:
            until(lambda: [one["event"] for one in again.events()].count("compared") > 1, again.log.read_text)
            assert again.ready().measure("catwalk_reconciled_timestamp_seconds") > time.time() - 60
            assert again.measure("catwalk_reconciled_wrong_rows") == 0
            assert again.stop() == 0


@pytest.mark.parametrize("part", one_in(2, ["CATWALK_KAFKA", "CATWALK_CLICKHOUSE_PORT"], 1))
def test_servers_that_are_away_are_said_in_one_line(
    environment: Environment, catwalk: Catwalk, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    prepared(environment)
    monkeypatch.setenv(part, "127.0.0.1:1" if part == "CATWALK_KAFKA" else "1")
    shown = catwalk("reconcile")
    assert (shown.status, shown.out, len(shown.err.splitlines())) == (2, "", 1), shown.err

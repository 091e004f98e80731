"""Suspicions about people with real brokers: those of replay, whatever is killed, dealt anew or late."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from deploy.configured.kafka import connection
from deploy.console.server import utc_now
from deploy.evidence.followed import PEOPLE_FILE, FollowedPeople
from deploy.evidence.grown import GrownEvidence
from deploy.settings import load
from processors.runtime.brokers.claimed import ClaimedTables
from producers.kafka.tail import TopicTail
from schemas.answers import FOLD_VERSION
from schemas.findings import Finding
from schemas.topics import ANALYSIS, SNAPSHOTS, WRITERS
from tests.commands.run import Catwalk, catwalk
from tests.detectors.worlds import changed, mispaid, table
from tests.embedded.test_people import in_order_of_time, streams
from tests.live.consoles import Person, consoles, prepared_users
from tests.live.folding import Sent, produce
from tests.live.folding import catwalk as run
from tests.live.killing import in_lives
from tests.live.test_sink import execute
from tests.live.test_store_behind import environment
from tests.live.working import all_caught_up, prepared, workers
from tests.waiting import until

__all__ = ["catwalk", "environment"]

ALL = ("fold", "analyst", "sink")


@cache
def offline() -> Mapping[str, Sequence[bytes]]:
    return {"S-3": changed(table(3, 50), mispaid(0.03, 10, way="patrons"))}


RAISED = (
    "SELECT record, finding_id FROM `@`.findings FINAL WHERE verdict = 'suspected'"
    " ORDER BY subject, sequence, ordinal"
)


def people(findings: Iterable[dict[str, Any]]) -> set[tuple[str, str]]:
    """Check and whom, of each suspicion about a dealer or a player."""
    about = [(one["check"], one["about"]) for one in findings if one["verdict"] == "suspected"]
    return {(check, str(whom)) for check, whom in about if {"dealer", "player"} & whom.keys()}


def sent(lines: Iterable[tuple[str, bytes]]) -> list[Sent]:
    return [Sent(subject.encode(), line) for subject, line in lines]


def a_console_sees_how_far_evidence_has_grown(
    environment: dict[str, str], folder: Path, stored: Iterable[dict[str, Any]]
) -> None:
    """By the states that the workers keep, at least as much as when each suspicion was raised."""
    reach = connection(load(environment=environment).values)
    found = [msgspec.convert(one, Finding) for one in stored]
    with (
        closing(
            FollowedPeople(
                lambda _fold: TopicTail(reach, ANALYSIS), lambda: FOLD_VERSION, folder / PEOPLE_FILE, utc_now
            )
        ) as known,
        closing(GrownEvidence(known, lambda: TopicTail(reach, SNAPSHOTS))) as grown,
    ):

        def lacking() -> list[Finding]:
            known.step(0.1)
            grown.look(found)
            return [one for one in found if grown.highest(one) < float(one.e_value or 0)]

        until(lambda: not lacking(), lacking)
    assert found
    claimed = ClaimedTables(TopicTail(reach, WRITERS))
    assert list(claimed.read()) == [], "these were recorded without a gateway"


def a_console_shows_evidence_below_an_alarm(environment: dict[str, str], folder: Path) -> None:
    """On the pages of a dealer and of a table, and says up to when it was read."""
    own = prepared_users(environment, folder, "hale")
    with consoles(own, folder, "one") as (one,), closing(Person(one.ready(), "hale")) as hale:

        def evidence(path: str) -> str:
            page = hale.browser.get(path)
            assert page.status_code == 200
            return page.text.partition('id="of-evidence"')[2].partition("</section>")[0]

        one.until(lambda: "was read up to" in evidence("/dealers/D-011"))
        dealer, table = evidence("/dealers/D-011"), evidence("/tables/S-3/history")
        assert "<strong>raised</strong>" in dealer
        assert "due at" in dealer, "what is below its alarm"
        assert "patron P-" in dealer, "of pairs, too"
        assert "is that behind the table’s event of" in table
        assert "due at" in table
        assert one.stop() == 0


@pytest.mark.parametrize("kills", [1, pytest.param(6, marks=[pytest.mark.soak, pytest.mark.timeout(900)])])
def test_kills_a_rebalance_and_a_table_that_was_offline_change_no_suspicion(
    environment: dict[str, str], catwalk: Catwalk, tmp_path: Path, kills: int
) -> None:
    prepared(environment)
    files = []
    for subject, lines in {**streams(), **offline()}.items():
        files.append(tmp_path / f"{subject}.ndjson")
        files[-1].write_bytes(b"".join(line + b"\n" for line in lines))
    run(environment, "replay", *map(str, files), "--out", str(tmp_path / "replayed"))
    told = (tmp_path / "replayed" / "findings.ndjson").read_text().splitlines()
    expected = people(map(json.loads, told))
    in_lives(environment, tmp_path, ("fold", "analyst"), sent(in_order_of_time()), kills)
    with workers(environment, tmp_path, "fold", "analyst", "sink", "analyst") as started:
        for one in started[:2]:
            one.at_work()
        produce(environment, sent(("S-3", line) for line in offline()["S-3"]))
        started[1].kill()  # its partitions go to the other one
        all_caught_up(environment, kinds=ALL)
        stored = [json.loads(record) for record, _ in execute(environment, RAISED)]
        assert people(stored) == expected
        assert ("pattern.dealer_mispay.for_patrons", str({"dealer": "D-011"})) in expected
        marks = [(one["check"], str(one["about"])) for one in stored]
        assert len(set(marks)) == len(marks), "nothing is raised twice"
        a_console_sees_how_far_evidence_has_grown(environment, tmp_path, stored)
        a_console_shows_evidence_below_an_alarm(environment, tmp_path)
        shown = catwalk("reconcile", "--format", "json")
        assert (shown.status, shown.json["differences"]) == (0, []), shown.out

"""What a demonstration has to show: breaches as a floor has them, disputes, and alerts that somebody has taken."""

from __future__ import annotations

import datetime as dt
import json
import re
import subprocess
from collections import Counter
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from dashboards.desk.desk import Desk
from dashboards.desk.disputes import DisputeTerms
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.alerting import asks_for_alert
from deploy.demo.tables import Begun, played
from processors.pipeline import TablePipeline
from producers.sqlite_log import SqliteLog
from tests.commands.demonstrations import Demonstrated, copy_of, demo, demonstrated, people_did
from tests.starting import start
from tests.waiting import until

__all__ = ["demonstrated"]  # a fixture


def test_it_opens_with_disputes_in_three_states_and_alerts_that_somebody_has_taken_once_only(
    demonstrated: Demonstrated,
) -> None:
    folder = demonstrated.folder
    acts = people_did(folder)
    assert Counter(acts) == {
        "acknowledged": 2,
        "shelved": 1,
        "disposed": 1,
        "added_to_case": 1,
        "dispute_opened": 3,
        "dispute_reviewed": 2,
        "dispute_noted": 1,
        "dispute_decided": 1,
    }
    with closing(SqliteDeskLog(folder / "desk.db")) as log:
        desk = Desk(log, lambda: dt.datetime.now(dt.UTC))
    reviewed, new, decided = desk.disputes()
    assert [one.status for one in (reviewed, new, decided)] == ["open", "open", "decided"]
    assert (reviewed.review.begun_at is not None, reviewed.review.ended_at) == (True, None)
    assert decided.decision is not None
    assert decided.decision.amount_cents == decided.claimed_cents > 0
    [alert] = map(desk.alert, new.alerts)
    assert alert is not None
    assert alert.finding.money_cents == new.claimed_cents > 0
    assert len({(one.subject, one.round) for one in desk.disputes()}) == 3
    [closed] = desk.closed()
    assert (closed.finding.severity, closed.note is not None) == ("minor", True)
    assert {one.last_actor for one in desk.snapshot().alerts} == {"desk", "surveillance", "floor"}


def test_it_has_two_people_who_close_a_wrong_payout_between_them(
    demonstrated: Demonstrated, tmp_path: Path
) -> None:
    folder = copy_of(demonstrated, tmp_path)
    with start(demo(folder), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            links: dict[str, str] = {}
            while "admin" not in links:
                said = process.stdout.readline()
                assert said, "it ended"
                name, *link = said.removeprefix("Sign in").split()
                links |= {name: link[0]} if link else {}
            first, second = (_signed_in(links[name]) for name in ("surveillance", "surveillance-2"))
            with closing(first), closing(second):
                wrong = until(lambda: _wrong_payout(first))
                wish = {"act": "disposed", "disposition": "dealer error", "note": "Paid at the table."}
                waits = _act(first, wrong, **wish)
                assert waits["status"] == "awaiting"
                assert f"/alerts/{wrong['id']}" in second.get("/?tab=second").text
                closed = _act(second, waits, act="closing_confirmed")
                assert (closed["closed_by"], closed["second_auditor"]) == ("surveillance", "surveillance-2")
        finally:
            process.terminate()


def _signed_in(link: str) -> httpx.Client:
    address, _, token = link.partition("/sign-in/once#")
    browser = httpx.Client(base_url=address, headers={"origin": address}, verify=False)
    assert browser.post("/sign-in/once", data={"token": token}).status_code == 303
    csrf = re.search(r'data-csrf="([^"]+)"', browser.get("/").text)
    assert csrf is not None
    browser.headers["x-csrf-token"] = csrf[1]
    return browser


def _wrong_payout(browser: httpx.Client) -> Any:
    found = browser.get("/api/alerts").json()["alerts"]
    return next((one for one in found if one["severity"] == "critical" and one.get("owed")), None)


def _act(browser: httpx.Client, alert: Any, **wish: Any) -> Any:
    answer = browser.post(
        f"/api/alerts/{alert['id']}/acts", json={"version": alert.get("version", 1), **wish}
    )
    assert answer.status_code == 200, answer.text
    return answer.json()["alert"]


def test_a_dispute_is_opened_reviewed_and_decided_after_its_hand(demonstrated: Demonstrated) -> None:
    with closing(SqliteDeskLog(demonstrated.folder / "desk.db")) as log:
        disputes = Desk(log, lambda: dt.datetime.now(dt.UTC)).disputes()
    with closing(SqliteLog(demonstrated.folder / "ledger.db", read_only=True)) as ledger:
        for one in disputes:
            assert one.sequence is not None
            _, line = next(iter(ledger.read_from(one.subject, one.sequence)))
            settled = dt.datetime.fromisoformat(json.loads(line)["time"])
            times = [settled, one.opened_at, *(entry.at for entry in one.history)]
            assert times == sorted(times), one.id
            assert one.opened_at < dt.datetime.now(dt.UTC)
            assert one.due == one.opened_at + dt.timedelta(days=DisputeTerms().days)
            review = one.review
            for at in (review.begun_at, review.ended_at):
                assert at is None or one.opened_at <= at <= one.history[-1].at, one.id
    written_before = [one for one in disputes if not one.alerts]
    assert len(written_before) == 2


STAGED = 40  # rounds in which what is staged at a table has happened


@pytest.mark.soak  # 300 hours of play
@pytest.mark.thorough
def test_alerts_come_as_on_a_floor_behind_those_that_are_staged() -> None:
    hours, tables, seeds = 8.0, 6, range(1, 8)
    staged, raised = Counter[str](), Counter[str]()
    for table in (one for seed in seeds for one in played(Begun(seed, tables, dt.date(2026, 3, 3), hours))):
        pipeline = TablePipeline(table.setup.subject, proofs=False, detect=False)
        rounds = 0
        for line in table.lines:
            outcome = pipeline.advance(line)
            if pipeline.state.gaming_day == table.live_from:
                break
            rounds += len(outcome.rounds)
            kept = staged if rounds < STAGED else raised
            kept.update(one.severity for one in outcome.findings if asks_for_alert(one))
    floors = len(seeds) * tables
    assert raised.total() <= 2 * hours * floors
    assert raised["critical"] <= raised.total() / 6
    assert staged.total() <= 8 * floors
    assert min(staged[severity] for severity in ("critical", "major", "minor")) >= floors / 2

"""Who may see what of a hand, what is kept of every look, and no card before it is shown."""

import json
import re

import msgspec
import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.drawing.cards import spoken
from dashboards.ledger.acts import Raised, Withheld
from dashboards.ledger.ledger import DeskUnavailable
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.pipeline import TablePipeline
from processors.runtime.store.warehouse import Warehouse
from schemas.findings import Finding
from tests.console.conftest import PASSWORD, Clock
from tests.console.desk_building import T0
from tests.console.hands_building import (
    CARD,
    LAWFUL,
    SignedIn,
    a_console,
    console,
    contradicted,
    kept,
    keys,
    leaking,
    listed,
    shown,
    spot_of,
    store,
)  # fmt: skip
from tests.embedded.ledgers import lines_of, subject_of
from tests.hands.stored import Recorded

__all__ = ["console", "store"]


@pytest.mark.parametrize("table", ["BJ-12", "BJ-20", "FP-21"])
def test_revenue_reads_stakes_and_settlements_and_not_one_card(signed_in: SignedIn, table: str) -> None:
    rex = signed_in("rex")
    for path in (
        f"/hands/{table}/1",
        f"/api/hands/{table}/1",
        f"/hands?table={table}",
        f"/api/hands?table={table}",
    ):
        answer = rex.get(path)
        assert answer.status_code == 200
        assert not CARD.search(answer.text), CARD.search(answer.text)
        assert not re.search(r"blackjack paid|\bbust\b|\bstand\b|surrender", answer.text, re.I)
    told = rex.get(f"/api/hands/{table}/1").json()
    assert told["stakes"]
    assert not {"steps", "clauses", "mismatches", "phases"} & told.keys()
    assert "Payout check" in rex.get(f"/hands/{table}/1").text
    assert "evidence.pdf" not in rex.get(f"/hands/{table}/1").text


def test_revenue_looks_up_no_patrons_and_the_attempt_is_kept(signed_in: SignedIn, log: SqliteDeskLog) -> None:
    rex = signed_in("rex")
    assert rex.get("/hands?patron=P-0098").status_code == 403
    assert rex.get("/api/hands?patron=P-0098").status_code == 403
    assert kept(log, "rex") == [("find hands: patron P-0098", False)] * 2
    assert 'name="patron"' not in rex.get("/hands").text


def test_a_withheld_tables_hands_do_not_exist(
    signed_in: SignedIn, console: Console, log: SqliteDeskLog
) -> None:
    console.desk.note(Withheld(user="hale", kind="table", value="BJ-20"), "ann")
    hale, ito = signed_in("hale"), signed_in("ito")
    for path in ("/hands/{}/1", "/api/hands/{}/1"):
        there, nowhere = (hale.get(path.format(table)) for table in ("BJ-20", "NO-12"))
        assert there.status_code == nowhere.status_code == 404
        assert there.text.replace("BJ-20", "NO-12") == nowhere.text
    assert "BJ-20" not in {table for table, _ in keys(listed(hale, since="2015-01-01"))}
    assert "BJ-20" not in {table for table, _ in keys(listed(hale, patron="P-0098", since="2015-01-01"))}
    assert "BJ-20" not in hale.get("/hands?round=1&since=2015-01-01").text
    assert "There is no table BJ-20." in hale.get("/hands?table=BJ-20").text
    assert "BJ-20" not in hale.get("/hands?table=BJ-2").text
    assert hale.get("/find?q=BJ-20", follow_redirects=False).status_code == 404
    found = ito.get("/api/hands/BJ-20/1").json()["steps"][50]["governing"][0]["finding"]
    assert "No finding" in hale.get(f"/hands?finding={found}").text
    assert ito.get("/hands/BJ-20/1").status_code == 200
    assert ("hand BJ-20 round 1", False) in kept(log, "hale")


def test_hands_that_a_withheld_dealer_dealt_do_not_exist(signed_in: SignedIn, console: Console) -> None:
    console.desk.note(Withheld(user="hale", kind="dealer", value="D-411"), "ann")
    hale = signed_in("hale")
    assert hale.get("/hands/FP-21/1").status_code == 404
    assert hale.get("/api/hands/FP-21/1").status_code == 404
    assert listed(hale, dealer="D-411") == []
    assert listed(hale, table="FP-21") == []
    assert listed(hale, table="FP-21", time="10:02:30") == []
    assert listed(hale, table="FP-21", round=1) == []
    assert hale.get("/hands/BJ-12/1").status_code == 200


def test_a_finding_that_is_withheld_is_not_told_with_its_hand(
    signed_in: SignedIn, console: Console, store: Warehouse
) -> None:
    (record,) = store.query("SELECT record FROM findings FINAL WHERE subject = 'BJ-12'")[0]
    finding = msgspec.json.decode(record, type=Finding)
    hale = signed_in("hale")
    assert finding.finding_id in hale.get("/api/hands/BJ-12/1").text
    console.desk.note(Withheld(user="hale", kind="alert", value=finding.finding_id), "ann")
    for path in ("/hands/BJ-12/1?at=82", "/api/hands/BJ-12/1"):
        text = hale.get(path).text
        assert finding.finding_id[:12] not in text
        assert finding.message not in text
    (row,) = listed(hale, table="BJ-12", status="breached")
    assert (row["findings"], row["worst"]) == (0, "")
    assert "No finding" in hale.get(f"/hands?finding={finding.finding_id}").text


def test_nothing_is_shown_when_the_look_cannot_be_kept(
    signed_in: SignedIn, log: SqliteDeskLog, monkeypatch: pytest.MonkeyPatch
) -> None:
    hale = signed_in("hale")

    def broken(*_: object) -> None:
        raise DeskUnavailable("disk full")

    monkeypatch.setattr(log, "append", broken)
    for path in ("/hands", "/hands/BJ-12/1", "/api/hands", "/api/hands/BJ-12/1", "/find?q=BJ-12 1"):
        answer = hale.get(path, follow_redirects=False)
        assert answer.status_code == 503
        assert "D-301" not in answer.text


@pytest.mark.thorough
def test_while_a_round_goes_on_no_answer_names_its_hole_card(
    log: SqliteDeskLog, accounts: Accounts, clock: Clock, console: Console, signed_in: SignedIn
) -> None:
    lines, safe = leaking(), tuple(lines_of(LAWFUL))
    drawn, turned = spot_of(lines, b'"face_up":false') - 1, spot_of(lines, b"v1.hole_card_revealed")
    subject = subject_of(LAWFUL)
    leaks, plain = Recorded(lines[:drawn], subject), Recorded(safe[:drawn], subject)
    consoles = [a_console(console.desk, accounts, clock, held.store) for held in (leaks, plain)]
    hole = json.loads(lines[turned])["data"]["card"]
    browser = signed_in("hale")
    compared = 0
    for end in range(drawn, turned):
        answers = []
        for held, made, source in zip((leaks, plain), consoles, (lines, safe), strict=True):
            held.grow(source[end : end + 1])
            for name in ("records", "states"):
                object.__setattr__(console, name, getattr(made, name))
            at = end + 1
            paths = (
                f"/hands/{subject}/1?at={at}&solve=true",
                f"/hands/{subject}/1?at={at}&reading=A5:return",
                f"/api/hands/{subject}/1",
            )
            answers.append([shown(browser.get(path).text) for path in paths])
        assert answers[0] == answers[1]
        assert hole not in answers[0][2]
        compared += 1
    assert compared > 10


def test_of_a_round_that_is_over_no_step_before_the_reveal_names_the_hole_card(
    console: Console, signed_in: SignedIn, accounts: Accounts, clock: Clock
) -> None:
    subject = subject_of(LAWFUL)
    answers = []
    turned = json.loads(lines_of(LAWFUL)[spot_of(tuple(lines_of(LAWFUL)), b"v1.hole_card_revealed")])
    browser = signed_in("hale")
    for source in (leaking(), tuple(lines_of(LAWFUL))):
        made = a_console(console.desk, accounts, clock, Recorded(source, subject).store)
        for name in ("records", "states"):
            object.__setattr__(console, name, getattr(made, name))
        steps = browser.get(f"/api/hands/{subject}/1").json()["steps"]
        before = [one for one in steps if one["sequence"] < turned["sequence"]]
        felts = []
        for one in before[::6]:
            page = browser.get(f"/hands/{subject}/1?at={one['sequence']}").text
            felts.append(shown(page[page.index('id="felt"') : page.index('id="slider"')]))
        answers.append((json.dumps(before), felts))
        assert len(before) > 20
    assert answers[0] == answers[1]


def test_an_alert_about_a_card_that_lies_face_down_names_it_nowhere(
    console: Console, signed_in: SignedIn, accounts: Accounts, clock: Clock
) -> None:
    subject, lines = subject_of(LAWFUL), contradicted(leaking())
    accounts.add("aud", "auditor", PASSWORD)
    laid, turned = spot_of(lines, b'"face_up":false'), spot_of(lines, b"v1.hole_card_revealed")
    hole, seen = (json.loads(lines[at])["data"]["card"] for at in (turned, laid))
    held = Recorded(lines[:turned], subject)
    made = a_console(console.desk, accounts, clock, held.store)
    for name in ("records", "states"):
        object.__setattr__(console, name, getattr(made, name))
    pipeline = TablePipeline(subject)
    found = [one for line in lines[:turned] for one in pipeline.advance(line).findings]
    assert [one.check for one in found if one.sequence == laid + 1] == ["integrity.witness"]
    console.desk.raise_alerts([Raised(finding=one, decided_at=T0, dealer="D-1") for one in found])
    words = {code: spoken(code) for code in (hole, seen)}
    for user in ("hale", "fay", "aud"):
        browser = signed_in(user)
        alerts = [one["id"] for one in browser.get("/api/alerts").json()["alerts"]]
        assert alerts
        own = (f"/alerts/{alerts[0]}", f"/alerts/{alerts[0]}/panel", f"/api/alerts/{alerts[0]}/picture")
        paths = (
            "/",
            "/api/alerts",
            f"/api/alerts/{alerts[0]}",
            *own,
            f"/tables/{subject}",
            "/tables",
            "/log",
        )
        for path in (
            *paths,
            f"/hands/{subject}/1",
            f"/api/hands/{subject}/1",
            f"/disputes/new?table={subject}&round=1",
        ):
            answer = browser.get(path)
            text = shown(answer.text)
            for code, word in words.items():
                assert word not in text, (user, path)
                assert not re.search(rf"\\b{code}\\b", text), (user, path)

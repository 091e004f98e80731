"""Hands that a suspicion rests on: found by the search, and named on the page of each."""

from __future__ import annotations

import html
import json
import re

from dashboards.ledger.acts import Raised, Withheld
from dashboards.web.console import Console
from processors.runtime.embedded.fold import EmbeddedFold
from processors.runtime.store.warehouse import Warehouse
from schemas.findings import Finding
from tests.console.conftest import Browser
from tests.console.desk_building import T0
from tests.console.test_patterns import Visit, fold, suspicion, visit

__all__ = ["fold", "suspicion", "visit"]


def found(browser: Browser, **asked: str) -> set[tuple[str, int]]:
    answer = browser.get("/api/hands", params=asked)
    assert answer.status_code == 200, answer.text
    return {(one["subject"], one["round"]) for one in answer.json()["hands"]}


def rests(store: Warehouse, check: str) -> set[tuple[str, int]]:
    """The rounds that findings of such checks name, and those of their events, by plain SQL."""
    rounds = set()
    sql = "SELECT record FROM findings FINAL WHERE verdict = 'suspected' AND check_id LIKE {check:String}"
    for (record,) in store.query(sql, {"check": check}):
        told = json.loads(record)
        named = told["observed"].get("rounds", ())
        if isinstance(named, list):
            both = (one if isinstance(one, dict) else {"round": one} for one in named)
            rounds |= {(one.get("table", told["subject"]), one["round"]) for one in both}
        for sequence in told["sequences"]:
            rows = store.query(
                "SELECT round FROM rounds FINAL WHERE subject = {subject:String}"
                " AND first_sequence <= {at:UInt32} AND last_sequence >= {at:UInt32}",
                {"subject": told["subject"], "at": sequence},
            )
            rounds |= {(told["subject"], number) for (number,) in rows}
    return rounds


def test_hands_are_found_by_the_pattern_that_rests_on_them(
    visit: Visit, fold: tuple[EmbeddedFold, Warehouse]
) -> None:
    hale, due = visit("hale"), rests(fold[1], "pattern.dealer_mispay%")
    assert 1 < len(due) <= 50
    for words in ("pattern:dealer_mispay", 'pattern:"dealer mispay"', "pattern:MISPAY"):
        assert found(hale, q=words) == due, words
    assert found(hale, pattern="any") == rests(fold[1], "pattern.%")
    table, number = sorted(due)[0]
    assert found(hale, pattern="mispay", table=table, round=str(number)) == {(table, number)}
    assert found(hale, pattern="mispay", table=table) == {one for one in due if one[0] == table}
    line = re.search(
        r'id="q"[^>]*value="([^"]*)"', hale.get("/hands?pattern=dealer%20mispay&status=void").text
    )
    assert line is not None
    assert html.unescape(line[1]) == 'pattern:"dealer mispay" void'


def test_a_pattern_of_no_such_name_and_one_that_nobody_suspects_are_said(visit: Visit) -> None:
    hale = visit("hale")
    wrong = hale.get("/hands?pattern=roulette")
    assert (wrong.status_code, "there are: any, " in wrong.text) == (400, True)
    assert "dealer mispay" in wrong.text
    said = "No suspicion of past posting rests on a hand of the time that was looked through."
    assert said in hale.get("/hands?pattern=past_posting").text


def test_who_reads_no_suspicions_looks_for_no_hands_by_them(visit: Visit, console: Console) -> None:
    console.desk.note(Withheld(user="hale", kind="dealer", value="D-011"), "ann")
    hidden = visit("hale")
    assert found(hidden, pattern="mispay") == set()
    refused = visit("rex").get("/api/hands?pattern=mispay")
    assert refused.status_code == 403
    assert 'list="patterns"' not in visit("rex").get("/hands").text
    assert 'list="patterns"' in visit("ito").get("/hands").text


def test_a_hand_names_the_suspicions_that_rest_on_it(
    visit: Visit, console: Console, suspicion: Finding, fold: tuple[EmbeddedFold, Warehouse]
) -> None:
    table, number = sorted(rests(fold[1], suspicion.check))[0]
    page = f"/hands/{table}/{number}"
    named = f'Suspicion <a href="/alerts/{suspicion.finding_id}">'
    assert named not in visit("hale").get(page).text, "nobody was alerted to it yet"
    console.desk.raise_alerts([Raised(finding=suspicion, decided_at=T0)])
    assert named in visit("hale").get(page).text
    console.desk.note(Withheld(user="ito", kind="dealer", value="D-011"), "ann")
    assert named not in visit("ito").get(page).text

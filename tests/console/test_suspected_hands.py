"""Hands that a suspicion rests on: found by the search, and named on the page of each."""

from __future__ import annotations

import datetime as dt
import html
import json
import re

from msgspec.structs import replace

from dashboards.ledger.acts import Raised, Withheld
from dashboards.reader.patterns import suspicions_near
from dashboards.suspected.known import MOST_SOUGHT
from dashboards.suspicions.suspicions import tables_of
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


def test_of_more_suspicions_than_are_looked_through_that_is_said_and_a_table_leads_to_the_others(
    visit: Visit, console: Console, suspicion: Finding, fold: tuple[EmbeddedFold, Warehouse]
) -> None:
    hale, table = visit("hale"), suspicion.subject
    due = {one for one in rests(fold[1], "pattern.dealer_mispay%") if one[0] == table}
    assert due
    assert "suspicions were raised" not in hale.get("/api/hands?pattern=mispay").json()["hint"]
    ((last,),) = fold[1].query("SELECT max(decided_at) FROM rounds")
    others = (
        replace(suspicion, finding_id=f"{n:032x}", subject="ZZ-1", sequences=(n + 1,), observed={})
        for n in range(MOST_SOUGHT + 1)
    )
    console.desk.raise_alerts([Raised(finding=one, decided_at=last) for one in others])
    crowded = hale.get("/api/hands?pattern=mispay").json()
    assert crowded["hands"] == []
    assert f"the {MOST_SOUGHT} nearest to its end were looked through" in crowded["hint"]
    of_table = hale.get(f"/api/hands?pattern=mispay&table={table}").json()
    assert {(one["subject"], one["round"]) for one in of_table["hands"]} == due
    assert of_table["hint"] == ""


def test_the_store_is_asked_for_suspicions_of_the_families_the_time_and_the_table_alone(
    fold: tuple[EmbeddedFold, Warehouse], suspicion: Finding
) -> None:
    ((raised,),) = fold[1].query(
        "SELECT decided_at FROM findings FINAL WHERE finding_id = {id:String}", {"id": suspicion.finding_id}
    )
    later = raised + dt.timedelta(microseconds=1)

    def is_found(
        family: str = "dealer_mispay", since: dt.datetime = raised, table: str | None = None
    ) -> bool:
        rows = suspicions_near({family}, since, raised, table, 9).ask(fold[1])
        assert [row.decided_at for row in rows[:1]] in ([], [raised]), "the nearest to the end comes first"
        return suspicion.finding_id in {row.finding_id for row in rows}

    assert is_found()
    assert not is_found(family="pace")
    assert not is_found(since=later)
    assert not is_found(table="ZZ-1")
    tables = tables_of(suspicion)
    assert len(tables) > 1, "it names rounds of more than its own table"
    assert all(is_found(table=one) for one in tables)


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

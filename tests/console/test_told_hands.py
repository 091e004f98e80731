"""A hand is found as disputes are told: words and fields, totals, stake, result, time and findings."""

from __future__ import annotations

import html
from urllib.parse import parse_qs, urlsplit

import pytest

from dashboards.ledger.acts import Withheld
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.runtime.store.warehouse import Warehouse
from tests.console.hands_building import SignedIn, console, kept, keys, listed, store

__all__ = ["console", "store"]


@pytest.mark.parametrize(
    ("words", "terms"),
    [
        (
            "BJ-12 seat 6, I had 20 against 22 a quarter of an hour ago",
            {
                "table": "BJ-12",
                "seat": "6",
                "total": "20",
                "against": "22",
                "time": "a quarter of an hour ago",
            },
        ),
        (
            "bj12 2 Mar 10:04-10:10 lost $200 critical",
            {
                "table": "BJ-12",
                "time": "2 Mar 10:04-10:10",
                "result": "lost",
                "stake": "$200",
                "findings": "critical",
            },
        ),
        (
            "dealer:D-411 player:P-0098 clause:672a.7(o) over $100",
            {"dealer": "D-411", "patron": "P-0098", "clause": "672a.7(o)", "stake": "over $100"},
        ),
        (
            "11:00 to 11:15 on 2 Mar at table bj-19, the dealer had 22, s3, stake of 25",
            {"time": "11:00 to 11:15 2 Mar", "table": "bj-19", "against": "22", "seat": "3", "stake": "25"},
        ),
        ("d-411 last 2 hours with findings", {"dealer": "D-411", "time": "last 2 hours", "findings": "any"}),
        (
            "yesterday 23:50 to 0:10 pushed 672a.11",
            {"time": "yesterday 23:50 to 0:10", "result": "push", "clause": "672a.11"},
        ),
        (
            "bj-12 15 min ago 20 vs 22 lost 25",
            {
                "table": "BJ-12",
                "time": "15 min ago",
                "total": "20",
                "against": "22",
                "result": "lost",
                "stake": "25",
            },
        ),
        (
            "Quarter of an hour ago at bj-12 had 20, dealer 22 and lost my stake",
            {
                "table": "BJ-12",
                "time": "Quarter of an hour ago",
                "total": "20",
                "against": "22",
                "result": "lost",
            },
        ),
        (
            "around 11 pm yesterday they took my 25",
            {"time": "around 11 pm yesterday", "result": "lost", "stake": "25"},
        ),
        ("since 10:30 he had 19 against a 20", {"time": "since 10:30", "total": "19", "against": "20"}),
        ("bj-12 since:2h lost", {"table": "BJ-12", "time": "since 2h", "result": "lost"}),
        ('since:"10:30 2 Mar" s3', {"time": "since 10:30 2 Mar", "seat": "3"}),
        ("since:2026-03-02 s3", {"since": "2026-03-02", "seat": "3"}),
        ("check:Settlement.Stake owed:>100 s3", {"check": "settlement.stake", "owed": ">100", "seat": "3"}),
        ("BJ-12 yesterday 10:35", {"table": "BJ-12", "time": "yesterday 10:35"}),
        ("bj-12 seat 6 yesterday 10:35", {"table": "BJ-12", "seat": "6", "time": "yesterday 10:35"}),
        ("s6 today at 10:35 bj-12", {"table": "BJ-12", "seat": "6", "time": "today at 10:35"}),
        ("bj-12 6 Mar 10:35", {"table": "BJ-12", "time": "6 Mar 10:35"}),
        ("bj-12 money:>100", {"table": "BJ-12", "money": ">100"}),
        ("overpaid last 2 hours", {"overpaid": ">0", "time": "last 2 hours"}),
        ("now bj12 s3 natural", {"time": "now", "table": "BJ-12", "seat": "3", "result": "blackjack"}),
        (
            "half an hour ago device trouble, surrendered 50.00",
            {"time": "half an hour ago", "status": "indeterminate", "result": "surrender", "stake": "50.00"},
        ),
        (
            "a few minutes ago, at bj-12, lost 20 against 21",
            {"time": "a few minutes ago", "table": "BJ-12", "result": "lost", "total": "20", "against": "21"},
        ),
        (
            "breached round 1000000000 shoe 2 2026-03-02",
            {"status": "breached", "round": "1000000000", "shoe": "2", "day": "2026-03-02"},
        ),
    ],
)
def test_words_of_a_dispute_become_the_fields_of_the_search(
    signed_in: SignedIn, words: str, terms: dict[str, str]
) -> None:
    answer = signed_in("hale").get("/hands", params={"q": words}, follow_redirects=False)
    assert answer.status_code == 303, html.unescape(answer.text)
    place = urlsplit(answer.headers["location"])
    assert place.path == "/hands"
    asked = {name: given[0] for name, given in parse_qs(place.query).items()}
    assert asked.pop("said") == words
    assert asked == terms


def test_a_word_that_is_not_understood_is_named_with_its_place_and_what_it_could_have_been(
    signed_in: SignedIn, log: SqliteDeskLog
) -> None:
    hale = signed_in("hale")
    words = "BJ-1 tabel:x won lost dealer bust D-41 zzz"
    page = hale.get("/hands", params={"q": words})
    told = hale.get("/api/hands", params={"q": words})
    assert page.status_code == told.status_code == 400
    for said in (html.unescape(page.text), told.json()["detail"]):
        assert (
            "“BJ-1” (at letter 1) is no table, dealer, result or id that you may see; like it are BJ-12"
            in said
        )
        assert "“tabel:x” (at letter 6) is no field here; perhaps table:" in said
        assert "“lost” (at letter 18) is a second result: one is looked for at a time (won)" in said
        assert "“dealer bust” (at letter 23) is no term: the dealer's hand is looked for by its total" in said
        assert (
            "“D-41” (at letter 35) is no table, dealer, result or id that you may see; like it are D-411"
            in said
        )
        assert (
            "“zzz” (at letter 40) is no table, dealer, result or id that you may see; fields are table:"
            in said
        )
    assert 'value="BJ-1 tabel:x won lost dealer bust D-41 zzz"' in page.text
    assert kept(log, "hale")[0][0].startswith(f"find hands: {words}; not understood: BJ-1, tabel:x")


def test_rows_say_cards_totals_stake_result_and_dealer_and_how_many_there_are(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    (found,) = listed(hale, total=20, against=22, table="BJ-19")
    dealt, seats = found["dealt"], found["seats"]
    assert isinstance(dealt, dict)
    assert isinstance(seats, list)
    assert dealt["total"] == 22
    twenty = [(seat, hand) for seat in seats for hand in seat["hands"] if hand["total"] == 20]
    assert twenty
    page = hale.get("/hands", params={"total": 20, "against": 22, "table": "BJ-19"}).text
    assert "1 hand<" in page
    for seat, hand in twenty:
        assert f'<b class="total">20</b> {hand["result"]}' in page
        assert f"staked {seat['staked']}" in page
    assert '<b class="total">22</b>' in page
    assert f">{found['dealer']}</a>" in page
    assert "♠" in page


def test_total_stake_result_and_seat_are_those_of_one_seat(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    for one in listed(hale, table="BJ-12", total=20, result="won"):
        seats = one["seats"]
        assert isinstance(seats, list)
        assert any(s["won"].startswith("won $") and any(h["total"] == 20 for h in s["hands"]) for s in seats)
    mine = listed(hale, patron="P-0098", table="BJ-12", total=20)
    assert mine
    assert keys(mine) == keys(listed(hale, table="BJ-12", seat=6, total=20))


def test_a_time_needs_no_table_where_all_tables_keep_one_time(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    answer = hale.get("/api/hands", params={"time": "10:04"}).json()
    assert answer["understood"] == "2 Mar 2026 10:04:00 to 10:04:59, America/New_York (EST)"
    assert {one["subject"] for one in answer["hands"]} == {"BJ-12", "BJ-19", "FP-21"}
    assert answer["matched"] == len(answer["hands"])
    for table in ("BJ-12", "BJ-19", "FP-21"):
        alone = [one for one in listed(hale, table=table, time="10:04") if not one["near"]]
        assert sorted(keys(alone)) == sorted(key for key in keys(answer["hands"]) if key[0] == table)
    ago = hale.get("/api/hands", params={"time": "15 min ago", "total": 20}).json()
    assert ago["understood"] == "2 Mar 2026 10:06:22 to 10:16:21, America/New_York (EST)"
    assert {hand["total"] for one in ago["hands"] for seat in one["seats"] for hand in seat["hands"]} >= {20}


def test_hands_are_found_by_their_findings_and_only_by_those_one_may_know_of(
    signed_in: SignedIn, console: Console, store: Warehouse
) -> None:
    hale, fay, rex = signed_in("hale"), signed_in("fay"), signed_in("rex")
    assert ("BJ-12", 1) in keys(listed(hale, findings="critical"))
    assert keys(listed(hale, findings="any", table="BJ-12")) == [("BJ-12", 1)]
    ((cites, name),) = store.query("SELECT cites, finding_id FROM findings FINAL WHERE subject = 'BJ-12'")
    clause = str(cites[0]).split("#")[0]
    assert ("BJ-12", 1) in keys(listed(hale, clause=clause))
    assert ("BJ-12", 1) in keys(listed(hale, clause=clause.split("(")[0]))
    assert keys(listed(hale, clause=clause[:4])) == []
    assert ("BJ-12", 1) in keys(listed(fay, findings="critical"))
    assert ("BJ-12", 1) in keys(listed(rex, findings="critical"))
    console.desk.note(Withheld(user="fay", kind="alert", value=str(name)), "ann")
    assert ("BJ-12", 1) not in keys(listed(fay, findings="critical"))


def test_check_and_money_of_a_finding_are_words_as_in_the_queue_and_of_one_finding(
    signed_in: SignedIn, store: Warehouse
) -> None:
    hale, rex = signed_in("hale"), signed_in("rex")
    sql = "SELECT check_id, money_cents FROM findings FINAL WHERE subject = 'BJ-12'"
    ((check, cents),) = store.query(sql)
    way, other = ("owed", "overpaid") if int(cents) > 0 else ("overpaid", "owed")
    dollars = abs(int(cents)) / 100
    assert cents, "the hand of this store was settled wrong"
    here = [("BJ-12", 1)]
    for browser in (hale, rex):
        assert keys(listed(browser, check=check, table="BJ-12")) == here
        assert keys(listed(browser, **{way: f"{dollars:.2f}", "check": check, "table": "BJ-12"})) == here
        assert keys(listed(browser, **{way: ">0", "table": "BJ-12"})) == here
        assert keys(listed(browser, **{other: ">0", "table": "BJ-12"})) == []
        assert keys(listed(browser, money=f"{dollars:.2f}", table="BJ-12")) == here, "whichever way it went"
        assert keys(listed(browser, money=f"over {dollars:.2f}", table="BJ-12")) == []
        assert keys(listed(browser, **{way: f"over {dollars:.2f}", "table": "BJ-12"})) == []
        assert keys(listed(browser, check="pace", table="BJ-12")) == []
    wrong = hale.get("/api/hands", params={way: "lots"})
    assert "is no sum of money" in wrong.text
    page = html.unescape(hale.get("/hands", params={"q": f"bj-12 {way} check:{check}"}).text)
    assert f'value="bj-12 {way} check:{check}"' in page, "the line stands as it was typed"
    page = html.unescape(hale.get("/hands", params={"table": "BJ-12", way: ">0", "check": check}).text)
    assert f'value="BJ-12 check:{check} {way}"' in page, "line and fields say the same"


@pytest.mark.parametrize("asked", ["total=20", "against=22", "result=bust", "patron=P-0098"])
def test_who_sees_no_cards_asks_for_none(signed_in: SignedIn, asked: str) -> None:
    rex = signed_in("rex")
    assert rex.get(f"/hands?{asked}").status_code == 403
    assert rex.get(f"/api/hands?{asked}").status_code == 403
    assert rex.get("/hands", params={"q": asked.replace("=", ":")}).status_code == 403 or asked.startswith(
        "result"
    )
    assert rex.get("/api/hands?result=won&table=BJ-12").status_code == 200
    page = rex.get("/hands?result=won&table=BJ-12").text
    assert "Dealer’s hand" not in page
    assert not any(suit in page for suit in "♠♣♦♥")


def test_a_page_says_how_many_there_are_beyond_it(
    signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboards.hands.search.PAGE", 4)
    hale = signed_in("hale")
    every = len(listed(hale, table="BJ-12", time="10:00-10:30"))
    page = hale.get("/hands?table=BJ-12&stake=100")
    answer = hale.get("/api/hands?table=BJ-12&stake=100").json()
    assert 4 < answer["matched"] <= every
    assert f"{answer['matched']} hands, 4 on this page" in page.text
    monkeypatch.setattr("dashboards.hands.search.COUNTED", 5)
    assert "more than 5 hands, 4 on this page" in hale.get("/hands?table=BJ-12&stake=100").text

"""Hands in the console: how they are found, and what a list, an error and an empty answer say."""

import html
import json
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.runtime.store.warehouse import Warehouse
from schemas.findings import Finding
from tests.console.conftest import Clock
from tests.console.desk_building import a_raise
from tests.console.hands_building import STREAMS, SignedIn, console, kept, keys, listed, rounds_of, store

__all__ = ["console", "store"]


def test_a_hand_is_found_by_table_time_and_seat_and_opened_at_that_event(
    signed_in: SignedIn, log: SqliteDeskLog
) -> None:
    hale = signed_in("hale")
    answer = hale.get("/hands?table=bj12&time=2 Mar 10:04:21&seat=6", follow_redirects=False)
    assert answer.status_code == 303
    place = urlsplit(answer.headers["location"])
    assert place.path == "/hands/BJ-12/1"
    sought = "2026-03-02T15:04:21.000000Z/2026-03-02T15:04:22.000000Z"
    assert parse_qs(place.query) == {"first": ["35"], "at": ["82"], "seat": ["6"], "sought": [sought]}
    page = hale.get(answer.headers["location"])
    assert page.status_code == 200
    assert "Found by the time 2 Mar 2026 10:04:21, America/New_York (EST)." in page.text
    assert "the main wager is paid $200" in page.text
    assert kept(log, "hale") == [
        ("find hands: table bj12, time 2 Mar 10:04:21, seat 6", True),
        ("hand BJ-12 round 1, events 35 to 91", True),
    ]


@pytest.mark.parametrize(
    "time", ["10:04:21", "2026-03-02T10:04:21", "2026-03-02T15:04:21Z", "10:04:21 am", "Mar 2, 10:04:21"]
)
def test_the_same_time_may_be_written_in_many_ways(signed_in: SignedIn, time: str) -> None:
    (one,) = listed(signed_in("hale"), table="BJ-12", time=time)
    assert (one["round"], one["at"]) == (1, 82)


def test_a_minute_in_which_two_hands_were_dealt_lists_both(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    page = hale.get("/hands?table=BJ-12&time=10:04", follow_redirects=False)
    assert page.status_code == 200
    assert keys(listed(hale, table="BJ-12", time="10:04")) == [("BJ-12", 1), ("BJ-12", 2)]


def under_way(table: str, start: str, end: str) -> list[int]:
    """Rounds that the raw record has under way between two moments of 2 March."""
    number, begun = 0, ""
    found = []
    for line in STREAMS[table]:
        event = json.loads(line)
        if event["type"].endswith("round_started"):
            number, begun = event["data"]["round"], event["time"]
        elif event["type"].endswith("round_ended") and event["time"] >= f"2026-03-02T{start}":
            found += [number] if begun < f"2026-03-02T{end}" else []
    return found


@pytest.mark.parametrize(
    ("time", "start", "end", "understood"),
    [
        ("10:00-10:15", "15:00", "15:16", "2 Mar 2026 10:00:00 to 10:15:59"),
        ("10:05 to 10:07", "15:05", "15:08", "2 Mar 2026 10:05:00 to 10:07:59"),
        ("2026-03-02 10:04:50–10:06:09", "15:04:50", "15:06:10", "2 Mar 2026 10:04:50 to 10:06:09"),
        ("2 Mar 10:05-10:07 am", "15:05", "15:08", "2 Mar 2026 10:05:00 to 10:07:59"),
        ("2026-03-01 23:50-10:05", "00:00", "15:06", "1 Mar 2026 23:50:00 to 2 Mar 2026 10:05:59"),
        ("2026-03-01 23:50-0:10", "05:00", "05:11", "1 Mar 2026 23:50:00 to 2 Mar 2026 00:10:59"),
    ],
)
def test_a_range_of_time_lists_the_hands_of_that_range_and_says_what_it_was_understood_as(
    signed_in: SignedIn, time: str, start: str, end: str, understood: str
) -> None:
    hale = signed_in("hale")
    answer = hale.get("/api/hands", params={"table": "BJ-12", "time": time}).json()
    rounds = [one["round"] for one in answer["hands"] if not one["near"]]
    assert rounds == under_way("BJ-12", start, end)
    assert answer["understood"] == f"{understood}, America/New_York (EST)"
    page = hale.get("/hands", params={"table": "BJ-12", "time": time}, follow_redirects=False)
    assert page.status_code == 200
    assert f"The time was understood as {understood}, America/New_York (EST)." in page.text
    assert ("No hand was under way at BJ-12 at 1 Mar 2026 23:50:00 to" in page.text) == (not rounds)


def test_a_time_between_two_hands_names_the_nearest_and_a_seat_without_a_stake_is_said(
    signed_in: SignedIn,
) -> None:
    hale = signed_in("hale")
    answer = hale.get("/api/hands", params={"table": "BJ-12", "time": "03:00"}).json()
    assert answer["hint"] == "No hand was under way at BJ-12 at 2 Mar 2026 03:00:00. The nearest are listed."
    assert [(one["round"], one["near"]) for one in answer["hands"]] == [(1, "the first after")]
    page = hale.get("/hands?table=BJ-12&time=10:04:21&seat=2", follow_redirects=False)
    assert page.status_code == 200
    assert "Seat 2 staked nothing then." in page.text
    assert "/hands/BJ-12/1?first=35" in page.text


def test_a_table_that_is_misspelt_is_asked_back(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    page = hale.get("/hands?table=BJ-1&time=10:04")
    assert page.status_code == 200
    assert "There is no table BJ-1." in page.text
    assert 'href="/hands?table=BJ-12&amp;time=10%3A04"' in page.text
    assert "Name" not in page.text


@pytest.mark.parametrize(
    ("query", "why"),
    [
        ("table=BJ-12&time=tonight", "there is no time in it"),
        ("table=BJ-12&time=30 Feb 10:00", "no day 30"),
        ("table=BJ-12&seat=ten", "ten is no seat"),
        ("table=BJ-12&seat=77", "77 is no seat"),
        ("round=-1", "-1 is no round"),
        ("day=20.11.2026", "is no day"),
        ("status=fine", "there are: consistent"),
        ("after=zzzz", "this address was cut short"),
        ("table=BJ-12&seat=0", "0 is no seat"),
        ("table=BJ-12&time=10:04&day=2026-03-02", "a time names its own day"),
        ("stake=25 to 10", "ends before it begins"),
        ("stake=lots", "is no sum of money; write it as 25, $25.00, 100-500"),
        ("total=1", "1 is no player's total; totals are 2 to 99"),
        ("result=fine", "there are: won, lost, push"),
        ("findings=grave", "there are: any, critical"),
        ("table=BJ-12&time=90 days ago", "such words reach 31 days back"),
        ("finding=abcdef12&table=BJ-12", "a finding is looked for by itself"),
        ("tabel=BJ-12", "tabel is no field of this search; there are: table, time, seat"),
        ("table=BJ-12&time=10:04 seat 33", "sea"),
    ],
)
def test_what_cannot_be_read_is_said_at_its_field(signed_in: SignedIn, query: str, why: str) -> None:
    hale = signed_in("hale")
    page = hale.get(f"/hands?{query}")
    assert page.status_code == 400
    assert why in html.unescape(page.text)
    answer = hale.get(f"/api/hands?{query}")
    assert answer.status_code == 400
    assert why in answer.json()["detail"]


def test_hands_of_a_patron_are_found_and_what_was_asked_is_kept(
    signed_in: SignedIn, log: SqliteDeskLog
) -> None:
    hale = signed_in("hale")
    found = listed(hale, patron="P-0098")
    assert set(keys(found)) >= {("BJ-12", number) for number in rounds_of("BJ-12")}
    assert {seat["seat"] for one in found if one["subject"] == "BJ-12" for seat in one["seats"]} >= {6}  # type: ignore[attr-defined]  # JSON
    only = listed(hale, patron="P-0098", seat=6, table="BJ-12")
    assert keys(only) == [("BJ-12", number) for number in reversed(rounds_of("BJ-12"))]
    assert listed(hale, patron="P-0098", seat=1, table="BJ-12") == []
    assert listed(hale, patron="nobody") == []
    assert ("find hands: patron P-0098", True) in kept(log, "hale")
    assert ("find hands: patron nobody", True) in kept(log, "hale")


def test_hands_are_found_by_round_finding_dealer_shoe_day_and_status(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    place = hale.get("/hands?table=BJ-19&round=7", follow_redirects=False)
    assert place.headers["location"].startswith("/hands/BJ-19/7?first=")
    assert ("BJ-20", 7) not in keys(listed(hale, round=7))  # of 2015: more than a month before the newest
    assert set(keys(listed(hale, round=7, since="2015-01-01"))) == {
        (table, 7) for table in STREAMS if 7 in rounds_of(table)
    }
    (breach,) = listed(hale, table="BJ-12", status="breached")
    assert (breach["round"], breach["worst"], breach["findings"]) == (1, "critical", 1)
    (found,) = hale.get("/api/hands/BJ-12/1").json()["steps"][47]["governing"][:1]
    opened = hale.get(f"/hands?finding={found['finding'][:8]}", follow_redirects=False)
    assert parse_qs(urlsplit(opened.headers["location"]).query)["at"] == ["82"]
    assert "at least 6 characters" in hale.get("/hands?finding=abc").text
    dealt = listed(hale, dealer="D-411")
    assert {one["subject"] for one in dealt} == {"FP-21"}
    shoe = listed(hale, table="BJ-19", shoe=2)
    assert shoe
    assert {one["shoe"] for one in shoe} == {2}
    assert {one["subject"] for one in listed(hale, day="2026-03-02")} >= {"BJ-12", "BJ-19", "FP-21"}
    assert listed(hale, table="BJ-12", day="2026-03-01") == []


def test_a_dealer_is_a_whole_name_in_any_case_and_others_are_offered(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    assert keys(listed(hale, dealer="d-411")) == keys(listed(hale, dealer="D-411")) != []
    answer = hale.get("/api/hands", params={"dealer": "D-41"}).json()
    assert answer["hands"] == []
    assert answer["hint"] == "No dealer named D-41 dealt in the time that was looked through."
    assert "D-411" in answer["names"]
    page = hale.get("/hands", params={"dealer": "D-41"}).text
    assert 'href="/hands?dealer=D-411"' in page


def test_older_hands_are_reached_page_by_page_each_once(
    signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("dashboards.hands.search.PAGE", 4)
    hale = signed_in("hale")
    shown: list[tuple[object, object]] = []
    after = ""
    while True:
        answer = hale.get("/api/hands", params={"table": "BJ-19", "after": after}).json()
        shown += keys(answer["hands"])
        after = answer["further"]
        if not after:
            break
    assert shown == [("BJ-19", number) for number in reversed(rounds_of("BJ-19"))]


def test_without_a_question_the_latest_hands_are_listed(signed_in: SignedIn) -> None:
    page = signed_in("hale").get("/hands")
    assert page.status_code == 200
    assert "The latest hands" in page.text


def test_an_empty_store_says_so(
    log: SqliteDeskLog, accounts: Accounts, clock: Clock, console: Console, signed_in: SignedIn
) -> None:
    object.__setattr__(console, "records", _Away([]))
    assert "No round is stored yet." in signed_in("hale").get("/hands").text


class _Away:
    def __init__(self, rows: list[object] | None = None) -> None:
        self.rows = rows

    def query(self, *_: object) -> list[object]:
        if self.rows is None:
            raise OSError("disk gone")
        return self.rows


def test_a_store_that_does_not_answer_is_said_and_nothing_else(console: Console, signed_in: SignedIn) -> None:
    object.__setattr__(console, "records", _Away())
    page = signed_in("hale").get("/hands?table=BJ-12")
    assert page.status_code == 503
    assert "The store of hands does not answer." in page.text
    assert "disk gone" not in page.text


# The dialog that finds by id.


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("BJ-12 41", "/hands?table=BJ-12&round=41"),
        ("BJ-12/41", "/hands?table=BJ-12&round=41"),
        ("bj12 21:14 seat 3", "/hands?seat=3&table=bj12&time=21%3A14"),
        ("BJ-12 2 Mar 21:14 s3", "/hands?seat=3&table=BJ-12&time=2+Mar+21%3A14"),
        ("BJ-12 11:00-11:15", "/hands?table=BJ-12&time=11%3A00-11%3A15"),
        ("bj-12", "/tables/BJ-12"),
        ("bj12", "/tables/BJ-12"),
        ("abcdef12", "/hands?finding=abcdef12"),
        ("BJ-12 20 against 22", "/hands?table=BJ-12&total=20&against=22"),
        ("20 v 22 15 min ago", "/hands?total=20&against=22&time=15 min ago"),
        ("dealer:D-411 lost $25", "/hands?dealer=D-411&result=lost&stake=%2425"),
        ("672a.7(o)", "/hands?clause=672a.7(o)"),
    ],
)
def test_what_is_typed_into_the_dialog_leads_to_its_page(signed_in: SignedIn, text: str, place: str) -> None:
    answer = signed_in("hale").get("/find", params={"q": text}, follow_redirects=False)
    assert answer.status_code == 303
    given, wanted = urlsplit(answer.headers["location"]), urlsplit(place)
    assert given.path == wanted.path
    asked = parse_qs(given.query)
    assert asked.pop("said", [text]) == [text], "words go along as they were typed"
    assert asked == parse_qs(wanted.query)


def test_an_alert_is_found_by_the_beginning_of_its_id_and_only_by_who_may_see_it(
    signed_in: SignedIn, console: Console, store: Warehouse, log: SqliteDeskLog
) -> None:
    (record,) = store.query("SELECT record FROM findings FINAL WHERE subject = 'BJ-12'")[0]
    finding = msgspec.json.decode(record, type=Finding)
    console.desk.raise_alerts([a_raise(finding)])
    hale = signed_in("hale")
    for text in (finding.finding_id, finding.finding_id[:10], finding.finding_id[:10].upper()):
        answer = hale.get("/find", params={"q": text}, follow_redirects=False)
        assert answer.headers["location"] == f"/alerts/{finding.finding_id}"
    answer = signed_in("ann").get("/find", params={"q": finding.finding_id}, follow_redirects=False)
    assert answer.status_code == 404
    assert kept(log, "ann") == [(f"find {finding.finding_id}", False)]


def test_what_names_nothing_is_told_what_could_be_typed(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    for text, why in (
        ("", "Nothing was typed."),
        ("???", "“???” is no table, dealer, patron, dispute, case or id that you may see."),
        ("no such thing", "“such” is no table, dealer, patron, dispute, case or id"),
        (
            "BJ-1",
            "“BJ-1” is no table, dealer, patron, dispute, case or id that you may see; like it are BJ-12, BJ-19",
        ),
        ("bj12 yesterday", "BJ-12 is a table, but “yesterday” is neither a round nor a time."),
    ):
        answer = hale.get("/find", params={"q": text}, follow_redirects=False)
        told = hale.get("/api/find", params={"q": text})
        assert answer.status_code == told.status_code == 404
        for said in (html.unescape(answer.text), told.json()["detail"]):
            assert "A table and a round (BJ-12 41)" in said
            assert why in said
    assert "tabel is no field" in hale.get("/find", params={"tabel": "BJ-12"}).text
    assert hale.get("/api/find", params={"q": "BJ-12 41"}).json() == {"place": "/hands?table=BJ-12&round=41"}


def test_of_a_game_in_which_play_is_not_worked_out_a_hand_says_none(signed_in: SignedIn) -> None:
    text = signed_in("hale").get("/hands/FP-21/1").text
    assert "Payout check" in text
    assert "decisions gave" not in text
    assert 'data-label="Play"' not in text

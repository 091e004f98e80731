"""The words of the queue's filter: those that mean nothing are named, and JSON reads them as the page does."""

import datetime as dt
import html
import re
from urllib.parse import parse_qsl

import msgspec
import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.alerts.queue_filter import WantedAlerts, wanted
from dashboards.filters.when import asked_time
from dashboards.web.console import Console
from tests.console.conftest import PASSWORD
from tests.console.desk_building import T0, a_finding, a_raise
from tests.console.test_alert_pages import SignedIn, tables


@pytest.fixture(autouse=True)
def _alerts(console: Console) -> None:
    found = [a_finding(), a_finding(2, subject="BJ-19"), a_finding(3, check="pace", severity="minor")]
    console.desk.raise_alerts(
        [a_raise(one, dealer) for one, dealer in zip(found, ("D105", "D123", None), strict=True)]
    )


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (
            "q=BJ-1",
            "“bj-1”: none of these alerts has it as its table, dealer, player, check, hand, owner or id",
        ),
        ("q=BJ-1", "like it are BJ-12, BJ-19"),
        ("q=dealer:D12", "“dealer:d12”: none of these alerts has it as its dealer; like it are D123"),
        ("q=pace+zzz", "“zzz”: none of these alerts"),
        (
            "q=tabel:BJ-12",
            "“tabel:bj-12” is no term of this filter: there are table:, dealer:, player:, check:",
        ),
        ("q=table:", "“table:” is no term of this filter"),
        ("q=seat:x", "“seat:x” is no seat: write seat 3"),
        ("q=severity:grave", "“severity:grave” is no severity: there are critical, major, minor, info"),
        ("q=state:open", "“state:open” is no state: there are new, acknowledged, awaiting, shelved, closed"),
        (
            "q=money:lots",
            "“money:lots” is no sum of money: write $25, $100-500, >100, over $100 or under $50",
        ),
        ("q=player:P-1", "“player:p-1”: none of these alerts has it as its player; alerts name few players"),
        ("q=total:20", "“total:20” is looked for among the hands: an alert does not name it"),
        ("q=999a.7(o)", "“clause:999a.7(o)”: none of these alerts has it as its clause"),
        ("q=time:soon", "“time:soon” is no time: there is no time in it; write it as 21:14, 20 Nov 21:14:03"),
        ("q=25:00", "“time:25:00” is no time: 25:00 is no time of a day"),
        (
            "q=11:00-11:15",
            "“time:11:00-11:15”: the event of none of these alerts was then (20 Nov 2026 11:00:00 to",
        ),
        ("severity=grave", "“grave” is no severity: there are critical, major, minor, info"),
        ("tab=opened", "“opened” is no list of alerts: there are open, mine, second, acked, shelved, closed"),
        ("dealer=D123", "dealer is no field of this search; there are: "),
        ("tab=closed&q=BJ-1", "“bj-1”: none of these alerts"),
    ],
)
def test_law_3_a_word_that_means_nothing_is_named_with_what_would(
    signed_in: SignedIn, query: str, said: str
) -> None:
    hale = signed_in("hale")
    assert said in html.unescape(hale.get(f"/?{query}").text)
    if "tab=" in query or "severity=" in query:
        return
    answer = hale.get(f"/api/alerts?{query}")
    if "none of these" in said or "like it" in said:
        assert answer.json()["alerts"] == []
        assert said in " ".join(answer.json()["unread"])
    else:
        assert answer.status_code == 400
        assert said in answer.json()["detail"]


def test_the_queue_as_json_is_filtered_by_the_words_of_the_page(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    for words in (
        "d123", "bj-12", "round 7 pace", "table:BJ-12 black", "", "minor", "state:new severity:major", "$30",
        "over $30", "$10-40 bj-19", "under $30", 'clause:"13:69f-2.15"',
    ):  # fmt: skip
        page, told = (
            hale.get("/", params={"q": words}).text,
            hale.get("/api/alerts", params={"q": words}).json(),
        )
        assert sorted(tables(page)) == sorted(one["table"] for one in told["alerts"]), words
        assert sum(len(group["alerts"]) for group in told["groups"]) == len(told["alerts"])


def test_severity_state_clause_and_money_are_words_of_the_filter(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    for words, found in (
        ("minor", 1),
        ("severity:major", 2),
        ("major BJ-19", 1),
        ("state:new", 3),
        ("state:closed", 0),
        ("$30", 3),
        ("money:30", 3),
        ("over $30", 0),
        ("$10-40", 3),
        ('clause:"13:69F-2.15"', 3),
        ('clause:"13:69F"', 0),
    ):
        told = hale.get("/api/alerts", params={"q": words}).json()
        assert len(told["alerts"]) == found, words
        assert bool(told.get("unread")) == (not found), words


def test_money_has_a_direction_and_devices_and_patterns_are_kinds_of_alerts(
    signed_in: SignedIn, console: Console
) -> None:
    overpaid = msgspec.structs.replace(a_finding(11, subject="BJ-31"), money_cents=-2000)
    pattern = a_finding(12, check="pattern.dealer_mispay.for_patrons")
    device = msgspec.structs.replace(
        a_finding(13, check="integrity.device"),
        money_cents=0,
        message="The layout has named no card since event 9.",
    )
    console.desk.raise_alerts([a_raise(one) for one in (overpaid, pattern, device)])
    hale = signed_in("hale")
    for words, found in (
        ("owed", 4),
        ("owed:>10", 4),
        ("owed:>30", 0),
        ("owed:$10-30 minor", 1),
        ("overpaid", 1),
        ("overpaid:20", 1),
        ("overpaid:>$20", 0),
        ("money:>10", 5),
        ("money:>20", 4),
        ("status:new", 6),
        ("pattern:dealer_mispay", 1),
        ("pattern:mispay", 0),
        ("device:layout", 1),
        ("device:card", 1),
        ("device:shoe", 0),
        ("device:black", 0),
        ("since:3h", 6),
        ("since:3h dealer:D123", 1),
    ):
        told = hale.get("/api/alerts", params={"q": words}).json()
        page = html.unescape(hale.get("/", params={"q": words}).text)
        assert (len(told["alerts"]), f"{found} of 6 alerts fit" in page) == (found, True), words
    for words, said in (
        ("owed:lots", "“owed:lots” is no sum of money: write $25, $100-500, >100, over $100 or under $50"),
        ("since:soon", "“time:since soon” is no time: there is no time in it"),
    ):
        answer = hale.get("/api/alerts", params={"q": words})
        assert (answer.status_code, said in answer.json()["detail"]) == (400, True), answer.text


def test_player_finds_the_alerts_that_name_the_patron_and_no_others(
    signed_in: SignedIn, console: Console
) -> None:
    named = msgspec.structs.replace(a_finding(4, subject="BJ-31"), about={"player": "P-0098"})
    console.desk.raise_alerts([a_raise(named)])
    hale = signed_in("hale")
    for words, found in (("player:P-0098", 1), ("p-0098", 1), ("player:P-009", 0), ("player:D105", 0)):
        assert len(hale.get("/api/alerts", params={"q": words}).json()["alerts"]) == found, words
    assert "P-0098" not in signed_in("rex").get("/api/alerts").text, "who sees no cards looks up no patrons"


def test_counts_follow_the_filter_and_the_list_says_how_many(signed_in: SignedIn) -> None:
    hale = signed_in("hale")

    def told(query: str) -> tuple[str, str, list[str]]:
        page = html.unescape(hale.get(f"/?{query}").text)
        [open_] = re.findall(r'data-tab="open"[^>]*>Open <b>(\d+)</b>', page)
        [fitting] = re.findall(r'<span id="fitting">([^<]*)</span>', page)
        return open_, fitting, re.findall(r'<b data-severity="\w+">(\d+)</b>', page)

    assert told("") == ("3", "3 alerts", ["0", "2", "1", "0"])
    assert told("q=BJ-19") == ("1", "1 of 3 alerts fit the filter", ["0", "1", "0", "0"])
    # A severity that is not shown is counted all the same, so that its box says what it would add.
    assert told("severity=minor") == ("1", "1 of 3 alerts fit the filter", ["0", "2", "1", "0"])
    assert told("q=zzz&since=60") == ("0", "0 of 3 alerts fit the filter", ["0", "0", "0", "0"])
    assert "/?tab=mine&severity=minor&q=d105&since=60" in html.unescape(
        hale.get("/?severity=minor&q=d105&since=60").text
    )


def test_time_is_a_word_of_queue_log_and_find_and_each_says_what_it_understood(
    signed_in: SignedIn, console: Console, accounts: Accounts
) -> None:
    accounts.add("aud", "auditor", PASSWORD)
    early = a_raise(a_finding(9, subject="BJ-40"), "D-9")
    console.desk.raise_alerts(
        [msgspec.structs.replace(early, decided_at=early.decided_at - dt.timedelta(hours=2))]
    )
    hale, otto = signed_in("hale"), signed_in("aud")
    at = early.decided_at
    for words, found in (
        (f"{at:%H:%M}", 3),
        (f"time:{at:%H:%M}-{at + dt.timedelta(minutes=5):%H:%M} minor", 1),
        (f"{at:%-d %b} {at - dt.timedelta(hours=2):%H:%M}", 1),
        ("2 hours ago", 1),
        ("last 10 min", 3),
        ("dealer:d-9 last 10 min", 0),
    ):
        told = hale.get("/api/alerts", params={"q": words}).json()
        page = html.unescape(hale.get("/", params={"q": words}).text)
        assert (len(told["alerts"]), f"{found} of 4 alerts fit" in page) == (found, True), words
        meant = re.findall(r'<span id="understood" class="muted">([^<]*)</span>', page)
        assert len(meant) == 1, words
        assert f"{at:%b %Y}" in meant[0], words
        parted = hale.get("/api/words", params={"q": words}).json()
        assert parted["times"][0]["understood"] == meant[0]
    listed = hale.get("/find", params={"q": "dealer:D-9 2 hours ago"}, follow_redirects=False)
    assert listed.status_code == 200
    assert "1 of 4 open fit" in listed.text
    assert hale.get("/api/find", params={"q": "state:new"}).json()["lists"][0]["fitting"] == 4
    # The log reads the same words, by the clock of its records.
    for words, fits in (
        ("dealer:D-9", True),
        ("table:BJ-40 major last 5 min", True),
        ("table:BJ-40 25 h ago", False),
    ):
        page = html.unescape(otto.get("/log", params={"q": words}).text)
        assert ("BJ-40 round 7" in page) == fits, words
        assert not fits or re.search(r"\d+ records? of \d+ looked through fit the filter", page), words
        assert ("The time was understood as" in page) == ("last" in words or "ago" in words), words
    page = html.unescape(otto.get("/log", params={"q": "tabel:BJ-40"}).text)
    assert "“tabel:bj-40” is no term of this filter" in page
    assert "BJ-40 round 7" not in page


@pytest.mark.parametrize(
    "words",
    [
        'BJ-12 Seat 3 owed "wrong payout" dealer:D-301 672a.7(o) over $100 critical',
        "owed:>100 overpaid:$20-50 money:<50 status:new check:integrity.device",
        'since:1h "11:00" player:"Ann Lee" tabel:x table: "critical" round 7',
        "15 min ago BJ-1 around 11 yesterday 20:14-20:20",
    ],
)
def test_a_filter_that_is_written_anew_from_its_words_asks_the_same(words: str) -> None:
    def asked(text: str) -> WantedAlerts:
        return wanted("open", (), text, lambda time: (asked_time(time, dt.UTC, T0), dt.UTC))

    first = asked(words)
    again = asked(" ".join(one.word.written for one in first.chips))
    assert sorted(map(str, again.terms)) == sorted(map(str, first.terms))
    assert [one.word.written for one in again.chips] == [one.word.written for one in first.chips]
    assert len(first.chips) == len(first.terms)
    for at, one in enumerate(first.chips):
        left = asked(dict(parse_qsl(one.href.partition("?")[2])).get("q", ""))
        others = [term for place, term in enumerate(first.terms) if place != at]
        assert sorted(map(str, left.terms)) == sorted(map(str, others)), one


def test_what_is_offered_takes_the_place_of_its_kind_and_is_understood(signed_in: SignedIn) -> None:
    page = signed_in("hale").get("/", params={"q": "overpaid severity:minor"}).text
    found = re.findall(r'href="([^"]*)" data-word="([^"]*)"( aria-current="true")?', page)
    words = [html.unescape(word) for _, word, _ in found]
    assert {"owed", "overpaid", "status:new", "severity:critical", "since:1h"} <= set(words)
    assert [html.unescape(word) for _, word, chosen in found if chosen] == ["severity:minor", "overpaid"]
    for href, word, chosen in found:
        answer = signed_in("hale").get(html.unescape(href)).text
        assert "is no " not in html.unescape(answer), word
        assert bool(chosen) != (f'data-word="{word}" aria-current="true"' in answer), word

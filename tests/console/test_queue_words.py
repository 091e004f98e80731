"""The words of the queue's filter: those that mean nothing are named, and JSON reads them as the page does."""

import html

import pytest

from dashboards.web.console import Console
from tests.console.desk_building import a_finding, a_raise
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
        ("q=BJ-1", "“bj-1”: none of these alerts has it as its table, dealer, check, hand, owner or id"),
        ("q=BJ-1", "like it are BJ-12, BJ-19"),
        ("q=dealer:D12", "“dealer:d12”: none of these alerts has it as its dealer; like it are D123"),
        ("q=pace+zzz", "“zzz”: none of these alerts"),
        ("q=tabel:BJ-12", "“tabel:bj-12” is no term of this filter: there are table:, dealer:, check:"),
        ("q=table:", "“table:” is no term of this filter"),
        ("q=seat:x", "“seat:x” is no seat: write seat 3"),
        ("severity=grave", "“grave” is no severity: there are critical, major, minor, info"),
        ("tab=opened", "“opened” is no list of alerts: there are open, mine, second, acked, shelved, closed"),
        ("dealer=D123", "dealer is no field of this search; there are: "),
        ("tab=closed&q=BJ-1", "“bj-1”: none of these alerts"),
    ],
)
def test_a_word_of_the_filter_that_means_nothing_is_named_with_what_would(
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
    for words in ("d123", "bj-12", "round 7 pace", "table:BJ-12 black", ""):
        page, told = (
            hale.get("/", params={"q": words}).text,
            hale.get("/api/alerts", params={"q": words}).json(),
        )
        assert sorted(tables(page)) == sorted(one["table"] for one in told["alerts"]), words
        assert sum(len(group["alerts"]) for group in told["groups"]) == len(told["alerts"])

"""An alert's title on the console: in its row and its document, for each role, and found by its words."""

from __future__ import annotations

import msgspec
import pytest

from dashboards.web.console import Console
from schemas.findings import Finding, Verdict
from tests.console.desk_building import a_finding, a_raise
from tests.console.test_alert_pages import SignedIn

MESSAGE = (
    "For the main wager of hand 2.1, $200.00 is to be paid (the hand is higher than the dealer's), but $220.00 was"
    " paid."
)
TITLE = "Hand 2.1 was paid $220.00; $200.00 was due"


def a_mispay(number: int = 1, message: str = MESSAGE, verdict: Verdict = "breached") -> Finding:
    finding = a_finding(number, check="settlement.stake", money_cents=-2_000, verdict=verdict)
    return msgspec.structs.replace(finding, message=message, hand="2.1", cites=("672a.7(o)",))


@pytest.fixture
def mispaid(console: Console) -> Finding:
    finding = a_mispay()
    console.desk.raise_alerts([a_raise(finding)])
    return finding


@pytest.mark.parametrize("user", ["hale", "fay"])
def test_row_and_document_have_title_and_whole_sentence(
    signed_in: SignedIn, mispaid: Finding, user: str
) -> None:
    browser = signed_in(user)
    [row] = browser.get("/api/alerts").json()["alerts"]
    told = browser.get(f"/api/alerts/{mispaid.finding_id}").json()
    assert row["title"] == told["title"] == TITLE
    assert row["message"] == told["message"]
    assert "(the hand is higher than the dealer's)" in row["message"]
    assert f"<title>{TITLE}" in browser.get(f"/alerts/{mispaid.finding_id}").text


def test_who_sees_no_cards_reads_no_hand_in_a_title(signed_in: SignedIn, mispaid: Finding) -> None:
    rex = signed_in("rex")
    row = rex.get("/api/alerts").json()["alerts"]
    told = rex.get(f"/api/alerts/{mispaid.finding_id}").json()
    assert [one["table"] for one in row] == ["BJ-12"]
    assert "title" not in row[0], "it would be the message again"
    assert told["title"] == told["message"] == row[0]["message"]
    for address in ("/api/alerts", f"/api/alerts/{mispaid.finding_id}", f"/alerts/{mispaid.finding_id}", "/"):
        text = rex.get(address).text
        assert "overpaid $20.00" in text, address
        for hidden in ("2.1", "$220.00", "was due", "higher"):
            assert hidden not in text, (address, hidden)


def test_who_sees_no_cards_finds_nothing_by_the_words_of_a_title(
    signed_in: SignedIn, mispaid: Finding
) -> None:
    assert mispaid.message == MESSAGE
    for words, seen in (("due", True), ("higher", True), ('"overpaid $20.00"', False)):
        found = {
            user: len(signed_in(user).get("/api/alerts", params={"q": words}).json()["alerts"])
            for user in ("hale", "rex")
        }
        assert found == {"hale": int(seen), "rex": int(not seen)}, words


def test_a_word_of_the_filter_stands_in_the_title_or_in_the_sentence(
    signed_in: SignedIn, console: Console, mispaid: Finding
) -> None:
    told = a_mispay(2, "Hand 2.1 was dealt a card that nobody had asked for.")
    console.desk.raise_alerts([a_raise(told)])
    hale = signed_in("hale")
    for words, found in (
        ("due", [mispaid]),
        ('"was due"', [mispaid]),
        ("higher", [mispaid]),
        ("asked", [told]),
        ("hand", [mispaid, told]),
        ("dealer", [mispaid]),
    ):
        alerts = hale.get("/api/alerts", params={"q": words}).json()["alerts"]
        assert {one["id"] for one in alerts} == {one.finding_id for one in found}, words
        page = hale.get("/", params={"q": words}).text
        assert {one.finding_id for one in found if one.finding_id in page} == {one["id"] for one in alerts}


@pytest.mark.parametrize(
    ("verdict", "title"),
    [
        ("indeterminate", "Not proven: hand 2.1 was paid $220.00; $200.00 was due"),
        ("interpretation", "By one reading: hand 2.1 was paid $220.00; $200.00 was due"),
    ],
)
def test_a_title_says_that_it_is_not_proven(
    signed_in: SignedIn, console: Console, verdict: Verdict, title: str
) -> None:
    console.desk.raise_alerts([a_raise(a_mispay(verdict=verdict))])
    [row] = signed_in("hale").get("/api/alerts").json()["alerts"]
    assert row["title"] == title


def test_a_sentence_that_is_a_line_already_is_not_sent_twice(signed_in: SignedIn, console: Console) -> None:
    console.desk.raise_alerts([a_raise(a_finding())])
    browser = signed_in("hale")
    [row] = browser.get("/api/alerts").json()["alerts"]
    assert "title" not in row
    assert browser.get(f"/api/alerts/{row['id']}").json()["title"] == row["message"]


def test_a_form_that_no_table_knows_is_told_whole_or_by_its_first_clause(
    signed_in: SignedIn, console: Console
) -> None:
    said = {
        "The lamp of seat 3 burned blue for the whole of the round, and nobody at the table could say why.": (
            "Lamp of seat 3 burned blue for the whole of the round, and nobody at the table could say why"
        ),
        "The lamp of seat 3 burned blue for the whole of the round; lamps of this game burn red or do not burn.": (
            "The lamp of seat 3 burned blue for the whole of the round"
        ),
    }
    found = [a_finding(number, check="lamps.colour") for number in range(1, len(said) + 1)]
    found = [msgspec.structs.replace(one, message=message) for one, message in zip(found, said, strict=True)]
    console.desk.raise_alerts([a_raise(one) for one in found])
    rows = signed_in("hale").get("/api/alerts").json()["alerts"]
    assert {row["message"]: row["title"] for row in rows} == said

"""The audit log in people's words: names for things, words that the pages say, one look one record."""

import re
from collections.abc import Callable
from html import unescape

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.ledger.acts import (
    Acknowledged,
    AddedToCase,
    ClosingConfirmed,
    ClosingProposed,
    GlassBroken,
    Noted,
    PageSent,
    Withheld,
)
from dashboards.web.console import Console
from tests.console.conftest import PASSWORD, Browser, Clock
from tests.console.desk_building import a_finding, a_raise, after

SignedIn = Callable[[str], Browser]
ALERT = a_finding(severity="critical")
ID = ALERT.finding_id
PROPOSED = "acknowledged → waits for second version 4 → 5"
NAME = "BJ-12 round 7: Blackjack paid 6:5; the table pays 3:2"


@pytest.fixture
def auditor(signed_in: SignedIn, accounts: Accounts, console: Console, clock: Clock) -> Browser:
    desk = console.desk
    desk.raise_alerts([a_raise(ALERT)])
    desk.act(Acknowledged(alert=ID, version=1), "hale")
    desk.act(Noted(alert=ID, version=2, note="camera 12"), "hale")
    desk.act(AddedToCase(alert=ID, version=3, case="2026-117"), "hale")
    sent = PageSent(alert=ID, channel="webhook", to="https://pager.example", outcome="delivered", attempts=2)
    desk.note(sent, "desk")
    closing = {"disposition": "dealer error", "note": "seen", "money_cents": 3000}
    desk.act(ClosingProposed(alert=ID, version=4, **closing), "hale")  # type: ignore[arg-type]  # as it stands
    desk.act(ClosingConfirmed(alert=ID, version=5), "ito")
    desk.note(GlassBroken(kind="composition", about="BJ-12", reason="a claim", until=after(900)), "hale")
    accounts.add("aud", "auditor", PASSWORD)
    return signed_in("aud")


def lines(browser: Browser, **asked: str) -> list[list[str]]:
    """What, about, before and after, and the detail of each record of hale, ito and the desk, as they are read."""
    body = browser.get("/log", params=asked).text.partition("<tbody")[2]
    rows = []
    for row in body.split("<tr ")[1:]:
        cells = dict(re.findall(r'class="(who|what|about|moved|told)"[^>]*>(.*?)</td>', row, re.DOTALL))
        plain = {
            name: " ".join(unescape(re.sub(r"<[^>]+>", " ", cell)).split()) for name, cell in cells.items()
        }
        if plain.get("who") in ("hale", "ito", "desk"):
            rows.append([plain[name] for name in ("what", "about", "moved", "told")])
    return rows


def test_things_have_their_names_and_acts_the_words_of_the_pages(auditor: Browser) -> None:
    assert lines(auditor) == [
        ["opened by break-glass", "BJ-12", "", "kind: composition; reason: a claim; until: 20 Nov 2026 20:15:00 UTC"],
        ["closing confirmed", NAME, "waits for second → closed version 5 → 6", ""],
        ["closing proposed", NAME, PROPOSED, "disposition: dealer error; note: seen; lost $30.00"],
        ["paged", NAME, "", "webhook to https://pager.example; delivered after 2 attempts"],
        ["put into a case", NAME, "acknowledged version 3 → 4", "case: 2026-117"],
        ["note made", NAME, "acknowledged version 2 → 3", "note: camera 12"],
        ["acknowledged", NAME, "new → acknowledged version 1 → 2", ""],
        ["alert raised", NAME, "→ new", f"{ALERT.message}; table BJ-12, round 7; check pay.blackjack"],
    ]  # fmt: skip
    page = auditor.get("/log").text
    assert f'<a href="/alerts/{ID}">' in page


def test_what_the_page_says_finds_it_and_so_does_what_the_record_says(auditor: Browser) -> None:
    assert len(lines(auditor, about="BJ-12")) == 8
    assert [one[0] for one in lines(auditor, about="BJ-12 round 7", what="closing")] == [
        "closing confirmed", "closing proposed",
    ]  # fmt: skip
    for words in ("put into a case", "added to case"):
        assert [one[0] for one in lines(auditor, what=words)] == ["put into a case"]
    assert "disposed is nothing" not in auditor.get("/log", params={"what": "disposed"}).text
    assert "is nothing that is done" in auditor.get("/log", params={"what": "juggled"}).text


def test_a_person_is_exact(auditor: Browser) -> None:
    assert {one[0] for one in lines(auditor, who="ITO")} == {"closing confirmed"}
    assert lines(auditor, who="it") == []


def test_a_look_at_somebody_who_is_withheld_from_the_reader_is_withheld_too(
    auditor: Browser, signed_in: SignedIn, console: Console
) -> None:
    hale = signed_in("hale")
    hale.get("/players/P-0098")
    hale.get("/hands?patron=P-0098")
    hale.post(
        "/api/arranged", json={"act": "search_saved", "of": "hands", "name": "one", "query": "patron=P-0098"}
    )
    before = len(lines(auditor))
    assert auditor.get("/log").text.count("P-0098") >= 3
    console.desk.note(Withheld(user="aud", kind="patron", value="P-0098"), "ann")
    page = auditor.get("/log").text
    told = page.partition("<tbody")[2].partition("</tbody>")[0]
    # The record that withholds is the administrator's, and the reader's to know; looks and searches are not.
    assert len(lines(auditor)) == before - 3
    assert told.count("P-0098") == 1

"""Where an alert's title stands, and where its whole sentence: pages have lines, PDFs say everything."""

from __future__ import annotations

import html
import io

import pytest
from pypdf import PdfReader

from dashboards.accounts.accounts import Accounts
from dashboards.desk.casework import open_case
from dashboards.ledger.case_acts import Member
from dashboards.web.console import Console
from tests.console.desk_building import a_raise
from tests.console.test_alert_pages import SignedIn
from tests.console.test_titles import TITLE, a_mispay

REASON = "the hand is higher than the dealer's"


@pytest.fixture
def alert(console: Console) -> str:
    finding = a_mispay()
    console.desk.raise_alerts([a_raise(finding)])
    member = Member(kind="alert", value=finding.finding_id)
    open_case(console.desk, "A payout at BJ-12", "", [member], "hale", "hale")
    return finding.finding_id


def printed(report: bytes) -> str:
    """The words of a PDF with single spaces between them."""
    return " ".join(" ".join(page.extract_text() for page in PdfReader(io.BytesIO(report)).pages).split())


def test_a_case_lists_titles_and_prints_sentences(signed_in: SignedIn, alert: str) -> None:
    hale = signed_in("hale")
    [member] = hale.get("/api/cases/CASE-0001").json()["members"]
    assert member["value"] == alert
    assert member["title"] == TITLE
    assert REASON in member["message"]
    assert TITLE in hale.get("/cases/CASE-0001").text
    assert REASON in printed(hale.get("/cases/CASE-0001.pdf").content)


def test_a_case_is_named_after_the_title_of_its_alert(signed_in: SignedIn, alert: str) -> None:
    page = signed_in("hale").get("/cases/new", params={"kind": "alert", "value": alert}).text
    assert f'value="{alert[:12]}: {TITLE}"' in page


def test_a_shift_lists_titles_and_prints_sentences(signed_in: SignedIn, alert: str) -> None:
    hale = signed_in("hale")
    [line] = hale.get("/api/shift").json()["figures"]["open_alerts"]
    assert line["id"] == alert
    assert line["title"] == TITLE
    assert REASON in line["message"]
    assert TITLE in hale.get("/shift").text
    assert REASON in printed(hale.get("/shift.pdf").content)


def test_the_log_names_an_alert_by_its_title_and_its_panel_says_the_sentence(
    signed_in: SignedIn, accounts: Accounts, alert: str
) -> None:
    assert REASON in html.unescape(signed_in("hale").get(f"/alerts/{alert}").text)
    assert f"BJ-12 round 7: {TITLE}" in signed_in("otto").get("/log").text

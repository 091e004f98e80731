"""Titles on the live page: the filter of the script finds their words as the server does."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PageOf
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import live, rows

MESSAGE = "For the main wager of hand 2.1, $200.00 is to be paid (a tie of twenties), but $220.00 was paid."


@pytest.mark.parametrize("words", ["due", '"was due"', "twenties"])
def test_the_filter_finds_words_of_title_and_sentence(empty_site: Site, page_of: PageOf, words: str) -> None:
    paid = a_finding(1, MESSAGE, check="settlement.stake", subject="BJ-31")
    empty_site.raise_alerts(paid, a_finding(2, "Chip tray is short", subject="BJ-32"))
    page = live(page_of("hale"))
    expect(rows(page)).to_have_count(2)
    page.get_by_label("Filter by table").fill(words)
    expect(rows(page)).to_have_count(1)
    expect(rows(page).first).to_contain_text("BJ-31")
    page.get_by_label("Filter by table").fill("overdue")
    expect(rows(page).filter(has_text="BJ-31")).to_have_count(0)

"""Small flaws that were seen once: at their places nothing of the kind may come back."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PageOf


@pytest.mark.usefixtures("served")
def test_one_line_of_navigation_find_by_id_and_lines_that_are_no_words(page_of: PageOf) -> None:
    page = page_of("hale", "/")
    expect(page.locator("#live")).to_contain_text("Live")
    page.locator(".me summary").evaluate("place => place.firstChild.textContent = 'surveillance '")
    head = page.locator("header.top").bounding_box()
    assert head is not None
    assert head["height"] <= 60, "one line on a wall"
    page.keyboard.press("Control+k")
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("textbox").fill("nothing of that name")
    page.keyboard.press("Enter")
    expect(dialog.get_by_role("alert")).to_contain_text("nothing of that name")
    expect(page.locator("#rows tbody tr[data-key]").first).to_be_visible()  # and no page of an error
    page.keyboard.press("Escape")

    page.goto("/tables")
    empty = page.locator(".top .state")
    assert empty.evaluate("place => getComputedStyle(place).borderTopWidth") == "0px", (
        "it was a dash for ever"
    )

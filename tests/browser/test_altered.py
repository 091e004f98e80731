"""A record of the desk that was altered is said on pages that are open and that no feed keeps up to date."""

from playwright.sync_api import expect

from tests.browser.conftest import PageOf
from tests.browser.site import Site
from tests.console.altering import cut

PAGES = {"/hands": "hale", "/revenue": "rex", "/disputes": "hale"}


def test_the_alarm_reaches_pages_that_are_open_without_their_being_loaded_again(
    served: Site, page_of: PageOf
) -> None:
    pages = [page_of(user, path) for path, user in PAGES.items()]
    for page in pages:
        expect(page.locator("#alarm")).to_be_hidden()
        page.evaluate("document.body.dataset.loaded = 'once'")
    cut(served.folder / "desk.db")
    for page in pages:
        expect(page.locator("#alarm")).to_be_visible()
        expect(page.locator("#alarm")).to_contain_text(
            "The record of the desk is not the one this console knows"
        )
        assert page.evaluate("document.body.dataset.loaded") == "once"

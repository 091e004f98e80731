"""The main tasks in Firefox, by keys alone: no click and no choice with a pointer.

They are of `make soak`: a second browser is 300 MB to install, and what it does otherwise than Chromium changes with
its releases, not with ours.
"""

from __future__ import annotations

from typing import Any

import pytest

from deploy.console.hand_ports import duties_by_ruleset, solve_rack
from tests.browser.firefox import FirefoxPage, opened
from tests.browser.site import PASSWORD, Site
from tests.browser.test_whole_tasks import STREAMS as STREAMS
from tests.waiting import until

pytestmark = pytest.mark.soak


@pytest.fixture
def settings() -> dict[str, Any]:
    return {"duties": duties_by_ruleset(), "solve_rack": solve_rack}


def signed_in(page: FirefoxPage, site: Site, name: str) -> None:
    """Sign in as people do, up to the queue that is live."""
    page.go(f"{site.origin}/sign-in")
    focus(page, "[name=name]")
    page.type(name)
    page.press("Tab")
    page.type(PASSWORD)
    page.press("Enter")
    page.says("#live", "Live")


def focus(page: FirefoxPage, selector: str) -> None:
    """Go to a field with Tab, as often as it takes."""
    for _ in range(60):
        if page.ask(f"document.activeElement?.matches({selector!r}) ?? false"):
            return
        page.press("Tab")
    raise AssertionError(f"Tab does not reach {selector}")


def to_the_alert(page: FirefoxPage, words: str) -> None:
    """Find one alert by its words, and open it."""
    page.press("/")
    page.type(words)
    page.says("#fitting", "1 of")
    page.press("Escape", "j", "Enter")
    page.wait("!document.querySelector('#panel').hidden && document.querySelector('#panel [data-alert]')")


def test_a_critical_alert_is_closed_by_two_with_keys_alone(played: Site) -> None:
    with opened() as first, opened() as second:
        signed_in(first, played, "hale")
        to_the_alert(first, "BJ-12 overpaid")
        first.says("#panel", "Overpaid")
        first.press("d")
        first.wait("document.querySelector('dialog[open] select')")
        focus(first, "dialog[open] select")
        first.type("dealer")
        focus(first, "dialog[open] textarea")
        first.type("Paid twice; the floor told the patron.")
        focus(first, "dialog[open] button.primary, dialog[open] button[type=submit]")
        first.press("Enter")
        first.says("#told", "Proposed, waits for a second person")
        signed_in(second, played, "ito")
        to_the_alert(second, "BJ-12 overpaid")
        second.says("#panel", "hale proposes to close it as dealer error")
        second.press("y")
        until(lambda: any(one.second_auditor == "ito" for one in played.desk.closed()))


def test_the_hand_of_an_alert_is_replayed_from_its_breach_with_keys_alone(played: Site) -> None:
    with opened() as page:
        signed_in(page, played, "hale")
        to_the_alert(page, "BJ-12 overpaid")
        page.press("r")
        page.wait("document.querySelector('#replayer[data-ready]')")
        page.says("#at-step", "$100.00 is to be paid")
        breach = page.ask("document.querySelector('#where').innerText")
        page.press("ArrowLeft")
        page.wait(f"document.querySelector('#where').innerText !== {breach!r}")
        page.press("Home")
        page.says("#where", "step 1 of")
        page.press("m")
        page.wait(f"document.querySelector('#where').innerText === {breach!r}")
        page.press("c")
        page.wait("document.querySelector('#tab-clauses').getAttribute('aria-selected') === 'true'")


def test_a_dispute_is_opened_from_the_words_of_a_patron_with_keys_alone(played: Site) -> None:
    with opened() as page:
        signed_in(page, played, "hale")
        page.press("Control+k")
        page.wait("document.activeElement?.matches('input')")
        page.type("FB-12 seat 3, I had 20 against 22 a quarter of an hour ago")
        page.press("Enter")
        page.wait("document.querySelector('#replayer[data-ready]')")
        page.press("o")
        page.wait("location.pathname === '/disputes/new' && document.readyState === 'complete'")
        focus(page, "#f-claim")
        page.type(" I was told it is a push.")
        focus(page, "#f-claimed")
        page.type("25")
        focus(page, "#f-requested_by")
        page.type("fay")
        page.press("Enter")
        page.wait("location.pathname === '/disputes/DIS-0001'")
        dispute = played.desk.dispute("DIS-0001")
        assert dispute is not None
        assert (dispute.subject, dispute.round, dispute.seat) == ("FB-12", 12, 3)

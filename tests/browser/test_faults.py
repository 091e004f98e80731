"""The feed under a link that is cut, refuses, falls silent or stalls, and under a server that starts again."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import SIZES, PageOf
from tests.browser.proxy import Link
from tests.browser.site import Site, a_finding
from tests.browser.test_alerts import live, rows
from tests.sampling import one_in
from tests.waiting import PATIENCE, until

FILTER = "/?severity=critical&severity=major&q=RT"
BANNER = re.compile(r"^Not live since \d\d:\d\d:\d\d")
# Counts what the feed gives the page: each alert that was raised, once and in order.
LISTEN = """
(() => {
  const Plain = WebSocket;
  window.seqs = [];
  window.codes = [];
  window.WebSocket = class extends Plain {
    constructor(...given) {
      super(...given);
      this.addEventListener("message", (event) => {
        const messages = event.data.split("\\n").map((line) => JSON.parse(line));
        window.seqs.push(...messages.filter((one) => one.kind === "change").map((one) => one.seq));
      });
      this.addEventListener("close", (event) => window.codes.push(event.code));
    }
  };
})()
"""


@pytest.fixture
def watching(empty_site: Site, link: Link, page_of: PageOf) -> Page:
    """A page over the link, with a filter, that has seen ten alerts."""
    raise_many(empty_site, 1, 10)
    page = page_of("hale", None, origin=empty_site.link_origin)
    page.add_init_script(LISTEN)
    page.goto(FILTER)
    live(page)
    expect(rows(page)).to_have_count(10)
    return page


def raise_many(site: Site, first: int, last: int, severity: Any = "major") -> None:
    site.raise_alerts(
        *(
            a_finding(number, f"Alert {number}", subject=f"RT-{number}", severity=severity)
            for number in range(first, last + 1)
        )
    )


def raise_by_tens(site: Site, last: int) -> None:
    for first in range(1, last, 10):
        raise_many(site, first, first + 9)


def alerts_shown(page: Page) -> list[int]:
    """Numbers of the alerts in the list."""
    words = page.eval_on_selector_all("#rows tbody tr a", "links => links.map(link => link.textContent)")
    return sorted(int(word.split()[-1]) for word in words)


def all_alerts(page: Page) -> list[int]:
    """Numbers of the alerts of the whole list, which draws those in view alone."""
    found: set[int] = set()
    for top in range(0, int(page.evaluate("document.querySelector('.rows').scrollHeight")), 400):
        page.locator(".rows").evaluate("(place, top) => place.scrollTo(0, top)", top)
        page.wait_for_timeout(60)
        found |= set(alerts_shown(page))
    return sorted(found)


def seconds_until(shown: Callable[[], bool], within: float) -> float:
    began = time.monotonic()
    until(shown, seconds=within)
    return time.monotonic() - began


def is_not_live(page: Page) -> bool:
    return bool(page.evaluate("!document.getElementById('banner').hidden"))


def test_a_cut_link_is_told_and_made_up_for(
    empty_site: Site, link: Link, watching: Page, record_property: Callable[[str, object], None]
) -> None:
    link.be("cut")
    took = seconds_until(lambda: is_not_live(watching), PATIENCE)
    record_property("cut: not live after s", round(took, 1))
    expect(watching.locator("#banner")).to_have_text(BANNER)
    expect(watching.locator("#live")).not_to_contain_text("Live")
    raise_many(empty_site, 11, 185)
    raise_many(empty_site, 186, 197, "critical")
    link.be("open")
    expect(watching.locator("#told")).to_have_text(
        "Caught up: 187 alerts while offline, 12 critical", timeout=15_000
    )
    expect(watching.locator("#banner")).to_be_hidden()
    expect(watching.locator("#fitting")).to_have_text("197 of 197 alerts fit the filter")
    watching.mouse.move(5, 5)
    watching.wait_for_timeout(600)  # whatever is new is in the list
    assert all_alerts(watching) == list(range(1, 198))
    assert watching.evaluate("window.seqs") == list(range(11, 198)), "each change once, and in order"
    assert watching.url.endswith(FILTER)
    assert watching.get_by_label("Filter by table").input_value() == "RT"


@pytest.mark.parametrize("size", one_in(3, SIZES, 1))
def test_nothing_that_comes_or_goes_moves_a_line(
    empty_site: Site, link: Link, page_of: PageOf, size: str
) -> None:
    raise_many(empty_site, 1, 9)
    page = live(page_of("hale", origin=empty_site.link_origin, size=size))
    page.locator("#rows tbody tr").nth(2).hover()
    where = "document.querySelector('#rows tbody tr:nth-child(3)').getBoundingClientRect().y"
    before = page.evaluate(where)
    raise_many(empty_site, 10, 1200, "critical")
    expect(page.locator("#release")).to_have_text("↑ 1,191 new · 1,191 critical")
    expect(page.locator('.tabs [data-tab="open"] b')).to_have_text("1200")
    assert page.evaluate(where) == before
    link.be("cut")
    until(lambda: is_not_live(page))
    assert page.evaluate(where) == before
    link.be("open")
    expect(page.locator("#banner")).to_be_hidden()
    assert page.evaluate(where) == before


@pytest.mark.soak  # a cut link is in every run
def test_503_for_eight_seconds_loses_and_doubles_nothing(
    empty_site: Site, link: Link, watching: Page
) -> None:
    link.be("refusing")
    began = time.monotonic()
    for number in range(11, 21):
        raise_many(empty_site, number, number)
        watching.wait_for_timeout(800)
    assert is_not_live(watching)
    assert time.monotonic() - began >= 8
    link.be("open")
    expect(rows(watching)).to_have_count(20, timeout=15_000)
    assert watching.evaluate("window.seqs") == list(range(11, 21))
    expect(watching.locator("#banner")).to_be_hidden()
    assert watching.url.endswith(FILTER)


@pytest.mark.parametrize("within", [PATIENCE, pytest.param(6.0, marks=pytest.mark.soak)])
def test_a_half_open_link_is_noticed_within_seconds(
    empty_site: Site,
    link: Link,
    watching: Page,
    record_property: Callable[[str, object], None],
    within: float,
) -> None:
    """Within six, if nothing else is at work on the machine."""
    link.be("silent")
    took = seconds_until(lambda: is_not_live(watching), within)
    record_property("silence: not live after s", round(took, 1))
    raise_many(empty_site, 11, 30)
    watching.wait_for_timeout(3000)
    link.be("open")
    expect(rows(watching)).to_have_count(30, timeout=20_000)
    assert sorted(set(watching.evaluate("window.seqs"))) == list(range(11, 31))
    expect(watching.locator("#banner")).to_be_hidden()


def test_a_restart_of_the_server_keeps_filter_place_and_every_alert(
    empty_site: Site, link: Link, watching: Page
) -> None:
    watching.keyboard.press("j")
    watching.keyboard.press("j")
    kept = watching.evaluate("document.activeElement.dataset.key")
    empty_site.stop()
    time.sleep(4)
    empty_site.start()
    raise_many(empty_site, 11, 20, "critical")
    expect(watching.locator("#release")).to_have_text("↑ 10 new · 10 critical", timeout=20_000)
    assert alerts_shown(watching) == list(range(1, 11)), "the order is held"
    watching.keyboard.press("n")
    expect(rows(watching)).to_have_count(20)
    assert watching.evaluate("document.activeElement.dataset.key") == kept
    assert watching.evaluate("window.seqs") == list(range(11, 21))
    assert watching.url.endswith(FILTER)


def test_an_alert_that_is_acted_upon_while_the_link_is_down_is_not_done_and_says_so(
    empty_site: Site, link: Link, watching: Page
) -> None:
    watching.keyboard.press("j")
    link.be("cut")
    watching.keyboard.press("a")
    expect(watching.locator("#told")).to_have_text("Not done: the console does not answer.")
    assert all(alert.status == "new" for alert in empty_site.desk.snapshot().alerts)
    link.be("open")
    expect(watching.locator("#live")).to_contain_text("Live", timeout=15_000)
    watching.keyboard.press("a")
    until(lambda: any(alert.status == "acknowledged" for alert in empty_site.desk.snapshot().alerts))


def test_who_is_signed_out_is_asked_to_sign_in_and_comes_back_to_the_filter(
    empty_site: Site, link: Link, watching: Page
) -> None:
    assert empty_site.console is not None
    token = next(c["value"] for c in watching.context.cookies() if c["name"] == "catwalk")
    empty_site.console.accounts.sign_ins.end(token)
    watching.wait_for_url("**/sign-in", timeout=15_000)
    cookie: Any = {"name": "catwalk", "value": empty_site.sign_in("hale"), "url": empty_site.link_origin}
    watching.context.add_cookies([cookie])
    watching.goto("/")
    watching.wait_for_url(f"**{FILTER}")
    expect(rows(live(watching))).to_have_count(10)


class TestSlowReader:
    """The console sends more than the link takes."""

    @pytest.fixture
    def settings(self) -> dict[str, Any]:
        return {"backlog": 50, "send_within": 2.0}

    def test_a_reader_who_stalls_is_cut_off_and_resumes_from_where_it_was(
        self, empty_site: Site, link: Link, page_of: PageOf
    ) -> None:
        empty_site.stop()
        empty_site.send_buffer = 8 << 10
        empty_site.start()
        page = page_of("hale", None, origin=empty_site.link_origin)
        page.add_init_script(LISTEN)
        page.goto("/")
        expect(page.locator("#live")).to_contain_text("Live")
        link.be("stalled")
        last = 3_000
        raising = threading.Thread(target=raise_by_tens, args=(empty_site, last))
        raising.start()
        raising.join()
        page.wait_for_timeout(2500)
        link.be("open")
        expect(page.locator('.tabs [data-tab="open"] b')).to_have_text(str(last), timeout=30_000)
        until(lambda: page.evaluate("window.seqs.at(-1)") == last)
        assert page.evaluate("window.seqs") == list(range(1, last + 1))
        assert 4408 in page.evaluate("window.codes") or 1006 in page.evaluate("window.codes")

"""Every page there is, and every dialog: no rule of accessibility is broken, letters and targets are large enough.

One console and one store serve them all; a page of someone is opened once and goes from place to place.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import pyotp
import pytest
from playwright.sync_api import Page, expect

from dashboards.accounts.one_time import PATH
from tests.browser.conftest import SIZES
from tests.browser.measures import broken_names, small_targets, small_text
from tests.browser.site import PASSWORD
from tests.browser.test_disputes import NEW
from tests.browser.whole_console import NUMBERS, Act, World, world

# A theme is an attribute of the page, and colours are all that it changes. The light one is looked at where the
# sections are tested.
_CONTRAST = "document.documentElement.dataset.theme = 'contrast'"
__all__ = ["world"]  # a fixture


class Place(NamedTuple):
    """A page as someone sees it, after what they do there; `store` is how the store is meanwhile.

    `soak`: a page that differs in its words or in what is left out from another that `make test` looks at.
    """

    name: str
    user: str | None
    path: str
    act: Act = lambda page, world: None
    store: str = "there"
    soak: bool = False


def _ready(page: Page, world: World) -> None:
    page.wait_for_selector("#replayer[data-ready]")
    page.evaluate("document.getElementById('state-rows').hidden = false")


def _live(page: Page, world: World) -> None:
    expect(page.locator("#live")).to_contain_text("Live")


def _keys(*keys: str) -> Act:
    """Press these on the live alerts."""

    def act(page: Page, world: World) -> None:
        _live(page, world)
        expect(page.locator("#rows tbody tr[data-key]").first).to_be_visible()
        for key in keys:
            page.keyboard.press(key)

    return act


def _dialog(*keys: str) -> Act:
    def act(page: Page, world: World) -> None:
        _keys(*keys)(page, world)
        expect(page.get_by_role("dialog")).to_be_visible()

    return act


def _panel(page: Page, world: World) -> None:
    _keys("j", "j", "ArrowRight", "x", "Enter")(page, world)
    expect(page.locator("#panel")).to_contain_text("Seen before")


def _alert(number: int) -> Act:
    def act(page: Page, world: World) -> None:
        found = next(one for one in world.site.desk.snapshot().alerts if one.finding.sequence == number)
        page.goto(f"/alerts/{found.id}")

    return act


def _past(page: Page, world: World) -> None:
    page.goto(str(page.locator("#past a").first.evaluate("link => link.href")))
    expect(page.get_by_role("region", name="Cards by rank and suit")).to_be_visible()


def _menu(page: Page, world: World) -> None:
    page.locator(".me summary").click()


def _typed(page: Page, name: str) -> None:
    page.get_by_label("Name").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")


def _enrolment(page: Page, world: World) -> None:
    _typed(page, world.new_user())
    expect(page.get_by_role("heading", name="A second factor")).to_be_visible()


def _recovery(page: Page, world: World) -> str:
    name = world.new_user()
    _typed(page, name)
    secret = page.locator(".secret").inner_text().replace(" ", "")
    page.get_by_label("Type the six digits").fill(pyotp.TOTP(secret).now())
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    return name


def _code(page: Page, world: World) -> None:
    name = _recovery(page, world)
    page.context.clear_cookies(name="catwalk")
    page.goto("/sign-in")
    _typed(page, name)
    expect(page.get_by_role("heading", name="Code")).to_be_visible()


def _link(page: Page, world: World) -> None:
    assert world.site.console is not None
    name = f"newt{next(NUMBERS)}"
    world.site.console.accounts.add(name, "floor")
    page.goto(f"{PATH}#{world.site.console.accounts.one_time.make(name, 'password')}")
    expect(page.get_by_role("button", name="Go on")).to_be_visible()


def _first_password(page: Page, world: World) -> None:
    _link(page, world)
    page.get_by_role("button", name="Go on").click()
    expect(page.get_by_role("heading", name="A password for")).to_be_visible()


PLACES = (
    Place("sign in", None, "/sign-in"),
    Place("enrolment", None, "/sign-in", _enrolment),
    Place(
        "recovery codes", None, "/sign-in", lambda page, world: (_recovery(page, world), None)[1], soak=True
    ),
    Place("code", None, "/sign-in", _code),
    Place("one-time link", None, "/sign-in", _link),
    Place("first password", None, "/sign-in", _first_password),
    Place("alerts", "hale", "/", _live),
    Place("alerts, panel", "hale", "/", _panel),
    Place("alerts, none fits", "hale", "/?q=nothing", _live, soak=True),
    Place("alerts, none shelved", "hale", "/?tab=shelved", _live, soak=True),
    Place("alerts, closed", "hale", "/?tab=closed"),
    Place("alerts of revenue", "rex", "/", _live, soak=True),
    Place("alerts of the floor", "fay", "/", _live, soak=True),
    Place("alert", "hale", "/", _alert(205)),
    Place("alert of a whole table", "hale", "/", _alert(82), soak=True),
    Place("keys", "hale", "/", _dialog("?")),
    Place("find", "hale", "/", _dialog("Control+k")),
    Place("assign", "hale", "/", _dialog("j", "s"), soak=True),
    Place("shelve", "hale", "/", _dialog("j", "z"), soak=True),
    Place("dispose", "hale", "/", _dialog("j", "d")),
    Place("case", "hale", "/", _dialog("j", "c"), soak=True),
    Place("menu", "otto", "/status", _menu),
    Place("hands", "hale", "/hands"),
    Place("hands, wrong time", "hale", "/hands?table=BJ-12&time=99:00", soak=True),
    Place("hands, none", "hale", "/hands?table=BJ-12&round=999", soak=True),
    Place("hands, breached", "otto", "/hands?table=BJ-12&status=breached", soak=True),
    Place("hand", "hale", "/hands/BJ-12/1?at=82", _ready),
    Place("hand of stacks", "hale", "/hands/FP-21/1?at=99", _ready, soak=True),
    Place("hand of revenue", "rex", "/hands/BJ-12/1", soak=True),
    Place("patterns, none", "hale", "/patterns"),
    Place("calibration", "hale", "/patterns/calibration"),
    Place("watch list", "hale", "/watch?kind=dealer&value=D-1"),
    Place("no such pattern", "hale", "/patterns/unheard-of", soak=True),
    Place("disputes", "hale", "/disputes"),
    Place("disputes, none", "hale", "/disputes?show=decided", soak=True),
    Place("dispute", "hale", "/disputes/DIS-0001"),
    Place("dispute, read alone", "otto", "/disputes/DIS-0002", soak=True),
    Place("dispute, which hand", "hale", "/disputes/new", soak=True),
    Place("dispute, new", "hale", NEW),
    Place("cases", "hale", "/cases"),
    Place("cases, none", "otto", "/cases?show=closed&q=nothing", soak=True),
    Place("case of several", "hale", "/cases/CASE-0001"),
    Place("case, read alone", "otto", "/cases/CASE-0001", soak=True),
    Place("case, new", "hale", "/cases/new"),
    Place("case, put into", "hale", "/cases/new?kind=dispute&value=DIS-0001", soak=True),
    Place("cases, denied", "fay", "/cases", soak=True),
    Place("dealer", "hale", "/dealers/D-301"),
    Place("dealer, none", "hale", "/dealers/D-000", soak=True),
    Place("dealer of revenue", "rex", "/dealers/D-301", soak=True),
    Place("patron", "hale", "/players/P-0098"),
    Place("table, its rounds", "otto", "/tables/BJ-12/history"),
    Place("budget", "hale", "/patterns/budget"),
    Place("shift", "hale", "/shift"),
    Place("shift, read alone", "otto", "/shift", soak=True),
    Place("shift, wrong time", "hale", "/shift?since=someday", soak=True),
    Place("shift, trends", "hale", "/shift/trends"),
    Place(
        "shift, no trends", "hale", "/shift/trends?since=2026-01-01T00:00&until=2026-01-02T00:00", soak=True
    ),
    Place("tuning", "hale", "/tuning"),
    Place("tuning, to confirm", "ito", "/tuning?days=2", soak=True),
    Place("tuning, read alone", "otto", "/tuning", soak=True),
    Place("tables", "otto", "/tables"),
    Place("tables, list", "otto", "/tables?view=list", soak=True),
    Place("table", "otto", "/tables/C4-3"),
    Place("table, sealed", "hale", "/tables/FB-12", soak=True),
    Place("table, shoe that is over", "otto", "/tables/FB-1", _past),
    Place("revenue", "rex", "/revenue?day=2026-03-02"),
    Place("revenue, a day without play", "rex", "/revenue?day=2026-08-01", soak=True),
    Place("revenue, rounds", "rex", "/revenue/hands?day=2026-03-02&table=FB-1"),
    Place("revenue, slips", "rex", "/revenue/slips?day=2026-03-02"),
    Place("log", "otto", "/log?what=raised"),
    Place("log, none", "otto", "/log?who=nobody", soak=True),
    Place("log, no day", "otto", "/log?day=someday&what=raised", soak=True),
    Place("log, proof", "otto", "/log/verify?first=1&last=5"),
    Place("health", "hale", "/status"),
    Place("users", "ann", "/admin"),
    Place("account", "hale", "/account"),
    Place("refused", "hale", "/admin", soak=True),
    Place("no such page", "hale", "/nothing"),
    Place("found nothing", "hale", "/find?q=nothing+of+that+name", soak=True),
    Place("store away: hands", "hale", "/hands", store="away"),
    Place("store away: hand", "hale", "/hands/BJ-12/1", store="away", soak=True),
    Place("store away: revenue", "rex", "/revenue", store="away", soak=True),
    Place("store away: health", "otto", "/status", store="away", soak=True),
    Place("store away: patterns", "hale", "/patterns", store="away", soak=True),
    Place("store away: tables", "hale", "/tables", store="away", soak=True),
    Place("store empty: hands", "hale", "/hands", store="empty"),
    Place("store empty: tables", "hale", "/tables", store="empty", soak=True),
    Place("store empty: revenue", "rex", "/revenue", store="empty", soak=True),
)


HEAD = 48  # px; the heading of a page is one row at every size


@pytest.mark.parametrize("whole", [False, pytest.param(True, marks=pytest.mark.soak)], ids=["", "whole"])
@pytest.mark.parametrize(
    "place", [pytest.param(one, id=one.name, marks=[pytest.mark.soak] * one.soak) for one in PLACES]
)
def test_every_page_is_without_a_hindrance_and_large_enough_to_be_read_and_hit(
    world: World, axe: Callable[..., list[str]], place: Place, whole: bool
) -> None:
    """By the dark theme and on a phone; `whole`: in the theme of high contrast and at every size too."""
    page = world.page(place.user)
    world.records.state = place.store
    try:
        page.goto(place.path)
        place.act(page, world)
        assert page.get_by_role("heading", level=1).count() == 1 or page.get_by_role("dialog").count() == 1
        assert axe(page) == []
        if whole and page.locator("div.felt svg").count():  # the server draws it in the colours of the theme
            page.context.add_cookies(
                [{"name": "catwalk-theme", "value": "contrast", "url": world.site.origin}]
            )
            page.goto(place.path)
            place.act(page, world)
        elif whole:
            page.evaluate(_CONTRAST)
        if whole:
            assert axe(page, "color-contrast") == [], "in the theme of high contrast"
        for size, (width, height) in SIZES.items() if whole else [("phone", SIZES["phone"])]:
            page.set_viewport_size({"width": width, "height": height})
            assert small_text(page) == [], size
            assert small_targets(page) == [], size
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), size
            for head in page.locator("header.top").all():
                assert head.evaluate("place => place.offsetHeight") <= HEAD, size
    finally:
        world.records.state = "there"
        page.context.clear_cookies(name="catwalk-theme")
        page.set_viewport_size({"width": 1600, "height": 900})


@pytest.mark.parametrize("name", ["dealer", "patron", "table, its rounds", "alert", "watch list", "disputes"])
@pytest.mark.parametrize("width", [1024, 800])
def test_names_stand_in_one_line_in_a_narrow_window(world: World, name: str, width: int) -> None:
    place = next(one for one in PLACES if one.name == name)
    page = world.page(place.user)
    page.set_viewport_size({"width": width, "height": 768})
    try:
        page.goto(place.path)
        place.act(page, world)
        assert broken_names(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    finally:
        page.set_viewport_size({"width": 1600, "height": 900})

"""Every page there is, and every dialog: no rule of accessibility is broken, letters and targets are large enough.

One console and one store serve them all; a page of someone is opened once and goes from place to place.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple

import msgspec
import pyotp
import pytest
from playwright.sync_api import Browser, Page, expect

from dashboards.accounts.one_time import PATH
from dashboards.accounts.provider import Provider, ProviderSettings
from dashboards.accounts.roles import ROLE_NAMES
from dashboards.accounts.sign_in_rules import SignInRules
from dashboards.reader.question import Parameter, Reader
from dashboards.web.vitals import Vital
from deploy.console.hand_ports import duties_by_ruleset, solve_rack
from tests.browser.conftest import SIZES
from tests.browser.measures import small_targets, small_text
from tests.browser.site import PASSWORD, Site, a_finding, sample
from tests.browser.test_disputes import NEW, opened
from tests.console.books import store_of, streams
from tests.embedded.ledgers import lines_of
from tests.hands.stored import renamed

# A theme is an attribute of the page, and colours are all that it changes. The light one is looked at where the
# sections are tested.
_CONTRAST = "document.documentElement.dataset.theme = 'contrast'"
_numbers = itertools.count()


class Records:
    """The store, or one that does not answer, or one that holds nothing."""

    def __init__(self, store: Reader) -> None:
        self.store = store
        self.state = "there"

    def query(
        self, sql: str, parameters: Mapping[str, Parameter] = MappingProxyType({})
    ) -> list[tuple[Any, ...]]:
        if self.state == "away":
            raise ConnectionError("no route to the store")
        return self.store.query(sql, parameters) if self.state == "there" else []


@dataclass
class World:
    """The console of this module, its store, and the pages that are open."""

    site: Site
    records: Records
    chrome: Browser
    pages: dict[str, Page] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def page(self, user: str | None) -> Page:
        """A page of this user; who is not signed in begins anew each time."""
        key = user or f"nobody {next(_numbers)}"
        if key not in self.pages:
            context = self.chrome.new_context(
                base_url=self.site.origin, viewport={"width": 1600, "height": 900}
            )
            if user is not None:
                session = self.site.sign_in(user)
                context.add_cookies([{"name": "catwalk", "value": session, "url": self.site.origin}])
            made = self.pages[key] = context.new_page()
            made.on("pageerror", lambda error: self.wrong.append(f"{made.url}: {error}"))
        return self.pages[key]

    def new_user(self) -> str:
        """Someone of the floor who has a password and no second factor yet."""
        assert self.site.console is not None
        name = f"newt{next(_numbers)}"
        self.site.console.accounts.add(name, "floor", PASSWORD)
        return name


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, chrome: Browser) -> Iterator[World]:
    held = {name: lines for name, lines in streams().items() if name in ("FB-1", "C4-3")} | {
        "BJ-12": list(renamed("breach_overpay", "BJ-12")),
        "FP-21": list(renamed("lawful_fortune_670a10", "FP-21")),
        "FB-12": lines_of("breach_dealer22_paid"),
    }
    provider = ProviderSettings(
        issuer="https://id.example",
        client="catwalk",
        secret="none",
        redirect="http://127.0.0.1/sign-in/provider/return",
        roles={"cctv": "surveillance"},
        label="Boardwalk Holdings",
    )
    with store_of(tmp_path_factory.mktemp("everywhere"), held) as store:
        records = Records(store)
        settings: dict[str, Any] = {
            "records": records,
            "duties": duties_by_ruleset(),
            "solve_rack": solve_rack,
            "video": "https://video.example/{camera}?t={time}",
            "vitals": lambda: (Vital(part="Fold", state="warning", told="behind", remedy="start another"),),
            "rules": SignInRules(frozenset(ROLE_NAMES), provider=Provider(provider)),
        }
        site = Site(tmp_path_factory.mktemp("site"), settings)
        site.start()
        for finding, dealer in sample():
            site.raise_alerts(finding, dealer=dealer)
        whole = a_finding(82, "The whole table is meant", subject="BJ-12", check="rack.order")
        site.raise_alerts(msgspec.structs.replace(whole, seat=msgspec.UNSET, hand=msgspec.UNSET))
        opened(site)
        opened(site, days=-2, claim="My double was collected though I had 20 against 19. " * 6)
        made = World(site, records, chrome)
        try:
            yield made
        finally:
            for page in made.pages.values():
                page.context.close()
            site.stop()
    assert made.wrong == []


Act = Callable[[Page, World], None]


class Place(NamedTuple):
    """A page as someone sees it, after what they do there; `store` is how the store is meanwhile."""

    name: str
    user: str | None
    path: str
    act: Act = lambda page, world: None
    store: str = "there"


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
    name = f"newt{next(_numbers)}"
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
    Place("recovery codes", None, "/sign-in", lambda page, world: (_recovery(page, world), None)[1]),
    Place("code", None, "/sign-in", _code),
    Place("one-time link", None, "/sign-in", _link),
    Place("first password", None, "/sign-in", _first_password),
    Place("alerts", "hale", "/", _live),
    Place("alerts, panel", "hale", "/", _panel),
    Place("alerts, none fits", "hale", "/?q=nothing", _live),
    Place("alerts, none shelved", "hale", "/?tab=shelved", _live),
    Place("alerts, closed", "hale", "/?tab=closed"),
    Place("alerts of revenue", "rex", "/", _live),
    Place("alerts of the floor", "fay", "/", _live),
    Place("alert", "hale", "/", _alert(205)),
    Place("alert of a whole table", "hale", "/", _alert(82)),
    Place("keys", "hale", "/", _dialog("?")),
    Place("find", "hale", "/", _dialog("Control+k")),
    Place("assign", "hale", "/", _dialog("j", "s")),
    Place("shelve", "hale", "/", _dialog("j", "z")),
    Place("dispose", "hale", "/", _dialog("j", "d")),
    Place("case", "hale", "/", _dialog("j", "c")),
    Place("menu", "otto", "/status", _menu),
    Place("hands", "hale", "/hands"),
    Place("hands, wrong time", "hale", "/hands?table=BJ-12&time=99:00"),
    Place("hands, none", "hale", "/hands?table=BJ-12&round=999"),
    Place("hands, breached", "otto", "/hands?table=BJ-12&status=breached"),
    Place("hand", "hale", "/hands/BJ-12/1?at=82", _ready),
    Place("hand of stacks", "hale", "/hands/FP-21/1?at=99", _ready),
    Place("hand of revenue", "rex", "/hands/BJ-12/1"),
    Place("patterns, none", "hale", "/patterns"),
    Place("no such pattern", "hale", "/patterns/unheard-of"),
    Place("disputes", "hale", "/disputes"),
    Place("disputes, none", "hale", "/disputes?show=decided"),
    Place("dispute", "hale", "/disputes/DIS-0001"),
    Place("dispute, read alone", "otto", "/disputes/DIS-0002"),
    Place("dispute, which hand", "hale", "/disputes/new"),
    Place("dispute, new", "hale", NEW),
    Place("tables", "otto", "/tables"),
    Place("table", "otto", "/tables/C4-3"),
    Place("table, sealed", "hale", "/tables/FB-12"),
    Place("table, shoe that is over", "otto", "/tables/FB-1", _past),
    Place("revenue", "rex", "/revenue?day=2026-03-02"),
    Place("revenue, a day without play", "rex", "/revenue?day=2026-08-01"),
    Place("revenue, rounds", "rex", "/revenue/hands?day=2026-03-02&table=FB-1"),
    Place("revenue, slips", "rex", "/revenue/slips?day=2026-03-02"),
    Place("log", "otto", "/log?what=raised"),
    Place("log, none", "otto", "/log?who=nobody"),
    Place("log, no day", "otto", "/log?day=someday&what=raised"),
    Place("log, proof", "otto", "/log/verify?first=1&last=5"),
    Place("health", "hale", "/status"),
    Place("users", "ann", "/admin"),
    Place("account", "hale", "/account"),
    Place("refused", "hale", "/admin"),
    Place("no such page", "hale", "/nothing"),
    Place("found nothing", "hale", "/find?q=nothing+of+that+name"),
    Place("store away: hands", "hale", "/hands", store="away"),
    Place("store away: hand", "hale", "/hands/BJ-12/1", store="away"),
    Place("store away: revenue", "rex", "/revenue", store="away"),
    Place("store away: health", "otto", "/status", store="away"),
    Place("store away: patterns", "hale", "/patterns", store="away"),
    Place("store empty: hands", "hale", "/hands", store="empty"),
    Place("store empty: revenue", "rex", "/revenue", store="empty"),
)


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_every_page_is_without_a_hindrance_and_large_enough_to_be_read_and_hit(
    world: World, axe: Callable[..., list[str]], place: Place
) -> None:
    page = world.page(place.user)
    world.records.state = place.store
    try:
        page.goto(place.path)
        place.act(page, world)
        assert page.get_by_role("heading", level=1).count() == 1 or page.get_by_role("dialog").count() == 1
        assert axe(page) == []
        if page.locator("div.felt svg").count():  # the server draws it in the colours of the theme
            page.context.add_cookies(
                [{"name": "catwalk-theme", "value": "contrast", "url": world.site.origin}]
            )
            page.goto(place.path)
            place.act(page, world)
        else:
            page.evaluate(_CONTRAST)
        assert axe(page, "color-contrast") == [], "in the theme of high contrast"
        for size, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            assert small_text(page) == [], size
            assert small_targets(page) == [], size
            assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), size
    finally:
        world.records.state = "there"
        page.context.clear_cookies(name="catwalk-theme")
        page.set_viewport_size({"width": 1600, "height": 900})

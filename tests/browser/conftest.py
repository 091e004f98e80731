"""A served console, a browser, and people who have signed in; every test here has the marker `live`.

`served` is the console, `page_of(user)` a page of someone in a browser of their own. A module whose pages need a store
names the lines of its tables as `STREAMS`, or overrides `store`; one that needs other settings of the console overrides
`settings`.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from dashboards.reader.question import Reader
from dashboards.web.console import NoRecords
from deploy.console.alerting import Raising
from processors.runtime.store.warehouse import Warehouse
from tests.browser.installed import browser_called
from tests.browser.packages import npm_packages
from tests.browser.proxy import Link
from tests.browser.site import Site, sample
from tests.hands.stored import floor

PAGES = Path(__file__).resolve().parents[2] / "dashboards"
SIZES = {"wall": (1600, 900), "desk": (1280, 720), "phone": (390, 844)}
THEMES = ("dark", "contrast", "light")
PageOf = Callable[..., Page]
expect.set_options(timeout=20_000)  # a busy machine takes its time


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith("tests/browser/"):
            item.add_marker(pytest.mark.live)


def chromium() -> str:
    """Chromium without its windows, which does the same pages with a third of the work, or Chromium."""
    return browser_called("Chromium", "chromium-headless-shell", "chromium")


@pytest.fixture(scope="package")
def chrome() -> Iterator[Browser]:
    """The browser, one for all tests."""
    path = chromium()
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    """The store of the console: of the module's `STREAMS`, or empty."""
    streams = getattr(request.module, "STREAMS", None)
    if streams is None:
        yield NoRecords()
    else:
        with floor(tmp_path_factory.mktemp("store"), streams) as held:
            yield held


@pytest.fixture
def records(store: Reader) -> Reader:
    """What the console reads."""
    return store


@pytest.fixture
def settings() -> dict[str, Any]:
    """Further fields of the console."""
    return {}


@pytest.fixture
def empty_site(tmp_path: Path, records: Reader, settings: dict[str, Any]) -> Iterator[Site]:
    """A console without an alert."""
    site = Site(tmp_path, {"records": records, **settings})
    site.start()
    try:
        yield site
    finally:
        site.stop()


@pytest.fixture
def served(empty_site: Site) -> Site:
    """A console over the alerts of an ordinary night."""
    for finding, dealer in sample():
        empty_site.raise_alerts(finding, dealer=dealer)
    return empty_site


@pytest.fixture
def played(empty_site: Site, store: Warehouse) -> Site:
    """A console whose alerts are those that its store's findings ask for."""
    Raising(empty_site.desk).of_store(store)
    return empty_site


@pytest.fixture
def link(empty_site: Site) -> Iterator[Link]:
    """A link to the console; pages reach it over `link_origin`."""
    made = Link(empty_site.link_port, empty_site.port)
    try:
        yield made
    finally:
        made.close()


@pytest.fixture
def page_of(chrome: Browser, empty_site: Site) -> Iterator[PageOf]:
    """Opens a page of a user in a browser of their own: `page_of("hale", "/hands", size="phone", theme="light")`.

    At the end no page may have broken a rule of its policy or thrown an error.
    """
    opened: list[Page] = []
    wrong: list[str] = []

    def open_page(
        user: str | None = "hale",
        path: str | None = "/",
        *,
        size: str = "wall",
        theme: str = "dark",
        origin: str | None = None,
        **context: Any,
    ) -> Page:
        width, height = SIZES[size]
        where = origin or empty_site.origin
        context.setdefault("viewport", {"width": width, "height": height})
        made = chrome.new_context(base_url=where, **context)
        cookies: list[Any] = [{"name": "catwalk-theme", "value": theme, "url": where}]
        if user is not None:
            cookies.append({"name": "catwalk", "value": empty_site.sign_in(user), "url": where})
        made.add_cookies(cookies)
        page = made.new_page()
        page.on("pageerror", lambda error: wrong.append(f"{page.url}: {error}"))
        page.on(
            "console",
            lambda said: (
                wrong.append(f"{page.url}: {said.text}")
                if said.type == "error" and "Content Security Policy" in said.text
                else None
            ),
        )
        opened.append(page)
        if path is not None:
            page.goto(path)
        return page

    yield open_page
    for page in opened:
        page.context.close()
    assert wrong == []


@pytest.fixture(scope="session")
def _axe_source() -> str:
    source: str = (npm_packages("pages", PAGES) / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    return source


@pytest.fixture
def axe(_axe_source: str) -> Callable[..., list[str]]:
    """What axe-core finds wrong with a page by WCAG A and AA, or these rules: rule and element, one line each."""

    def check(page: Page, *rules: str) -> list[str]:
        if not page.evaluate("'axe' in window"):
            page.evaluate(_axe_source)
        tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
        asked = {"type": "rule", "values": rules} if rules else {"type": "tag", "values": tags}
        found = page.evaluate("asked => axe.run({runOnly: asked, resultTypes: ['violations']})", asked)
        return [
            f"{each['id']}: {node['html'][:120]} ({(node['any'] or node['all'] or node['none'])[0]['message']})"
            for each in found["violations"]
            for node in each["nodes"]
        ]

    return check


@pytest.fixture
def fits() -> Callable[[Page], bool]:
    """Whether a page is no wider than its window."""

    def check(page: Page) -> bool:
        return bool(page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))

    return check


@pytest.fixture
def shoot() -> Callable[[Page, str], None]:
    """Keeps a picture of a page in the folder that CATWALK_SHOTS names, if it does."""

    def keep(page: Page, name: str) -> None:
        folder = os.environ.get("CATWALK_SHOTS")
        if folder:
            page.screenshot(path=Path(folder) / f"{name}.png")

    return keep

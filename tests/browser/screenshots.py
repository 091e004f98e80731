"""Pictures of every page, out of a demonstration that really runs: `make screenshots`.

Each role signs in by its one-time link. A picture whose page is not there fails the run: the documents show what is.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from playwright.sync_api import Browser, Page, sync_playwright

from deploy.demo.console import PEOPLE
from tests.browser.conftest import SIZES, chromium
from tests.browser.site import free_port
from tests.starting import start

SETTLES = 1_200  # ms that a page has to fetch what it fetches
PATIENCE = 60_000  # ms; a link is good once, so that a page that came too late would not come again
HISTORY = 2.0  # hours
DEALT = 180  # seconds that the day before may take
LIVE = 25.0  # seconds of live play before the first picture


def _open_first(selector: str) -> Callable[[Page], None]:
    """Go where the first such link goes."""

    def act(page: Page) -> None:
        page.goto(str(page.locator(selector).first.evaluate("link => link.href")))

    return act


def _nothing(_page: Page) -> None:
    """As it is."""


def _as_told(page: Page) -> None:
    """The hands of a table that are most like what was told of one."""
    table = page.locator("#tables option[value^=FB]").first.get_attribute("value")
    told = {"table": table, "time": "30 min ago", "total": 20, "result": "lost", "list": 1}
    page.goto(f"{page.url.partition('?')[0]}?{urlencode(told)}")


def _breach(page: Page) -> None:
    """To the first mismatch of the first hand with one."""
    _open_first("main a[href^='/hands/']")(page)
    page.wait_for_timeout(SETTLES)
    page.keyboard.press("m")


def _dispute(page: Page) -> None:
    """Opened out of the first mismatch of that hand, with a claim."""
    _breach(page)
    page.keyboard.press("o")
    page.wait_for_url("**/disputes/new**")


def _opened_dispute(page: Page) -> None:
    """... and opened, as it stands then."""
    _dispute(page)
    page.locator("#f-claim").fill("The patron says the hand was not settled as the felt says.")
    page.locator("#f-claimed").fill("25.00")
    page.locator("#f-patron").fill("P-03-005")
    page.locator("#f-requested_by").fill("hale")
    page.get_by_role("button", name="Open the dispute").click()
    page.wait_for_url("**/disputes/DIS-**")


def _day_before(page: Page) -> None:
    """The day that is over and counted."""
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**day=**")


def _seal(page: Page) -> None:
    """The day that is over, sealed."""
    page.keyboard.press("ArrowLeft")
    page.wait_for_url("**day=**")
    page.locator("#sealing a").click()
    page.locator("#note").fill("Signed for by the revenue manager")
    page.get_by_role("button", name="Seal").click()
    page.get_by_text("as it was sealed").wait_for()


class Shot(NamedTuple):
    """One picture: who looks, where they begin, what they do there, on what."""

    name: str
    role: str | None
    path: str
    act: Callable[[Page], None] = _nothing
    size: str = "wall"
    theme: str = "dark"


SHOTS = (
    Shot("sign-in", None, "/sign-in", size="desk"),
    Shot("alerts", "surveillance", "/"),
    Shot("alerts-phone", "surveillance", "/", size="phone"),
    Shot("alerts-contrast", "surveillance", "/", theme="contrast"),
    Shot("alert", "surveillance", "/", _open_first("main a[href^='/alerts/']")),
    Shot("hands", "surveillance", "/hands?status=breached"),
    Shot("hands-told", "surveillance", "/hands", _as_told),
    Shot("hand", "surveillance", "/hands?status=breached", _breach),
    Shot("hand-light", "surveillance", "/hands?status=breached", _breach, theme="light"),
    Shot("hand-phone", "surveillance", "/hands?status=breached", _breach, size="phone"),
    Shot("dispute-new", "surveillance", "/hands?status=breached", _dispute),
    Shot("dispute", "surveillance", "/hands?status=breached", _opened_dispute),
    Shot("disputes", "surveillance", "/disputes"),
    Shot("tables", "surveillance", "/tables"),
    Shot("tables-phone", "surveillance", "/tables", size="phone"),
    Shot("tables-list", "surveillance", "/tables?view=list"),
    Shot("table", "auditor", "/tables?view=list", _open_first("main a[href^='/tables/']")),
    Shot("revenue", "revenue", "/revenue", _day_before),
    Shot("owed", "revenue", "/revenue/owed", _open_first("[data-step=day-before]")),
    Shot("sealed", "revenue", "/revenue", _seal),
    Shot("log", "auditor", "/log"),
    Shot("log-proof", "auditor", "/log/verify"),
    Shot("status", "surveillance", "/status"),
    Shot("users", "admin", "/admin"),
    Shot("account", "surveillance", "/account"),
)


@contextmanager
def demonstration(folder: Path, *arguments: str) -> Iterator[dict[str, str]]:
    """A demonstration that runs; what it says of its console: `address`, and the one-time link of each user."""
    port = free_port()
    command = [
        sys.executable,
        "-m",
        "deploy.cli",
        "demo",
        "--data",
        str(folder),
        "--port",
        str(port),
        *arguments,
    ]
    with start(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = {"address": process.stdout.readline().split()[-1]}
        while len(said) < len(PEOPLE) + 1:
            role, link = process.stdout.readline().removeprefix("Sign in").split()
            said[role] = link
        with subprocess.Popen(["cat"], stdin=process.stdout, stdout=subprocess.DEVNULL):
            try:
                yield said
            finally:
                process.terminate()


def enter(browser: Browser, link: str | None, size: str, theme: str) -> Page:
    """A browser of its own, in which someone has signed in by their link."""
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    if link is not None:
        page.goto(link)
        page.get_by_role("button", name="Go on").click()
        page.wait_for_url(lambda url: "sign-in" not in url)
    context.add_cookies(
        [{"name": "catwalk-theme", "value": theme, "url": page.url if link else "http://127.0.0.1"}]
    )
    return page


def take(target: Path, names: tuple[str, ...]) -> list[str]:
    """Take the pictures; the names of those that failed, with why."""
    failed = []
    target.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        demonstration(Path(folder) / "floor", "--history", str(HISTORY), "--speed", "60") as said,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        time.sleep(LIVE)
        pages: dict[str, Page] = {}
        for shot in SHOTS:
            if names and shot.name not in names:
                continue
            try:
                _take(browser, said, pages, shot, target / f"{shot.name}.png")
            except Exception as error:  # the others are taken all the same
                failed.append(f"{shot.name}: {str(error).splitlines()[0]}")
        browser.close()
    return failed


def _take(browser: Browser, said: dict[str, str], pages: dict[str, Page], shot: Shot, path: Path) -> None:
    link = said[shot.role] if shot.role is not None else None
    key = shot.role or ""
    if key not in pages:
        pages[key] = enter(browser, link, "wall", "dark")
        _wait_for_today(pages[key])
    page = pages[key]
    width, height = SIZES[shot.size]
    page.set_viewport_size({"width": width, "height": height})
    page.context.add_cookies([{"name": "catwalk-theme", "value": shot.theme, "url": said["address"]}])
    answer = page.goto(said["address"] + shot.path)
    assert answer is not None
    assert answer.status == 200, f"status {answer.status}"
    shot.act(page)
    page.wait_for_timeout(SETTLES)
    page.screenshot(path=path)


def _wait_for_today(page: Page) -> None:
    """Wait until the day before is dealt, which a busy machine does slowly: what is shown then is of today."""
    for _ in range(DEALT):
        if page.get_by_text("The day before is being dealt").count() == 0:
            return
        page.wait_for_timeout(1_000)
        page.reload()
    raise AssertionError(f"the day before was not dealt within {DEALT} s")


def main() -> int:
    """Take all pictures, or those named."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("target", type=Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    failed = take(given.target, tuple(given.names))
    for line in failed:
        sys.stderr.write(f"{line}\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

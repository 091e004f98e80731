"""How soon the alert page shows its first row in a browser that never saw it, beside the same rows as bare HTML."""

from __future__ import annotations

import shutil
import statistics
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urljoin

from benchmarks.console.serving import free_port, running
from benchmarks.core import Measurement

LOADS = 9
ALERTS_FOR = 10.0  # seconds of alerts that stand on the page
_ROW = "[data-alert], tbody tr"
_PAINTED = """
async () => {
  const row = document.querySelector(%r);
  if (!row) return null;
  const paints = performance.getEntriesByType("paint").filter((one) => one.name === "first-contentful-paint");
  return { painted: paints.length ? paints[0].startTime : null, loaded: performance.timing.loadEventEnd
    - performance.timing.navigationStart, bytes: performance.getEntries().reduce((sum, one) => sum
    + (one.transferSize || 0), 0), requests: performance.getEntriesByType("resource").length + 1 };
}
"""


def measure() -> tuple[list[Measurement], list[str]]:
    """Milliseconds to the first row, median of cold loads; nothing where there is no browser to drive."""
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        if browser is None:
            return [], ["the alert page is left out: there is no chromium, or playwright is not installed"]
        port = free_port()
        with running("console", folder, str(port)) as server:
            server.raise_for(ALERTS_FOR)
            server.processor()
            address = f"http://127.0.0.1:{port}/"
            ours = [_load(browser, address, server.said) for _ in range(LOADS)]
            html = _html(browser, address, server.said)
        with Bare(html) as bare:
            theirs = [_load(browser, bare.address, "") for _ in range(LOADS)]
    painted, bare_painted = (statistics.median(one["painted"] for one in loads) for loads in (ours, theirs))
    name, peer = "first row of the alert page, cold browser", "its rows as bare HTML, without style or script"
    figure = Measurement(name, painted, "ms", peer, bare_painted)
    loaded = statistics.median(one["loaded"] for one in ours)
    note = (
        f"the alert page with 200 alerts: {ours[0]['bytes'] / 1024:,.0f} KiB in {ours[0]['requests']} requests,"
        f" all loaded after {loaded:,.0f} ms"
    )
    return [figure], [note]


@contextmanager
def chromium() -> Iterator[Any]:
    """The browser; None where there is none to drive."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path = None
    if path is None:
        yield None
        return
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@contextmanager
def opened(browser: Any, address: str, session: str, before: str = "") -> Iterator[Any]:
    """A page in a browser context of its own, so that nothing is cached; `session` is a console's, or empty.

    The script `before` runs before those of the page.
    """
    context = browser.new_context(viewport={"width": 1600, "height": 900})
    if session:
        # The root's: a cookie of the page's own folder is sent to no interface that its script asks.
        context.add_cookies([{"name": "catwalk", "value": session, "url": urljoin(address, "/")}])
    page = context.new_page()
    if before:
        page.add_init_script(before)
    page.goto(address, wait_until="load")
    yield page
    context.close()


def _load(browser: Any, address: str, session: str) -> dict[str, float]:
    with opened(browser, address, session) as page:
        page.wait_for_function("() => performance.getEntriesByType('paint').length > 1")
        found: dict[str, float] = page.evaluate(_PAINTED % _ROW)
    return found


def _html(browser: Any, address: str, session: str) -> str:
    """The rows of the page as the server sends them, without style and script."""
    with opened(browser, address, session) as page:
        text = str(page.context.request.get(address).text())
    body = text[text.index("<main") : text.index("</main>")]
    return f"<!doctype html><title>rows</title>{body}</main>"


class Bare:
    """A server that answers everything with one page."""

    def __init__(self, html: str) -> None:
        content = html.encode()

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/html; charset=utf-8")
                self.send_header("content-length", str(len(content)))
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, format: str, *args: Any) -> None:
                """Nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answer)
        self.address = f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> Bare:
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

"""How soon the alert page shows ten thousand open alerts, an alert that comes, and what a filter leaves of them.

The page is Chromium's. An alert that comes is read by many viewers at once, of which the page is one: the others are
WebSockets, as so many browsers do not fit on one machine.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from benchmarks.console.pages import Bare, chromium, opened
from benchmarks.console.serving import RATE, Server, free_port, running
from benchmarks.console.steps import BARE
from benchmarks.console.viewers import Told, watched_feed
from benchmarks.core import Measurement, part_of, spread

OPEN = 10_000
VIEWERS = 200
SECONDS = 20.0
LOADS = 7
TYPED = ("B", "BJ", "BJ-1", "BJ-17", "BJ-1", "", "dealer:D-9", "dealer:D-96", "money:>100", "")
ROUNDS = 4  # of the typed words
WANTED = {"painted": 300.0, "shown": 250.0, "typed": 100.0}  # milliseconds

# Notes when the list stands painted: its first rows, and all of it. A frame's work is painted before the next message.
_LOADING = """(() => {
  const noted = (window.noted = {});
  const mark = (name) => {
    noted[name] = 0;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => (noted[name] = performance.now());
    channel.port2.postMessage(0);
  };
  const look = () => {
    const rows = document.getElementById("rows");
    if (noted.first === undefined && rows?.querySelector("tbody tr")) mark("first");
    const all = rows?.getAttribute("aria-rowcount") === "%d" && rows.querySelector("tr[data-key]");
    if (noted.whole === undefined && all) mark("whole");
    if (noted.whole === undefined) requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})()"""
# Notes how many lines the list holds, and when they were painted, in seconds since 1970.
_SHOWING = """() => {
  const rows = document.getElementById("rows");
  const shown = (window.shown = []);
  new MutationObserver(() => requestAnimationFrame(() => {
    const held = Number(rows.getAttribute("aria-rowcount")) - 1;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => shown.push([(performance.timeOrigin + performance.now()) / 1000, held]);
    channel.port2.postMessage(0);
  })).observe(rows, { attributes: true, attributeFilter: ["aria-rowcount"] });
}"""
# From each change of the words to the first moment after the list's next frame was handed to the screen.
_TYPING = """async ([typed, rounds]) => {
  const words = document.getElementById("words"), fitting = document.getElementById("fitting"), took = [];
  for (let round = 0; round < rounds; round++) for (const text of typed) {
    const before = fitting.textContent;
    const began = performance.now();
    words.value = text;
    words.dispatchEvent(new InputEvent("input", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = done;
      channel.port2.postMessage(0);
    }));
    took.push([text, performance.now() - began, fitting.textContent !== before]);
    await new Promise((done) => setTimeout(done, 50));
  }
  return took;
}"""
_TYPING_BARE = """async (count) => {
  const took = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "x" }));
    await new Promise((done) => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = done;
      channel.port2.postMessage(0);
    }));
    took.push(performance.now() - began);
    await new Promise((done) => setTimeout(done, 50));
  }
  return took;
}"""


def measure(
    seconds: float = SECONDS, viewers: int = VIEWERS, already: int = OPEN, loads: int = LOADS
) -> tuple[list[Measurement], list[str]]:
    """Milliseconds to each of the three, with what the console is to keep; nothing where there is no browser."""
    busy = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder, chromium() as browser:
        if browser is None:
            return [], ["the alert page is left out: there is no chromium, or playwright is not installed"]
        with Bare(BARE) as bare:
            floor = [_first(browser, bare.address) for _ in range(loads)]
            with opened(browser, bare.address, "") as page:
                word: list[float] = page.evaluate(_TYPING_BARE, len(TYPED) * ROUNDS)
        port = free_port()
        with running("console", folder, str(port), "", str(already)) as server:
            address = f"http://127.0.0.1:{port}/"
            loaded = [_loaded(browser, address, server.said, already) for _ in range(loads)]
            typed = _typed(browser, address, server.said, already)
            told, shown = _arrived(browser, server, port, (viewers, seconds, already))
    return _figures(loaded, floor, typed, word, told, shown), _notes(
        already, viewers, len(told.raised()), busy
    )


def _figures(
    loaded: Sequence[dict[str, float]],
    floor: Sequence[float],
    typed: Sequence[float],
    word: Sequence[float],
    told: Told,
    shown: Sequence[float],
) -> list[Measurement]:
    bare = "a bare page, cold"
    first, whole = ([one[name] for one in loaded] for name in ("first", "whole"))
    return [
        *spread("open alerts, first rows painted", first, "ms", bare, floor, (50,)),
        *spread("open alerts, all in the list", whole, "ms", bare, floor, (50,)),
        *spread("filter typed to list", typed, "ms", "a bare page that changes one word", word),
        *spread("alert raised to all viewers", told.late(), "ms", "its median", [part_of(told.late(), 50)], (50, 99)),
        *spread("alert raised to painted", shown, "ms", "to a viewer", told.late(), (50, 99)),
    ]  # fmt: skip


def _notes(already: int, viewers: int, came: int, busy: float) -> list[str]:
    """What was measured, what is wanted, and how busy others kept the machine: `busy` is its load before."""
    wanted = WANTED
    return [
        f"{already:,} alerts are open; {came:,} came at {RATE:g} a second to {viewers} viewers and a page",
        f"wanted: painted within {wanted['painted']:g} ms, an alert shown within {wanted['shown']:g} ms in 99 of 100,"
        f" a filter within {wanted['typed']:g} ms",
        f"{os.cpu_count()} processors, load {busy:.1f} before and {os.getloadavg()[0]:.1f} behind",
    ]


def _first(browser: Any, address: str) -> float:
    with opened(browser, address, "") as page:
        page.wait_for_function("() => performance.getEntriesByType('paint').length > 0")
        return float(page.evaluate("performance.getEntriesByType('paint').at(-1).startTime"))


def _loaded(browser: Any, address: str, session: str, already: int) -> dict[str, float]:
    """Milliseconds from the first request of a browser that never saw the page."""
    with opened(browser, address, session, before=_LOADING % (already + 1)) as page:
        page.wait_for_function("() => window.noted.whole > 0", timeout=60_000)
        found: dict[str, float] = page.evaluate("window.noted")
    return found


def _typed(browser: Any, address: str, session: str, already: int) -> list[float]:
    with opened(browser, address, session) as page:
        _whole(page, already)
        took = page.evaluate(_TYPING, [TYPED, ROUNDS])
    unchanged = {text for text, _, changed in took if not changed}
    if unchanged == set(TYPED):
        raise AssertionError("no word that was typed changed the list")
    return [float(ms) for _, ms, _ in took]


def _arrived(
    browser: Any, server: Server, port: int, asked: tuple[int, float, int]
) -> tuple[Told, list[float]]:
    """What the viewers got, and milliseconds from raising to painting of each alert in the page among them."""
    viewers, seconds, already = asked
    found: list[Told] = []

    def watch() -> None:
        found.append(asyncio.run(watched_feed(server, port, viewers, seconds, already))[1])

    with opened(browser, f"http://127.0.0.1:{port}/", server.said) as page:
        _whole(page, already)
        page.evaluate(_SHOWING)
        watching = threading.Thread(target=watch)
        watching.start()
        while watching.is_alive():
            page.wait_for_timeout(200)
        (told,) = found
        raised = told.raised()
        _whole(page, already + len(raised))
        page.wait_for_timeout(500)  # the last is painted a moment after it stands in the list
        shown: list[tuple[float, int]] = page.evaluate("window.shown")
    held = [many for _, many in shown]
    late = [
        1_000 * (shown[bisect_left(held, number)][0] - moment)
        for number, moment in enumerate(raised, already + 1)
    ]
    return told, late


def _whole(page: Any, already: int) -> None:
    page.wait_for_selector(f'#rows[aria-rowcount="{already + 1}"] tr[data-key]', timeout=60_000)

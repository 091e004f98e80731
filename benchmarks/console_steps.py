"""How soon a step of a hand is painted after its key, in a real browser, beside a bare page that changes one word."""

from __future__ import annotations

import json
import statistics
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.console_pages import Bare, chromium
from benchmarks.console_viewers import free_port, running
from benchmarks.core import Figure

ROUND = 16
STEPS = 200
_BARE = """<!doctype html><title>a word</title><p id="word">0</p><script>
let n = 0; document.addEventListener("keydown", () => { document.getElementById("word").textContent = String(++n); });
</script>"""
# From the key to the first moment after the next frame was handed to the screen.
_TIMED = """async (count) => {
  const took = [];
  for (let i = 0; i < count; i++) {
    const began = performance.now();
    const key = Math.floor(i / 25) % 2 ? "ArrowLeft" : "ArrowRight";
    document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    const worked = performance.now();
    await new Promise((done) => requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = done;
      channel.port2.postMessage(0);
    }));
    took.push([worked - began, performance.now() - began]);
    await new Promise((done) => setTimeout(done, 20));
  }
  return took;
}"""


def measure(streams: Path) -> tuple[list[Figure], list[str]]:
    """Milliseconds from a key to the painted step; nothing where there is no browser to drive."""
    stream = streams / "lawful_free_bet_590.ndjson"
    subject = str(json.loads(stream.read_bytes().partition(b"\n")[0])["subject"])
    with chromium() as browser:
        if browser is None:
            return [], ["the replayer is left out: there is no chromium, or playwright is not installed"]
        with tempfile.TemporaryDirectory() as folder:
            port = free_port()
            with running("console", folder, str(port), str(stream.resolve())) as server:
                address = f"http://127.0.0.1:{port}/hands/{subject}/{ROUND}"
                cookie = {"name": "catwalk", "value": server.said, "url": f"http://127.0.0.1:{port}"}
                ours = _steps(browser, address, "#replayer[data-ready]", cookie)
        with Bare(_BARE) as bare:
            theirs = _steps(browser, bare.address, "#word", None)
    painted, peer = (sorted(paint for _, paint in one) for one in (ours, theirs))
    figures = [
        Figure(
            name=f"step of the replayer, key to paint, {name}",
            value=painted[int(part * len(painted))],
            unit="ms",
            peer="a bare page that changes one word",
            peer_value=peer[int(part * len(peer))],
        )
        for name, part in (("p50", 0.5), ("p95", 0.95))
    ]
    worked = statistics.median(work for work, _ in ours)
    return figures, [f"of a step of the replayer its script takes {worked:.1f} ms"]


def _steps(browser: Any, address: str, ready: str, cookie: dict[str, str] | None) -> list[list[float]]:
    context = browser.new_context(viewport={"width": 1600, "height": 900})
    if cookie is not None:
        context.add_cookies([cookie])
    page = context.new_page()
    page.goto(address, wait_until="load")
    page.wait_for_selector(ready)
    found: list[list[float]] = page.evaluate(_TIMED, STEPS)
    context.close()
    return found

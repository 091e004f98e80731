"""How soon a step of a hand is painted after its key, in a real browser, beside a bare page that changes one word."""

from __future__ import annotations

import statistics
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.console.pages import Bare, chromium, opened
from benchmarks.console.serving import free_port, running
from benchmarks.core import Measurement, spread, subject_of

ROUND = 16
STEPS = 200
BARE = """<!doctype html><title>a word</title><p id="word">0</p><script>
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


def measure(streams: Path) -> tuple[list[Measurement], list[str]]:
    """Milliseconds from a key to the painted step; nothing where there is no browser to drive."""
    stream = streams / "lawful_free_bet_590.ndjson"
    subject = subject_of(stream.read_bytes().partition(b"\n")[0])
    with chromium() as browser:
        if browser is None:
            return [], ["the replayer is left out: there is no chromium, or playwright is not installed"]
        with tempfile.TemporaryDirectory() as folder:
            port = free_port()
            with running("console", folder, str(port), str(stream.resolve())) as server:
                address = f"http://127.0.0.1:{port}/hands/{subject}/{ROUND}"
                ours = _steps(browser, address, "#replayer[data-ready]", server.said)
        with Bare(BARE) as bare:
            theirs = _steps(browser, bare.address, "#word", "")
    painted, bare_painted = ([paint for _, paint in one] for one in (ours, theirs))
    name, peer = "step of the replayer, key to paint", "a bare page that changes one word"
    figures = spread(name, painted, "ms", peer, bare_painted)
    worked = statistics.median(work for work, _ in ours)
    return figures, [f"of a step of the replayer its script takes {worked:.1f} ms"]


def _steps(browser: Any, address: str, ready: str, session: str) -> list[list[float]]:
    with opened(browser, address, session) as page:
        page.wait_for_selector(ready)
        found: list[list[float]] = page.evaluate(_TIMED, STEPS)
    return found

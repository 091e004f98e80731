"""The recording beside the hand: a clip or a playlist of each camera, put to the step that is shown."""

from __future__ import annotations

import datetime as dt
import json
import threading
from collections.abc import Iterator
from contextlib import suppress
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page, expect

from deploy.console.hand_ports import duties_by_ruleset
from tests.browser.conftest import PageOf
from tests.hands.stored import renamed

CLIPS = Path(__file__).parent / "clips"  # a minute of a test pattern, whole as MP4 and in parts as HLS
LINES = renamed("breach_overpay", "BJ-12")
HAND = "/hands/BJ-12/1?at=35"
TYPES = {".m3u8": "application/vnd.apple.mpegurl", ".mp4": "video/mp4", ".m4s": "video/mp4"}


class _Recorder(SimpleHTTPRequestHandler):
    """A property's recorder: it answers whatever camera and time are asked for with the test pattern."""

    asked: list[str]

    def do_GET(self) -> None:
        """A clip, or the part of it that is asked for."""
        self.asked.append(self.path)
        name = urlsplit(self.path).path.rpartition("/")[2]
        path = CLIPS / name
        if "C-0218" in self.path or not path.is_file():
            self.send_error(404)
            return
        content = path.read_bytes()
        first, last = 0, len(content) - 1
        asked = self.headers.get("range", "").removeprefix("bytes=")
        if asked:
            begin, _, end = asked.partition("-")
            first, last = int(begin), min(int(end or last), last)
        self.send_response(206 if asked else 200)
        self.send_header("content-type", TYPES[path.suffix])
        self.send_header("accept-ranges", "bytes")
        self.send_header("access-control-allow-origin", "*")
        if asked:
            self.send_header("content-range", f"bytes {first}-{last}/{len(content)}")
        self.send_header("content-length", str(last - first + 1))
        self.end_headers()
        with suppress(ConnectionError):  # who seeks needs no more of it
            self.wfile.write(content[first : last + 1])

    def log_message(self, *_: object) -> None:
        """Nothing: the test says what was asked."""


STREAMS = {"BJ-12": LINES}


@pytest.fixture
def recorder() -> Iterator[tuple[str, list[str]]]:
    asked: list[str] = []
    handler = type("Recorder", (_Recorder,), {"asked": asked})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}", asked
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.fixture
def settings(request: pytest.FixtureRequest, recorder: tuple[str, list[str]]) -> dict[str, Any]:
    footage = f"{recorder[0]}/{{camera}}/{request.param}?from={{from}}&until={{until}}"
    return {"duties": duties_by_ruleset(), "footage": footage}


def into(sequence: int) -> float:
    """Seconds from the beginning of the recording, five before the round, to an event."""
    events = [json.loads(line) for line in LINES]
    first = next(one for one in events if one["type"].endswith("round_started"))
    began, at = (dt.datetime.fromisoformat(one["time"]) for one in (first, events[sequence - 1]))
    return (at - began).total_seconds() + 5


def shows(page: Page, sequence: int) -> None:
    expect(page.locator("#state-at")).to_have_text(str(sequence))
    page.wait_for_function(
        "at => Math.abs(document.querySelector('#footage video').currentTime - at) < 0.06", arg=into(sequence)
    )


@pytest.mark.parametrize("settings", ["clip.mp4", "clip.m3u8"], indirect=True)
def test_video_stands_beside_the_hand_and_seeks_to_the_step(
    page_of: PageOf, recorder: tuple[str, list[str]], request: pytest.FixtureRequest
) -> None:
    page = page_of("hale", HAND, size="desk")
    page.wait_for_selector("#replayer[data-ready]")
    page.wait_for_function("document.querySelector('#footage video').readyState >= 2")
    page.evaluate("document.getElementById('state-rows').hidden = false")
    shows(page, 35)
    page.keyboard.press("ArrowRight")
    shows(page, 36)
    page.keyboard.press("Shift+ArrowRight")
    shows(page, 41)
    [first, *_] = recorder[1]
    span = parse_qs(urlsplit(first).query)
    assert first.startswith("/C-0217/")
    assert span["from"][0] < span["until"][0]
    box = page.locator("#footage video").bounding_box()
    assert box is not None
    assert box["y"] + box["height"] <= 720
    page.get_by_role("button", name="C-0218").click()  # of which the recorder has nothing
    expect(page.locator("#footage-told")).to_contain_text("cannot be played")
    page.get_by_role("button", name="C-0217").click()
    expect(page.locator("#footage-told")).to_have_text("")
    shows(page, 41)

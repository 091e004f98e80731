"""Debian's Firefox without a window, driven by keys alone over WebDriver BiDi, which it speaks by itself.

Source: W3C WebDriver BiDi, the commands session.new, browsingContext.navigate, script.evaluate, input.performActions.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from websockets.sync.client import ClientConnection, connect

from tests.browser.installed import browser_called
from tests.waiting import PATIENCE, until

# What the protocol calls the keys that are no letters.
KEYS: Final = {
    "Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "Home": "\ue011",
    "ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015",
    "Control": "\ue009", "Shift": "\ue008",
}  # fmt: skip


class FirefoxError(Exception):
    """The browser refused a command, or a page threw an error; the message says which."""


class FirefoxPage:
    """One page, and the keyboard in front of it."""

    def __init__(self, link: ClientConnection) -> None:
        self._link, self._numbers = link, itertools.count(1)
        self.command("session.new", capabilities={})
        # The first window has no focus, and keys press no button there.
        self._context = self.command("browsingContext.create", type="window")["context"]

    def command(self, method: str, **params: Any) -> dict[str, Any]:
        """Give a command, and wait for what it answers.

        Raises:
            FirefoxError: the browser refused it.
        """
        number = next(self._numbers)
        self._link.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            told = json.loads(self._link.recv(timeout=60))
            if told.get("id") != number:
                continue  # an event
            if told["type"] == "error":
                raise FirefoxError(f"{method}: {told['error']}: {told['message']}")
            result: dict[str, Any] = told["result"]
            return result

    def go(self, address: str) -> None:
        """Load a page, and all that it is made of."""
        self.command("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def ask(self, expression: str) -> Any:
        """The value of an expression in the page: text, a number, true, false or nothing.

        Raises:
            FirefoxError: it threw an error.
        """
        target = {"context": self._context}
        told = self.command("script.evaluate", expression=expression, target=target, awaitPromise=True)
        if told["type"] == "exception":
            raise FirefoxError(told["exceptionDetails"]["text"])
        return told["result"].get("value")

    def wait(self, expression: str) -> None:
        """Wait until an expression is true in the page, whichever page that is by then."""
        ends = time.monotonic() + PATIENCE
        while not self._holds(expression):
            assert time.monotonic() < ends, (
                f"{expression} in {self.ask('location.href + document.body.innerText')}"
            )
            time.sleep(0.05)

    def _holds(self, expression: str) -> bool:
        try:
            return bool(self.ask(f"Boolean({expression})"))
        except FirefoxError:  # the page is being left
            return False

    def says(self, selector: str, words: str) -> None:
        """Wait until the first such element says these words."""
        self.wait(f"document.querySelector({json.dumps(selector)})?.innerText.includes({json.dumps(words)})")

    def press(self, *keys: str) -> None:
        """Press keys one after the other; `Control+k` holds the first meanwhile."""
        for pressed in keys:
            held = [KEYS.get(one, one) for one in (pressed.split("+") if len(pressed) > 1 else [pressed])]
            downs = [{"type": "keyDown", "value": one} for one in held]
            ups = [{"type": "keyUp", "value": one} for one in reversed(held)]
            board = {"type": "key", "id": "keyboard", "actions": [*downs, *ups]}
            self.command("input.performActions", context=self._context, actions=[board])

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.press(*text)


@contextmanager
def opened() -> Iterator[FirefoxPage]:
    """A browser of its own with one page, at 1600x900."""
    with tempfile.TemporaryDirectory() as folder, (Path(folder) / "said").open("w") as said:
        command = [
            browser_called("Firefox", "firefox-esr", "firefox"),
            "--headless",
            "--no-remote",
            "--profile",
            folder,
            "--remote-debugging-port",
            "0",
        ]
        window = {"MOZ_HEADLESS_WIDTH": "1600", "MOZ_HEADLESS_HEIGHT": "900"}
        environment = {**os.environ, "HOME": folder, **window}
        with subprocess.Popen(command, stdout=said, stderr=said, env=environment) as process:
            try:
                with connect(f"{_address(Path(said.name))}/session", max_size=None) as link:
                    yield FirefoxPage(link)
            finally:
                process.terminate()


def _address(said: Path) -> str:
    """Where the browser listens, out of what it says when it starts."""
    listens = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
    return until(lambda: listens.search(said.read_text(encoding="utf-8")))[1]

"""Applications of consoles, used again and again: to build the routes takes longer than most tests."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager

from litestar import Litestar
from litestar.datastructures import State
from litestar.testing import TestClient

from dashboards.server.app import console_app, state_of
from dashboards.web.console import Console

# By what the routes are built with; all else is in the application's state.
_idle: defaultdict[object, list[Litestar]] = defaultdict(list)


@contextmanager
def app_over(console: Console) -> Iterator[Litestar]:
    """An application that works on this console and that nobody else has until the end."""
    idle = _idle[console.origins, console.rules.proxies]
    if idle:
        app = idle.pop()
        app.state = State(state_of(console))
    else:
        app = console_app(console)
    yield app
    idle.append(app)  # one whose test was thrown out of here is not used again


@contextmanager
def browser_of(console: Console) -> Iterator[TestClient[Litestar]]:
    """A browser of no one yet, at a server of its own and the first of the console's origins."""
    with app_over(console) as app, TestClient(app, base_url=console.origins[0]) as opened:
        yield opened

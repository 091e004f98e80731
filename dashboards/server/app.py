"""The console as one ASGI application."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from importlib.metadata import version
from typing import Any
from urllib.parse import urlsplit

from litestar import Litestar, Response, Router, get
from litestar.config.allowed_hosts import AllowedHostsConfig
from litestar.datastructures import State
from litestar.di import Provide
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin

from dashboards.alerts.feed import Hub, feed
from dashboards.disputes.of_hand import answer_of_hand, disputes_of_hand
from dashboards.folding.ahead import Ahead
from dashboards.ledger.ledger import DeskAltered, DeskUnavailable
from dashboards.server.sections import HANDLERS
from dashboards.tables.floor import floor_lines
from dashboards.web.address import Addressed
from dashboards.web.console import AnyRequest, Console
from dashboards.web.gate import Gate, from_our_pages, holder_of, set_headers, with_csrf_token
from dashboards.web.refusals import tell_refusal
from dashboards.web.repeats import MINUTE

_LARGEST_BODY = 64 << 10
_HASHED_AT_ONCE = 2
_RESTS = 3.0  # times as long as it worked: a quarter of a core at most
_LOOK_AHEAD_EVERY = 30.0  # seconds
_REREAD = 100  # records of the desk read again at each look: a million in three quarters of an hour
_LATE = 15.0  # seconds without a look at the desk: an append waits for ten at the most
_READ_ONLY = "the desk's ledger was altered: the console is read-only"
_log = logging.getLogger("catwalk.console")


@get("/health", exclude_from_auth=True)
async def health(request: AnyRequest, state: State) -> Response[dict[str, str | int]]:
    """Whether the desk can be read and is as it was; 503 when it is not.

    `altered` is 1 when the desk's ledger was altered, and 0 otherwise. Who has signed in is told the number of the last
    change and how many watch, too: to nobody else does it say how much is going on.
    """
    console: Console = state.console
    failed = trouble_of(state)
    content: dict[str, str | int] = {"status": failed or "ok"}
    content["altered"] = int(console.desk.alarm is not None)
    if await holder_of(request, in_use=False) is not None:
        content |= {"seq": console.desk.seq, "viewers": len(state.viewers)}
    return Response(content, status_code=503 if failed else 200)


def trouble_of(state: State) -> str | None:
    """Why nothing can be done at the desk now, in a few words; None where all is well."""
    if state.console.desk.alarm is not None:
        return _READ_ONLY
    failed: str | None = state.failed
    if failed is None and time.monotonic() - state.looked_at > _LATE:
        return "the desk does not answer"
    return failed


def console_app(console: Console) -> Litestar:
    """The application; it works on the desk from start to shutdown, and closes nothing it was given."""
    return Litestar(
        # In a router: given one by one, the second handler of a path would register the first one once more, and a
        # handler that works in a thread is spoilt by that.
        route_handlers=[Router("/", route_handlers=[*HANDLERS, feed, health])],
        dependencies={"console": Provide(_console, sync_to_thread=False)},
        middleware=[Addressed(console.rules.proxies), Gate],
        guards=[from_our_pages, with_csrf_token],
        before_send=[set_headers],
        exception_handlers={Exception: tell_refusal},
        lifespan=[_at_work],
        allowed_hosts=AllowedHostsConfig([urlsplit(origin).netloc for origin in console.origins]),
        request_max_body_size=_LARGEST_BODY,
        openapi_config=OpenAPIConfig(
            title="Catwalk console",
            version=version("catwalk"),
            path="/api/schema",
            render_plugins=[JsonRenderPlugin()],
            use_handler_docstrings=True,
        ),
        state=State(state_of(console)),
        logging_config=None,  # how this process logs is not for its server to say
        debug=False,
    )


def state_of(console: Console) -> dict[str, Any]:
    """What the application keeps beside its routes."""
    return {
        "console": console,
        "viewers": set(),
        "hub": Hub(console),
        # A hand names its disputes and what they settled, and their room stands above its own.
        "disputes_of_hand": disputes_of_hand,
        "answer_of_hand": answer_of_hand,
        "hashing": asyncio.Semaphore(_HASHED_AT_ONCE),
        "failed": None,
        "looked_at": time.monotonic(),
    }


def _console(state: State) -> Console:
    console: Console = state.console
    return console


@asynccontextmanager
async def _at_work(app: Litestar) -> AsyncIterator[None]:
    console = _console(app.state)
    tasks = [asyncio.create_task(_keep_up(app, console))]
    if console.openings is not None:  # kept in memory they would push each other out
        tasks.append(asyncio.create_task(_fold_ahead(console)))
    app.state.looked_at = time.monotonic()
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        for task in tasks:
            with suppress(asyncio.CancelledError):
                await task
        with suppress(DeskAltered, DeskUnavailable):  # there is nobody left to be told
            await asyncio.to_thread(console.note_repeats, console.clock() + MINUTE)


async def _keep_up(app: Litestar, console: Console) -> None:
    """Take what other consoles and the fold have written, and empty the shelf when its time has come."""
    while True:
        try:
            await asyncio.to_thread(console.desk.catch_up)
            await asyncio.to_thread(console.desk.return_due)
            await asyncio.to_thread(console.desk.reread, _REREAD)
            await asyncio.to_thread(console.note_repeats, console.clock())
            app.state.failed = None
        except DeskAltered:
            app.state.failed = _READ_ONLY  # the log has it already, once
        except DeskUnavailable as error:
            _log.error("the desk cannot be read: %s", error)
            app.state.failed = "the desk's ledger cannot be read"
        app.state.looked_at = time.monotonic()
        await asyncio.sleep(console.look_every)


async def _fold_ahead(console: Console) -> None:
    """Make openings of old tables while nobody looks at them; those who come first are served first."""
    ahead = Ahead(console.records, console.states)
    rest, looked = console.ahead_after, False
    while True:
        await asyncio.sleep(rest)
        begun = time.perf_counter()
        try:
            more = await asyncio.to_thread(ahead.step)
            if not more and not looked:  # the first look over the floor takes longest
                await asyncio.to_thread(floor_lines, console.records, console.states, console.clock())
                looked = True
        except Exception as error:  # whatever the store raises: it is asked again later
            _log.info("no openings are made ahead: %s", error)
            more = False
        rest = _RESTS * (time.perf_counter() - begun) if more else max(_LOOK_AHEAD_EVERY, console.ahead_after)

"""Whether a worker lives and is at work, told over HTTP: `/healthz`, `/readyz` and `/metrics`.

A server of its own, in the worker's event loop: one that answers from another thread would call a hanging worker
well. It reads no body, takes no path but three, and answers nothing that names a table, a card or a patron.
"""

from __future__ import annotations

import asyncio
import errno
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus

from processors.runtime.watch.metrics import CONTENT_TYPE, WorkerMetrics
from schemas.errors import ActionableError

_HEAD_BYTES = 8192
_PATIENCE = 5.0  # seconds a client may take to ask


@dataclass(slots=True)
class Health:
    """The state of a worker: `reasons` say why it is not ready, `failed` which error ended it.

    `without` names what a worker that is at work has to do without. Each of `watched` is called at every look, and
    returns why the part it watches is missing, None if that part is there.
    """

    reasons: dict[str, str] = field(default_factory=lambda: {"start": "starting"})
    without: dict[str, str] = field(default_factory=dict)
    failed: str = ""
    moved: float = field(default_factory=time.monotonic)
    watched: list[Callable[[], str | None]] = field(default_factory=list)

    @property
    def ready(self) -> bool:
        """Whether it is at work."""
        return not self.why

    @property
    def why(self) -> tuple[str, ...]:
        """All that keeps it from its work now."""
        found = (self.failed, *self.reasons.values(), *(look() for look in self.watched))
        return tuple(filter(None, found))

    def progress(self) -> None:
        """Something was done just now."""
        self.moved = time.monotonic()

    def well(self, what: str) -> None:
        """This no longer keeps the worker from its work."""
        self.reasons.pop(what, None)

    def unwell(self, what: str, why: str) -> None:
        """This keeps the worker from its work, for now."""
        self.reasons[what] = why


class HealthPortTaken(ActionableError):
    """Health and metrics cannot be told at the port that was asked for."""

    def __init__(self, host: str, port: int, error: OSError) -> None:
        taken = error.errno == errno.EADDRINUSE
        why = "something listens on it already" if taken else str(error)
        remedy = "stop that, or name another with --health-port (0 for none)"
        if not taken:
            remedy = "name another with --health-port, or another address by health_host"
        super().__init__(f"health port {port} of {host}", why, remedy)


class HealthServer:
    """Answers liveness, readiness and metrics on one port."""

    def __init__(self, health: Health, metrics: WorkerMetrics, clock: Callable[[], float] = time.monotonic):
        self._health = health
        self._metrics = metrics
        self._clock = clock
        self._server: asyncio.Server | None = None

    @property
    def port(self) -> int:
        """The port it listens on, 0 when it does not."""
        return int(self._server.sockets[0].getsockname()[1]) if self._server is not None else 0

    async def start(self, host: str, port: int) -> None:
        """Listen.

        Raises:
            HealthPortTaken: the port is taken, or the address is not this machine's.
        """
        try:
            self._server = await asyncio.start_server(self._converse, host, port)
        except OSError as error:
            raise HealthPortTaken(host, port, error) from error

    async def stop(self) -> None:
        """Listen no more."""
        if self._server is not None:
            self._server.close()
            await self._server.wait_closed()
            self._server = None

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        status, kind, body = 400, "text/plain", b"bad request\n"
        try:
            async with asyncio.timeout(_PATIENCE):
                head = await reader.readuntil(b"\r\n\r\n")
            status, kind, body = self._answer(head[:_HEAD_BYTES])
        except (TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError, ConnectionError):
            pass
        with suppress(ConnectionError):
            lines = (
                f"HTTP/1.1 {status} {HTTPStatus(status).phrase}",
                f"Content-Type: {kind}",
                f"Content-Length: {len(body)}",
                "Cache-Control: no-store",
                "Connection: close",
            )
            writer.write("\r\n".join((*lines, "", "")).encode() + body)
            await writer.drain()
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()

    def _answer(self, head: bytes) -> tuple[int, str, bytes]:
        method, _, rest = head.partition(b" ")
        if method not in (b"GET", b"HEAD"):
            return 405, "text/plain", b"GET only\n"
        path = rest.split(b" ", 1)[0].split(b"?", 1)[0]
        if path == b"/metrics":
            return 200, CONTENT_TYPE, self._metrics.text()
        if path == b"/healthz":
            failed = self._health.failed
            idle = self._clock() - self._health.moved
            said = f"failed: {failed}\n" if failed else f"alive; last progress {idle:.1f} s ago\n"
            return (503 if failed else 200), "text/plain", said.encode()
        if path == b"/readyz":
            why = self._health.why
            if not why:
                lacks = "".join(f"without {part}: {why}\n" for part, why in self._health.without.items())
                return 200, "text/plain", f"ready\n{lacks}".encode()
            return 503, "text/plain", f"not ready: {'; '.join(why)}\n".encode()
        return 404, "text/plain", b"there are /healthz, /readyz and /metrics\n"

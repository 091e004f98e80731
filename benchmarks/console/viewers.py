"""What viewers of the live alerts cost the console, beside a bare WebSocket server that sends them as many bytes."""

from __future__ import annotations

import asyncio
import datetime as dt
import json
import statistics
import tempfile
import time
from collections.abc import Iterator
from typing import Any

from websockets.asyncio.client import ClientConnection, connect

from benchmarks.console.serving import RATE, Server, free_port, running
from benchmarks.core import Measurement, spread

VIEWERS = 50
SECONDS = 20.0


def measure(seconds: float = SECONDS, viewers: int = VIEWERS) -> tuple[list[Measurement], list[str]]:
    """Processor time of the server with viewers and without, and how late an alert reaches them."""
    with tempfile.TemporaryDirectory() as folder:
        port = free_port()
        with running("console", folder, str(port)) as server:
            alone = processor_seconds(server, seconds)
            busy, told = asyncio.run(watched_feed(server, port, viewers, seconds))
        size = statistics.fmean(len(text) for _, text in told.arrived)
        peer_port = free_port()
        with running("bare", str(peer_port), str(round(size))) as server:
            address = f"ws://127.0.0.1:{peer_port}/"
            bare_alone = processor_seconds(server, seconds)
            bare, _ = asyncio.run(watched(server, address, {}, viewers, seconds))
    shares = [100 * (took - idle) / seconds for took, idle in ((busy, alone), (bare, bare_alone))]
    late = told.late()
    name, peer = f"{viewers} viewers at {RATE:g} alerts/s", "bare WebSocket server, as many bytes"
    figures = [
        Measurement(name, shares[0], "% of a core", peer, shares[1]),
        *spread("alert raised to viewer", late, "ms", "median", [statistics.median(late)], (50, 99)),
    ]
    notes = [
        f"the console without viewers takes {100 * alone / seconds:.1f} % of a core for the same alerts",
        f"a message has {size:,.0f} bytes; each viewer got {len(told.arrived) / viewers:,.0f} of them",
    ]
    return figures, notes


class Told:
    """Messages that viewers got, each with its moment: by the clock of this machine, which the server's is too."""

    def __init__(self) -> None:
        self.arrived: list[tuple[float, str]] = []

    def late(self) -> list[float]:
        """Milliseconds from raising to arriving, of each alert at each viewer."""
        raised = {text: self._of(text) for text in {text for _, text in self.arrived}}
        return [1_000 * (at - moment) for at, text in self.arrived for moment in raised[text]]

    def raised(self) -> list[float]:
        """When the alerts were raised that came, in seconds since 1970, the earliest first."""
        return sorted({moment for text in {text for _, text in self.arrived} for moment in self._of(text)})

    def _of(self, text: str) -> list[float]:
        return [moment for line in text.splitlines() for moment in _raised(json.loads(line))]


def _raised(message: Any) -> Iterator[float]:
    """When the alerts of a message were raised."""
    if isinstance(message, dict):
        if "raised_at" in message:
            yield dt.datetime.fromisoformat(message["raised_at"]).timestamp()
        for value in message.values():
            yield from _raised(value)
    elif isinstance(message, list):
        for value in message:
            yield from _raised(value)


def processor_seconds(server: Server, seconds: float) -> float:
    """Have a server raise alerts for so long; the seconds of processor that it took."""
    server.raise_for(seconds)
    return server.processor()


async def watched_feed(
    server: Server, port: int, viewers: int, seconds: float, after: int = 0
) -> tuple[float, Told]:
    """The same while so many viewers read its feed behind a change, with what they got."""
    headers = {"cookie": f"catwalk={server.said}", "origin": f"http://127.0.0.1:{port}"}
    return await watched(server, f"ws://127.0.0.1:{port}/feed?after={after}", headers, viewers, seconds)


async def watched(
    server: Server, address: str, headers: dict[str, str], viewers: int, seconds: float
) -> tuple[float, Told]:
    """The same for viewers of any WebSocket."""
    told = Told()
    origin = headers.get("origin")
    others = {name: value for name, value in headers.items() if name != "origin"}
    sockets = [
        await connect(address, origin=origin, additional_headers=others, max_size=None, compression=None)  # type: ignore[arg-type] # a NewType of str
        for _ in range(viewers)
    ]
    await asyncio.sleep(1.0)

    async def read(socket: ClientConnection) -> None:
        async for text in socket:
            told.arrived.append((time.time(), str(text)))

    readers = [asyncio.create_task(read(one)) for one in sockets]
    await asyncio.sleep(0.5)
    told.arrived.clear()
    processor = await asyncio.to_thread(processor_seconds, server, seconds)
    await asyncio.sleep(0.5)
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    for opened in sockets:
        await opened.close()
    return processor, told

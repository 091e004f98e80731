"""Calls to Kafka clients whose brokers may go away: how to make, time and close them without trusting the client.

aiokafka ends some of its own tasks by cancelling and awaiting them, so that a `CancelledError` comes out of a call
which nobody cancelled, and would end the task that made it. A broker that stands still keeps its connections open,
so that a call, or the flushing of a connection that is closed, never returns. Hence each call that may meet either
runs in a task of its own: that task's cancellation is a result like others, and it is left behind when it is late.
"""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from aiokafka.errors import KafkaError

_CLOSE_SECONDS: Final = 3.0
_CONNECTIONS_SECONDS: Final = 1.0  # what a broker has not taken by then it will not take
_CLIENTS: Final = ("aiokafka", "faust", "mode")

Answer = TypeVar("Answer")
Client = TypeVar("Client", bound=Any)


class ClientGaveUp(ConnectionError):
    """The client library cancelled a call that nobody had asked it to cancel."""


async def apart(call: Coroutine[Any, Any, Answer], seconds: float | None = None) -> Answer:
    """What the call returns or raises; a cancellation from within and a late answer become errors.

    Raises:
        ClientGaveUp: it was cancelled from within.
        TimeoutError: there was no answer for so many seconds.
        asyncio.CancelledError: whoever waits here was cancelled.
    """
    task = asyncio.ensure_future(call)
    try:
        await asyncio.wait((task,), timeout=seconds)
    finally:
        if not task.done():
            task.cancel()
            task.add_done_callback(_disregard)
    if task.cancelled():
        raise ClientGaveUp("the client library gave up")
    if not task.done():
        raise TimeoutError(f"no answer for {seconds:.0f} s")
    return task.result()


def _disregard(task: asyncio.Task[Any]) -> None:
    """Nobody waits for this task any more; Python would complain of an error that nobody took."""
    if not task.cancelled():
        task.exception()


def is_loss(error: BaseException) -> bool:
    """Whether an error may come of brokers that went away: another client and another attempt may succeed.

    Clients that lose a broker also raise errors of their own making, so any error that rose in the code of a library
    counts as a loss; an error that rose in our code is a defect.
    """
    if isinstance(error, KafkaError | OSError | TimeoutError | asyncio.InvalidStateError):
        return True
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = trace.tb_frame.f_globals.get("__name__", "") if trace is not None else ""
    return isinstance(error, Exception) and str(where).partition(".")[0] in _CLIENTS


async def started(client: Client) -> Client:
    """Start a client of aiokafka; it is let go of if it does not start."""
    try:
        await client.start()
    except BaseException:
        await let_go(client)
        raise
    return client


async def let_go(client: Any, seconds: float = _CLOSE_SECONDS) -> None:
    """Close a consumer, producer or admin client of aiokafka, whatever state it is in; losses are ignored."""
    sender = getattr(client, "_sender", None)
    if sender is not None:  # or it would go on by itself to send what its successor sends again
        await _closed(sender.close(), seconds)
    await _closed(client.close() if hasattr(client, "close") else client.stop(), seconds)
    # A client that stumbles while it is closed leaves its connections, and the task that renews its metadata.
    inner = getattr(client, "_client", None) or getattr(client, "client", None)
    if inner is not None:
        await _closed(inner.close(), _CONNECTIONS_SECONDS)


async def _closed(closing: Coroutine[Any, Any, object], seconds: float) -> None:
    try:
        await apart(closing, seconds)
    except Exception as error:
        if not is_loss(error):
            raise

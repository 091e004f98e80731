"""Sends the fold's messages, and behind them the state that includes them, while folding goes on.

A snapshot of state is taken together with all messages made before it, and sent once those are durable, along with
the messages made meanwhile: only the records that a checkpoint acknowledges wait for it.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from processors.runtime.brokers.records import Message
from processors.runtime.fold.partition import PartitionFold
from processors.runtime.fold.ports import Ack, Outbox
from processors.runtime.watch.health import Health
from processors.runtime.watch.metrics import WorkerMetrics
from schemas.topics import OBSERVATIONS

_AT_ONCE: Final = 1 << 20  # bytes of state on the way, but for a partition that has more


@dataclass(slots=True)
class Held:
    """A partition this worker holds; what was made of the records before the offset `durable` is on the topics.

    One that is `lost` is another worker's by now: nothing of it is sent or acknowledged any more.
    """

    fold: PartitionFold
    durable: int
    pending: deque[tuple[int, Ack]] = field(default_factory=deque)
    lost: bool = False

    def acknowledge(self) -> int:
        """Acknowledge, in order, what is durable; how many records that was."""
        done = 0
        while self.pending and self.pending[0][0] < self.durable:
            self.pending.popleft()[1]()
            done += 1
        return done


class _State(NamedTuple):
    """The state that is due of a partition before offset `reached`, as messages: none where no table is due."""

    held: Held
    reached: int
    messages: list[Message]


class Sender:
    """Sends one batch at a time, in order; the fold adds messages to `messages` directly.

    Before each await all messages of what was folded must be in it: state taken meanwhile is sent behind them.
    """

    def __init__(
        self,
        outbox: Outbox,
        metrics: WorkerMetrics,
        health: Health,
        settle: Callable[[], Awaitable[None]],
        clock: Callable[[], float],
    ) -> None:
        """`settle` is called when all state of a checkpoint is durable."""
        self._outbox, self._metrics, self._health = outbox, metrics, health
        self._settle, self._clock = settle, clock
        self.messages: list[Message] = []
        self.oldest = 0.0  # the broker's time of the oldest record behind `messages`
        self.last_bytes = 0
        self.checkpointing = False
        self._wanted: deque[Held] = deque()
        self._begun = 0.0
        self._bytes = 0
        self._whole = self._pause = False
        self._task: asyncio.Task[None] | None = None

    def wake(self) -> None:
        """Start sending what waits, unless that is under way.

        Raises:
            Exception: what ended the sending before: it does not begin again behind a failure.
        """
        if self._task is not None and self._task.done():
            self._task.result()
            self._task = None
        if self._task is None:
            self._task = asyncio.create_task(self._send())

    def checkpoint(self, held: Iterable[Held], *, whole: bool = False, pause: bool = False) -> None:
        """Have the state of these partitions sent too, `whole` or of tables that are due; not while this is done."""
        self._wanted.extend(
            one
            for one in held
            if one.fold.next_offset > one.durable
            or (whole and not one.fold.is_saved)
            or (pause and one.fold.is_due_in_a_pause)
        )
        self.checkpointing, self._begun, self._bytes = True, self._clock(), 0
        self._whole, self._pause = whole, pause
        self.wake()

    async def idle(self) -> None:
        """Wait until nothing waits and everything is durable."""
        if self._task is not None:
            await asyncio.shield(self._task)

    async def _send(self) -> None:
        behind: list[_State] = []
        while self.messages or self.checkpointing:
            messages, oldest = [message for state in behind for message in state.messages], self.oldest
            messages += self.messages
            self.messages.clear()
            self.oldest = 0.0
            states = self._states()
            if messages:
                await self._out(messages, oldest)
            for state in behind:
                state.held.durable = state.reached
            behind = states
            if self.checkpointing and not behind and not self._wanted:
                await self._settled()

    async def _out(self, messages: list[Message], oldest: float) -> None:
        begun = self._clock()
        # A suspicion must not reach the findings before those of the event to which it is due.
        observations = [one for one in messages if one.topic is OBSERVATIONS]
        await self._outbox.send([one for one in messages if one.topic is not OBSERVATIONS])
        if observations:
            await self._outbox.send(observations)
        self._health.progress()
        self._metrics.took("send", self._clock() - begun)
        if oldest:
            self._metrics.took("end_to_end", max(0.0, time.time() - oldest))

    def _states(self) -> list[_State]:
        """State of the next partitions; some at a time, so that not all of it stands in memory twice."""
        states: list[_State] = []
        size = 0
        while self._wanted and size < _AT_ONCE:
            held = self._wanted.popleft()
            if not held.lost:
                messages = list(held.fold.checkpoint(whole=self._whole, pause=self._pause))
                states.append(_State(held, held.fold.next_offset, messages))
                size += sum(len(message.value) for message in messages)
        self._bytes += size
        return states

    async def _settled(self) -> None:
        if self._bytes:
            self.last_bytes = self._bytes
            self._metrics.took("checkpoint", self._clock() - self._begun)
            self._metrics.checkpoint_bytes.set(self._bytes)
            self._metrics.checkpointed.set_to_current_time()
        self.checkpointing = False
        await self._settle()

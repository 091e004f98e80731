"""The feed: every change of every alert, without a gap, from a cursor on; a heartbeat; a bounded wait for slow readers.

Messages are JSON texts; changes that come soon after one another share one, each on a line of its own. `snapshot`: all
open alerts behind change `seq`; sent again when something is withheld from the viewer or released. `change`: change
`seq` and `alert` as it then stood; it is absent where the viewer may not see the alert, so that numbers have no gap for
anyone. `looking`: who else has which alert open now. `heartbeat`: `head`, the last number sent, the time, and an alarm
where there is one. A viewer may say `{"open": "ID"}`: it shows this alert.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Annotated, Any

import msgspec
from litestar import WebSocket, websocket
from litestar.exceptions import WebSocketDisconnect
from litestar.params import QueryParameter
from msgspec import Struct
from msgspec.structs import replace

from dashboards.accounts.accounts import User
from dashboards.accounts.visibility import DenyList
from dashboards.alerts.api import must_read
from dashboards.desk.alerts import Change
from dashboards.queue.views import AlertRow, row
from dashboards.web.console import Console, ThisConsole
from dashboards.web.gate import UNATTENDED
from dashboards.web.presence import Presence
from dashboards.web.rendering import alarm_of

SIGNED_OUT = 4401
TOO_SLOW = 4408
TOO_MANY = 1013


class SnapshotMessage(Struct, frozen=True, tag="snapshot", tag_field="kind"):
    """All open alerts, in place of whatever the viewer holds."""

    seq: int
    alerts: tuple[AlertRow, ...]


class ChangeMessage(Struct, frozen=True, tag="change", tag_field="kind", omit_defaults=True):
    """One change."""

    seq: int
    act: str | None = None
    alert: AlertRow | None = None


class LookingMessage(Struct, frozen=True, tag="looking", tag_field="kind"):
    """Names of the others who have an alert open, by its id: in place of what was told before."""

    open: Mapping[str, tuple[str, ...]]


class Heartbeat(Struct, frozen=True, tag="heartbeat", tag_field="kind", omit_defaults=True):
    """The link is alive; `alarm` says, while it is so, that the desk's ledger was altered and nothing can be done.

    Where play is simulated, `tables` is the time at the tables, and `play` what every page says of it.
    """

    head: int
    time: dt.datetime
    alarm: str = ""
    tables: dt.datetime | None = None
    play: str = ""


_encode = msgspec.json.Encoder().encode
_TOGETHER = 100  # changes in one message: some 30 kB
_LOOKING = 0.2  # seconds in which changes of who looks are told together
_TEXTS = 512  # changes kept as texts: viewers take them within milliseconds of one another


class Hub:
    """What the viewers of one desk share: they hear of a change by one call, and its message is made once.

    To be used in the event loop alone.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._keepers: list[Callable[[Change], None]] = []
        self._stop: Callable[[], None] | None = None
        self.presence = Presence(console)
        self.cut_off = 0  # viewers that were too slow, since the start
        self._texts: dict[tuple[int, str, frozenset[tuple[str, str]]], str] = {}

    def listen(self, keep: Callable[[Change], None]) -> Callable[[], None]:
        """Have this called, in the loop, with every change from now on; call the result to end it."""
        if self._stop is None:
            loop = asyncio.get_running_loop()

            def heard(change: Change) -> None:
                """Called by whichever thread has changed the desk."""
                if not loop.is_closed():
                    loop.call_soon_threadsafe(self._spread, change)

            self._stop = self._console.desk.listen(heard)
        self._keepers.append(keep)

        def stop() -> None:
            self._keepers.remove(keep)
            if not self._keepers and self._stop is not None:
                self._stop()
                self._stop = None

        return stop

    def _spread(self, change: Change) -> None:
        for keep in self._keepers:
            keep(change)

    def text(self, change: Change, user: User) -> str:
        """The message of a change for this user, the same for all who see the same of it."""
        key = change.seq, user.role, self._console.desk.withheld_from(user.name)
        text = self._texts.get(key)
        if text is None:
            message = ChangeMessage(change.seq)
            if self._console.sees(user, change.alert):
                shown = row(change.alert, self._console.role(user))
                message = ChangeMessage(change.seq, change.act, shown)
            text = _encode(message).decode()
            while len(self._texts) >= _TEXTS:
                del self._texts[next(iter(self._texts))]
            self._texts[key] = text
        return text


class TooSlow(Exception):
    """The viewer reads more slowly than alerts change."""


class SignedOut(Exception):
    """The viewer's sign-in is over."""


class Viewer:
    """One open feed: changes wait here, at most so many, until they are sent."""

    def __init__(
        self,
        console: Console,
        user: User,
        token: str,
        socket: WebSocket[User, str, Any],
        hub: Hub | None = None,
    ) -> None:
        """`hub` is shared with the other viewers of the same desk."""
        self._console = console
        self._hub = hub or Hub(console)
        self._user = user
        self._token = token
        self._socket = socket
        self._waiting: asyncio.Queue[Change] = asyncio.Queue(console.backlog)
        self._withheld: DenyList = frozenset()
        self._overrun = asyncio.Event()
        self._crowded = asyncio.Event()
        self._looked = asyncio.Event()
        self._sent = 0

    async def serve(self, after: int | None) -> None:
        """Send until the viewer goes, is too slow, or is signed out.

        Raises:
            TooSlow, SignedOut: why it ends.
        """
        # Listening comes first: what changes while the past is being read is in the queue, and is not sent twice.
        stop = self._hub.listen(self._keep)
        unheard = self._hub.presence.listen(self._looked.set)
        try:
            await self._first_of(
                self._send_all(after),
                self._send_looking(),
                self._until_gone(),
                self._until_overrun(),
                self._until_signed_out(),
            )
        finally:
            stop()
            unheard()
            self._hub.presence.gone(self)

    def _keep(self, change: Change) -> None:
        if self._overrun.is_set():
            return  # one was left out already: what came behind it would be a gap
        try:
            self._waiting.put_nowait(change)
            if self._waiting.qsize() > self._waiting.maxsize // 4:
                self._crowded.set()
        except asyncio.QueueFull:
            self._overrun.set()

    async def _first_of(self, *works: Coroutine[Any, Any, None]) -> None:
        tasks = [asyncio.ensure_future(work) for work in works]
        try:
            done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    async def _send_all(self, after: int | None) -> None:
        held = self._held_after(after)
        if held is None:
            await self._send_snapshot()
        else:
            self._sent = after or 0
            await self._send_changes(held)
        await self._beat()
        while True:
            try:
                async with asyncio.timeout(self._console.heartbeat):
                    change = await self._waiting.get()
            except TimeoutError:
                await self._resend_if_restricted()
                await self._beat()
                continue
            await self._resend_if_restricted()
            await self._send_changes([change, *self._also_waiting()])
            if self._waiting.empty():
                await self._gather()

    def _held_after(self, after: int | None) -> tuple[Change, ...] | None:
        """Changes from which the viewer may go on; None if it holds nothing, or what may be withheld by now."""
        desk = self._console.desk
        self._withheld = desk.withheld_from(self._user.name)
        if after is None or 0 < after <= desk.restricted_at(self._user.name):
            return None
        return desk.changes_after(after)

    async def _resend_if_restricted(self) -> None:
        """When the user's deny list is another: all that they may see now, in place of what they hold."""
        withheld = self._console.desk.withheld_from(self._user.name)
        if withheld != self._withheld:
            self._withheld = withheld
            await self._send_snapshot()

    def _also_waiting(self) -> Iterator[Change]:
        while not self._waiting.empty():
            yield self._waiting.get_nowait()

    async def _gather(self) -> None:
        """Let further changes come, but no more than can wait."""
        self._crowded.clear()
        with suppress(TimeoutError):
            async with asyncio.timeout(self._console.gather):
                await self._crowded.wait()

    async def _send_snapshot(self) -> None:
        self._sent, text = await asyncio.to_thread(self._snapshot)
        await self._send_text(text)

    def _snapshot(self) -> tuple[int, str]:
        queue = self._console.queue(self._user)
        return queue.seq, _encode(SnapshotMessage(queue.seq, tuple(queue.rows.values()))).decode()

    async def _send_changes(self, changes: Iterable[Change]) -> None:
        new = [change for change in changes if change.seq > self._sent]
        for first in range(0, len(new), _TOGETHER):
            part = new[first : first + _TOGETHER]
            self._sent = part[-1].seq
            await self._send_text("\n".join(self._hub.text(change, self._user) for change in part))

    async def _beat(self) -> None:
        console = self._console
        beat = Heartbeat(self._sent, console.clock(), alarm_of(console))
        if console.play is not None:
            beat = replace(beat, tables=console.play.clock(), play=console.play.told())
        await self._send(beat)

    async def _send(self, message: Struct) -> None:
        await self._send_text(_encode(message).decode())

    async def _send_text(self, text: str) -> None:
        try:
            async with asyncio.timeout(self._console.send_within):
                await self._socket.send_data(text)
        except TimeoutError as error:
            raise TooSlow from error

    async def _send_looking(self) -> None:
        presence = self._hub.presence
        told: Mapping[str, tuple[str, ...]] = {}
        self._looked.set()
        while True:
            await self._looked.wait()
            self._looked.clear()
            if presence.told_to(self._user):
                now = await presence.others_of(self._user)
                if now != told:
                    told = now
                    await self._send(LookingMessage(now))
            await asyncio.sleep(_LOOKING)

    async def _until_gone(self) -> None:
        """Viewers say which alert they show; that their going is noticed, all that they send is read."""
        try:
            while True:
                text = await self._socket.receive_data(mode="text")
                self._hub.presence.said(self, self._user, str(text))
        except WebSocketDisconnect:
            return

    async def _until_overrun(self) -> None:
        await self._overrun.wait()
        raise TooSlow

    async def _until_signed_out(self) -> None:
        """A feed does not keep a sign-in from going idle, and ends with it; a change of role ends it too."""
        while True:
            await asyncio.sleep(self._console.heartbeat)
            user = await asyncio.to_thread(self._console.accounts.sign_ins.user, self._token, in_use=False)
            if user is None or user.role != self._user.role:
                raise SignedOut


@websocket("/feed", opt={UNATTENDED: True})
async def feed(
    socket: WebSocket[User, str, Any],
    console: ThisConsole,
    after: Annotated[int | None, QueryParameter(ge=0)] = None,
) -> None:
    """Changes behind `after`; without it, or when they are no longer held, a snapshot first."""
    await asyncio.to_thread(must_read, console, socket.user, "feed")
    viewers: set[Viewer] = socket.app.state.viewers
    asked = f"after {after}" if after is not None else "from the open alerts"
    await asyncio.to_thread(console.note, socket.user.name, "feed", asked)
    await socket.accept()
    if len(viewers) >= console.most_viewers:
        await socket.close(TOO_MANY, "too many viewers")
        return
    viewer = Viewer(console, socket.user, socket.auth, socket, socket.app.state.hub)
    viewers.add(viewer)
    try:
        await viewer.serve(after)
    except TooSlow:
        socket.app.state.hub.cut_off += 1
        await _close(socket, TOO_SLOW, "too slow: resume from the last number")
    except SignedOut:
        await _close(socket, SIGNED_OUT, "signed out")
    finally:
        viewers.discard(viewer)


async def _close(socket: WebSocket[User, str, Any], code: int, reason: str) -> None:
    """Close, and wait no longer for one who does not read."""
    try:
        async with asyncio.timeout(1):
            await socket.close(code, reason)
    except TimeoutError:
        return

"""A member's name in a consumer group belongs to one process at a time.

Kafka itself lets a second process of one name throw the first one out, for that is how a restarted process gets its
partitions back; two that live would take turns for ever. So a process takes its name before it joins. On one machine a
file lock decides, which ends with its process. A member that joined from elsewhere may be alive or dead: a dead one is
gone when its session is over, and until then the name is waited for.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import socket
import tempfile
import time
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from processors.runtime.brokers.connection import Brokers
from processors.runtime.brokers.lag import admin_of
from processors.runtime.brokers.losses import apart
from processors.runtime.watch.logs import Log
from schemas.errors import ActionableError
from schemas.topics import ConsumerGroup

_PATIENCE: Final = 10.0  # seconds for an answer
_MORE: Final = 3.0  # seconds beyond a session until the group is sure to have noticed
_LOOK: Final = 0.5
_UUID: Final = 36  # characters

Hosts = Callable[[], Awaitable[Collection[str]]]


class MemberTaken(ActionableError):
    """Another process has this member's name."""

    def __init__(self, group: ConsumerGroup, member: str, who: str) -> None:
        why = f"{who} has that name in the group"
        remedy = "give each process a name of its own, or end that one"
        super().__init__(f"catwalk {group.worker} --member {member}", why, remedy)


class Membership:
    """The name of one process in its group; without a name there is nothing to take."""

    def __init__(
        self,
        brokers: Brokers,
        group: ConsumerGroup,
        member: str | None,
        session_seconds: float,
        *,
        elsewhere: Hosts | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`elsewhere` says from which other machines the name is in the group, by default as the brokers tell it."""
        self._brokers, self._group, self._member = brokers, group, member
        self._session, self._clock = session_seconds, clock
        self._elsewhere = elsewhere or self._hosts
        self._log = Log(group.worker)
        self._lock = -1
        self._taken = member is None

    async def take(self, stop: asyncio.Event | None = None) -> None:
        """Take the name, once; returns early when `stop` is set.

        Raises:
            MemberTaken: a process that lives has it.
            UNANSWERED: the brokers cannot be asked.
        """
        if self._taken:
            return
        self._hold_lock()
        until = self._clock() + self._session + _MORE
        said = False
        while not (stop is not None and stop.is_set()):
            others = await self._elsewhere()
            if not others:
                self._taken = True
                return
            if self._clock() > until:
                self.let_go()
                raise MemberTaken(
                    self._group, self._member or "", f"a process at {', '.join(sorted(others))}"
                )
            if not said:
                said = True
                self._log.info("waits for its name", what=", ".join(sorted(others)), seconds=self._session)
            await asyncio.sleep(_LOOK)

    def let_go(self) -> None:
        """Leave the name to others of this machine; the end of the process does so too."""
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _hold_lock(self) -> None:
        if self._lock >= 0:
            return
        named = "|".join((self._brokers.servers, self._brokers.group(self._group), self._member or ""))
        path = Path(tempfile.gettempdir()) / f"catwalk-{hashlib.sha256(named.encode()).hexdigest()[:24]}.lock"
        try:
            handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError:  # no such folder, or another user's file: then what the brokers tell must do
            return
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.read(handle, 20).decode("ascii", "replace").strip()
            os.close(handle)
            who = f"process {owner} of this machine" if owner else "another process of this machine"
            raise MemberTaken(self._group, self._member or "", who) from None
        os.ftruncate(handle, 0)
        os.pwrite(handle, str(os.getpid()).encode(), 0)
        self._lock = handle

    async def _hosts(self) -> Collection[str]:
        mine = await asyncio.to_thread(own_addresses, self._brokers.servers)
        group = self._brokers.group(self._group)
        async with admin_of(self._brokers) as admin:
            answers: list[Any] = await apart(admin.describe_consumer_groups([group]), _PATIENCE)
        members = [member for answer in answers for one in answer.groups for member in one[5]]
        return elsewhere(members, self._member or "", mine)


def elsewhere(members: Sequence[Sequence[Any]], name: str, mine: Collection[str]) -> set[str]:
    """Hosts other than this one from which members of this name have joined.

    Brokers call a member that has a name by that name and a UUID, and write hosts as `/10.0.0.7`.
    """
    found = set()
    for identity, _client, host, *_ in members:
        named = identity[:-_UUID] == f"{name}-" and identity[-_UUID:].count("-") == 4
        if named and host.lstrip("/") not in mine:
            found.add(host.lstrip("/"))
    return found


def own_addresses(servers: str) -> set[str]:
    """Addresses from which this machine speaks to these brokers, those of itself included."""
    found = {"127.0.0.1", "::1", "0:0:0:0:0:0:0:1"}
    for server in servers.split(","):
        host, _, port = server.strip().rpartition(":")
        with suppress(OSError, ValueError):
            for family, _, _, _, address in socket.getaddrinfo(
                host.strip("[]"), int(port), type=socket.SOCK_DGRAM
            ):
                with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
                    probe.connect(address)  # of a datagram socket it sends nothing
                    found.add(str(probe.getsockname()[0]))
    return found

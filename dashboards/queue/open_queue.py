"""The open alerts as a role may see them, kept from one look to the next: what did not change is not made anew."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping
from operator import attrgetter
from types import MappingProxyType
from typing import NamedTuple

from dashboards.accounts.roles import Role
from dashboards.accounts.visibility import DenyList, visible
from dashboards.desk.alerts import Alert
from dashboards.desk.desk import Desk, Snapshot
from dashboards.desk.index import WAITING, Key
from dashboards.desk.queue import AlertGroup, HeldGroup, grouped
from dashboards.queue.views import AlertRow, row

_KEPT = 16  # queues: one for each role, and for each list of what is withheld from somebody


class _Look(NamedTuple):
    """An alert at the last look, and its line; None where it is not there for who looks."""

    alert: Alert
    row: AlertRow | None


class OpenQueue(NamedTuple):
    """The open alerts that are there for somebody, behind change `seq`, the oldest first.

    `rows` has each as a line, by id. `groups` are those of the waiting ones, by key, in the order of the queue.
    """

    seq: int
    rows: Mapping[str, AlertRow]
    groups: Mapping[Key, HeldGroup]
    looks: Mapping[str, _Look]

    def regrouped(self, rows: Iterable[AlertRow]) -> list[AlertGroup]:
        """The groups that these of its alerts make, each of them given once, in the order of the queue."""
        given = [(one.group, self.looks[one.id].alert) for one in rows]
        waiting = sum(len(held.members) for held in self.groups.values())
        whole = len(given) == waiting and all(alert.status in WAITING for _, alert in given)
        groups = self.groups if whole else grouped(given, self.groups)
        return [held.group for held in groups.values()]


_NOTHING = OpenQueue(-1, MappingProxyType({}), MappingProxyType({}), MappingProxyType({}))


def open_queue(snapshot: Snapshot, role: Role, withheld: DenyList, before: OpenQueue = _NOTHING) -> OpenQueue:
    """The queue of a role from whom this is withheld; `before`, an earlier one of the same, makes it sooner.

    The answer does not depend on `before`: an alert that changes is another object, and only the same object has its
    line and its group from there.
    """
    looks: dict[str, _Look] = {}
    for alert in snapshot.alerts:
        look = before.looks.get(alert.id)
        if look is None or look.alert is not alert:
            look = _Look(alert, row(alert, role) if visible(alert, role, withheld) else None)
        looks[alert.id] = look
    rows = {name: look.row for name, look in looks.items() if look.row is not None}
    waiting = ((one.group, looks[one.id].alert) for one in rows.values() if one.status in WAITING)
    return OpenQueue(snapshot.seq, rows, grouped(waiting, before.groups), looks)


class OpenQueues:
    """The queues of one desk, as they were at the last look of each role; any thread may ask."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._guard = threading.Lock()
        self._held: dict[tuple[Role, DenyList], OpenQueue] = {}

    def of(self, role: Role, withheld: DenyList) -> OpenQueue:
        """The queue as it stands now for a role from whom this is withheld."""
        key, seq = (role, withheld), self._desk.seq
        before = self._held.get(key, _NOTHING)
        # Made without the lock: the first look of a role takes half a second of ten thousand alerts.
        now = before if before.seq == seq else open_queue(self._desk.snapshot(), role, withheld, before)
        with self._guard:
            newest = max(now, self._held.pop(key, now), key=attrgetter("seq"))
            self._held[key] = newest
            while len(self._held) > _KEPT:
                del self._held[next(iter(self._held))]
        return newest

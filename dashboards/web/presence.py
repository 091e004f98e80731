"""Who has which alert open on the screen now: told to those who act upon alerts and read what reviews say of people.

It is of one console process, and on no record: that somebody looked at an alert is kept elsewhere.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping
from typing import Annotated

import msgspec
from msgspec import Meta, Struct

from dashboards.accounts.accounts import User
from dashboards.accounts.visibility import DenyList
from dashboards.web.console import Console


class OpenOnScreen(Struct, frozen=True):
    """What a viewer's page says: the id of the alert that it shows; empty for none."""

    open: Annotated[str, Meta(max_length=64)]


_read = msgspec.json.Decoder(OpenOnScreen).decode


class Presence:
    """The alert that each viewer has open; to be used in the event loop alone."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._open: dict[object, tuple[User, str]] = {}
        self._listeners: list[Callable[[], None]] = []
        # What is open now, by role and deny list of who is told: many viewers see the same.
        self._shown: dict[tuple[str, DenyList], asyncio.Future[Mapping[str, frozenset[str]]]] = {}

    def listen(self, changed: Callable[[], None]) -> Callable[[], None]:
        """Have this called at every change; call the result to end it."""
        self._listeners.append(changed)
        return lambda: self._listeners.remove(changed)

    def said(self, viewer: object, user: User, text: str) -> None:
        """A viewer's page said something; what is no such message says nothing."""
        try:
            alert = _read(text).open
        except (msgspec.MsgspecError, UnicodeError):
            return
        if not self._console.role(user).acts or self._open.get(viewer, (user, ""))[1] == alert:
            return
        if alert:
            self._open[viewer] = (user, alert)
            self._tell()
        else:
            self.gone(viewer)

    def gone(self, viewer: object) -> None:
        """The viewer has nothing open any more."""
        if self._open.pop(viewer, None) is not None:
            self._tell()

    def told_to(self, user: User) -> bool:
        """Whether this user reads who looks at what."""
        role = self._console.role(user)
        return bool(role.acts) and "note" not in role.hidden

    async def others_of(self, user: User) -> dict[str, tuple[str, ...]]:
        """Names of the others who have an alert open, by the alert, of those that the user and they may see."""
        key = user.role, self._console.desk.withheld_from(user.name)
        if key not in self._shown:
            seen = asyncio.to_thread(_seen, self._console, user, tuple(self._open.values()))
            self._shown[key] = asyncio.ensure_future(seen)
        shown = await asyncio.shield(self._shown[key])  # who waits may go, and others wait for the same
        told = {alert: tuple(sorted(names - {user.name})) for alert, names in shown.items()}
        return {alert: names for alert, names in told.items() if names}

    def _tell(self) -> None:
        self._shown.clear()
        for changed in self._listeners:
            changed()


def _seen(console: Console, user: User, held: tuple[tuple[User, str], ...]) -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for other, name in held:
        alert = console.desk.alert(name)
        if alert is not None and console.sees(user, alert) and console.sees(other, alert):
            found.setdefault(name, set()).add(other.name)
    return {name: frozenset(names) for name, names in sorted(found.items())}

"""What every request of the console needs: the desk, the accounts, where it is reached, and the record of access."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal
from urllib.parse import urlsplit

from dashboards.desk.acts import Accessed
from dashboards.desk.alerts import Alert
from dashboards.desk.desk import Desk
from dashboards.server.accounts import Accounts, User
from dashboards.server.roles import ROLES, Role
from dashboards.server.views import visible

What = Literal["queue", "alert", "record", "page", "export", "feed", "sign-in", "sign-out", "action"]


@dataclass(frozen=True, slots=True)
class Console:
    """One console: `origins` are the only pages it answers to (`https://console.example`).

    `heartbeat` is in seconds, `backlog` the changes a viewer may be behind before it is cut off, `send_within` the
    seconds one message may take, `look_every` how often the desk is asked for what others wrote, in seconds.
    """

    desk: Desk
    accounts: Accounts
    clock: Callable[[], dt.datetime]
    origins: tuple[str, ...]
    heartbeat: float = 2.0
    backlog: int = 1_000
    send_within: float = 10.0
    look_every: float = 0.25
    most_viewers: int = 500

    @property
    def secure(self) -> bool:
        """Whether it is reached by TLS alone: cookies and headers then say so."""
        return all(urlsplit(origin).scheme == "https" for origin in self.origins)

    @property
    def cookie(self) -> str:
        """Name of the cookie of a sign-in; browsers take a `__Host-` one from this host by TLS alone."""
        return "__Host-catwalk" if self.secure else "catwalk"

    def role(self, user: User) -> Role:
        """What the user may; a role of another release may nothing."""
        return ROLES.get(user.role, Role())

    def sees(self, user: User, alert: Alert) -> bool:
        """Whether the alert is there for this user."""
        return visible(alert, self.role(user), self.desk.withheld_from(user.name))

    def note(self, actor: str, what: What, about: str, granted: bool = True, reason: str = "") -> None:
        """Keep who saw or asked for what; without that nothing is shown.

        Raises:
            DeskUnavailable: it could not be kept.
        """
        access = Accessed(what=what, object=about[:300], granted=granted, reason=reason[:300])
        self.desk.note(access, actor)

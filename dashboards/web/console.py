"""The console that every request works on: its desk, accounts, store, origins and record of access."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from litestar import Request
from litestar.di import NamedDependency
from litestar.exceptions import PermissionDeniedException

from dashboards.accounts.accounts import Accounts, User
from dashboards.accounts.roles import ROLES, Role
from dashboards.accounts.sign_in_rules import SignInRules
from dashboards.accounts.visibility import visible
from dashboards.desk.alerts import Alert
from dashboards.desk.desk import Desk
from dashboards.desk.disputes import DisputeTerms
from dashboards.folding.openings import Openings
from dashboards.folding.states import States
from dashboards.ledger.acts import Accessed, AccountChange, AccountChanged, What
from dashboards.patterns.families import PatternFamily
from dashboards.reader.question import Reader
from dashboards.replayer.duties import Duties
from dashboards.replayer.rack_port import SolveRack
from dashboards.web.address import current_address
from dashboards.web.vitals import Vital

UserRequest = Request[User, str, Any]
AnyRequest = Request[Any, Any, Any]


class NoRecords:
    """A store that holds nothing."""

    def query(self, *_asked: object) -> list[tuple[Any, ...]]:
        """No rows."""
        return []


@dataclass(frozen=True, slots=True)
class Console:
    """One console: `origins` are the only pages it answers to (`https://console.example`).

    `rules` say how people sign in. `records` is the store of rounds, findings and events; any thread may ask it.
    `states` are its tables, folded with the help of `openings`. `duties` are the checks of each ruleset,
    `patterns` the families of detectors, `video` a link with `{camera}` and `{time}`, `solve_rack` whoever knows what a
    discard rack alone can prove.
    `heartbeat` is in seconds, `gather` those in which changes share a message, `backlog` the changes a viewer may be
    behind before it is cut off, `send_within` the seconds one message may take, `look_every` how often the desk is
    asked for what others wrote, `ahead_after` when after the start openings are made ahead of who looks, in seconds.
    """

    desk: Desk
    accounts: Accounts
    clock: Callable[[], dt.datetime]
    origins: tuple[str, ...]
    rules: SignInRules = field(default_factory=SignInRules)
    records: Reader = field(default_factory=NoRecords)
    vitals: Callable[[], tuple[Vital, ...]] = tuple
    dispute_terms: DisputeTerms = field(default_factory=DisputeTerms)
    heartbeat: float = 2.0
    gather: float = 0.2
    backlog: int = 1_000
    send_within: float = 10.0
    look_every: float = 0.25
    ahead_after: float = 5.0
    most_viewers: int = 500
    openings: Openings | None = None
    duties: Mapping[str, Duties] = field(default_factory=dict)
    patterns: Callable[[], Mapping[str, PatternFamily]] = dict
    video: str = ""
    solve_rack: SolveRack | None = None
    states: States = field(init=False)

    def __post_init__(self) -> None:
        """Fold the tables of the same store that is shown."""
        object.__setattr__(self, "states", States(self.records, self.openings))

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

    def opened(self, user: User, kind: str, about: str) -> bool:
        """Whether this user has opened something sealed, and its time is not over."""
        now = self.clock()
        return any(
            now < opening.until
            for opening in self.desk.openings()
            if (opening.user, opening.kind, opening.about) == (user.name, kind, about)
        )

    def require(self, granted: bool, user: User, what: What, about: str, refusal: str) -> None:
        """Return if the user's role grants something; a refusal is kept, and `refusal` says what the role lacks.

        Raises:
            PermissionDeniedException: it does not.
        """
        if not granted:
            self.note(user.name, what, about, granted=False, reason=f"role {user.role}")
            raise PermissionDeniedException(f"the role {user.role} {refusal}")

    def note_account(
        self, actor: str, user: str, what: AccountChange, to: str = "", reason: str = ""
    ) -> None:
        """Keep what became of an account.

        Raises:
            DeskUnavailable: it could not be kept.
        """
        address = current_address()
        self.desk.note(AccountChanged(user=user, what=what, to=to, reason=reason, address=address), actor)

    def note(self, actor: str, what: What, about: str, granted: bool = True, reason: str = "") -> None:
        """Record who saw something, or tried to; whoever shows it does so only after this.

        Raises:
            DeskUnavailable: it could not be kept.
        """
        reason, address = reason[:300], current_address()
        access = Accessed(what=what, object=about[:300], granted=granted, reason=reason, address=address)
        self.desk.note(access, actor)


ThisConsole = NamedDependency[Console]  # as a handler is given it

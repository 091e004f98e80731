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

from dashboards.accounts.accounts import NOBODY, Accounts, User
from dashboards.accounts.roles import ROLES, Role
from dashboards.accounts.sign_in_rules import SignInRules
from dashboards.accounts.visibility import visible
from dashboards.casebook.files import CaseFiles, NoFiles
from dashboards.desk.alerts import Alert
from dashboards.desk.desk import Desk
from dashboards.desk.disputes import DisputeTerms
from dashboards.folding.openings import Openings
from dashboards.folding.states import States
from dashboards.ledger.acts import Accessed, AccountChange, AccountChanged, What
from dashboards.queue.open_queue import OpenQueue, OpenQueues
from dashboards.reader.question import Reader
from dashboards.replayer.duties import Duties
from dashboards.replayer.play_port import GivingsOf
from dashboards.replayer.rack_port import SolveRack
from dashboards.replayer.readings_port import RereadRounds
from dashboards.suspicions.evidence import Evidence, nothing_held
from dashboards.suspicions.families import AskBudget, PatternFamily
from dashboards.web.address import current_address
from dashboards.web.bundles import Bundles
from dashboards.web.play import DemoPlay
from dashboards.web.repeats import Refusal, Repeats
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
    `states` are its tables, folded with the help of `openings`. `queues` are the open alerts as its roles see them.
    `duties` are the checks of each ruleset, `duty_of` tells what a check holds tables to, by its id.
    `patterns` are the families of detectors, `evidence` what they hold of somebody, `page_budget` says what a budget
    of their pages costs, `play` is there where tables are simulated, `video` is a link
    with `{camera}` and `{time}`, `footage` one to a recording with `{camera}`, `{from}` and `{until}`, `solve_rack`
    whoever knows what a discard rack alone can prove, `reread_rounds` whoever folds rounds by other readings,
    `givings` whoever knows which decisions gave the house something.
    `files` are those attached to cases.
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
    duty_of: Callable[[str], str] = str
    patterns: Callable[[], Mapping[str, PatternFamily]] = dict
    evidence: Evidence = nothing_held
    page_budget: AskBudget | None = None
    video: str = ""
    footage: str = ""
    play: DemoPlay | None = None
    solve_rack: SolveRack | None = None
    reread_rounds: RereadRounds | None = None
    givings: GivingsOf | None = None
    files: CaseFiles = field(default_factory=NoFiles)
    bundles: Bundles | None = None
    repeats: Repeats = field(default_factory=Repeats)
    states: States = field(init=False)
    queues: OpenQueues = field(init=False)

    def __post_init__(self) -> None:
        """Fold the tables of the same store that is shown, and keep the queues of the same desk."""
        object.__setattr__(self, "states", States(self.records, self.openings))
        object.__setattr__(self, "queues", OpenQueues(self.desk))

    def at_tables(self) -> dt.datetime:
        """What time it is at the tables: ours, but where they are simulated."""
        now = self.clock()
        return now if self.play is None else self.play.now(now)

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

    def queue(self, user: User) -> OpenQueue:
        """The open alerts that are there for this user."""
        return self.queues.of(self.role(user), self.desk.withheld_from(user.name))

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

        Of the refusals of who has not signed in the first of a kind is kept, and how many more its minute had.

        Raises:
            DeskUnavailable: it could not be kept.
        """
        kind = Refusal(what, about[:300], reason[:300], current_address())
        if actor != NOBODY or granted:
            self._keep(actor, kind, granted)
        elif (first := self.repeats.first(kind, self.clock())) is not None:
            self._keep(actor, first, granted)

    def note_repeats(self, at: dt.datetime) -> None:
        """Record how often who has not signed in was refused again, for the minutes that are over by then.

        Raises:
            DeskUnavailable: it could not be kept.
        """
        for kind, more in self.repeats.over(at):
            again = f"{more:,} more within a minute: {kind.reason}"[:300]
            self._keep(NOBODY, kind._replace(reason=again), granted=False)

    def _keep(self, actor: str, kind: Refusal, granted: bool) -> None:
        what, about, reason, address = kind
        self.desk.note(
            Accessed(what=what, object=about, granted=granted, reason=reason, address=address), actor
        )


ThisConsole = NamedDependency[Console]  # as a handler is given it

"""What a silence would have hidden in the last seven days, and what became of it."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Annotated, Final

from litestar import get
from litestar.params import QueryParameter
from msgspec import Struct

from dashboards.accounts.accounts import User
from dashboards.desk.alerts import Alert
from dashboards.web.console import Console, ThisConsole, UserRequest
from schemas.amounts import amount
from schemas.check_names import current

DAYS: Final = 7
_COUNTED: Final = 10_000
NO_ERROR: Final = "no error"


class Preview(Struct, frozen=True, kw_only=True):
    """Alerts of the last seven days: how many were raised, closed as an error or `no error`, and are open still."""

    raised: int
    confirmed: int
    no_error: int
    open: int

    @property
    def outcome(self) -> str:
        """What became of them: `3 confirmed, 4 no error, 5 open`."""
        return f"{self.confirmed} confirmed, {self.no_error} no error, {self.open} open"


class Foretold(Preview, frozen=True, kw_only=True):
    """The same in a sentence for who is about to shelve alerts."""

    said: str


def preview_of(alerts: Iterable[Alert]) -> Preview:
    """How many these are, and what became of them."""
    counted = tuple(alerts)
    closed = [one.disposition for one in counted if not one.open]
    refuted = sum(one == NO_ERROR for one in closed)
    return Preview(
        raised=len(counted),
        confirmed=len(closed) - refuted,
        no_error=refuted,
        open=len(counted) - len(closed),
    )


@get("/api/shelves/preview", sync_to_thread=True)
def read_preview(
    request: UserRequest,
    console: ThisConsole,
    alert: Annotated[list[str] | None, QueryParameter(max_items=100)] = None,
) -> Foretold:
    """What the last seven days raised of the check of each of these alerts at its table, without these themselves."""
    user, asked = request.user, tuple(alert or ())
    granted = "shelved" in console.role(user).acts
    console.require(granted, user, "record", "preview of shelves", "shelves no alerts")
    console.note(user.name, "record", f"preview of shelves, {amount(len(asked), 'alert')}")
    told = preview_of(_alike(console, user, asked))
    others = amount(told.raised, "other alert") if told.raised else "no other alert"
    came = f": {told.outcome}" if told.raised else ""
    said = f"The last {DAYS} days had {others} of the same check and table{came}. A shelf hides what is chosen alone."
    return Foretold(
        raised=told.raised, confirmed=told.confirmed, no_error=told.no_error, open=told.open, said=said
    )


def _alike(console: Console, user: User, asked: tuple[str, ...]) -> Iterable[Alert]:
    since = console.clock() - dt.timedelta(days=DAYS)
    known = [one for name in asked if (one := console.desk.alert(name)) and console.sees(user, one)]
    kinds = {(current(one.finding.check), one.finding.subject) for one in known}
    for check in sorted({check for check, _ in kinds}):
        for one in console.desk.of_check(check, since, _COUNTED):
            if (check, one.finding.subject) in kinds and one.id not in asked and console.sees(user, one):
                yield one


HANDLERS = (read_preview,)

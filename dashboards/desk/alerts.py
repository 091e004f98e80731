"""An alert as it stands, a change of one, and what a user opened that is sealed."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from msgspec import Struct

from dashboards.ledger.acts import RisenFrom
from schemas.findings import Finding

Status = Literal["new", "acknowledged", "shelved", "awaiting", "disposed"]


class Proposal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What someone wants an alert closed as; the rest is what the alert goes back to when it is not.

    One that `reopens` wants it open again, for the reason in `note`, and has no disposition. Money in cents, patron's
    view; `beyond_cents` of it are meant to be paid though the record owes no more.
    """

    by: str
    at: dt.datetime
    disposition: str = ""
    note: str
    reopens: bool = False
    money_cents: int | None = None
    beyond_cents: int | None = None
    status: Status = "new"
    shelved_until: dt.datetime | None = None
    shelved_for: str | None = None


class Refusal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Who did not agree to the last proposal to close an alert, or with `reopens` to open it again, and why."""

    by: str
    at: dt.datetime
    reason: str
    reopens: bool = False


class Alert(Struct, frozen=True, kw_only=True):
    """An alert as it stands: `version` grows by one with each act upon it; the last act is kept with its actor.

    `grouped_by` is the tuning that was in force when it was raised, and makes one line of its check and table.
    `before` is what an undo gives back, None when there is nothing to undo. `acknowledged_at` is when somebody first
    took notice, `closed_at` when it was closed. A `proposal` to close it, or to open it again, waits for a second
    person; `confirmed_at` is when that person, `second_auditor`, confirmed its closing: in older records one is named
    who did nothing. `beyond_cents` of `money_cents` were meant to be paid though the record owed no more. `again` says
    of a suspicion that rose again what it rose from.
    """

    id: str
    version: int
    status: Status
    finding: Finding
    decided_at: dt.datetime
    raised_at: dt.datetime
    dealer: str | None
    again: RisenFrom | None = None
    grouped_by: str | None = None
    owner: str | None = None
    acknowledged_by: str | None = None
    acknowledged_at: dt.datetime | None = None
    shelved_until: dt.datetime | None = None
    shelved_for: str | None = None
    disposition: str | None = None
    note: str | None = None
    closed_by: str | None = None
    closed_at: dt.datetime | None = None
    second_auditor: str | None = None
    confirmed_at: dt.datetime | None = None
    proposal: Proposal | None = None
    refusal: Refusal | None = None
    money_cents: int | None = None
    beyond_cents: int | None = None
    cases: tuple[str, ...] = ()
    last_act: str = "raised"
    last_actor: str
    last_at: dt.datetime
    before: Alert | None = None

    @property
    def arose_at(self) -> dt.datetime:
        """When what it tells came about: of a suspicion that rose again when it rose, else when its event was."""
        return self.decided_at if self.again is None else self.raised_at

    @property
    def open(self) -> bool:
        """Whether someone still has to decide about it; a shelved one is open."""
        return self.status != "disposed"

    @property
    def closing_holds(self) -> bool:
        """Whether it is closed; it is still while its opening waits for a second person."""
        return not self.open or (self.proposal is not None and self.proposal.reopens)


class Change(Struct, frozen=True):
    """One change of one alert: `seq` is 1, 2, 3 ... over all alerts."""

    seq: int
    act: str
    alert: Alert


class GlassOpening(Struct, frozen=True, kw_only=True):
    """Something sealed that a user opened for themselves: what, why, from when, until when."""

    user: str
    kind: str
    about: str
    reason: str
    at: dt.datetime
    until: dt.datetime

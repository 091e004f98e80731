"""Wishes: the changes users ask for on disputes, as programs and forms send them, and the acts they become."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from dashboards.accounts.accounts import User
from dashboards.desk.decisions import Refused
from dashboards.desk.disputes import Dispute
from dashboards.disputes.paying import pay
from dashboards.disputes.views import dispute_of, must_dispute
from dashboards.hands.hand import UnknownRound, stored_round
from dashboards.ledger import dispute_acts as acts
from dashboards.web.console import Console
from dashboards.wording.copying import copied
from schemas.values import Cents, Seat, Spot, Text


class OpenDispute(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A dispute to be opened; `first` tells two rounds of one number apart. Money in cents, patron's view.

    `found_by` is the line of words that led to the hand, which the history keeps.
    """

    subject: Text
    round: Annotated[int, Meta(ge=0, le=2_147_483_647)]
    first: Annotated[int, Meta(ge=1, le=2_147_483_647)] | None = None
    seat: Seat | None = None
    hand: Spot | None = None
    sequence: Annotated[int, Meta(ge=1, le=2_147_483_647)] | None = None
    claim: acts.Words
    claimed_cents: acts.PatronCents
    patron: Text | None = None
    review: acts.Review = acts.Review()
    alert: Text | None = None
    found_by: acts.Words | UnsetType = UNSET


class SeenDispute(Struct, frozen=True, forbid_unknown_fields=True, tag_field="act"):
    """What is to be done to a dispute that was seen at this version."""

    version: acts.Version


class Reviewed(SeenDispute, frozen=True, tag="reviewed"):
    """Say how the review stands."""

    review: acts.Review


class AddNote(SeenDispute, frozen=True, tag="noted"):
    """Add a remark."""

    note: acts.Words


class Linked(SeenDispute, frozen=True, tag="linked"):
    """Put an alert or a case to it."""

    kind: Literal["alert", "case"]
    value: Text


class Decided(SeenDispute, frozen=True, tag="decided"):
    """Decide it; `beyond_cents` of the amount are meant to be paid though the record owes no more."""

    ruling: acts.Ruling
    amount_cents: acts.PatronCents
    reason: acts.Words
    beyond_cents: Cents = 0


class Confirmed(SeenDispute, frozen=True, tag="confirmed"):
    """Stand by the decision of another."""

    beyond_cents: Cents = 0


class Declined(SeenDispute, frozen=True, tag="declined"):
    """Do not stand by it."""

    reason: acts.Words


class Withdrawn(SeenDispute, frozen=True, tag="withdrawn"):
    """Take one's own decision back while it waits for a second person."""


class ReopenDispute(SeenDispute, frozen=True, tag="reopened"):
    """Open it again, or propose that where two have decided it."""

    reason: acts.Words


class ConfirmedOpening(SeenDispute, frozen=True, tag="reopening_confirmed"):
    """Agree that it is opened again as another proposed."""


class DeclinedOpening(SeenDispute, frozen=True, tag="reopening_declined"):
    """Do not agree: the decision stands."""

    reason: acts.Words


class WithdrawnOpening(SeenDispute, frozen=True, tag="reopening_withdrawn"):
    """Take one's own proposal to open it again back."""


Wish = (
    Reviewed | AddNote | Linked | Decided | Confirmed | Declined | Withdrawn | ReopenDispute
    | ConfirmedOpening | DeclinedOpening | WithdrawnOpening
)  # fmt: skip


def open_dispute(console: Console, user: User, wish: OpenDispute) -> Dispute:
    """Open a dispute about a round that the store holds.

    Raises:
        PermissionDeniedException: the role may not.
        Refused: there is no such round or alert, or they are withheld; or it names a second auditor.
        DeskUnavailable: it was not opened.
    """
    about = f"open dispute of {wish.subject} round {wish.round}"
    must_dispute(console, user, about)
    withheld = console.desk.withheld_from(user.name)
    if not withheld.isdisjoint({("table", wish.subject), ("dealer", wish.review.dealer or "")}):
        console.note(user.name, "action", about, granted=False, reason="withheld")
        raise Refused(f"table {wish.subject} has no round {wish.round}")
    _names_nobody(wish.review, acts.Review())
    if wish.alert is not None and not _sees(console, user, wish.alert):
        console.note(user.name, "action", about, granted=False, reason="unknown or withheld alert")
        raise Refused(f"there is no alert {wish.alert}")
    try:
        stored = stored_round(console.records, console.states, wish.subject, wish.round, wish.first)
    except UnknownRound as error:
        raise Refused(f"table {wish.subject} has no round {wish.round}") from error
    terms = console.dispute_terms

    def made(name: str, at: dt.datetime) -> acts.DisputeOpened:
        return copied(
            acts.DisputeOpened,
            wish,
            dispute=name,
            first_sequence=stored.first,
            due=at + dt.timedelta(days=terms.days),
            two_from_cents=terms.two_from_cents,
        )

    return console.desk.open_dispute(made, user.name)


def act_on_dispute(console: Console, user: User, name: str, wish: Wish) -> Dispute:
    """Do one thing to a dispute.

    Raises:
        PermissionDeniedException: the role may not.
        Unknown, Conflict, Refused: it was not done, and why.
        BeyondDebt: it would pay the patron more than the record owes, and the wish does not say that this is meant.
        DeskUnavailable: it was not done.
    """
    must_dispute(console, user, f"{wish.__struct_config__.tag} dispute {name}")
    seen = dispute_of(console, user, name)
    if isinstance(wish, Reviewed):
        wish = msgspec.structs.replace(wish, review=_names_nobody(wish.review, seen.review))
    if isinstance(wish, Linked) and wish.kind == "alert" and not _sees(console, user, wish.value):
        raise Refused(f"there is no alert {wish.value}")
    act = _act(seen, wish)
    if isinstance(act, acts.DisputeDecided | acts.DisputeConfirmed):
        return pay(console, user, seen, act)
    return console.desk.act_on_dispute(act, user.name)


def _sees(console: Console, user: User, alert: str) -> bool:
    found = console.desk.alert(alert)
    return found is not None and console.sees(user, found)


def _names_nobody(review: acts.Review, before: acts.Review) -> acts.Review:
    """The review, with the second auditor whom an older record names; nobody is named any more."""
    if review.second_auditor not in (None, before.second_auditor):
        raise Refused(
            "nobody names the second auditor: that person confirms the decision, signed in under a name of their own"
        )
    return msgspec.structs.replace(review, second_auditor=before.second_auditor)


# A wish has the fields of its act, and the end of its tag: `decided` becomes `dispute_decided`.
_ACTS: dict[str, type[acts.OnDispute]] = {act.__struct_config__.tag: act for act in get_args(acts.OnDispute)}


def _act(dispute: Dispute, wish: Wish) -> acts.OnDispute:
    tag = f"dispute_{wish.__struct_config__.tag}"
    if isinstance(wish, ReopenDispute) and dispute.decided_by_two:
        tag = "dispute_reopening_proposed"
    return _ACTS[tag](dispute=dispute.id, **msgspec.structs.asdict(wish))

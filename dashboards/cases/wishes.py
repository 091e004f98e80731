"""Wishes: the changes users ask for on cases, as programs and forms send them, and the acts they become."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Annotated, get_args

import msgspec
from msgspec import Meta, Struct

from dashboards.accounts.accounts import User
from dashboards.casebook.case import Case, hand_value
from dashboards.cases.access import case_of, caseworkers, must_work
from dashboards.debts.seen import is_theirs
from dashboards.desk import casework
from dashboards.desk.case_decisions import MOST_MEMBERS
from dashboards.desk.decisions import Refused
from dashboards.hands.access import dealers_of
from dashboards.hands.hand import UnknownRound, stored_round
from dashboards.ledger import case_acts as acts
from dashboards.web.console import Console
from schemas.values import Day, LongText, Text

_HAND = re.compile(r"(?P<table>\S.*?)[\s/]+(?P<round>[0-9]{1,10})(?:/(?P<first>[0-9]{1,10}))?")


class Named(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An alert or a dispute by its id, a hand as `TABLE ROUND` or `TABLE/ROUND/FIRST EVENT`."""

    kind: acts.MemberKind
    value: Text


class OpenCase(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A case to be opened; without an owner it is theirs who opens it."""

    title: Text
    summary: LongText = ""
    owner: Text | None = None
    members: Annotated[tuple[Named, ...], Meta(max_length=MOST_MEMBERS)] = ()


class SeenCase(Struct, frozen=True, forbid_unknown_fields=True, tag_field="act"):
    """What is to be done to a case that was seen at this version."""

    version: acts.Version


class Describe(SeenCase, frozen=True, tag="described", kw_only=True):
    """Say what it is about in other words."""

    title: Text
    summary: LongText = ""


class AssignCase(SeenCase, frozen=True, tag="assigned"):
    """Give it to a user."""

    to: Text


class AddCaseNote(SeenCase, frozen=True, tag="noted"):
    """Add a remark."""

    note: acts.Words


class AddMember(SeenCase, frozen=True, tag="member_added"):
    """Put an alert, a hand or a dispute into it."""

    kind: acts.MemberKind
    value: Text


class RemoveMember(SeenCase, frozen=True, tag="member_removed"):
    """Take one out of it."""

    kind: acts.MemberKind
    value: Text
    reason: acts.Words


class AddTask(SeenCase, frozen=True, tag="task_added"):
    """Give a user something to do by the end of a day."""

    what: Text
    who: Text
    by: Day


class FinishTask(SeenCase, frozen=True, tag="task_done"):
    """Say that the task of this number is done."""

    task: acts.Number


class LetWait(SeenCase, frozen=True, tag="waiting"):
    """Put it to wait for something."""

    reason: acts.Words


class Resume(SeenCase, frozen=True, tag="resumed"):
    """Go on with it."""


class CloseCase(SeenCase, frozen=True, tag="closed"):
    """Close it with an outcome."""

    outcome: acts.Outcome
    reason: acts.Words


class ReopenCase(SeenCase, frozen=True, tag="reopened"):
    """Open it again."""

    reason: acts.Words


CaseWish = (
    Describe | AssignCase | AddCaseNote | AddMember | RemoveMember | AddTask | FinishTask | LetWait | Resume
    | CloseCase | ReopenCase
)  # fmt: skip


def open_case(console: Console, user: User, wish: OpenCase) -> Case:
    """Open a case.

    Raises:
        PermissionDeniedException: the role may not.
        Refused: a member is not there for this user, or the owner works on no cases.
        DeskUnavailable: it was not opened.
    """
    must_work(console, user, "open case")
    owner = _caseworker(console, wish.owner or user.name)
    members = _each_once(member_of(console, user, one.kind, one.value) for one in wish.members)
    return casework.open_case(console.desk, wish.title, wish.summary, members, owner, user.name)


def act_on_case(console: Console, user: User, name: str, wish: CaseWish) -> Case:
    """Do one thing to a case.

    Raises:
        PermissionDeniedException: the role may not.
        Unknown, Conflict, Refused: it was not done, and why.
        DeskUnavailable: it was not done.
    """
    must_work(console, user, f"{wish.__struct_config__.tag} case {name}")
    case_of(console, user, name)
    return casework.act_on_case(console.desk, _act(console, user, name, wish), user.name)


def member_of(console: Console, user: User, kind: acts.MemberKind, value: str) -> acts.Member:
    """An alert, a hand or a dispute that is there for this user, as a member of a case.

    Raises:
        Refused: there is none.
    """
    value = value.strip()
    if kind == "hand":
        return _hand(console, user, value)
    if kind == "alert":
        alert = console.desk.alert(value)
        there = alert is not None and console.sees(user, alert)
    else:
        value = value.upper()
        dispute = console.desk.dispute(value)
        there = dispute is not None and is_theirs(console, user, dispute)
    if not there:
        console.note(user.name, "action", f"put {kind} {value} into a case", False, "unknown or withheld")
        raise Refused(f"there is no {kind} {value[:64]}")
    return acts.Member(kind=kind, value=value)


def _hand(console: Console, user: User, value: str) -> acts.Member:
    asked = _HAND.fullmatch(value)
    if asked is None:
        raise Refused(f"{value[:64]} is no hand; write it as table and round: BJ-12 41")
    subject, number = asked["table"], int(asked["round"])
    first = int(asked["first"]) if asked["first"] else None
    withheld = console.desk.withheld_from(user.name)
    found = None
    if ("table", subject) not in withheld:
        try:
            found = stored_round(console.records, console.states, subject, number, first)
        except UnknownRound:
            found = None
    if found is None or not withheld.isdisjoint(dealers := set(dealers_of(found))):
        console.note(user.name, "action", f"put hand {value} into a case", False, "unknown or withheld")
        raise Refused(f"table {subject} has no round {number}")
    named = tuple(sorted(dealer for _, dealer in dealers if dealer))
    return acts.Member(kind="hand", value=hand_value(subject, number, found.first), dealers=named)


def _each_once(members: Iterable[acts.Member]) -> tuple[acts.Member, ...]:
    return tuple({(one.kind, one.value): one for one in members}.values())


def _caseworker(console: Console, name: str) -> str:
    if name not in caseworkers(console):
        raise Refused(f"no user {name[:64]} works on cases, and so may be named here")
    return name


# Of all other wishes an act has the fields, and the end of its tag: `closed` becomes `case_closed`.
_ACTS: dict[str, type[acts.OnCase]] = {act.__struct_config__.tag: act for act in get_args(acts.OnCase)}


def _act(console: Console, user: User, name: str, wish: CaseWish) -> acts.OnCase:
    if isinstance(wish, AddMember):
        member = member_of(console, user, wish.kind, wish.value)
        return acts.CaseMemberAdded(case=name, version=wish.version, member=member)
    if isinstance(wish, AssignCase):
        _caseworker(console, wish.to)
    if isinstance(wish, AddTask):
        _caseworker(console, wish.who)
    return _ACTS[f"case_{wish.__struct_config__.tag}"](case=name, **msgspec.structs.asdict(wish))

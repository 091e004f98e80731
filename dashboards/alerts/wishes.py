"""Wishes: the changes users ask for on alerts, as programs and forms send them, and the act each becomes."""

from __future__ import annotations

import datetime as dt
import re
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import UNSET, Meta, Struct

from dashboards.desk.alerts import Alert
from dashboards.desk.closing import closed_by_two, needs_two
from dashboards.desk.decisions import Refused
from dashboards.ledger import acts
from schemas.values import Cents, Text, When

_DOLLARS = re.compile(r"(\d{1,3}(?:,?\d{3}){0,2})(?:\.(\d{2}))?", re.ASCII)
_MOST_SHOWN = 40  # letters of what a field held wrongly
Minutes = Annotated[int, Meta(ge=1, le=24 * 60)]


class _Wish(Struct, frozen=True, forbid_unknown_fields=True, tag_field="act"):
    """Something to be done to an alert that was seen at `version`; without it where several are named beside."""

    version: acts.Version | None = None


class Acknowledge(_Wish, frozen=True, tag="acknowledged"):
    """Take notice, and take it on."""


class Assign(_Wish, frozen=True, tag="assigned", kw_only=True):
    """Give it to a user."""

    to: Text


class Shelve(_Wish, frozen=True, tag="shelved", kw_only=True):
    """Out of the queue until then, or for so many minutes."""

    reason: acts.Note
    until: When | None = None
    minutes: Minutes | None = None


class Unshelve(_Wish, frozen=True, tag="unshelved"):
    """Back into the queue before its time."""


class Dispose(_Wish, frozen=True, tag="disposed", kw_only=True):
    """Close it, or propose that where two have to.

    What was lost or saved is in cents (patron's view), or in dollars with the side they fell on.
    `beyond_cents` of it are meant to be paid though the record owes no more.
    """

    disposition: acts.Disposition
    note: acts.Note
    money_cents: Annotated[int, Meta(ge=-(10**11), le=10**11)] | None = None
    beyond_cents: Cents = 0
    dollars: Annotated[str, Meta(max_length=20)] | None = None
    side: Literal["loss", "saving"] | None = None


class ConfirmClosing(_Wish, frozen=True, tag="closing_confirmed"):
    """Agree that it is closed as another proposed; `beyond_cents` as in `Dispose`."""

    beyond_cents: Cents = 0


class DeclineClosing(_Wish, frozen=True, tag="closing_declined", kw_only=True):
    """Do not agree."""

    reason: acts.Note


class WithdrawClosing(_Wish, frozen=True, tag="closing_withdrawn"):
    """Take one's own proposal back."""


class Reopen(_Wish, frozen=True, tag="reopened", kw_only=True):
    """Open it again, or propose that where two have closed it."""

    reason: acts.Note


class ConfirmReopening(_Wish, frozen=True, tag="reopening_confirmed"):
    """Agree that it is opened again as another proposed."""


class DeclineReopening(_Wish, frozen=True, tag="reopening_declined", kw_only=True):
    """Do not agree."""

    reason: acts.Note


class WithdrawReopening(_Wish, frozen=True, tag="reopening_withdrawn"):
    """Take one's own proposal to open it again back."""


class AddToCase(_Wish, frozen=True, tag="added_to_case", kw_only=True):
    """Put it to a case."""

    case: Text


class MakeNote(_Wish, frozen=True, tag="noted", kw_only=True):
    """Write down what was seen."""

    note: acts.Note


class Undo(_Wish, frozen=True, tag="undone"):
    """Take the last act back."""


Wish = (
    Acknowledge | Assign | Shelve | Unshelve | Dispose | ConfirmClosing | DeclineClosing | WithdrawClosing | Reopen
    | ConfirmReopening | DeclineReopening | WithdrawReopening | AddToCase | MakeNote | Undo
)  # fmt: skip


def name_of(wish: Wish) -> str:
    """What the act is called."""
    return str(wish.__struct_config__.tag)


def users_named(wish: Wish) -> tuple[str, ...]:
    """Users whom it names."""
    return (wish.to,) if isinstance(wish, Assign) else ()


def wish_of_form(fields: dict[str, Any]) -> Wish:
    """The wish of a form's fields; empty ones say nothing.

    Raises:
        Refused: they are none, and which.
    """
    given = {name: value for name, value in fields.items() if isinstance(value, str) and value.strip()}
    try:
        wish: Wish = msgspec.convert(given, Wish, strict=False)
    except msgspec.ValidationError as error:
        raise Refused(_wrong_in(given, str(error))) from error
    return wish


def _wrong_in(given: dict[str, str], error: str) -> str:
    """What is wrong with a form's fields, by what the decoder says of them: the field by its name."""
    missing = re.search(r"missing required field `(\w+)`", error)
    if missing:
        return f"{missing[1].replace('_', ' ')} is missing"
    wrong = re.search(r"`\$\.(\w+)`", error) or re.search(r"unknown field `(\w+)`", error)
    if wrong is None:
        return "a field does not hold what it asks for"
    value = given.get(wrong[1], "")
    shown = f"{value[:_MOST_SHOWN]}…" if len(value) > _MOST_SHOWN else value
    return f"{wrong[1].replace('_', ' ')} does not hold what it asks for: “{shown}”"


def act_of(wish: Wish, about: Alert, version: int, now: dt.datetime) -> acts.OnAlert:
    """The act upon an alert that was seen at this version; of what needs two it is a proposal.

    Raises:
        Refused: an amount or an end that is none.
    """
    seen: dict[str, Any] = {"alert": about.id, "version": version}
    match wish:
        case Shelve():
            return acts.Shelved(**seen, reason=wish.reason, until=_end(wish, now))
        case Dispose():
            closing = acts.ClosingProposed if needs_two(about.finding) else acts.Disposed
            return closing(
                **seen,
                disposition=wish.disposition,
                note=wish.note,
                money_cents=_cents(wish),
                beyond_cents=wish.beyond_cents or UNSET,
            )
        case ConfirmClosing():
            return acts.ClosingConfirmed(**seen, beyond_cents=wish.beyond_cents or UNSET)
        case Reopen() if closed_by_two(about):
            return acts.ReopeningProposed(**seen, reason=wish.reason)
        case _:
            return _ACTS[name_of(wish)](**msgspec.structs.asdict(wish) | seen)


# All other wishes have the tag and the fields of their act.
_ACTS: dict[str, type[acts.OnAlert]] = {act.__struct_config__.tag: act for act in get_args(acts.OnAlert)}


def _end(wish: Shelve, now: dt.datetime) -> dt.datetime:
    if (wish.until is None) == (wish.minutes is None):
        raise Refused("say until when, or for how many minutes")
    return wish.until.astimezone(dt.UTC) if wish.until else now + dt.timedelta(minutes=wish.minutes or 0)


def _cents(wish: Dispose) -> int | None:
    if wish.dollars is None:
        return wish.money_cents
    written = _DOLLARS.fullmatch(wish.dollars.strip().removeprefix("$"))
    if written is None:
        raise Refused(f"{wish.dollars!r} is no amount: write dollars as 1,600.00")
    if wish.side is None or wish.money_cents is not None:
        raise Refused("say whether the money is a loss or a saving")
    cents = int(written[1].replace(",", "")) * 100 + int(written[2] or 0)
    return cents if wish.side == "loss" else -cents  # the house's loss is the patron's gain

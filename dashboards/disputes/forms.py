"""The forms of disputes: their texts become wishes, or a message that names the wrong field."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import msgspec
from msgspec import Struct

from dashboards.desk.decisions import Refused
from dashboards.disputes.wishes import OpenDispute, Wish

_AMOUNT = re.compile(
    r"(?P<minus>[-−])?\s*\$?\s*(?P<whole>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,9})(?:\.(?P<part>[0-9]{1,2}))?"
)
_LABELS = {
    "value": "The alert or case",
    "requested_by": "Requested by",
    "method": "The review method",
    "error_type": "The type of error",
}


class ReviewFields(Struct, frozen=True, kw_only=True):
    """The fields of the review, as a form has them; times at the property's clock."""

    requested_by: str = ""
    method: str = ""
    camera: str = ""
    begun: str = ""
    ended: str = ""
    error_type: str = ""
    dealer: str = ""
    supervisor: str = ""
    savings: str = ""
    losses: str = ""


class OpenForm(ReviewFields, frozen=True, kw_only=True):
    """A dispute to be opened."""

    csrf: str = ""
    subject: str = ""
    round: str = ""
    first: str = ""
    seat: str = ""
    hand: str = ""
    sequence: str = ""
    claim: str = ""
    claimed: str = ""
    patron: str = ""
    alert: str = ""
    found_by: str = ""


class ActForm(ReviewFields, frozen=True, kw_only=True):
    """Something to be done to a dispute; which fields count, `act` says."""

    csrf: str = ""
    act: str = ""
    version: str = ""
    note: str = ""
    kind: str = ""
    value: str = ""
    ruling: str = ""
    amount: str = ""
    reason: str = ""
    beyond: str = ""


def cents_of(text: str, about: str) -> int:
    """Dollars as people write them, in cents: `150`, `$1,600.00`, `-30`.

    Raises:
        Refused: it is no amount.
    """
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        raise Refused(f"{about}: {text.strip()[:40] or 'nothing'} is no amount; write it as 1,600.00")
    cents = int(found["whole"].replace(",", "")) * 100 + int((found["part"] or "").ljust(2, "0"))
    return -cents if found["minus"] else cents


def moment_of(text: str, zone: dt.tzinfo, about: str) -> dt.datetime | None:
    """A time of a form, in UTC; None where nothing is written.

    Raises:
        Refused: it is no time.
    """
    if not text.strip():
        return None
    try:
        at = dt.datetime.fromisoformat(text.strip())
    except ValueError as error:
        raise Refused(f"{about}: {text.strip()[:40]} is no time; write it as 2026-11-20 21:14:03") from error
    return (at if at.tzinfo is not None else at.replace(tzinfo=zone)).astimezone(dt.UTC)


def open_of(form: OpenForm, zone: dt.tzinfo) -> OpenDispute:
    """The wish of a form.

    Raises:
        Refused: something in it is not right; the text says what.
    """
    given = {
        "subject": form.subject.strip(),
        "round": form.round,
        "first": form.first or None,
        "seat": form.seat or None,
        "hand": form.hand.strip() or None,
        "sequence": form.sequence or None,
        "claim": form.claim.strip(),
        "claimed_cents": cents_of(form.claimed, "The amount claimed"),
        "patron": form.patron.strip() or None,
        "review": _review(form, zone),
        "alert": form.alert.strip() or None,
        **({"found_by": form.found_by.strip()} if form.found_by.strip() else {}),
    }
    if not form.requested_by.strip():
        raise Refused("Requested by: say who asked for the review")
    made: OpenDispute = _converted(given, OpenDispute)
    return made


def wish_of(form: ActForm, zone: dt.tzinfo) -> Wish:
    """The wish of a form.

    Raises:
        Refused: something in it is not right; the text says what.
    """
    given: dict[str, Any] = {"act": form.act, "version": form.version}
    match form.act:
        case "reviewed":
            given["review"] = _review(form, zone)
        case "noted":
            given["note"] = form.note.strip()
        case "linked":
            given |= {"kind": form.kind, "value": form.value.strip()}
        case "decided":
            amount = cents_of(form.amount, "The amount") if form.amount.strip() else 0
            given |= {"ruling": form.ruling, "amount_cents": amount, "reason": form.reason.strip()}
            given["beyond_cents"] = form.beyond or 0
        case "confirmed":
            given["beyond_cents"] = form.beyond or 0
        case "declined" | "reopened" | "reopening_declined":
            given["reason"] = form.reason.strip()
    made: Wish = _converted(given, Wish)
    return made


def _review(form: ReviewFields, zone: dt.tzinfo) -> dict[str, Any]:
    words = ("requested_by", "method", "camera", "error_type", "dealer", "supervisor")
    given: dict[str, Any] = {name: getattr(form, name).strip() or None for name in words}
    given["begun_at"] = moment_of(form.begun, zone, "The review began")
    given["ended_at"] = moment_of(form.ended, zone, "The review ended")
    given["savings_cents"] = cents_of(form.savings, "Savings") if form.savings.strip() else None
    given["losses_cents"] = cents_of(form.losses, "Losses") if form.losses.strip() else None
    return given


def _converted(given: dict[str, Any], wanted: Any) -> Any:
    try:
        return msgspec.convert(given, wanted, strict=False)
    except msgspec.ValidationError as error:
        raise Refused(_told(str(error))) from error


def _told(error: str) -> str:
    """The decoder's error with the label that the form gives the field."""
    what, _, path = error.partition(" - at `$.")
    name = path.rstrip("`").rpartition(".")[2]
    label = _LABELS.get(name, f"The {name.replace('_', ' ')}")
    if "length >= 1" in what:
        return f"{label} is missing"
    return f"{label}: {what[:1].lower()}{what[1:]}"

"""The forms of cases: their texts become wishes, or a message that names the wrong field."""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from dashboards.cases.wishes import CaseWish, OpenCase
from dashboards.desk.decisions import Refused

_LABELS = {
    "title": "The title", "summary": "The summary", "to": "The new owner", "note": "The note",
    "kind": "What is put in", "value": "Its id", "reason": "The reason", "what": "What is to be done",
    "who": "Who is to do it", "by": "The day by which", "task": "The task", "outcome": "The outcome",
    "owner": "The owner", "version": "The version",
}  # fmt: skip
_FIELDS: dict[str, tuple[str, ...]] = {
    "described": ("title", "summary"),
    "assigned": ("to",),
    "noted": ("note",),
    "member_added": ("kind", "value"),
    "member_removed": ("kind", "value", "reason"),
    "task_added": ("what", "who", "by"),
    "task_done": ("task",),
    "waiting": ("reason",),
    "closed": ("outcome", "reason"),
    "reopened": ("reason",),
}


class CaseForm(Struct, frozen=True, kw_only=True):
    """A form of a case's pages; which fields count, `act` says."""

    csrf: str = ""
    act: str = ""
    version: str = ""
    title: str = ""
    summary: str = ""
    owner: str = ""
    to: str = ""
    note: str = ""
    kind: str = ""
    value: str = ""
    reason: str = ""
    what: str = ""
    who: str = ""
    by: str = ""
    task: str = ""
    outcome: str = ""


def open_of(form: CaseForm) -> OpenCase:
    """The wish of the form that opens a case.

    Raises:
        Refused: something in it is not right; the text says what.
    """
    given: dict[str, Any] = {"title": form.title.strip(), "summary": form.summary.strip()}
    if form.owner:
        given["owner"] = form.owner
    if form.value.strip():
        given["members"] = [{"kind": form.kind, "value": form.value.strip()}]
    made: OpenCase = _converted(given, OpenCase)
    return made


def wish_of(form: CaseForm) -> CaseWish:
    """The wish of a form.

    Raises:
        Refused: something in it is not right; the text says what.
    """
    given: dict[str, Any] = {"act": form.act, "version": form.version}
    given |= {name: getattr(form, name).strip() for name in _FIELDS.get(form.act, ())}
    made: CaseWish = _converted(given, CaseWish)
    return made


def _converted(given: dict[str, Any], wanted: Any) -> Any:
    try:
        return msgspec.convert(given, wanted, strict=False)
    except msgspec.ValidationError as error:
        what, _, path = str(error).partition(" - at `$.")
        name = path.rstrip("`").rpartition(".")[2]
        label = _LABELS.get(name, "The form")
        if "length >= 1" in what or not given.get(name, "x"):
            raise Refused(f"{label} is missing") from error
        raise Refused(f"{label}: {what[:1].lower()}{what[1:]}") from error

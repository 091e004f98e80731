"""The acts upon a case: opened, given members, tasks and notes, put to wait, closed with an outcome, printed."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from msgspec import Meta, Struct

from schemas.values import Day, Hex64, LongText, Text

Words = Annotated[LongText, Meta(min_length=1)]
Version = Annotated[int, Meta(ge=1)]
Number = Annotated[int, Meta(ge=1, le=1_000)]
MemberKind = Literal["alert", "hand", "dispute"]
Outcome = Literal["substantiated", "not substantiated", "inconclusive", "referred"]

MEMBER_KINDS: Final[tuple[MemberKind, ...]] = get_args(MemberKind)
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)


class Member(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """What a case is about; `value` is the id of an alert or a dispute, of a hand `TABLE/ROUND/FIRST EVENT`.

    `dealers` are those of a hand, by the store's word when it was put in: deny lists go by them.
    """

    kind: MemberKind
    value: Text
    dealers: Annotated[tuple[Text, ...], Meta(max_length=4)] = ()


# The same tag field as all acts of the desk: one union reads them.
class _Act(Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True):
    case: Text


class CaseOpened(_Act, frozen=True, kw_only=True, tag="case_opened"):
    """Someone opens a case; it is its owner's from then on."""

    title: Text
    summary: LongText = ""
    owner: Text


class _OnCase(_Act, frozen=True, kw_only=True):
    """Something done to a case by someone who saw it at this version."""

    version: Version


class CaseDescribed(_OnCase, frozen=True, kw_only=True, tag="case_described"):
    """Title and summary as they now stand; what they were stays in the record."""

    title: Text
    summary: LongText = ""


class CaseAssigned(_OnCase, frozen=True, kw_only=True, tag="case_assigned"):
    """It is this user's from now on."""

    to: Text


class CaseNoted(_OnCase, frozen=True, kw_only=True, tag="case_noted"):
    """A remark."""

    note: Words


class CaseMemberAdded(_OnCase, frozen=True, kw_only=True, tag="case_member_added"):
    """An alert, a hand or a dispute belongs to it."""

    member: Member


class CaseMemberRemoved(_OnCase, frozen=True, kw_only=True, tag="case_member_removed"):
    """It does not belong to it after all."""

    kind: MemberKind
    value: Text
    reason: Words


class CaseTaskAdded(_OnCase, frozen=True, kw_only=True, tag="case_task_added"):
    """Someone is to do something by the end of a day."""

    what: Text
    who: Text
    by: Day


class CaseTaskDone(_OnCase, frozen=True, kw_only=True, tag="case_task_done"):
    """The task of this number is done."""

    task: Number


class CaseWaiting(_OnCase, frozen=True, kw_only=True, tag="case_waiting"):
    """It waits for something that nobody here can hasten."""

    reason: Words


class CaseResumed(_OnCase, frozen=True, kw_only=True, tag="case_resumed"):
    """It waits no longer."""


class CaseClosed(_OnCase, frozen=True, kw_only=True, tag="case_closed"):
    """Closed with this outcome, for this reason."""

    outcome: Outcome
    reason: Words


class CaseReopened(_OnCase, frozen=True, kw_only=True, tag="case_reopened"):
    """A closed one is open again."""

    reason: Words


class CaseAttached(_OnCase, frozen=True, kw_only=True, tag="case_attached"):
    """A file belongs to it: its name as it was given, its type by its content, its SHA-256, its size in bytes."""

    name: Text
    media_type: Text
    sha256: Hex64
    size: Annotated[int, Meta(ge=1)]


class CasePrinted(_OnCase, frozen=True, kw_only=True, tag="case_printed"):
    """The report of this version, or it with all files, left the console; that changes nothing about the case."""

    form: Literal["pdf", "zip"]
    sha256: Hex64
    size: Annotated[int, Meta(ge=1)]


OnCase = (
    CaseDescribed | CaseAssigned | CaseNoted | CaseMemberAdded | CaseMemberRemoved | CaseTaskAdded | CaseTaskDone
    | CaseWaiting | CaseResumed | CaseClosed | CaseReopened | CaseAttached | CasePrinted
)  # fmt: skip
CaseAct = CaseOpened | OnCase

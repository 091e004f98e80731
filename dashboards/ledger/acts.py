"""The acts at the desk and their records: one chained line of JSON for each act."""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Final, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from dashboards.ledger.case_acts import CaseAct
from dashboards.ledger.dispute_acts import DisputeAct
from dashboards.ledger.personal_acts import PersonalAct
from dashboards.ledger.seal_acts import FiguresSealed
from dashboards.ledger.shift_acts import ShiftAct
from dashboards.ledger.tuning_acts import TuningAct
from dashboards.ledger.watch_acts import WatchAct
from schemas.events.codec import record_hash
from schemas.events.envelope import GENESIS, Digest, Sequence
from schemas.findings import Finding
from schemas.values import Cents, LongText, Text, When

SUBJECT: Final = "desk"
SOURCE: Final = "catwalk/desk"
TYPE: Final = "catwalk.desk.v1"
DESK: Final = SUBJECT  # who acts when the desk itself does: no person may bear this name

Version = Annotated[int, Meta(ge=1)]
Disposition = Literal["dealer error", "patron error", "no error", "sensor fault", "fraud suspected"]
Note = Annotated[LongText, Meta(min_length=1)]
Address = Annotated[str, Meta(max_length=64)]  # of the browser; empty where none was told
What = Literal["queue", "alert", "record", "page", "export", "feed", "sign-in", "sign-out", "action"]
AccountChange = Literal[
    "added", "role", "disabled", "enabled", "link", "password", "factor", "factor reset", "sign-ins ended"
]  # fmt: skip


class _Act(Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True):
    """Something done at the desk; the field `act` says which kind."""


class RisenFrom(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The alerts of a suspicion that rose again, the first one first, and how the last of them was closed.

    `e_value` is the most evidence that there was by then; `needed` is what it had to reach.
    """

    alerts: Annotated[tuple[Text, ...], Meta(min_length=1)]
    disposition: Text
    by: Text
    confirmed_by: Text | None = None
    at: When
    e_value: float
    needed: float

    def grown(self, e_value: float) -> float:
        """How many times as much evidence there is as there ever was when it was closed."""
        return e_value / (1 + self.e_value)


class Raised(_Act, frozen=True, kw_only=True, tag="raised"):
    """A finding became an alert; the alert's id is the finding's, so that no finding is raised twice.

    With `again` the finding is the desk's own: a suspicion that was closed as cleared, and has new evidence.
    """

    finding: Finding
    decided_at: When
    dealer: str | None = None
    again: RisenFrom | UnsetType = UNSET


class EvidenceKept(_Act, frozen=True, kw_only=True, tag="evidence_kept"):
    """The most evidence that there was for a suspicion when it had been closed as cleared; what comes later is new.

    `closed_at` says which closing. `fold` is the version of the fold that weighed it: the evidence of two versions is
    not compared. `mark` is the place of the last round that the evidence rested on then, as its detector counts rounds.
    """

    alert: Text
    closed_at: When
    e_value: float
    fold: int
    mark: int | UnsetType = UNSET


class _OnAlert(_Act, frozen=True, kw_only=True):
    """Something done to an alert by someone who saw it at this version.

    `together` is how many alerts its person listed when they did the same to several at once.
    """

    alert: Text
    version: Version
    together: Annotated[int, Meta(ge=2)] | UnsetType = UNSET


class Acknowledged(_OnAlert, frozen=True, kw_only=True, tag="acknowledged"):
    """Someone has taken notice and takes it on."""


class Assigned(_OnAlert, frozen=True, kw_only=True, tag="assigned"):
    """It is this user's from now on."""

    to: Text


class Shelved(_OnAlert, frozen=True, kw_only=True, tag="shelved"):
    """Out of the queue until this time, for this reason."""

    reason: Note
    until: When


class Returned(_OnAlert, frozen=True, kw_only=True, tag="returned"):
    """Its time on the shelf is over: it is new again."""


class Unshelved(_OnAlert, frozen=True, kw_only=True, tag="unshelved"):
    """Someone takes it off the shelf before its time: it is new again."""


class Disposed(_OnAlert, frozen=True, kw_only=True, tag="disposed"):
    """Closed by one person: what it was, in words; money is the patron's view, in cents.

    `beyond_cents` of it are paid though the record owes no more, which whoever closes it has said they mean.
    `second_auditor` stands in older records alone: whom the person who closed it named, and who did nothing themselves.
    """

    disposition: Disposition
    note: Note
    second_auditor: Text | None = None
    money_cents: int | None = None
    beyond_cents: Cents | UnsetType = UNSET


class ClosingProposed(_OnAlert, frozen=True, kw_only=True, tag="closing_proposed"):
    """Someone wants it closed as this; it stays open until another person confirms. Money as in `Disposed`."""

    disposition: Disposition
    note: Note
    money_cents: int | None = None
    beyond_cents: Cents | UnsetType = UNSET


class ClosingConfirmed(_OnAlert, frozen=True, kw_only=True, tag="closing_confirmed"):
    """A second person agrees: it is closed as the first proposed.

    `beyond_cents` are what it pays beyond the debt by then; where they are not said, as much as was proposed.
    """

    beyond_cents: Cents | UnsetType = UNSET


class ClosingDeclined(_OnAlert, frozen=True, kw_only=True, tag="closing_declined"):
    """A second person does not agree: it is what it was before the proposal."""

    reason: Note


class ClosingWithdrawn(_OnAlert, frozen=True, kw_only=True, tag="closing_withdrawn"):
    """The person who proposed to close it takes that back: it is what it was before."""


class Reopened(_OnAlert, frozen=True, kw_only=True, tag="reopened"):
    """A closed one is open again: the disposition was wrong."""

    reason: Note


class ReopeningProposed(_OnAlert, frozen=True, kw_only=True, tag="reopening_proposed"):
    """Someone wants one open again that two have closed; what it was closed as stands until another person confirms."""

    reason: Note


class ReopeningConfirmed(_OnAlert, frozen=True, kw_only=True, tag="reopening_confirmed"):
    """A second person agrees: it is open again."""


class ReopeningDeclined(_OnAlert, frozen=True, kw_only=True, tag="reopening_declined"):
    """A second person does not agree: it is closed as before."""

    reason: Note


class ReopeningWithdrawn(_OnAlert, frozen=True, kw_only=True, tag="reopening_withdrawn"):
    """The person who proposed to open it again takes that back: it is closed as before."""


class AddedToCase(_OnAlert, frozen=True, kw_only=True, tag="added_to_case"):
    """It belongs to a case."""

    case: Text


class RemovedFromCase(_OnAlert, frozen=True, kw_only=True, tag="removed_from_case"):
    """It belongs to that case no longer."""

    case: Text


class Noted(_OnAlert, frozen=True, kw_only=True, tag="noted"):
    """Someone wrote down what they saw; nothing else changes."""

    note: Note


class Undone(_OnAlert, frozen=True, kw_only=True, tag="undone"):
    """The last act upon it is taken back."""


class Accessed(_Act, frozen=True, kw_only=True, tag="accessed"):
    """Someone saw something, or asked for it and was refused; or signed in, or was not let in."""

    what: What
    object: Annotated[str, Meta(max_length=300)]
    granted: bool
    reason: Annotated[str, Meta(max_length=300)] = ""
    address: Address = ""


class _OnDenyList(_Act, frozen=True, kw_only=True):
    user: Text
    kind: Literal["alert", "table", "dealer", "patron"]
    value: Text
    reason: Annotated[str, Meta(max_length=2000)] = ""
    address: Address = ""


class Withheld(_OnDenyList, frozen=True, kw_only=True, tag="withheld"):
    """From now on this user sees nothing of this alert, table or dealer."""


class Released(_OnDenyList, frozen=True, kw_only=True, tag="released"):
    """This user sees it again."""


class GlassBroken(_Act, frozen=True, kw_only=True, tag="glass_broken"):
    """Someone opens what is sealed from everybody, for a reason they wrote, until this time and no longer."""

    kind: Text
    about: Text
    reason: Note
    until: When
    address: Address = ""


class AccountChanged(_Act, frozen=True, kw_only=True, tag="account_changed"):
    """An account is no longer what it was; `to` is what became of it: the role it has, for one."""

    user: Text
    what: AccountChange
    to: Annotated[str, Meta(max_length=200)] = ""
    reason: Annotated[str, Meta(max_length=2000)] = ""
    address: Address = ""


class ChainProven(_Act, frozen=True, kw_only=True, tag="chain_proven"):
    """Someone had records of this ledger read again and their chain walked; `bad` is the first that is not as written.

    `head` is the hash of the last record that was read; where all stand, of the one behind `last`, which proves it.
    """

    first: Sequence
    last: Sequence
    head: Text
    bad: Sequence | None = None
    address: Address = ""


class LedgerAccepted(_Act, frozen=True, kw_only=True, tag="ledger_accepted"):
    """Who runs the console took this ledger as it stands, though it is not the one the console remembers.

    `remembered` is the last record the console had acknowledged, and its hash; `by` is the user of the machine who did
    it, by the machine's word.
    """

    remembered: Sequence
    remembered_head: Digest
    reason: Note
    by: Text


class PageSent(_Act, frozen=True, kw_only=True, tag="paged"):
    """The desk sent an alert to a mailbox or pager, or tried to; `to` names it without any secret.

    `outcome`: `failed` is the first attempt of several, `given up` the last of which none was taken. `said` is what the
    other side answered.
    """

    alert: Text
    channel: Literal["mail", "webhook"]
    to: Annotated[str, Meta(max_length=300)]
    outcome: Literal["delivered", "failed", "given up"]
    attempts: Annotated[int, Meta(ge=1)]
    said: Annotated[str, Meta(max_length=300)] = ""


Witnessed = (
    Accessed | Withheld | Released | GlassBroken | AccountChanged | ChainProven | LedgerAccepted | PageSent
)  # fmt: skip
OfClosing = ClosingProposed | ClosingConfirmed | ClosingDeclined | ClosingWithdrawn
OfReopening = ReopeningProposed | ReopeningConfirmed | ReopeningDeclined | ReopeningWithdrawn
OfTwo = OfClosing | OfReopening
OnAlert = (
    Acknowledged | Assigned | Shelved | Returned | Unshelved | Disposed | OfTwo | Reopened | AddedToCase
    | RemovedFromCase | Noted | Undone
)  # fmt: skip
Act = (
    Raised | EvidenceKept | OnAlert | Witnessed | DisputeAct | CaseAct | WatchAct | ShiftAct | TuningAct | PersonalAct
    | FiguresSealed
)  # fmt: skip


class DeskRecord(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One record of the desk's ledger, in the form of the events of tables; `actor` is a user or the desk."""

    specversion: Literal["1.0"] = "1.0"
    id: Text
    source: Literal["catwalk/desk"] = SOURCE
    type: Literal["catwalk.desk.v1"] = TYPE
    subject: Literal["desk"] = SUBJECT
    time: When
    sequence: Sequence
    prevhash: Digest
    actor: Text
    data: Act


class DeskBroken(Exception):
    """The desk's ledger is not the one that was written; nothing may be built upon it."""

    def __init__(self, sequence: int, why: str) -> None:
        super().__init__(f"record {sequence} of the desk: {why}")
        self.sequence = sequence


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(DeskRecord).decode


def write(act: Act, actor: str, at: dt.datetime, sequence: int, prevhash: str = GENESIS) -> bytes:
    """The line of one record; `at` is in UTC."""
    record = DeskRecord(
        id=f"desk-{sequence}", time=at, sequence=sequence, prevhash=prevhash, actor=actor, data=act
    )
    return _encode(record)


def read(line: bytes, sequence: int, prevhash: str) -> tuple[DeskRecord, str]:
    """The record of a line that must stand here in the chain, and the hash of the line.

    Raises:
        DeskBroken: it is no record, or not the next one.
    """
    try:
        record = _decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise DeskBroken(sequence, f"unreadable: {error}") from error
    if record.sequence != sequence:
        raise DeskBroken(sequence, f"it says it is {record.sequence}")
    if record.prevhash != prevhash:
        raise DeskBroken(sequence, "it does not follow from the record before it")
    return record, record_hash(line)


def read_again(line: bytes, sequence: int, digest: str) -> DeskRecord:
    """The record of a line that was read before, by its hash.

    Raises:
        DeskBroken: the line is another one now.
    """
    if record_hash(line) != digest:
        raise DeskBroken(sequence, "it is not the record that was read before")
    return _decode(line)

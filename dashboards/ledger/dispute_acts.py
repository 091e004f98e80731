"""The acts upon a dispute over a hand: opened, reviewed, linked, decided, confirmed, reopened, printed, told."""

from __future__ import annotations

from typing import Annotated, Final, Literal, get_args

from msgspec import UNSET, Meta, Struct, UnsetType

from schemas.events.envelope import Sequence
from schemas.values import Cents, Hex64, LongText, Seat, Spot, Text, When

Words = Annotated[LongText, Meta(min_length=1)]
Version = Annotated[int, Meta(ge=1)]
PatronCents = Annotated[int, Meta(ge=-100_000_000_000, le=100_000_000_000)]
ReviewMethod = Literal["recording", "live camera", "record of the table", "discard rack", "no review"]
ErrorType = Literal["no error", "dealer error", "patron error", "sensor fault", "fraud suspected"]
Ruling = Literal["for the patron", "for the house", "settled between", "withdrawn"]

METHODS: Final[tuple[ReviewMethod, ...]] = get_args(ReviewMethod)
ERRORS: Final[tuple[ErrorType, ...]] = get_args(ErrorType)
RULINGS: Final[tuple[Ruling, ...]] = get_args(Ruling)


class Review(Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """The review of a dispute, as a surveillance department's dispute audit has it; None: not said.

    `second_auditor` stands in older records alone: whom one person named, and who did nothing themselves. Now the
    second auditor is whoever confirms the decision. `savings_cents` were kept from being lost, `losses_cents` were
    lost, by the error that was found.
    """

    requested_by: Text | None = None
    method: ReviewMethod | None = None
    camera: Text | None = None
    begun_at: When | None = None
    ended_at: When | None = None
    error_type: ErrorType | None = None
    dealer: Text | None = None
    supervisor: Text | None = None
    second_auditor: Text | None = None
    savings_cents: Cents | None = None
    losses_cents: Cents | None = None


# The same tag field as all acts of the desk: one union reads them.
class _Act(Struct, frozen=True, kw_only=True, tag_field="act", forbid_unknown_fields=True):
    dispute: Text


class DisputeOpened(_Act, frozen=True, kw_only=True, tag="dispute_opened"):
    """A patron disputes a hand, or someone does for them.

    `first_sequence` tells two rounds of one number apart; `sequence` is the event the dispute is about. `due` is when
    it must be decided; beyond `two_from_cents` a decision needs a second person. `claimed_cents` is what is asked for.
    `found_by` is the line of words that led to the hand; it is left out of the record where none did.
    """

    subject: Text
    round: Annotated[int, Meta(ge=0, le=2_147_483_647)]
    first_sequence: Sequence
    seat: Seat | None = None
    hand: Spot | None = None
    sequence: Sequence | None = None
    claim: Words
    claimed_cents: PatronCents
    patron: Text | None = None
    review: Review
    due: When
    two_from_cents: Cents
    alert: Text | None = None
    found_by: Words | UnsetType = UNSET


class _OnDispute(_Act, frozen=True, kw_only=True):
    """Something done to a dispute by someone who saw it at this version."""

    version: Version


class DisputeReviewed(_OnDispute, frozen=True, kw_only=True, tag="dispute_reviewed"):
    """The review as it now stands, in place of what was said before; that stays in the record."""

    review: Review


class DisputeNoted(_OnDispute, frozen=True, kw_only=True, tag="dispute_noted"):
    """A remark."""

    note: Words


class DisputeLinked(_OnDispute, frozen=True, kw_only=True, tag="dispute_linked"):
    """An alert or a case belongs to it."""

    kind: Literal["alert", "case"]
    value: Text


class DisputeDecided(_OnDispute, frozen=True, kw_only=True, omit_defaults=True, tag="dispute_decided"):
    """Decided, for this reason; `amount_cents` is what the patron is paid, below 0 what the patron pays back.

    `beyond_cents` of it are paid though the record owes no more, which whoever decides has said they mean.
    """

    ruling: Ruling
    amount_cents: PatronCents
    reason: Words
    beyond_cents: Cents = 0


class DisputeConfirmed(_OnDispute, frozen=True, kw_only=True, omit_defaults=True, tag="dispute_confirmed"):
    """A second person stands by the decision: it holds from now on.

    `beyond_cents` are what it pays beyond the debt by then, where that is more than the decision says; the second
    person has said that they mean it.
    """

    beyond_cents: Cents = 0


class DisputeDeclined(_OnDispute, frozen=True, kw_only=True, tag="dispute_declined"):
    """A second person does not stand by the decision: it is open again."""

    reason: Words


class DisputeWithdrawn(_OnDispute, frozen=True, kw_only=True, tag="dispute_withdrawn"):
    """Whoever decided takes the decision back before a second person has said anything: it is open again."""


class DisputeReopened(_OnDispute, frozen=True, kw_only=True, tag="dispute_reopened"):
    """A decided one is open again; its due date stays."""

    reason: Words


class DisputeReopeningProposed(_OnDispute, frozen=True, kw_only=True, tag="dispute_reopening_proposed"):
    """Someone wants one open again that two have decided; the decision stands until another person confirms."""

    reason: Words


class DisputeReopeningConfirmed(_OnDispute, frozen=True, kw_only=True, tag="dispute_reopening_confirmed"):
    """A second person agrees: it is open again, its decision is over, its due date stays."""


class DisputeReopeningDeclined(_OnDispute, frozen=True, kw_only=True, tag="dispute_reopening_declined"):
    """A second person does not agree: it stays decided as it is."""

    reason: Words


class DisputeReopeningWithdrawn(_OnDispute, frozen=True, kw_only=True, tag="dispute_reopening_withdrawn"):
    """The person who proposed to open it again takes that back: it stays decided as it is."""


class DisputePrinted(_OnDispute, frozen=True, kw_only=True, tag="dispute_printed"):
    """The report of this version left the console; that changes nothing about the dispute."""

    sha256: Hex64
    size: Annotated[int, Meta(ge=1)]


class DisputeTold(DisputePrinted, frozen=True, kw_only=True, tag="dispute_told"):
    """The letter to the patron about the decision of this version left the console."""


OfDecision = DisputeConfirmed | DisputeDeclined | DisputeWithdrawn
OfDisputeReopening = DisputeReopeningConfirmed | DisputeReopeningDeclined | DisputeReopeningWithdrawn
OfSecond = OfDecision | OfDisputeReopening
OnDispute = (
    DisputeReviewed | DisputeNoted | DisputeLinked | DisputeDecided | DisputeReopened | DisputeReopeningProposed
    | OfSecond | DisputePrinted | DisputeTold
)  # fmt: skip
DisputeAct = DisputeOpened | OnDispute

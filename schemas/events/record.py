"""The record about itself: clocks and checkpoints."""

from schemas.payload import Payload
from schemas.values import Count, Hex64, Text, When


class ClockAdjusted(Payload, frozen=True):
    """A device clock stepped."""

    device: Text
    before: When
    after: When


class ChainCheckpointed(Payload, frozen=True):
    """The recorder signs the table's chain up to a sequence (Ed25519 over "<subject>|<upto>|<head>")."""

    upto: Count
    head: Hex64
    key_id: Text
    signature: Text

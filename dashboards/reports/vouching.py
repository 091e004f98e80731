"""What a signed checkpoint says of the records that a report prints."""

from __future__ import annotations

from msgspec import Struct


class Vouch(Struct, frozen=True, kw_only=True):
    """Whether the ledger has the printed records, in a tree that a checkpoint signs.

    origin, size, root (base64): the checkpoint's three lines. key: the log's verifier key. records: how many the tree
    has. differs: why it cannot vouch for what is printed; empty where it does.
    """

    origin: str = ""
    size: int = 0
    root: str = ""
    key: str = ""
    records: int = 0
    differs: str = ""


def fact_of(vouch: Vouch | None) -> tuple[tuple[str, str], ...]:
    """The line among a report's facts; none in a house that keeps no checkpoints."""
    if vouch is None:
        return ()
    if vouch.differs:
        return (("Checkpoint", f"✕ NOT VOUCHED FOR: {vouch.differs}"),)
    signs = "the ledger has the records printed here, as it signs them"
    told = f"{vouch.size} of {vouch.origin}, root {vouch.root}: {signs}"
    return (("Checkpoint", told),)


def step_of(vouch: Vouch | None) -> tuple[str, ...]:
    """How a stranger verifies it."""
    if vouch is None or vouch.differs:
        return ()
    return (
        f"Ask for the evidence bundle of this round, and run the verify.py in it with the key {vouch.key}: it proves"
        f" these records to be in the log of {vouch.origin}, whose checkpoint {vouch.size} has the root {vouch.root}.",
    )


def commands_of(vouch: Vouch | None) -> tuple[tuple[str, str], ...]:
    """The commands for it."""
    if vouch is None:
        return ()
    return (
        (
            "catwalk verify LEDGER --checkpoints DIR --key VKEY",
            "the whole ledger and its desk against every checkpoint, or the first that no longer fits",
        ),
    )

"""What a check says of a duty: upheld, breached, or not to be decided."""

from __future__ import annotations

from typing import Any, Literal

from msgspec import Struct

from processors.core.witnesses import Witness
from schemas.findings import Severity


class Upheld(Struct, frozen=True):
    """The duty was met."""


class Breach(Struct, frozen=True, kw_only=True):
    """The duty was not met: what would have been right, what was seen, what it cost, and the roles that it breaks.

    Without `roles` it breaks all that its check decides, in their order. `wager` is the kind of wager that alone it is
    about, `unheard` the device whose missing word is all that it rests on. A breach `of_money` that moved may
    be put right in its round; its discriminator names the stake, or the lammers of a hand.
    """

    message: str
    expected: Any
    observed: Any
    roles: tuple[str, ...] | None = None
    money_cents: int = 0
    sequences: tuple[int, ...] = ()
    seat: int | None = None
    hand: str | None = None
    severity: Severity | None = None
    reading: str | None = None
    verdict: Literal["breached", "interpretation"] = "breached"
    discriminator: str = ""
    wager: str = ""
    unheard: Witness | None = None
    of_money: bool = False


class Indeterminate(Struct, frozen=True, kw_only=True):
    """It cannot be said whether the duty was met: what is missing; `roles` are those of a breach.

    `unheard` is the device whose word is missing.
    """

    message: str
    missing: tuple[str, ...]
    roles: tuple[str, ...] | None = None
    sequences: tuple[int, ...] = ()
    seat: int | None = None
    hand: str | None = None
    expected: Any = None
    observed: Any = None
    discriminator: str = ""
    unheard: Witness | None = None


Judgment = Upheld | Breach | Indeterminate
Judged = Judgment | None
"""What a check says that judges one thing; None where it has nothing to say of the event."""
UPHELD = Upheld()


class Fault:
    """What is wrong, in the words of a finding, the roles that forbid it, and the device on whose silence it rests."""

    __slots__ = ("message", "roles", "unheard")

    def __init__(self, message: str, *roles: str, unheard: Witness | None = None) -> None:
        """The roles stand in the order in which a finding cites what gives them."""
        self.message = message
        self.roles = roles
        self.unheard = unheard

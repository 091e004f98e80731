"""What a round has shown so far, as bits: one for each type of event, and one for each state that checks name.

Most duties arise only once something has happened. A check that names that event or state runs only after it; these
bits make the test cheap.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from operator import or_
from typing import Literal, get_args

from schemas.events.envelope import PAYLOADS
from schemas.payload import Payload

# Of the round: a hand was split, was surrendered. Of the table as it stands: the dealer has two cards; drawn cards
# lie by no hand, and one of them was exposed; no card of the round is drawn; a card is to be burned, or the first one
# is out of the shoe; the shoe holds no stack, or decks that are over their day; a device is out of order.
State = Literal[
    "split", "surrender", "dealt", "loose", "exposed", "undrawn", "burn", "unloaded", "overdue", "fault"
]
Sight = type[Payload] | State

BIT: dict[Sight, int] = {payload: 1 << place for place, payload in enumerate(PAYLOADS.values())}
BIT |= {state: 1 << (len(PAYLOADS) + place) for place, state in enumerate(get_args(State))}
SPLIT, SURRENDER, DEALT, LOOSE, EXPOSED, UNDRAWN, BURN, UNLOADED, OVERDUE, FAULT = (
    BIT[state] for state in get_args(State)
)
STANDING = DEALT | LOOSE | EXPOSED | UNDRAWN | BURN | UNLOADED | OVERDUE | FAULT


def bits_of(sights: Iterable[Sight]) -> int:
    """The bits of several sights together."""
    return reduce(or_, (BIT[sight] for sight in sights), 0)

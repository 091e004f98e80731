"""The answer to a search for hands: the hands that were found, and the notes beside them."""

from __future__ import annotations

import datetime as dt
from typing import Literal

from msgspec import Struct

from dashboards.hands.told_time import ClosedTable


class HandLine(Struct, frozen=True):
    """One hand of a list: its cards in deal order, their total where they have one, and what became of it."""

    cards: tuple[str, ...]
    total: int | None = None
    result: str = ""


class SeatLine(Struct, frozen=True):
    """What came of one seat: the results of its hands, and the patron's gain in words; `open` is not settled.

    `staked` is all that the seat staked, as `$25.00`; `hands` are for those who see cards.
    """

    seat: int
    results: str
    won: str
    open: bool
    staked: str = ""
    hands: tuple[HandLine, ...] = ()


class FoundHand(Struct, frozen=True, kw_only=True):
    """One round of the list; `near` says how it lies to the time of the search, empty where it is of that time."""

    subject: str
    round: int
    first_sequence: int
    ended_at: dt.datetime | None
    local: str
    seats: tuple[SeatLine, ...]
    net: str
    net_cents: int
    status: str
    findings: int
    worst: str
    dealer: str
    shoe: int
    dealt: HandLine | None = None
    near: str = ""
    at: int | None = None


class LikelyHand(Struct, frozen=True, kw_only=True):
    """One hand of a seat that may be the told one; `fits` counts the told things that are true of it.

    `differs` names the others, as the form has them. `staked` are the seat's wagers. `moved` and `due` are its money in
    figures with a sign, + for the patron; `due` is empty for those who see no cards, and where the store keeps none.
    `owed_cents` is due less moved, None where either is not known. `unread` is whether a card of the hand or of the
    dealer's was not read, `worst` the gravest severity of the round's `findings`.
    """

    subject: str
    round: int
    first_sequence: int
    ended_at: dt.datetime
    seat: int
    hand: str
    own: HandLine
    dealt: HandLine
    unread: bool
    staked: str
    outcome: str
    moved: str
    due: str
    owed_cents: int | None
    dealer: str
    status: str
    findings: int
    worst: str
    fits: int
    differs: tuple[str, ...] = ()


class Likeness(Struct, frozen=True, kw_only=True):
    """The hands that fit a told hand best; `looked` hands were looked at, from `since` to `until`.

    `told` names the told things, as the form has them. `exact` is how many hands fit all; `never` names the things
    that no hand of this time has, and `without` says how many hands would fit if one thing were left out.
    """

    told: tuple[str, ...]
    since: dt.datetime
    until: dt.datetime
    hands: tuple[LikelyHand, ...] = ()
    looked: int = 0
    exact: int = 0
    never: tuple[str, ...] = ()
    without: dict[str, int] = {}

    @property
    def groups(self) -> tuple[tuple[int, tuple[LikelyHand, ...]], ...]:
        """The hands by how many told things fit, best first."""
        numbers = sorted({one.fits for one in self.hands}, reverse=True)
        return tuple((number, tuple(one for one in self.hands if one.fits == number)) for number in numbers)


class Answer(Struct, frozen=True, kw_only=True):
    """What was found.

    `wrong` names fields that could not be read, each with why. `hint` is what to do about an empty list, `names`
    what the name of a table or dealer (`named`) may have meant. `since` and `until` are the span that was looked
    through, `further` where the next page begins. `point` is whether one hand was asked for, not a list. `understood`
    is what a time was read as, in full, and `spans` are the moments of it, each up to its end. `matched` is how many
    hands are what was asked for, of which a page shows some; `more` that there are more than so many. `oldest_first`
    is the order of the list. `like` are the hands that fit best where so much was told that something may be wrong;
    `hands` are then the rounds in which a hand fits all of it. `closed` is said where the time was counted back and the
    table is closed.
    """

    hands: tuple[FoundHand, ...] = ()
    wrong: dict[str, str] = {}
    hint: str = ""
    names: tuple[str, ...] = ()
    named: Literal["table", "dealer"] = "table"
    since: dt.datetime | None = None
    until: dt.datetime | None = None
    further: str = ""
    point: bool = False
    latest: bool = False
    matched: int = 0
    more: bool = False
    oldest_first: bool = False
    understood: str = ""
    spans: tuple[tuple[dt.datetime, dt.datetime], ...] = ()
    like: Likeness | None = None
    closed: ClosedTable | None = None

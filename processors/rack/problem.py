"""The rack problem as a user states it: decoded strictly, every error named with its place."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from processors.core.folding.in_force import numbers_on
from processors.games.blackjack.profile import BLACKJACK_PROFILES, BlackjackRuleset
from processors.rack.house import House, PickupOrder
from schemas.amounts import amount
from schemas.rulesets.numbers import BlackjackNumbers
from schemas.values import JOKER, Card, Hand, Ruleset, SideWagers

SEATS_AT_MOST = 9
Cards = Annotated[tuple[Card, ...], Meta(max_length=400)]
Occupied = Annotated[int, Meta(ge=1, le=SEATS_AT_MOST)]


class ProblemError(ValueError):
    """A problem that cannot be solved: `reason` says what is wrong, `path` where it stands (`$.rack[3]`)."""

    def __init__(self, reason: str, path: str = "$") -> None:
        super().__init__(f"{reason} (at {path})")
        self.reason = reason
        self.path = path


class RackTable(Struct, frozen=True, kw_only=True):
    """The data of `table_configured` on which the rack depends; other fields may be there."""

    seats: Occupied
    side_wagers: SideWagers
    even_money: bool
    pickup_order: PickupOrder
    dealer_cards: Literal["last", "first"]
    bust_collection: Literal["immediate", "at_settlement"]
    ruleset: Ruleset | None = None

    @property
    def places(self) -> range:
        """The numbers of its seats, from the dealer's left; a submission may name more than any layout has."""
        return range(1, min(self.seats, SEATS_AT_MOST) + 1)


class RackProblem(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The cards of one round as they lie in the discard rack, and the other facts known of the round.

    rack: bottom first, `??` unreadable. seats: occupied with a main wager. drawn: the shoe's draw order. known:
    cards of some hands, in deal order. upcard: the dealer's first card. surrendered: exactly these hands. early:
    number of cards racked before the final pickup. gaming_day: the day by whose numbers it was dealt; without it the
    newest of the ruleset hold. None: not known.
    """

    ruleset: BlackjackRuleset
    table: RackTable
    rack: Cards
    seats: tuple[Occupied, ...] | None = None
    drawn: Cards | None = None
    known: dict[Hand, Cards] | None = None
    upcard: Card | None = None
    surrendered: tuple[Hand, ...] | None = None
    early: Annotated[int, Meta(ge=0)] | None = None
    gaming_day: dt.date | None = None

    @property
    def house(self) -> House:
        """The rules this rack was made under."""
        return _house(self.ruleset, self.table, self.gaming_day or dt.date.max)

    def occupied(self) -> list[tuple[int, ...]]:
        """Every set of seats that may have had a main wager; unknown ones are numbered from the dealer's left."""
        if self.seats is not None:
            return [tuple(sorted(self.seats))]
        return [tuple(range(1, count + 1)) for count in self.table.places]


@lru_cache(maxsize=256)
def _house(ruleset: str, table: RackTable, day: dt.date) -> House:
    numbers, profile = numbers_on(ruleset, BlackjackNumbers, day), BLACKJACK_PROFILES[ruleset]
    return House(
        ruleset=ruleset,
        profile=profile,
        hands_at_most=numbers.hands_at_most,
        split_aces_one_card=numbers.split_aces_one_card,
        surrender=numbers.surrender,
        ace_limit_dealer=numbers.ace_limit_dealer,
        stands_from=numbers.dealer_stands_from,
        push22="push22" in table.side_wagers and profile.side_wager == "push22",
        even_money=table.even_money and not profile.pays_no_even_money,
        busts_at_once=table.bust_collection == "immediate",
        pickup_order=table.pickup_order,
        dealer_first=table.dealer_cards == "first",
    )


_T = TypeVar("_T")
_DECODER = msgspec.json.Decoder(RackProblem)
_PATH = re.compile(r" - at (?:`key` in )?`(.*)`$")


def decode_problem(data: bytes) -> RackProblem:
    """Decode the JSON of a rack problem.

    Raises:
        ProblemError: no JSON, a name twice, a field that is missing, unknown or of the wrong kind, a card that no
            deck of 52 holds, or a seat the table does not have.
    """
    problem = decode_strictly(data, _DECODER)
    check_problem(problem)
    return problem


def decode_strictly(data: bytes, decoder: msgspec.json.Decoder[_T]) -> _T:
    """Decode JSON that may hold no name twice.

    Raises:
        ProblemError: it is no JSON, or not what the decoder wants, with the place.
    """
    try:
        problem = decoder.decode(data)
        json.loads(data, object_pairs_hook=_no_name_twice)
    except msgspec.ValidationError as error:
        text = str(error)
        found = _PATH.search(text)
        raise ProblemError(_PATH.sub("", text), found.group(1) if found else "$") from error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise ProblemError(f"not JSON: {error}") from error
    return problem


def _no_name_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    seen: set[str] = set()
    for name, _ in pairs:
        if name in seen:
            raise ProblemError(f"the name {name[:80]!r} stands twice in one object")
        seen.add(name)
    return dict(pairs)


def check_problem(problem: RackProblem) -> None:
    """Raise a `ProblemError` for what no rack of this table can be, whatever happened in the round."""
    refuse_jokers(problem.rack, "$.rack")
    refuse_jokers(problem.drawn or (), "$.drawn")
    for hand, cards in (problem.known or {}).items():
        refuse_jokers(cards, f"$.known[{hand}]")
        if not cards:
            raise ProblemError("a known hand holds no card", f"$.known[{hand}]")
    if problem.upcard is not None:
        refuse_jokers((problem.upcard,), "$.upcard")
    seats = problem.seats
    if seats is None:
        return
    if not seats:
        raise ProblemError(
            "no seat has a wager, so there was no round; use null if they are not known", "$.seats"
        )
    for place, seat in enumerate(seats):
        if seat > problem.table.seats:
            raise ProblemError(
                f"seat {seat}, but the table has {amount(problem.table.seats, 'seat')}", f"$.seats[{place}]"
            )
        if seat in seats[:place]:
            raise ProblemError(f"seat {seat} is named twice", f"$.seats[{place}]")


def refuse_jokers(cards: Iterable[str], path: str) -> None:
    """Raise a `ProblemError` for a joker, with its place."""
    for place, card in enumerate(cards):
        if card == JOKER:
            raise ProblemError("a joker is no card of a blackjack deck", f"{path}[{place}]")

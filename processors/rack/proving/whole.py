"""The whole discard rack of a shoe, divided into its rounds: where each of them lies, and what its cards prove.

With the shoe's draw order a round can end only where rack and shoe have given up the same cards, which is at few
places besides the true ones. Without it every place is tried, and the search may take long.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Callable
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from processors.core.cards import all_fit
from processors.games.blackjack.profile import BlackjackRuleset
from processors.rack.answer import Cards, RackAnswer
from processors.rack.problem import (
    Occupied,
    ProblemError,
    RackProblem,
    RackTable,
    check_problem,
    decode_strictly,
    refuse_jokers,
)
from processors.rack.proving.dealt import Budget, dealt_rounds
from processors.rack.search import searches
from processors.rack.solving.solver import solve
from processors.rack.steps import CutShort
from schemas.amounts import amount, verb
from schemas.values import UNKNOWN, Card, Hand

Whole = Annotated[tuple[Card, ...], Meta(max_length=1000)]


class RoundKnown(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What is known of one round, as in a rack problem; `burnt` cards lie below its own."""

    seats: tuple[Occupied, ...] | None = None
    drawn: Whole | None = None
    known: dict[Hand, Whole] | None = None
    upcard: Card | None = None
    surrendered: tuple[Hand, ...] | None = None
    early: Annotated[int, Meta(ge=0)] | None = None
    burnt: Annotated[int, Meta(ge=0)] = 0


class WholeProblem(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A shoe's whole rack, bottom first, and its rounds in order.

    drawn: every card that left the shoe for the table, burnt ones among them. rest: cards on top that were left in
    the shoe. gaming_day: as in the problem of one round.
    """

    ruleset: BlackjackRuleset
    table: RackTable
    whole_rack: Whole
    rounds: Annotated[tuple[RoundKnown, ...], Meta(min_length=1, max_length=400)]
    drawn: Whole | None = None
    rest: Annotated[int, Meta(ge=0)] = 0
    gaming_day: dt.date | None = None

    def piece(self, number: int, start: int, end: int) -> RackProblem:
        """The problem of one round, if its cards lie from `start` up to `end`."""
        known = self.rounds[number]
        return RackProblem(
            ruleset=self.ruleset,
            table=self.table,
            rack=self.whole_rack[start:end],
            seats=known.seats,
            drawn=known.drawn if self.drawn is None else self.drawn[start:end],
            known=known.known,
            upcard=known.upcard,
            surrendered=known.surrendered,
            early=known.early,
            gaming_day=self.gaming_day,
        )


class RoundFound(Struct, frozen=True, kw_only=True):
    """One round: every place where it lies in some division, from and up to; its answer if there is one only."""

    round: int
    lies: tuple[tuple[int, int], ...]
    answer: RackAnswer | None


class FitsNowhere(Struct, frozen=True, kw_only=True):
    """The first round that fits nowhere, and the highest place at which it would have to begin."""

    round: int
    begins: int


class WholeAnswer(Struct, frozen=True, kw_only=True):
    """How the rack divides: the number of ways; whether there is one only, None if the search was cut short."""

    count: int
    complete: bool
    unique: bool | None
    rounds: tuple[RoundFound, ...] = ()
    stuck: FitsNowhere | None = None
    message: str


_DECODER = msgspec.json.Decoder(WholeProblem)


def is_whole(data: bytes) -> bool:
    """Whether the JSON states a whole rack; False for what cannot be read."""
    try:
        return "whole_rack" in msgspec.json.decode(data)
    except (msgspec.DecodeError, TypeError, UnicodeDecodeError, RecursionError):
        return False


def decode_whole(data: bytes) -> WholeProblem:
    """Decode the JSON of a whole rack.

    Raises:
        ProblemError: as for one round; or more cards known than lie there.
    """
    problem = decode_strictly(data, _DECODER)
    refuse_jokers(problem.whole_rack, "$.whole_rack")
    refuse_jokers(problem.drawn or (), "$.drawn")
    size = len(problem.whole_rack)
    if problem.rest > size:
        raise ProblemError(
            f"{amount(problem.rest, 'card')} of {size} {verb(problem.rest, 'is')} the rest of the shoe",
            "$.rest",
        )
    if problem.drawn is not None and len(problem.drawn) + problem.rest != size:
        raise ProblemError(
            f"{amount(len(problem.drawn), 'card')} drawn and {problem.rest} left in the shoe are not the rack's {size}",
            "$.drawn",
        )
    for number in range(len(problem.rounds)):
        try:
            check_problem(replace(problem.piece(number, 0, 0), rack=()))
        except ProblemError as error:
            raise ProblemError(error.reason, f"$.rounds[{number}]{error.path[1:]}") from error
    return problem


def divide(problem: WholeProblem, *, limit: int, expired: Callable[[], bool]) -> WholeAnswer:
    """Every way to divide a whole rack into its rounds, and each round's reconstructions.

    Args:
        problem: as decoded by `decode_whole`.
        limit: at most this many reconstructions are listed for a round.
        expired: called now and then; the search stops when it returns True.
    """
    return _Division(problem, limit, expired).answer()


class _Division:
    def __init__(self, problem: WholeProblem, limit: int, expired: Callable[[], bool]) -> None:
        self.problem, self.limit, self.expired = problem, limit, expired
        self.top = len(problem.whole_rack) - problem.rest
        self.fewest = [_fewest_cards(told) for told in problem.rounds]
        self.even = _even_places(problem.whole_rack, problem.drawn)

    def answer(self) -> WholeAnswer:
        try:
            ways = self._forward()
        except CutShort:
            message = (
                "The search was stopped before the rack was divided: give it more time, or tell it more."
            )
            return WholeAnswer(count=0, complete=False, unique=None, message=message)
        reached = ways[-1].get(self.top)
        if not reached:
            return self._stuck(ways)
        lies = self._backward()
        rounds = tuple(self._found(number, tuple(sorted(places))) for number, places in enumerate(lies))
        complete = all(found.answer is None or found.answer.complete for found in rounds)
        return WholeAnswer(
            count=reached,
            complete=complete,
            unique=reached == 1,
            rounds=rounds,
            message=_message(reached, rounds),
        )

    def _forward(self) -> list[dict[int, int]]:
        """After each round, the places where it can have ended, with the number of ways to each."""
        ways: list[dict[int, int]] = [{0: 1}]
        self.pieces: list[list[tuple[int, int]]] = []
        for number in range(len(self.problem.rounds)):
            onward: Counter[int] = Counter()
            pieces = []
            for place, count in sorted(ways[-1].items()):
                start = place + self.problem.rounds[number].burnt
                for end in self._ends(number, place, start):
                    if self.expired():
                        raise CutShort
                    if self._lawful(number, start, end):
                        onward[end] += count
                        pieces.append((start, end))
            self.pieces.append(pieces)
            ways.append(dict(onward))
            if not onward:
                break
        return ways

    def _ends(self, number: int, place: int, start: int) -> list[int]:
        problem = self.problem
        last = number + 1 == len(problem.rounds)
        above = sum(self.fewest[number + 1 :]) + sum(told.burnt for told in problem.rounds[number + 1 :])
        first, highest = start + self.fewest[number], self.top - above
        if problem.drawn is not None and not all_fit(
            problem.drawn[place:start], problem.whole_rack[place:start]
        ):
            return []
        if last:
            ends = [self.top] if first <= self.top else []
        elif problem.rounds[number].drawn is not None:
            ends = [start + len(problem.rounds[number].drawn or ())]
        else:
            ends = list(range(first, highest + 1))
        return [end for end in ends if first <= end <= highest and (self.even is None or end in self.even)]

    def _lawful(self, number: int, start: int, end: int) -> bool:
        """Whether some lawful round leaves these cards so."""
        piece = self.problem.piece(number, start, end)
        drawn, told = piece.drawn, self.problem.rounds[number]
        simple = not (told.known or told.upcard or told.surrendered is not None or told.early is not None)
        if drawn and piece.seats and simple and UNKNOWN not in drawn and UNKNOWN not in piece.rack:
            found = dealt_rounds(piece.house, piece.rack, len(piece.seats), drawn, Budget(1_000_000))
            return next(found, None) is not None
        return any(next(search.maps(), None) is not None for search in searches(piece, self.expired))

    def _backward(self) -> list[set[tuple[int, int]]]:
        """For each round the places that lie on a division of the whole rack."""
        lies: list[set[tuple[int, int]]] = []
        ends = {self.top}
        for number in range(len(self.problem.rounds) - 1, -1, -1):
            places = {piece for piece in self.pieces[number] if piece[1] in ends}
            lies.append(places)
            ends = {start - self.problem.rounds[number].burnt for start, _ in places}
        return lies[::-1]

    def _found(self, number: int, places: tuple[tuple[int, int], ...]) -> RoundFound:
        answer = None
        if len(places) == 1:
            answer = solve(self.problem.piece(number, *places[0]), limit=self.limit, expired=self.expired)
        return RoundFound(round=number + 1, lies=places, answer=answer)

    def _stuck(self, ways: list[dict[int, int]]) -> WholeAnswer:
        number = len(ways) - 1 if not ways[-1] else len(self.problem.rounds)
        begins = max(ways[number - 1])
        return WholeAnswer(
            count=0,
            complete=True,
            unique=False,
            stuck=FitsNowhere(round=number, begins=begins),
            message=f"The rack divides into no lawful rounds: round {number} fits nowhere, the rounds below it reach "
            f"up to card {begins}.",
        )


def _fewest_cards(told: RoundKnown) -> int:
    return 2 * len(told.seats) + 2 if told.seats is not None else 4


def _even_places(rack: Cards, drawn: Cards | None) -> set[int] | None:
    """Places below which the rack holds what the shoe had given up; None if that is not known."""
    if drawn is None:
        return None
    more: Counter[str] = Counter()
    places = set()
    unread = [0, 0]
    for place, cards in enumerate(zip(drawn, rack, strict=False), start=1):
        for which, (card, sign) in enumerate(zip(cards, (1, -1), strict=True)):
            if card == UNKNOWN:
                unread[which] += 1
            else:
                more[card] += sign
        if sum(count for count in more.values() if count > 0) <= unread[1]:
            places.add(place)
    return places


def _message(count: int, rounds: tuple[RoundFound, ...]) -> str:
    if count > 1:
        open_ = [str(found.round) for found in rounds if len(found.lies) > 1]
        return f"The rack divides in {count:,} ways; it is open where {_rounds(open_)} lies."
    doubtful = [str(found.round) for found in rounds if found.answer is None or not found.answer.unique]
    if not doubtful:
        return (
            f"The rack divides in one way only, and proves every hand of its {amount(len(rounds), 'round')}."
        )
    return f"The rack divides in one way only; the hands of {_rounds(doubtful)} are not proven."


def _rounds(names: list[str]) -> str:
    if len(names) > 6:
        return amount(len(names), "round")
    return f"round {names[0]}" if len(names) == 1 else f"rounds {', '.join(names[:-1])} and {names[-1]}"


def encode_whole(answer: WholeAnswer) -> bytes:
    """The answer as JSON; the same answer gives the same bytes."""
    return msgspec.json.encode(answer)

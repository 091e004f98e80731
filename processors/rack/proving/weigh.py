"""What a round's rack proves: the weakest evidence under which no other lawful round leaves it.

Evidence grows from the rack alone over the rack with its seats to the rack with its seats and the shoe's draw order.
"""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from processors.rack.answer import Cards, SeatHands
from processors.rack.problem import RackProblem
from processors.rack.proving.dealt import Budget, Dealt, Spent, dealt_rounds
from processors.rack.proving.others import Wider, another_near
from processors.rack.proving.unread import NONE_LAWFUL, OTHER_HANDS, read_classes
from schemas.amounts import amount
from schemas.rounds import Proof
from schemas.values import UNKNOWN

HANDS_LOOKED_AT = 40_000
"""A full table's round takes some 20 with the draw order, and some hundreds where weaker evidence is weighed."""


class Weighed(NamedTuple):
    """The class of proof, or why there is none; whether the money is proven; hands that are not the log's."""

    proof: Proof | None
    why_none: str | None
    money_unique: bool | None
    other: Dealt | None = None


def weigh(
    problem: RackProblem, hands: tuple[SeatHands, ...], dealer: Cards, most: int = HANDS_LOOKED_AT
) -> Weighed:
    """What a rack proves of the round that was played.

    Args:
        problem: the rack with its seats and the draw order, and nothing else known.
        hands: the hands of each seat as the log has them, by ascending seats.
        dealer: the dealer's hand as the log has it.
        most: hands that may be looked at; what needs more is not decided.
    """
    budget = Budget(most)
    if UNKNOWN in problem.rack or UNKNOWN in (problem.drawn or ()):
        return Weighed(*read_classes(problem, hands, dealer, budget))
    try:
        found = list(dealt_rounds(problem.house, problem.rack, len(hands), problem.drawn or (), budget))
        if not found:
            return Weighed(None, NONE_LAWFUL, None)
        money = _proves_money(found)
        true = [round_ for round_ in found if round_.seats == hands and round_.dealer == dealer]
        if not true:
            return Weighed(None, OTHER_HANDS, money, found[0])
        if len(true) < len(found):
            return Weighed("not unique", None, money)
        return Weighed(_weakest(problem, true[0], budget), None, money)
    except Spent:
        return Weighed(None, f"not decided by {amount(most, 'hand')} looked at", None)


def _weakest(problem: RackProblem, true: Dealt, budget: Budget) -> Proof:
    """The weakest evidence that leaves only this round; the draw order is known to be enough."""
    if another_near(problem.house, problem.rack, true.seats, true.laying, budget):
        return "rack and draw order"
    wider = Wider(replace(problem, seats=None, drawn=None), budget)
    if wider.another(true.seats, true.dealer):
        return "rack and draw order"
    return "rack and seats" if wider.of_others(len(true.seats)) else "rack alone"


def _proves_money(found: list[Dealt]) -> bool:
    """Whether each seat's main wager ended alike in every round found."""
    first, *others = found
    if any(len(ways) > 1 for ways in first.laying.ends):
        return False
    return all(other.laying.ends == first.laying.ends for other in others)

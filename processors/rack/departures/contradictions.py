"""Where a reconstruction contradicts what is known of the round: how often, and the sentence that says so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from processors.rack.answer import Cards, Hands
from processors.rack.departures.faults import Fault
from processors.rack.problem import RackProblem
from processors.rack.splits import draw_order, trees
from schemas.amounts import amount, verb
from schemas.values import DEALER, UNKNOWN


def distance(fault: Fault, problem: RackProblem, hands: Hands) -> int:
    """In how many cards the reconstruction contradicts the fact that is set aside; 0 if it is no cards."""
    if fault.kind == "drawn":
        return len(list(_wrong_draws(problem, hands)))
    if fault.kind == "known":
        return _unlike((problem.known or {}).get(fault.hand or "", ()), hands.get(fault.hand or "", ()))
    return 0


def explained(fault: Fault, problem: RackProblem, hands: Hands) -> Fault:
    """The fault with what was known and what this reconstruction has instead."""
    detail = ""
    if fault.kind == "drawn" and problem.drawn is not None:
        if len(problem.drawn) != len(problem.rack):
            detail = f"the shoe gave {amount(len(problem.drawn), 'card')}, the rack holds {len(problem.rack)}"
        else:
            wrong = list(_wrong_draws(problem, hands))
            if wrong:
                number, known, card, hand = wrong[0]
                others = (
                    f", and {len(wrong) - 1} more {verb(len(wrong) - 1, 'differs')}" if len(wrong) > 1 else ""
                )
                fault = fault._replace(hand=hand)
                detail = f"card {number} from the shoe was {known}, but the rack has {card} there, in {hand}{others}"
    elif fault.kind == "known":
        known_cards = " ".join((problem.known or {}).get(fault.hand or "", ()))
        found = " ".join(hands.get(fault.hand or "", ())) or "no such hand"
        detail = f"{fault.hand} was {known_cards}, but the rack has {found}"
    elif fault.kind == "upcard":
        detail = f"the up card was {problem.upcard}, but the rack has {hands[DEALER][0]}"
    return fault._replace(detail=detail)


def _unlike(one: Sequence[str], other: Sequence[str]) -> int:
    differing = sum(a != b and UNKNOWN not in (a, b) for a, b in zip(one, other, strict=False))
    return differing + abs(len(one) - len(other))


def _wrong_draws(problem: RackProblem, hands: Hands) -> Iterator[tuple[int, str, str, str]]:
    """Each draw that the reconstruction has otherwise: its number, the card known, the card and hand it has."""
    drawn = problem.drawn or ()
    for number, (known, (card, hand)) in enumerate(zip(drawn, _draws(drawn, hands), strict=False), start=1):
        if known != card and UNKNOWN not in (known, card):
            yield number, known, card, hand


def _draws(drawn: Cards, hands: Hands) -> list[tuple[str, str]]:
    """The reconstruction's cards with their hands as they left the shoe, splits ordered as they fit best."""
    dealer = [(card, DEALER) for card in hands[DEALER]]
    seats = sorted({int(hand[0]) for hand in hands if hand != DEALER})
    firsts: list[tuple[str, str]] = []
    seconds: list[tuple[str, str]] = []
    rest: list[tuple[str, str]] = []
    for place, seat in enumerate(seats):
        own = [name for name in sorted(hands) if name.startswith(f"{seat}.")]
        cards = [[(card, name) for card in hands[name]] for name in own]
        begin = 2 * len(seats) + 2 + len(rest)
        given = (*drawn[place : place + 1], *drawn[len(seats) + 1 + place :][:1], *drawn[begin:])
        orders = [draw_order(tree, cards) for tree in trees(len(own))]
        best = min(orders, key=lambda order: _unlike([card for card, _ in order], given[: len(order)]))
        firsts.extend(best[:1])
        seconds.extend(best[1:2])
        rest.extend(best[2:])
    return [*firsts, *dealer[:1], *seconds, *dealer[1:2], *rest, *dealer[2:]]

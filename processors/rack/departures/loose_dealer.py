"""The dealer's hand in a round that broke a rule or two."""

from __future__ import annotations

from collections.abc import Iterator

from processors.rack.departures.faults import Fault, FaultKind
from processors.rack.hands import ACE, EVERY_VALUE, TEN, DealerKind, DealerReading, Values, total_of
from processors.rack.house import House
from schemas.values import DEALER

MOST_CARDS = 12
"""Longest dealer's hand that is tried."""

_State = tuple[int, int, bool]


def loose_dealer_readings(values: Values, house: House) -> Iterator[tuple[DealerReading, tuple[Fault, ...]]]:
    """Everything these cards can be as the dealer's hand, with the fewest faults that each needs."""
    states: dict[_State, int] = {(0, 0, False): 0}
    for value in values:
        grown: dict[_State, int] = {}
        for (up, low, ace), over in states.items():
            spent = over + (total_of(low, ace, house.ace_limit_dealer) >= house.stands_from)
            for card in (value,) if value else EVERY_VALUE:
                state = (up or card, low + card, ace or card == ACE)
                grown[state] = min(spent, grown.get(state, spent))
        states = grown
    best: dict[DealerReading, tuple[Fault, ...]] = {}
    for (up, low, ace), over in sorted(states.items()):
        total = total_of(low, ace, house.ace_limit_dealer)
        kind, own = _kind(total, len(values), house)
        reading = DealerReading(kind, min(total, 23), up == ACE, up == TEN)
        faults = (Fault("dealer_overdrew", DEALER),) * over + own
        if reading not in best or len(faults) < len(best[reading]):
            best[reading] = faults
    yield from sorted(best.items())


def _kind(total: int, count: int, house: House) -> tuple[DealerKind, tuple[Fault, ...]]:
    stopped: FaultKind = "dealer_one_card" if count == 1 else "dealer_stopped"
    if total < house.stands_from and (count != 2 or house.profile.dealer_always_draws):
        return "settled", (Fault(stopped, DEALER),)
    if count == 2:
        return ("short" if total < house.stands_from else "blackjack" if total == 21 else "settled"), ()
    return ("settled" if house.profile.dealer_always_draws else "drawn"), ()


def end_faults(reading: DealerReading, live: bool, faced: bool, tucked: bool) -> tuple[Fault, ...]:
    """What the dealer did wrong once all hands are known.

    Args:
        reading: the dealer's hand.
        live: a hand stood against it.
        faced: a hand stood, or Push 22 may have been open.
        tucked: a Blackjack left for the pickup proves an open Push 22.
    """
    if reading.kind == "drawn" and not faced:
        return (Fault("dealer_needless", DEALER),)
    if reading.kind == "short" and live:
        return (Fault("dealer_stopped", DEALER),)
    if reading.kind == "short" and tucked:
        return (Fault("dealer_push22", DEALER),)
    return ()

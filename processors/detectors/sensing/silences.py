"""How often each device falls silent, and how long it stays so: likelihood ratios round by round.

A device that is silent in a round may stay so for many: each silence is one fault. So falling silent and staying silent
have chances of their own.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import log1p
from typing import Any, Final, get_args

import numpy as np
from msgspec import Struct, field

from processors.core.witnesses import Witness
from processors.detectors.mixture import Mixture, fresh, left, weigh, weighed
from processors.detectors.weighty import WeightyAct, keep

FALLS: Final = 1 / 1000
"""Null: the chance that a device falls silent in a round, given all before it, is at most this ..."""
STAYS: Final = 3 / 4
"""... and that one which was silent in the round before is silent again, at most this."""
OFTEN: Final = ((0.01, 0.97), (0.05, 0.75), (0.25, 0.75))
"""Alternatives: a chance of falling silent, and of staying so."""
STRETCH: Final = 16  # rounds
DEVICES: Final[tuple[Witness, ...]] = get_args(Witness)
_FELL = [falls / FALLS for falls, _ in OFTEN]
_STAYED = [stays / STAYS for _, stays in OFTEN]
_CAME_BACK = [(1 - stays) / (1 - STAYS) for _, stays in OFTEN]
_HEARD: Final = np.array([log1p(-falls) - log1p(-FALLS) for falls, _ in OFTEN])


NAMED_NOTHING: Final = {
    "placements": "layout named no card",
    "wagers": "layout named no wager",
    "rack": "discard rack named no card",
    "shoe": "shoe named no card",
    "reader": "reader of the hole card said nothing",
    "console": "console named no step",
}
"""What a silent device did, after "the"."""


class SilentRound(WeightyAct, frozen=True):
    """A round in which a device was silent; fell: whether it had been heard in the round before."""

    device: str = ""
    fell: bool = False

    def why(self) -> dict[str, Any]:
        """What the silent device did, whether its silence begins, and the factor."""
        since = "as before" if not self.fell else "for the first time since it was heard"
        return {"failed": f"the {NAMED_NOTHING[self.device]}, {since}", **super().why()}


class Silences(Struct):
    """One device: the evidence, with how often it fell silent and in how many rounds it was.

    heard: rounds of the table up to which its words were weighed. rounds: those that weigh most.
    """

    mixture: Mixture = field(default_factory=lambda: fresh(len(OFTEN)))
    heard: int = 0
    now: bool = False
    rounds: list[SilentRound] = field(default_factory=list)


class SilencesOfTable(Struct):
    """All devices of a table, and how many rounds it has played."""

    played: int = 0
    devices: dict[str, Silences] = field(
        default_factory=lambda: {name: Silences() for name in DEVICES},
    )


def take(
    state: SilencesOfTable, unheard: Mapping[Witness, str], place: tuple[str, int, int]
) -> Iterator[tuple[str, float]]:
    """Take a round in which these devices were not heard; of those, each with the evidence that it has then.

    place: the round's table, its number, and the event that closed it.
    Rounds in which a device is heard after one in which it was are weighed together, up to the end of a stretch.
    """
    state.played += 1
    due = not state.played % STRETCH
    if not (unheard or due or any(one.now for one in state.devices.values())):
        return
    for name, one in state.devices.items():
        if name in unheard:
            _settle(one, state.played - 1)
            factors, fell = (_STAYED, 0) if one.now else (_FELL, 1)
            one.now, one.heard = True, state.played
            value, weight = weighed(one.mixture, factors, STRETCH, 1, (fell, 1))
            if weight > 0:
                keep(one.rounds, SilentRound(*place, state.played, weight, device=name, fell=bool(fell)))
            yield name, value
        elif one.now:
            one.now, one.heard = False, state.played
            weigh(one.mixture, _CAME_BACK, STRETCH)
        elif due:
            _settle(one, state.played)


def _settle(one: Silences, until: int) -> None:
    """Weigh the rounds in which it was heard, none of which lies beyond the end of its stretch."""
    while one.heard < until:
        rounds = min(until - one.heard, left(one.mixture, STRETCH))
        weigh(one.mixture, _heard(rounds), STRETCH, rounds)
        one.heard += rounds


@lru_cache(maxsize=STRETCH)
def _heard(rounds: int) -> tuple[float, ...]:
    """The likelihood ratios of so many rounds in which a device was heard."""
    return tuple(float(factor) for factor in np.exp(rounds * _HEARD))

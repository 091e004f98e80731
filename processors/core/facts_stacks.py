"""What the record shows of a stack game between rounds: shuffles, cuts, loads, stub counts, void rounds."""

from __future__ import annotations

import datetime as dt

from msgspec import Struct, field

from schemas.rulesets import RULESETS

STACK_GAMES = frozenset(name for name, rules in RULESETS.items() if rules.family != "blackjack")


class VoidRound(Struct, gc=False):
    """The last void round as it lay on the layout: cards at each spot, the stub's count, who had wagered.

    `day` is the one on which it started.
    """

    number: int
    day: dt.date
    sequence: int
    batch: str
    counted: int | None
    sizes: dict[str, int]
    wagered: list[int]
    bonus: bool


class StackFacts(Struct):
    """The deck of a stack game from one round to the next.

    `shuffled` maps each batch not dealt since to its completed shuffle, `reporting` lists those whose device reported a
    whole deck; `cut` and `loaded` are sequences, 0 while that step is to come. `uncounted` has an entry for each of the
    last rounds in a row without a stub count, as far back as the law looks: whether a device had reported a whole deck
    for it. `known` is the last deck whose stub was counted, with its number of cards by that count.
    """

    shuffled: dict[str, int] = field(default_factory=dict)
    reporting: list[str] = field(default_factory=list)
    faulted: bool = False
    cut: int = 0
    loaded: int = 0
    reported: bool = False
    uncounted: list[bool] = field(default_factory=list)
    known: tuple[str, int] | None = None
    void: VoidRound | None = None

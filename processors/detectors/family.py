"""What a family of detectors is, and the registry that carries all of them.

A family is one small module in `processors/detectors/families`: its null hypothesis in words and in code, what it
measures, the bound on false alarms, what it cannot see, and what else could explain what it sees. Importing
`processors.detectors.families` registers every family.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal, get_args

from msgspec import Struct

from processors.detectors.shapes import Alarm, Closed, Contribution, EvidenceStanding, Happened, Observation
from schemas.payload import Payload

Name = Literal[
    "dealer_mispay",
    "collusion",
    "counting",
    "hole_card_knowledge",
    "past_posting",
    "shuffle_quality",
    "rank_composition",
    "side_wager",
    "masque_errors",
    "cut_steering",
    "preferential_shuffle",
    "pace",
    "theoretical_win",
    "inventory_drift",
    "sensor_health",
    "called_void",
]
NAMES: Final[tuple[str, ...]] = get_args(Name)
LEVEL: Final = 1e-4
"""Promised chance of a false alarm of any one family on one table's stream, at whatever time one looks."""

Said = Iterable[Alarm | Contribution]


class AtTable(Struct, frozen=True, kw_only=True):
    """What a family does beside a table's fold.

    `state` is a msgspec Struct that can be made without arguments and stays bounded however long the table plays;
    `happened` is called at the events that it `reads`, `closed` at the end of every round, also of one that broke off.
    Both change the state and say alarms (about the table) and contributions (about people). `standing` tells the
    evidence about the table now.
    """

    state: Callable[[], Any]
    closed: Callable[[Any, Closed], Said] | None = None
    reads: tuple[type[Payload], ...] = ()
    happened: Callable[[Any, Happened], Said] | None = None
    standing: Callable[[Any, str], Iterable[EvidenceStanding]] | None = None


class OfEntity(Struct, frozen=True, kw_only=True):
    """What a family does with the contributions about one dealer, player or pair, joined over tables.

    `weigh` is given the state of that one, the observation, its note, and the `share` of the level that this one may
    spend: the e-value to hold against 1 / level is `share` times that of the one alone.
    """

    state: Callable[[], Any]
    note: type[Struct]
    weigh: Callable[[Any, Observation, Any, float], Iterable[Alarm]]
    standing: Callable[[Any, dict[str, str], float], Iterable[EvidenceStanding]]


class Family(Struct, frozen=True, kw_only=True):
    """One registered family of detectors.

    `about` is what its suspicions name. `null` is the hypothesis that an alarm contradicts, in words and numbers;
    `statistic` what is measured, `bound` why false alarms are as rare as promised. `blind` is what it cannot see,
    `innocent` what else may explain an alarm, `cost` what it takes in state and work.
    """

    name: Name
    variants: tuple[str, ...]
    about: tuple[str, ...]
    null: str
    statistic: str
    bound: str
    innocent: tuple[str, ...]
    blind: tuple[str, ...]
    cost: str
    table: AtTable | None = None
    entity: OfEntity | None = None


class RegistrationError(ValueError):
    """A family that cannot be registered; the message says why and what to do."""


FAMILIES: dict[str, Family] = {}


def register(family: Family) -> Family:
    """Put a family into the registry.

    Raises:
        RegistrationError: it is no family of the contract, is there twice, does nothing, or leaves a part unsaid.
    """
    name = family.name
    if name not in NAMES:
        raise RegistrationError(f"{name} is no family of the contract; there are: {', '.join(NAMES)}")
    if name in FAMILIES:
        raise RegistrationError(f"family {name} is registered twice; put its variants into one module")
    said = (family.null, family.statistic, family.bound, family.cost, family.about, family.variants)
    if not all((*said, family.innocent, family.blind)):
        raise RegistrationError(f"family {name} leaves a part of its description empty; say it")
    if family.table is None:
        raise RegistrationError(f"family {name} looks at no table; give it an AtTable")
    if family.table.happened is not None and not family.table.reads:
        raise RegistrationError(f"family {name} is never called at an event; name the events it reads")
    FAMILIES[name] = family
    return family


def share_of(nth: int) -> float:
    """The share of the level for the `nth` subject (from 1) of whom a family speaks at a table; they sum to 1.

    So each dealer and player that is tried is paid for, without knowing how many there will be.
    """
    return 1.0 / (nth * (nth + 1))

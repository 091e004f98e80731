"""How the tests state problems and read answers."""

from __future__ import annotations

from typing import Any

import msgspec

from benchmarks.rack_dealing import House
from processors.rack.solving import RackAnswer, decode_problem, solve


def problem(rack: str, house: House, **known: Any) -> dict[str, Any]:
    """A problem whose cards are written with blanks between them."""
    return {
        "ruleset": house.ruleset,
        "table": house.configuration(),
        "rack": rack.split(),
        **{name: value.split() if name == "drawn" else value for name, value in known.items()},
    }


def ask(stated: dict[str, Any], limit: int = 100_000) -> RackAnswer:
    return solve(decode_problem(msgspec.json.encode(stated)), limit=limit)


def told(answer: RackAnswer) -> list[dict[str, str]]:
    """The reconstructions, each hand's cards in one string."""
    return [{name: " ".join(cards) for name, cards in row.hands.items()} for row in answer.reconstructions]


def hands(**cards: str) -> dict[str, list[str]]:
    """Knowledge of some hands: `hands(h3_1="9c 9d", D="6s Th")`."""
    return {name.removeprefix("h").replace("_", "."): row.split() for name, row in cards.items()}

"""The duties that a finding cites, in our own words, as an alert's page shows them."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from schemas.integrity import INTEGRITY
from schemas.provisions import PROVISIONS
from schemas.rulesets import RULESETS


class Clause(Struct, frozen=True):
    """A clause that is cited, what it asks, and of which game."""

    id: str
    duty: str
    game: str


def clauses(cites: Iterable[str]) -> tuple[Clause, ...]:
    """Each clause once, in order; one that is cited as a whole is all its duties."""
    found: dict[str, Clause] = {}
    for cited in cites:
        if cited in INTEGRITY:
            found[cited] = Clause(cited, INTEGRITY[cited], "The record")
        for name in [cited] if cited in PROVISIONS else _parts(cited):
            one = PROVISIONS[name]
            found[name] = Clause(name, one.duty, RULESETS[one.ruleset].title)
        if not any(name == cited or name.startswith(f"{cited}#") for name in found):
            found[cited] = Clause(cited, "", "")
    return tuple(found.values())


def _parts(cited: str) -> list[str]:
    return [name for name in PROVISIONS if name.startswith(f"{cited}#")]

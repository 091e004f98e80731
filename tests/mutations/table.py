"""A row of the table of mutations: what is broken in a lawful stream, and what must then be said of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

from schemas.findings import Finding
from tests.mutations.rechain import cites

Place = TypeVar("Place")


class Broken(NamedTuple):
    """A stream broken at one place: the breaches that are found, the clauses due, and those that cannot be avoided."""

    where: str
    found: list[Finding]
    due: tuple[str, ...]
    beside: tuple[str, ...] = ()


@dataclass(frozen=True)
class Row:
    """One way to break streams of one kind, tried at up to so many places of them.

    `once`: it is told once; `others`: at less than this share of the places something else may be said too.
    """

    name: str
    tries: Callable[[int], Iterable[Broken]]
    once: bool = True
    others: float = 0.0


def spread(places: Sequence[Place], most: int) -> list[Place]:
    """Up to so many of these places, early, late and between."""
    if len(places) <= most:
        return list(places)
    return [places[int((number + 0.5) * len(places) / most)] for number in range(most)]


def faults(row: Row, most: int) -> list[str]:
    """What is wrong with the findings at up to so many places, in words."""
    wrong, others, tried = [], [], 0
    for where, found, due, beside in row.tries(most):
        tried += 1
        told = [one for one in found if cites(one, *due)]
        rest = [finding for finding in found if finding not in told and not _excused(finding, beside)]
        if due and not told:
            wrong.append(f"{where}: nothing cites {due}: {_said(found)}")
        if row.once and len(told) > 1:
            wrong.append(f"{where}: told {len(told)} times: {_said(told)}")
        others += [f"{where}: also {_said([one])}" for one in rest]
    if not tried:
        wrong.append("no stream has a place for it")
    return wrong if len(others) < row.others * tried + 1e-9 else [*wrong, *others]


def _excused(finding: Finding, beside: tuple[str, ...]) -> bool:
    """Whether a finding tells of something else that is broken too."""
    return cites(finding, *beside) or ("integrity" in beside and finding.check.startswith("integrity."))


def _said(found: list[Finding]) -> list[tuple[str, tuple[str, ...], str]]:
    return [(one.check, one.cites, one.message) for one in found]

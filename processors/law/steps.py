"""Steps that must be taken in order before something else: which of them are missing or out of place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class LawStep(NamedTuple):
    """One step: what it is called, the sequence that shows it (0: not seen), and the roles that ask for it."""

    name: str
    sequence: int
    roles: tuple[str, ...]


class Amiss(NamedTuple):
    """What is wrong with a row of steps, in words, and the roles and events concerned."""

    words: tuple[str, ...]
    roles: tuple[str, ...]
    sequences: tuple[int, ...]


def amiss(steps: Sequence[LawStep]) -> Amiss | None:
    """The steps that are missing, or come later than one that must follow them; None when all is in order."""
    words: list[str] = []
    roles: list[str] = []
    for index, step in enumerate(steps):
        if not step.sequence:
            words.append(f"no {step.name}")
            roles += step.roles
            continue
        for later in steps[index + 1 :]:
            if 0 < later.sequence < step.sequence:
                words.append(f"{step.name} only after {later.name}")
                roles += (*step.roles, *later.roles)
                break
    if not words:
        return None
    seen = tuple(step.sequence for step in steps if step.sequence)
    return Amiss(tuple(words), tuple(dict.fromkeys(roles)), seen)

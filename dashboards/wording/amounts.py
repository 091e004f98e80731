"""A number beside its noun, which agrees with one."""

from __future__ import annotations


def amount(number: int, noun: str) -> str:
    """A number and what it counts: `1 round`, `1,200 rounds`, `2 shoes or rounds`, `2 rounds called void`.

    `noun` is that of one.
    """
    return f"{number:,} {noun if number == 1 else ' or '.join(map(_several, noun.split(' or ')))}"


def _several(noun: str) -> str:
    head, blank, rest = noun.partition(" ")
    return f"{head}s{blank}{rest}"

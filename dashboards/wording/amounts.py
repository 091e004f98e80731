"""A number beside its noun, which agrees with one."""

from __future__ import annotations


def amount(number: int, noun: str) -> str:
    """A number and what it counts: `1 round`, `1,200 rounds`, `2 rounds called void`; `noun` is that of one."""
    head, blank, rest = noun.partition(" ")
    return f"{number:,} {noun if number == 1 else f'{head}s{blank}{rest}'}"

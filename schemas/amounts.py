"""A number beside its noun and its verb, which agree with one."""

from __future__ import annotations

import re
from typing import Final

_HEAD: Final = re.compile(r"^.+?(?= (?:of|with|called) |$)")  # the noun without what is said of it
_Y: Final = re.compile(r"(?<![aeiou])y$")
_SEVERAL: Final = {"was": "were", "is": "are", "has": "have", "goes": "go", "does": "do"}


def amount(number: float, noun: str) -> str:
    """A number and what it counts: `1 round`, `1,200 rounds`, `2 shoes or rounds`, `2 batches of cards`.

    `noun` is that of one.
    """
    return f"{number:,} {noun if number == 1 else ' or '.join(map(_several, noun.split(' or ')))}"


def verb(number: float, of_one: str) -> str:
    """The verb that goes with so many: `was` or `were`, `is` or `are`, `has` or `have`, `lies` or `lie`."""
    return of_one if number == 1 else _SEVERAL.get(of_one, of_one.removesuffix("s"))


def _several(noun: str) -> str:
    return _HEAD.sub(
        lambda head: f"{_Y.sub('ie', head[0])}{'es' if head[0].endswith(('x', 'ch')) else 's'}", noun, count=1
    )

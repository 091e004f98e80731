"""A number beside its noun, which agrees with one."""

from __future__ import annotations

import re
from typing import Final

_HEAD: Final = re.compile(r"^.+?(?= (?:of|with|called) |$)")  # the noun without what is said of it


def amount(number: int, noun: str) -> str:
    """A number and what it counts: `1 round`, `1,200 rounds`, `2 shoes or rounds`, `2 rounds called void`.

    `noun` is that of one.
    """
    return f"{number:,} {noun if number == 1 else ' or '.join(map(_several, noun.split(' or ')))}"


def _several(noun: str) -> str:
    return _HEAD.sub(r"\g<0>s", noun, count=1)

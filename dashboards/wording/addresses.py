"""A name as a part of an address: servers and browsers take `/`, `%` and dots of a path for their own, even escaped."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import quote

_DOTS: Final = (".", "..")


def part_of(name: str) -> str:
    """The part of a path by which `name_of` reads the name; most names are parts as they stand."""
    told = re.sub(r"\." if name in _DOTS else "[~/%]", lambda found: f"~{ord(found[0]):02X}", name)
    return quote(told, safe="")


def name_of(part: str) -> str:
    """The name that a part of a path stands for, as the server has decoded it."""
    return re.sub("~(7E|2F|25|2E)", lambda found: chr(int(found[1], 16)), part)

"""A text that is read piece by piece: what each pattern took, and which words nobody understood, with their places."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from dashboards.filters.names import near

_WORD = re.compile(r'"[^"]*"|[^\s,;]+')


class Unread(Struct, frozen=True):
    """A word that was not understood: its place in the text, from 1, and what it could have been."""

    at: int
    text: str
    says: str

    def __str__(self) -> str:
        return f"“{self.text}” (at letter {self.at}) {self.says}"


class FilterReading:
    """One text; what a pattern takes is out of it, and the places of what is left stay as they were."""

    def __init__(self, text: str) -> None:
        self._left = text

    @property
    def left(self) -> str:
        """The text as long as it was, each letter that was taken a NUL."""
        return self._left

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """The first match of a pattern, which is then out of the text."""
        found = pattern.search(self._left)
        if found is not None and found.end() > found.start():
            blank = "\x00" * (found.end() - found.start())
            self._left = self._left[: found.start()] + blank + self._left[found.end() :]
        return found

    def each(self, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
        """All matches of a pattern, one after the other; each is then out of the text."""
        while (found := self.take(pattern)) is not None:
            yield found

    def give_back(self, start: int, text: str) -> None:
        """Put a piece that was taken into its place again, `start` letters from the beginning."""
        self._left = self._left[:start] + text + self._left[start + len(text) :]

    def words(self) -> Iterator[tuple[int, str]]:
        """What is left: the place of each word, from 1, and the word without its quotes."""
        for found in _WORD.finditer(self._left.replace("\x00", " ")):
            text = found[0].strip("\"'.!?()") or found[0]
            yield found.start() + 1, text


def no_field(at: int, text: str, name: str, fields: tuple[str, ...]) -> Unread:
    """That a `name:` is no field of this list, with those that there are, the likeliest first."""
    like = near(name, fields)
    maybe = f"; perhaps {' or '.join(f'{one}:' for one in like)}" if like else ""
    return Unread(at, text, f"is no field here{maybe}; there are {', '.join(f'{one}:' for one in fields)}")

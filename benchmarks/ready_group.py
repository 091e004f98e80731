"""A consumer group of which nothing is waited for, so that a sink's own work is all that is measured."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence

from processors.runtime.brokers.records import Place, Taken
from processors.runtime.brokers.standing import Bounds


class ReadyGroup:
    """A group whose records are all there already; `done` when they are committed."""

    generation = 1

    def __init__(self, records: Sequence[Taken]) -> None:
        self._records, self._at = records, 0
        self._left = {one.place: one.offset + 1 for one in records}
        self.done = asyncio.Event()

    async def bounds(self) -> Mapping[Place, Bounds]:
        """Each partition from its first record on, of which none was acknowledged."""
        return {
            place: Bounds(topic=place[0], partition=place[1], committed=None, first=0, end=end)
            for place, end in self._left.items()
        }

    def partitions(self, _topic: str) -> int:
        """One: its tables are where they are, whatever their keys say."""
        return 1

    def seek(self, place: Place, offset: int) -> None:
        """All begin at the first record, and there this stands."""

    async def take(self, most: int, wait: float) -> Sequence[Taken]:
        """The next records."""
        taken = self._records[self._at : self._at + most]
        self._at += len(taken)
        await asyncio.sleep(0 if taken else wait)
        return taken

    async def commit(self, offsets: Mapping[Place, int]) -> None:
        """Done when all partitions are acknowledged to their ends."""
        self._left = {place: end for place, end in self._left.items() if offsets.get(place) != end}
        if not self._left:
            self.done.set()

"""Rounds folded by other readings one working-out at a time, and what was found kept for who asks for it again."""

from __future__ import annotations

import hashlib
import threading
from collections import OrderedDict
from collections.abc import Iterable
from typing import Final

import msgspec

from dashboards.reader.restitution import RoundSpan
from dashboards.replayer.readings_port import Before, RereadRounds, Rival, RivalDue, RivalDues

KEPT: Final = 8  # sets of rounds: some megabytes each, of as many rounds as a page works out


class RereadingBusy(Exception):
    """Somebody else's rounds are folded now: two at once would each take twice as long, and the console with them."""


class KeptRereading:
    """A `RereadRounds` for many threads.

    What was found is kept by the rounds themselves, first and last event of each: a round more, or one withheld, makes
    other rounds of it, and what lies between the two events of a round never changes.
    """

    def __init__(self, reread: RereadRounds) -> None:
        """Fold with `reread`."""
        self._reread = reread
        self._at_work = threading.Lock()
        self._shared = threading.Lock()
        self._kept: OrderedDict[bytes, dict[Rival, tuple[RivalDue, ...]]] = OrderedDict()

    def __call__(self, spans: Iterable[RoundSpan], before: Before, rivals: Iterable[Rival]) -> RivalDues:
        """The stakes of these rounds whose due each of the rivals changes.

        Raises:
            RereadingBusy: others are being worked out; these are not known yet.
            Exception: what the reader raises when it has no answer.
        """
        rounds, wanted = tuple(spans), tuple(rivals)
        key = hashlib.sha256(msgspec.msgpack.encode(rounds)).digest()
        if (known := self._known(key, wanted)) is not None:
            return known
        if not self._at_work.acquire(blocking=False):
            raise RereadingBusy
        try:
            if (known := self._known(key, wanted)) is None:  # it may have been finished a moment ago
                known = self._reread(rounds, before, wanted)
                self._keep(key, known)
            return known
        finally:
            self._at_work.release()

    def _known(self, key: bytes, rivals: tuple[Rival, ...]) -> RivalDues | None:
        with self._shared:
            kept = self._kept.get(key)
            if kept is None or not kept.keys() >= set(rivals):
                return None
            self._kept.move_to_end(key)
            return {rival: kept[rival] for rival in rivals}

    def _keep(self, key: bytes, dues: RivalDues) -> None:
        with self._shared:
            self._kept[key] = {**self._kept.pop(key, {}), **dues}
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)

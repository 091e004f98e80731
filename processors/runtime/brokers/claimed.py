"""The tables of a property: those that a gateway has claimed."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, Final, Protocol

_WAIT: Final = 0.2
_TAKES: Final = 200  # questions at one look: a topic that never ends holds nobody up


class FollowedTopic(Protocol):
    """A topic, all partitions from the first record on."""

    @property
    def behind(self) -> int:
        """Records that wait."""

    def take(self, seconds: float) -> list[Any]:
        """The next records; raise LedgerError if the brokers do not answer."""

    def close(self) -> None:
        """Let go of the brokers."""


class ClaimedTables:
    """Which tables a gateway ever claimed, as far as read; for one thread."""

    def __init__(self, claims: FollowedTopic) -> None:
        """Nothing is read yet."""
        self._claims = claims
        self._known: dict[str, None] = {}
        self._begun = False

    def read(self) -> Collection[str]:
        """The tables; the first call reads all claims there are, each later one what is new.

        Raises:
            LedgerError: the brokers do not answer.
        """
        for _ in range(_TAKES):
            for record in self._claims.take(0.0 if self._begun else _WAIT):
                if record.key:
                    self._known[record.key.decode(errors="replace")] = None
            if not self._claims.behind:
                break
        self._begun = True
        return self._known.keys()

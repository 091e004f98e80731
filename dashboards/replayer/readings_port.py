"""What other readings of the text would have settled otherwise: asked of a fold that is handed in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from msgspec import Struct

from dashboards.reader.restitution import RoundSpan, StakePlace
from processors.core.state import Table

Rival = tuple[str, str]  # the unclear place, as A1, and a policy that is not in force there


class RivalDue(Struct, frozen=True):
    """A stake whose due a reading changes: cents of the patron, by the reading in force and by the other.

    None is what cannot be said; `missing` says why.
    """

    stake: StakePlace
    was: int | None
    now: int | None
    missing: tuple[str, ...] = ()

    @property
    def change(self) -> int | None:
        """What the reading gives the patron, - what it takes; None where that cannot be said."""
        return None if self.was is None or self.now is None else self.now - self.was


RivalDues = Mapping[Rival, tuple[RivalDue, ...]]
Before = Callable[[str, int], Table]  # a table before the event of this sequence
RereadRounds = Callable[[Iterable[RoundSpan], Before, Iterable[Rival]], RivalDues]

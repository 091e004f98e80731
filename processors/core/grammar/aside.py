"""Records of a topic that do not follow their table's chain, and those that a gateway wrote which no longer may.

Many may write to a topic, so a record that is ahead of its table, or names another record before it, may be a forged
one in front of the true one, a true one that came early, or the first behind a lost one. It waits, and

- *follows* if the chain reaches it: the true record came, and it is the next one;
- is *believed* if records that build on it have come for `SECONDS`, or if more than `MOST` wait, while none came that
  follows the chain: then what is before it is lost;
- is *refused* if the chain passes its place, or goes on for `PASSED_BY` records without it, or if too many wait and
  nothing builds on it. One record alone is never believed.

Seconds are those of the broker that appended the records, which no writer can choose. What is decided about a record
is a function of the table's records up to then, however they are framed; only the time of a frame is that of all its
lines.

A record under an older claim of its table than one that was admitted is refused at once; one whose headers name no
claim counts as older than all that do. So does one of a gateway that another of the same epoch has followed: two may
claim a table at once, and then the later one goes on.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal

from msgspec import Struct, field

from processors.core.state import Chain

SECONDS: Final = 30.0
MOST: Final = 256
MOST_BYTES: Final = 256 << 10
PASSED_BY: Final = 64
_SUPERSEDED: Final = 16

Verdict = Literal["follows", "believed", "refused"]


class Apart(Struct, gc=False):
    """One record that waits: where it claims to stand, its bytes, and where and when it came.

    `at` is the broker's time in Unix seconds, `origin` the record's place in the topic; `number` and `start` place it
    among the table's lines, in lines and bytes. `onward` counts the records that had followed the chain by then,
    `records`, `unread` and `unread_last` are the chain's own (`processors.core.state.Chain`).
    """

    sequence: int
    prevhash: str
    digest: str
    line: bytes
    at: float
    origin: str
    number: int
    start: int
    epoch: int
    gateway: str
    onward: int = 0
    records: int = 0
    unread: int = 0
    unread_last: str = ""


class Aside(Struct, gc=False):
    """The records of one table that wait, in the order in which they came, and the claim that is in force.

    `onward` counts the records that have followed the chain while any waited. `epoch` and `gateway` are those of the
    newest claim under which a record was admitted, `superseded` other gateways of that epoch, which came before.
    """

    held: list[Apart] = field(default_factory=list)
    onward: int = 0
    epoch: int = 0
    gateway: str = ""
    superseded: list[str] = field(default_factory=list)

    def is_fenced(self, epoch: int, gateway: str) -> bool:
        """Whether who wrote under this claim may write the table no more."""
        return epoch < self.epoch or (epoch == self.epoch and gateway in self.superseded)

    def admitted(self, epoch: int, gateway: str) -> None:
        """Note under which claim an admitted record was written."""
        if epoch > self.epoch:
            self.epoch, self.gateway = epoch, gateway
            self.superseded.clear()
        elif epoch == self.epoch and gateway != self.gateway:
            self.superseded = [*self.superseded[1 - _SUPERSEDED :], self.gateway]
            self.gateway = gateway

    def hold(self, chain: Chain, one: Apart) -> bool:
        """Have a record wait; False if the same bytes wait already."""
        if any(other.digest == one.digest for other in self.held):
            return False
        one.onward, one.records = self.onward, chain.records
        one.unread, one.unread_last = chain.unread, chain.unread_last
        self.held.append(one)
        return True

    def went_on(self) -> None:
        """Note that a record followed the chain: what waits is not what comes next."""
        self.onward += 1

    def settle(self, chain: Chain) -> Iterator[tuple[Apart, Verdict]]:
        """Records that wait no longer, one after the other; the caller takes each before it asks for the next.

        One that follows or is believed moves `chain` on.
        """
        while self.held:
            found = self._next(chain)
            if found is None:
                return
            one, verdict = found
            self.held.remove(one)
            if verdict == "believed":
                # Lines that nobody could read and that came behind it do not stand before it.
                untouched = chain.records == one.records
                chain.unread = one.unread if untouched else 0
                chain.unread_last = one.unread_last if untouched else ""
            yield one, verdict

    def _next(self, chain: Chain) -> tuple[Apart, Verdict] | None:
        for one in self.held:
            if one.sequence == chain.next_sequence and one.prevhash == chain.head:
                return one, "follows"
        for one in self.held:
            if one.sequence < chain.next_sequence or self.onward - one.onward >= PASSED_BY:
                return one, "refused"
        full = len(self.held) > 1 and (
            len(self.held) > MOST or sum(len(one.line) for one in self.held) > MOST_BYTES
        )
        if not full and self.held[-1].at - self.held[0].at < SECONDS:
            return None
        return self._of_runs(full)

    def _of_runs(self, full: bool) -> tuple[Apart, Verdict] | None:
        """What time or number decides, of runs of records each of which builds on the one before it."""
        runs = [run for run in _runs(self.held) if run[0].onward == self.onward]
        built = [run for run in runs if len(run) > 1]
        ripe = built if full else [run for run in built if run[-1].at - run[0].at >= SECONDS]
        if full:
            begun = {one.digest for run in built for one in run}
            for one in self.held:  # the oldest that the chain went on without, or that nothing builds on
                if one.digest not in begun:
                    return one, "refused"
        if not ripe:
            return None
        return min(ripe, key=lambda run: (run[0].sequence, -len(run)))[0], "believed"


def _runs(held: list[Apart]) -> list[list[Apart]]:
    """For each record that names none of the others, the longest row of records that builds on it."""
    by_digest = {one.digest for one in held}
    behind: dict[str, list[Apart]] = {}
    for one in held:
        behind.setdefault(one.prevhash, []).append(one)
    return [_longest(one, behind) for one in held if one.prevhash not in by_digest]


def _longest(first: Apart, behind: dict[str, list[Apart]]) -> list[Apart]:
    """The longest row from a record on; of two equally long ones that which came first."""
    depth: dict[str, int] = {first.digest: 0}
    before: dict[str, Apart] = {}
    order = [first]
    for one in order:  # a hash names one record before it, so that none comes twice
        for following in behind.get(one.digest, ()):
            depth[following.digest] = depth[one.digest] + 1
            before[following.digest] = one
            order.append(following)
    run = [max(order, key=lambda one: depth[one.digest])]
    while run[-1] is not first:
        run.append(before[run[-1].digest])
    return run[::-1]

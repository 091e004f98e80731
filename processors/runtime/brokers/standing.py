"""Whether a group may go on from its committed offset: not if that skips records whose results are stored nowhere.

Kafka knows the offset that a group has committed. The results lie elsewhere: the sink's rows in the store, the
analyst's counts in its state. The two disagree when the store was restored from a backup, emptied or replaced, when
somebody moved the group by hand, when a topic was made anew, and when a topic deletes records by their age.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, Literal

import msgspec
from msgspec import Struct

from schemas.amounts import amount, verb
from schemas.errors import ActionableError

Kind = Literal["ahead", "cut", "short"]


class Bounds(Struct, frozen=True, kw_only=True):
    """One partition as the brokers have it: the group's offset (None if it has none), the log's first and next offset.

    `topic` is its name in this deployment.
    """

    topic: str
    partition: int
    committed: int | None
    first: int
    end: int

    @property
    def start(self) -> int:
        """The offset at which the group goes on: its committed one, or that of the first record that is left."""
        return max(self.committed or 0, self.first)


class Keeper(Struct, frozen=True, kw_only=True):
    """Where the results of records are kept, as an error names it, and the remedy for each kind of fault."""

    name: str
    ahead: str
    cut: str
    short: str


_REBUILD: Final = "stop all workers and run `catwalk rebuild`, which makes everything again from the ledger"
_MADE_ANEW: Final = f"restore the topic's lost end; only if the ledger was made anew, {_REBUILD}"
STORE: Final = Keeper(
    name="the store",
    ahead="stop all sinks and run `catwalk sink --set-back`, then start them: they take it again",
    cut=_REBUILD,
    short=_MADE_ANEW,
)
# The topics may still carry results of an older fold, which an empty store could not tell from those of this one.
EMPTY_STORE: Final = msgspec.structs.replace(STORE, ahead=_REBUILD)
COUNTS: Final = Keeper(name="the analyst's state", ahead=_REBUILD, cut=_REBUILD, short=_MADE_ANEW)
LEDGER: Final = Keeper(
    name="the fold's group",
    ahead="",
    cut="the ledger is kept for ever: restore the topic's beginning, and let no retention be set on it",
    short="restore the topic's lost end; only if the ledger was made anew, run `catwalk fold --forget`",
)
KEEPERS: Final = {"sink": STORE, "analyst": COUNTS, "fold": LEDGER}  # by kind of worker


class Kept(Struct, frozen=True):
    """The offset of each partition before which the store holds everything; 0 where it says nothing of a partition.

    `states` is what it keeps beside the offset of a partition of the ledger, for whoever goes on there.
    """

    offsets: Mapping[tuple[str, int], int]
    keeper: Keeper = STORE
    states: Mapping[tuple[str, int], bytes] = msgspec.field(default_factory=dict)

    def fault(self, place: tuple[str, int], bounds: Bounds, before: Kept | None = None) -> OffsetFault | None:
        """What is wrong with going on at these bounds; `before` is what was kept before the brokers gave the bounds."""
        earlier = before.offsets.get(place, 0) if before is not None else 0
        return fault(bounds, self.offsets.get(place, 0), self.keeper, earlier)


class OffsetFault(Struct, frozen=True, kw_only=True):
    """Records that no worker would take: from offset `stored` to where the group or the topic goes on.

    `ahead`: the group has acknowledged them. `cut`: the topic no longer has them. `short`: more is stored than the
    topic has, so it is not the topic that was stored.
    """

    kind: Kind
    topic: str
    partition: int
    stored: int
    committed: int | None
    first: int
    end: int
    why: str
    remedy: str

    @property
    def what(self) -> str:
        """The partition, in words."""
        return f"topic {self.topic}, partition {self.partition}"


class RecordsMissing(ActionableError):
    """Going on would leave records out: nothing is taken until a person has put it right."""

    def __init__(self, faults: Iterable[OffsetFault]) -> None:
        self.faults = worst_first(faults)
        worst = self.faults[0]
        others = len(self.faults) - 1
        why = worst.why + (f"; and so with {amount(others, 'more partition')}" if others else "")
        super().__init__(worst.what, why, worst.remedy)


def worst_first(faults: Iterable[OffsetFault]) -> tuple[OffsetFault, ...]:
    """Faults in the order of their remedies: the remedy of the first repairs the later ones too."""
    order: tuple[Kind, ...] = ("short", "cut", "ahead")
    return tuple(sorted(faults, key=lambda one: (order.index(one.kind), one.topic, one.partition)))


def fault(bounds: Bounds, stored: int, keeper: Keeper, before: int = 0) -> OffsetFault | None:
    """What is wrong with going on at these bounds, where everything before offset `stored` is kept; None: nothing.

    Workers go on meanwhile, so the store is asked twice: `stored` after the bounds, or a group that commits in between
    would seem ahead of the store; `before` before the bounds, or the store would seem to have more than the topic.
    """
    only = f"{keeper.name} holds only what is before offset {stored}"
    if before > bounds.end:
        kind: Kind = "short"
        why = f"{keeper.name} holds what is before offset {before}, but the topic ends at offset {bounds.end}"
    elif bounds.first > stored:
        kind = "cut"
        why = (
            f"the topic begins at offset {bounds.first}, but {only}:"
            f" {amount(bounds.first - stored, 'record')} {verb(bounds.first - stored, 'is')} gone from it"
        )
    elif bounds.start > stored:
        kind = "ahead"
        why = (
            f"the group has acknowledged what is before offset {bounds.committed}, but {only}:"
            f" {amount(bounds.start - stored, 'record')} would never be taken"
        )
    else:
        return None
    return OffsetFault(
        kind=kind,
        topic=bounds.topic,
        partition=bounds.partition,
        stored=before if kind == "short" else stored,
        committed=bounds.committed,
        first=bounds.first,
        end=bounds.end,
        why=why,
        remedy={"ahead": keeper.ahead, "cut": keeper.cut, "short": keeper.short}[kind],
    )

"""The orders in which a shoe must not come: the last racks, earlier shoes, and new decks, in both directions."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache

from msgspec import Struct

from processors.core.folding.known_orders import SORTED, reversed_order
from processors.detectors.evidence.runs import OrderRun, text_of
from schemas.values import UNKNOWN

ORDER = "order"
_LAST, _OWN, _REVERSED, _OTHERS = 0.22, 0.22, 0.18, 0.2


class Known(Struct, frozen=True, array_like=True):
    """One order: of the rack or of the draws of a shoe, as two characters a card."""

    kind: str
    shoe: int
    batch: str
    order: str


class Group(Struct, frozen=True):
    """Orders that share a part of the level, and how many cards they have that were read."""

    name: str
    weight: float
    cards: int


class References(Struct, frozen=True):
    """All orders that one shoe is held against.

    `starts` are the places in the text where the orders begin; `names` the group of each, `where` its description and
    shoe (0: a new deck). `own_rack` is the last rack of the shoe's batch.
    """

    text: str
    starts: tuple[int, ...]
    names: tuple[str, ...]
    where: tuple[tuple[str, int], ...]
    groups: tuple[Group, ...]
    own_rack: str
    own_reversed: str

    @property
    def cards(self) -> int:
        """Cards of all orders."""
        return sum(group.cards for group in self.groups)

    def group_of(self, run: OrderRun) -> str:
        """The group of the order that a run repeats."""
        return self.names[bisect_right(self.starts, run.at) - 1]

    def said(self, run: OrderRun) -> tuple[str, int]:
        """Which order a run repeats, in words, and of which shoe; 0 for a new deck."""
        return self.where[bisect_right(self.starts, run.at) - 1]


@lru_cache(maxsize=64)
def references(known: tuple[Known, ...], batch: str) -> References:
    """The orders that a shoe of a batch is held against, given the orders known of earlier shoes, the oldest first."""
    racks = [one for one in known if one.kind == "rack"]
    last = racks[-1] if racks else None
    own = next((one for one in reversed(racks) if one.batch == batch), None)
    entries: list[tuple[str, float, str, str, int]] = []
    if last is not None:
        same = last is own
        entries += _both_ways("last rack", last, _LAST + (_OWN if same else 0.0), _REVERSED * (1 + same))
        if own is not None and not same:
            entries += _both_ways("own rack", own, _OWN, _REVERSED)
    for one in known:
        if one is not last and one is not own:
            words = "the rack" if one.kind == "rack" else "the shoe"
            entries.append((ORDER, _OTHERS, one.order, words, one.shoe))
            entries.append((ORDER, _OTHERS, reversed_order(one.order), f"{words}, reversed,", one.shoe))
    for order in SORTED:
        entries.append((ORDER, _OTHERS, order, "a new deck", 0))
        entries.append((ORDER, _OTHERS, reversed_order(order), "a new deck, reversed", 0))
    starts, at = [], 0
    for _, _, order, _, _ in entries:
        starts.append(at)
        at += len(order) + 1
    weights = {name: weight for name, weight, *_ in entries}
    cards = dict.fromkeys(weights, 0)
    for name, _, order, _, _ in entries:
        cards[name] += len(order) // 2 - order.count(UNKNOWN)
    return References(
        text=text_of(order for _, _, order, _, _ in entries),
        starts=tuple(starts),
        names=tuple(name for name, *_ in entries),
        where=tuple((words, shoe) for *_, words, shoe in entries),
        groups=tuple(Group(name, weight, cards[name]) for name, weight in weights.items()),
        own_rack=own.order if own is not None else "",
        own_reversed=reversed_order(own.order) if own is not None else "",
    )


def _both_ways(
    name: str, one: Known, forward: float, backward: float
) -> list[tuple[str, float, str, str, int]]:
    return [
        (name, forward, one.order, "the rack", one.shoe),
        (f"{name} reversed", backward, reversed_order(one.order), "the rack, reversed,", one.shoe),
    ]

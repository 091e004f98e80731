"""Ways to break one event (or one pair that belongs together) of a dealing-shoe stream."""

from __future__ import annotations

from tests.mutations.rechain import Event, altered, dropped, inserted, kind, left_out, like, moved
from tests.mutations.stack_streams import Mutation, Wanted, at_of, in_round, is_void

SIX = ["??"] * 6


def drop(events: list[Event], index: int) -> list[Event]:
    return dropped(events, index)


def change(**data: object) -> Mutation:
    return lambda events, index: altered(events, index, **data)


def flip(field: str) -> Mutation:
    """A yes becomes a no."""
    return lambda events, index: altered(events, index, **{field: not events[index]["data"][field]})


def show_stack(events: list[Event], index: int) -> list[Event]:
    """A card of the stack is shown before it is racked."""
    cards = [*SIX[:5], unseen(events, index)]
    shown = like(events[index], "hand_revealed", position=events[index]["data"]["hand"], cards=cards)
    return inserted(events, index, shown)


def drop_pair(events: list[Event], index: int) -> list[Event]:
    """A card or stack that is neither drawn nor laid, and that nobody has then."""
    return left_out(events, index)


def double_pair(events: list[Event], index: int) -> list[Event]:
    again = [like(event, kind(event), **event["data"]) for event in events[index : index + 2]]
    return inserted(events, index + 2, *again)


def pair_of(cards: int) -> Mutation:
    def mutate(events: list[Event], index: int) -> list[Event]:
        return altered(altered(events, index, cards=["??"] * cards), index + 1, cards=["??"] * cards)

    return mutate


def after(*names: str) -> Mutation:
    """The event comes right after the next of these types."""
    return lambda events, index: moved(events, index, at_of(events, index, *names) + 1)


def before(*names: str, last: bool = False) -> Mutation:
    """The event comes right before the next of these types (or the last one before it)."""
    return lambda events, index: moved(events, index, at_of(events, index, *names, step=-1 if last else 1))


def insert(name: str, at: int = 0, **data: object) -> Mutation:
    return lambda events, index: inserted(events, index + at, like(events[index], name, **data))


def swap_spots(events: list[Event], index: int) -> list[Event]:
    """Two stacks change places."""
    here, there = events[index]["data"]["position"], events[index + 2]["data"]["position"]
    return altered(altered(events, index, position=there), index + 2, position=here)


def all_of(*tests: Wanted) -> Wanted:
    return lambda events, index: all(test(events, index) for test in tests)


def void(events: list[Event], index: int) -> bool:
    return is_void(events, index)


def counted_wrong(events: list[Event], index: int) -> bool:
    """Whether the stub of the round around an index was not 11."""
    counts = [event["data"]["cards"] for event in in_round(events, index) if kind(event) == "stub_counted"]
    return bool(counts) and counts != [11]


def not_misdealt(events: list[Event], index: int) -> bool:
    """Whether the round around an index, or right before it, was found not to be misdealt."""
    round_ = in_round(events, index)
    return any(event["data"].get("misdealt") is False for event in round_)


def proper(events: list[Event], index: int) -> bool:
    return not is_void(events, index)


def nth_stack(*wanted: int) -> Wanted:
    """Dispensed or delivered as one of the round's first, second ... stacks."""

    def is_it(events: list[Event], index: int) -> bool:
        if not kind(events[index]).startswith("stack_d"):
            return False
        stacks = [event for event in in_round(events, index) if kind(event) == kind(events[index])]
        return stacks.index(events[index]) in wanted

    return is_it


def unseen(events: list[Event], index: int) -> str:
    """A card that the round shows nowhere else."""
    hands = [event["data"]["cards"] for event in in_round(events, index) if kind(event) == "hand_revealed"]
    shown = {card for cards in hands for card in cards}
    return next(rank + suit for suit in "cdhs" for rank in "23456789TJQKA" if rank + suit not in shown)

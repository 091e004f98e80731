"""The answer in one sentence that a floor supervisor understands."""

from __future__ import annotations

from collections.abc import Sequence

from processors.rack.answer import Reconstruction
from schemas.amounts import amount
from schemas.values import DEALER

MOST_NAMED = 6
"""Hands that a sentence names before it only counts them."""


def lawful_message(
    count: int, agree_on: Sequence[str], differ_on: Sequence[str], money_unique: bool | None
) -> str:
    """The sentence for a complete search with at least one lawful round."""
    if count == 1:
        money = (
            "and how every main wager ended"
            if money_unique
            else "but not how every main wager ended, because surrender or even money may have left no trace"
        )
        return f"Exactly one lawful round leaves this rack: it proves every hand, {money}."
    same = f"agree on {_named(agree_on)}" if agree_on else "agree on no hand"
    differ = f"differ on {_named(differ_on)}"
    money = "every main wager ends alike in all of them" if money_unique else "the main wagers are not proven"
    return f"{amount(count, 'lawful round')} leave this rack: they {same}, {differ}, and {money}."


def cut_message(count: int) -> str:
    """The sentence for a search that was cut short."""
    if not count:
        return "The search was stopped before it found a lawful round: give it more time, or tell it more."
    found = amount(count, "lawful round")
    return f"The search was stopped at {found}; there may be more, so this rack proves nothing yet."


def unlawful_message(nearest: Reconstruction | None) -> str:
    """The sentence for a complete search without a lawful round."""
    if nearest is None:
        return "No lawful round leaves this rack, and none that departs from the rules only a few times was found."
    first, *more = nearest.deviations
    others = f", and {len(more)} more" if more else ""
    return f"No lawful round leaves this rack; in the nearest {first.message} ({first.provision}){others}."


def _named(hands: Sequence[str]) -> str:
    names = ["the dealer's hand" if hand == DEALER else hand for hand in hands]
    if len(names) > MOST_NAMED:
        return amount(len(names), "hand")
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)

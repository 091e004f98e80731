"""How the messages of findings name money and wagers."""

from __future__ import annotations

from processors.core.state import Stake

WORDS = {"pay": "paid", "collect": "collected", "return": "returned", "take_back": "taken back"}
_KINDS = {
    "push22": "Push 22", "match_dealer": "Match-the-Dealer", "fortune_bonus": "Fortune Bonus",
    "five_card_hand": "Five Card Hand", "six_card_bonus": "Six Card Bonus",
}  # fmt: skip


_CARDINALS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ORDINALS = (
    "",
    "first",
    "second",
    "third",
    "fourth",
    "fifth",
    "sixth",
    "seventh",
    "eighth",
    "ninth",
    "tenth",
)


def cardinal(number: int) -> str:
    """A number in words up to ten, and else in figures."""
    return _CARDINALS[number] if number < len(_CARDINALS) else str(number)


def ordinal(number: int) -> str:
    """The place of a number in words up to the tenth, and else in figures."""
    return _ORDINALS[number] if number < len(_ORDINALS) else f"{number}th"


def dollars(cents: int) -> str:
    """Cents as dollars with two decimals."""
    return f"${cents / 100:,.2f}"


def kind_of_wager(kind: str) -> str:
    """A kind of wager by the name that the layout gives it."""
    return _KINDS.get(kind, kind)


def wager(kind: str) -> str:
    """A kind of wager as a message names it."""
    return f"{kind_of_wager(kind)} wager"


def a(name: str) -> str:
    """A name with its indefinite article."""
    return f"{'an' if name[0] in 'aeiou' else 'a'} {name}"


def named(stake: Stake) -> str:
    """The stake as a floor supervisor would name it."""
    place = f"hand {stake.hand}" if stake.hand else f"seat {stake.seat}"
    return f"{wager(stake.kind)} of {place}"

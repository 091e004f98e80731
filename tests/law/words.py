"""The words of one step: plain ones in order, and `key=value` ones."""

from __future__ import annotations

from collections.abc import Iterable

from schemas.values import CARD_NAMES
from tests.law.record import ScriptError

_CARDS = frozenset(CARD_NAMES)


def cards_in(text: str) -> list[str]:
    """Cards written without a space between: `Ts9d`.

    Raises:
        ScriptError: two characters that are no card.
    """
    found = [text[at : at + 2] for at in range(0, len(text), 2)]
    wrong = [card for card in found if card not in _CARDS]
    if wrong:
        raise ScriptError(f"{wrong[0]!r} in {text!r} is no card; write rank and suit, such as Ts or ??")
    return found


def hand_name(text: str) -> str:
    """`3` is the seat's first hand, `3.2` its second, `D` the dealer's."""
    return f"{text}.1" if text.isdigit() else text


class Words:
    """What follows a step's own word, taken one after the other."""

    def __init__(self, words: Iterable[str]) -> None:
        self.plain: list[str] = []
        self.named: dict[str, str] = {}
        for word in words:
            name, sign, value = word.partition("=")
            if sign and name.isidentifier():
                self.named[name] = value
            else:
                self.plain.append(word)

    def take(self, what: str) -> str:
        """The next plain word.

        Raises:
            ScriptError: there is none.
        """
        if not self.plain:
            raise ScriptError(f"{what} is missing")
        return self.plain.pop(0)

    def seat(self) -> int:
        """The next word as a seat."""
        word = self.take("a seat")
        if not word[0].isdigit():
            raise ScriptError(f"{word!r} is no seat")
        return int(word[0])

    def hand(self) -> str:
        """The next word as a hand."""
        return hand_name(self.take("a hand"))

    def cents(self, default: int) -> int:
        """The next word as cents if it is a number, else the default."""
        return int(self.plain.pop(0)) if self.plain and self.plain[0].isdigit() else default

    def one_of(self, choices: Iterable[str], default: str) -> str:
        """The next word if it is one of these, else the default."""
        return self.plain.pop(0) if self.plain and self.plain[0] in set(choices) else default

    def cards(self) -> list[str]:
        """All words that are left, as cards."""
        found = [card for word in self.plain for card in cards_in(word)]
        self.plain.clear()
        return found

    def done(self) -> None:
        """Refuse words that mean nothing here.

        Raises:
            ScriptError: something is left over.
        """
        if self.plain:
            raise ScriptError(f"{self.plain[0]!r} means nothing here")

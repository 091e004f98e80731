"""Reading a table of titles: a form of message, and the titles that say the same in fewer words.

A form is the message with a `{name}` for each of its particulars and without its full stop; a title names them again. A
name that stands in a form twice stands for the same words twice.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

Rows = tuple[tuple[str, ...], ...]
"""Each a form, and its titles: the first that is short enough stands."""

_LATEST = "the latest "
_MONEY = r"\$[\d,]*\d(?:\.\d\d)?"
_BEGINS = re.compile(r"^(?:A(?= card)|Batch|Card|Hand|Position|Round|Seat|Shoe|The)\b")
_NAME = re.compile(r"\{(\w+)\}")
# What a name stands for, where "anything" would take too much.
_MEANT = {
    **dict.fromkeys(("seen", "then", "last", "due"), _MONEY),
    **dict.fromkeys(("did", "next", "end", "do"), r"\w+(?: back)?"),
    "n": r"[\d,]+",
    "noun": "cards?|decks?",
    "were": "was|were",
}


class Form(Struct, frozen=True):
    """One form of message, ready to be read."""

    said: re.Pattern[str]
    titles: tuple[str, ...]

    def titles_of(self, message: str) -> tuple[str, ...]:
        """The titles of a message of this form, best first; none for any other message.

        Where a title is too long, it need not say that a number is of the latest ones: the message does.
        """
        found = self.said.fullmatch(message)
        if found is None:
            return ()
        titles = tuple(self._filled(found.groupdict()))
        return (*titles, *(one.replace(_LATEST, "") for one in titles if _LATEST in one))

    def _filled(self, said: dict[str, str]) -> Iterator[str]:
        for title in self.titles:
            words = {name: _WORDS.get(name, _within)(text) for name, text in said.items()}
            if "wager" in said:
                words["the_wager"] = _with_article(words["wager"])
            yield title.format_map(words)
            if "list" in said:
                yield title.format_map(words | {"list": first_of(said["list"])})


def read(rows: Rows) -> tuple[Form, ...]:
    """The forms of a table."""
    return tuple(Form(_pattern(form), titles) for form, *titles_ in rows for titles in (tuple(titles_),))


def _pattern(form: str) -> re.Pattern[str]:
    parts, named = [], set()
    for at, part in enumerate(_NAME.split(form)):
        if at % 2 == 0:
            parts.append(re.escape(part))
        elif part in named:
            parts.append(f"(?P={part})")
        else:
            named.add(part)
            parts.append(f"(?P<{part}>{_MEANT.get(part, '.+?')})")
    return re.compile("".join(parts))


def first_of(listed: str) -> str:
    """A list by its first name and how many more there are: `no wash (and 2 more)`."""
    first, *others = listed.split(", ")
    return f"{first} (and {len(others)} more)" if others else first


def _within(words: str) -> str:
    """Words from the beginning of a message as they stand within a sentence: `Seat 3` as `seat 3`."""
    return _BEGINS.sub(lambda found: found[0].lower(), words)


def _with_article(wager: str) -> str:
    return wager if wager.startswith("hand ") or wager[:1].isupper() else f"the {wager}"


def _wager(name: str) -> str:
    """A wager as people call it: the main wager of a hand is the hand, any other goes by its name alone."""
    return re.sub(r"^main wager of (?=hand )|(?<!main) wager(?= of )", "", name)


def _whose(owner: str) -> str:
    """The hand that is meant by the cards of somebody."""
    return "the dealer's hand" if owner == "the dealer" else owner


_WORDS = {"wager": _wager, **dict.fromkeys(("whose", "seen_hand", "due_hand"), _whose)}

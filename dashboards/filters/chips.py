"""Chips: each word of a filter by itself, with the filter without it; and words that are offered to be clicked in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct


class FilterWord(Struct, frozen=True, kw_only=True):
    """A word as it may be written anew; `meant` says more of it, `wrong` why it is not understood."""

    field: str
    written: str
    meant: str = ""
    wrong: str = ""


class Chip(Struct, frozen=True, kw_only=True):
    """A word of the filter; `href` is the list without it."""

    word: FilterWord
    href: str


class Offer(Struct, frozen=True, kw_only=True):
    """A word that can be clicked in, in place of those of its fields; `chosen` says that it stands in the filter."""

    word: str
    said: str
    href: str
    chosen: bool


class Offers(Struct, frozen=True, kw_only=True):
    """Offered words of one kind, of which a filter has one at most; `fields` are those that such words have."""

    name: str
    fields: tuple[str, ...]
    offers: tuple[Offer, ...]


def chips(words: list[FilterWord], address: Callable[[str], str]) -> tuple[Chip, ...]:
    """A chip for each word; `address` gives that of the list with other words."""
    return tuple(
        Chip(word=one, href=address(_line(words[:at] + words[at + 1 :]))) for at, one in enumerate(words)
    )


def offered(
    name: str,
    fields: tuple[str, ...],
    choices: Iterable[tuple[str, str]],
    words: Sequence[FilterWord],
    address: Callable[[str], str],
) -> Offers:
    """What is offered of one kind; `choices` are words as they are written, and how each is said.

    A word that stands in the filter already is taken out by its own offer.
    """
    others = [one for one in words if one.field not in fields]
    here = {one.written.lower() for one in words if one.field in fields}
    found = []
    for word, said in choices:
        chosen = word.lower() in here
        line = _line(others) if chosen else f"{_line(others)} {word}".strip()
        found.append(Offer(word=word, said=said, href=address(line), chosen=chosen))
    return Offers(name=name, fields=fields, offers=tuple(found))


def _line(words: Sequence[FilterWord]) -> str:
    return " ".join(one.written for one in words)

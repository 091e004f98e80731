"""Names as people type them: which of the known names a text means, and which are spelled like it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from difflib import get_close_matches
from typing import Any

from litestar import Request

_MOST = 4


def plain(name: str) -> str:
    """The name without case, dashes and spaces."""
    return "".join(letter for letter in name.lower() if letter.isalnum())


def near(text: str, names: Iterable[str]) -> tuple[str, ...]:
    """The names that may have been meant: those that hold what was typed, then those that are spelt alike."""
    by_plain = {plain(name): name for name in sorted(set(names))}
    typed = plain(text)
    holding = [one for one in by_plain if typed and typed in one]
    alike = [one for one in get_close_matches(typed, by_plain, _MOST, 0.5) if one not in holding]
    return tuple(by_plain[one] for one in (*holding, *alike)[:_MOST])


def same(one: str, other: str) -> bool:
    """Whether two names are one, whatever their case."""
    return one.casefold() == other.casefold()


def stands_in(words: str, told: str) -> bool:
    """Whether these words stand in a text as they are: `BJ-1` does not in `table BJ-12`.

    Of an id its beginning is enough, from six characters on.
    """
    end = "" if re.fullmatch(r"[0-9a-f]{6,}", words, re.I) else r"(?![\w-]|\.\w)"
    return re.search(rf"(?<![\w-])(?<!\w\.){re.escape(words)}{end}", told, re.I) is not None


def unknown_fields(request: Request[Any, Any, Any], known: Collection[str]) -> dict[str, str]:
    """Fields of the address that this search does not have, each with what it has."""
    given = dict.fromkeys(request.query_params)
    return {
        name[:40]: f"{name[:40]} is no field of this search; there are: {', '.join(known)}"
        for name in given
        if name not in known
    }


def meant(
    text: str, known: Sequence[str], alike: Callable[[str], bool]
) -> tuple[str | None, tuple[str, ...]]:
    """The known name that a text stands for; where that is not one, those it may have meant."""
    if text in known:
        return text, ()
    found = [one for one in known if alike(one)]
    return (found[0], ()) if len(found) == 1 else (None, tuple(found) or near(text, known))

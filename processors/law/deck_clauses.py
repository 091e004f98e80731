"""Where the duties about decks and shoe stand in the three Blackjack chapters.

Sections 3, 4, 5 and 7 share their letters; the irregularities stand one letter earlier in 685a, and its 5(g)
sends the cards of an idle table through the whole opening again.
"""

from __future__ import annotations

from collections.abc import Iterable

from schemas.provisions import PROVISIONS

_NAMES: dict[str, dict[str, str]] = {
    "free_bet_590": {"ch": "590", "out": "590.13(f)", "jam": "590.13(k)", "down": "590.13(l)"},
    "free_bet_672a": {"ch": "672a", "out": "672a.12(f)", "jam": "672a.12(k)", "down": "672a.12(l)"},
    "down_under_685a": {"ch": "685a", "out": "685a.12(e)", "jam": "685a.12(j)", "down": "685a.12(k)"},
}


def cite(ruleset: str, forms: Iterable[str]) -> tuple[str, ...]:
    """The ids that forms like `{ch}.5(d)#1` stand for in a chapter, once each; forms it does not have are left out."""
    ids = (form.format(**_NAMES[ruleset]) for form in forms)
    return tuple(dict.fromkeys(clause for clause in ids if clause in PROVISIONS))


def everywhere(*forms: str) -> dict[str, tuple[str, ...]]:
    """What a check decides in each chapter.

    Raises:
        LookupError: a form that no chapter has.
    """
    table = {ruleset: ids for ruleset in _NAMES if (ids := cite(ruleset, forms))}
    for form in forms:
        if not any(cite(ruleset, (form,)) for ruleset in _NAMES):
            raise LookupError(f"no Blackjack chapter has {form}")
    return table

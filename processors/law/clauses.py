"""Where each cause of a settlement stands in each chapter.

The Free Bet chapters share their wording and differ in section numbers, so one table with the section names in
braces serves both; Down Under has its own.
"""

from __future__ import annotations

from schemas.provisions import PROVISIONS

SECTIONS: dict[str, dict[str, str]] = {
    "free_bet_590": {
        "ch": "590", "surrender": "590.9", "double": "590.10", "split": "590.11", "odds": "590.12", "irr": "590.13",
    },
    "free_bet_672a": {
        "ch": "672a", "double": "672a.9", "split": "672a.10", "odds": "672a.11", "irr": "672a.12",
    },
    "down_under_685a": {
        "ch": "685a", "double": "685a.9", "split": "685a.10", "odds": "685a.11", "irr": "685a.12",
    },
}  # fmt: skip
FREE_BET = ("free_bet_590", "free_bet_672a")
BLACKJACK = (*FREE_BET, "down_under_685a")

_FREE_BET_CAUSES: dict[str, tuple[str, ...]] = {
    "blackjack": ("{ch}.7(h)(1)#1", "{odds}(a)#2"),
    "both_blackjack": ("{ch}.7(g)(1)#1",),
    "dealer_blackjack": ("{ch}.7(g)(2)#1",),
    "push22_against_blackjack": ("{ch}.7(g)(2)#2",),
    "push22_both_blackjack": ("{ch}.7(g)(1)#2",),
    "bust": ("{ch}.7(q)", "{ch}.7(q)(1)"),
    "dealer_22": ("{ch}.7(n)(1)#1", "{ch}.7(o)(1)#2"),
    "dealer_over": ("{ch}.7(o)", "{ch}.7(o)(1)#1", "{ch}.7(n)(2)#2"),
    "higher": ("{ch}.7(o)", "{ch}.7(o)(2)", "{ch}.7(n)(2)#2"),
    "tie": ("{ch}.7(p)#1", "{ch}.7(n)(2)#2"),
    "lower": ("{ch}.7(q)", "{ch}.7(q)(2)", "{ch}.7(n)(2)#2"),
    "insurance_wins": ("{ch}.7(g)(2)#3", "{ch}.8(c)"),
    "insurance_wins_both_blackjack": ("{ch}.7(g)(1)#3", "{ch}.8(c)"),
    "insurance_odds": ("{odds}(b)", "{ch}.8(c)"),
    "insurance_loses": ("{ch}.8(d)",),
    "push22_loses": ("{ch}.7(n)(2)#1",),
    "push22_same_suit": ("{ch}.7(n)(1)#3", "{odds}(c)#2"),
    "push22_same_colour": ("{ch}.7(n)(1)#3", "{odds}(c)#3"),
    "push22_other": ("{ch}.7(n)(1)#3", "{odds}(c)#4"),
    "odds": ("{odds}(a)#1",),
    "lammer_dealer_22": ("{ch}.7(n)(1)#2", "{ch}.7(o)(1)#2"),
    "lammer_tie": ("{ch}.7(p)#2",),
    "lammer_loses": ("{ch}.7(q)",),
    "lammer_wins": ("{ch}.7(o)", "{odds}(a)#1"),
    "dead": ("{irr}(h)#3",),
    "dead_without_cards": ("{irr}(g)#1",),
    "dead_with_one_card": ("{irr}(g)#2",),
    "undecided": ("{ch}.7(n)",),
    "undecided_double": ("{double}(d)",),
    "rack": ("{ch}.7(s)",),
    "insurance_size": ("{ch}.8(b)#1",),
    "no_main": ("{ch}.6(d)",),
    "no_double": ("{double}(a)(2)",),
    "no_split": ("{split}(b)(1)",),
    "no_push22": ("{ch}.6(e)#1", "{ch}.7(n)(1)#3", "{ch}.7(n)(2)#1"),
    "no_insurance": ("{ch}.8(a)#1", "{ch}.8(c)", "{ch}.8(d)"),
}
_CAUSES_590 = {
    "surrender": ("590.9(a)(1)",),
    "surrender_after_peek": ("590.9(a)(2)#3",),
    "surrender_to_blackjack": ("590.9(a)(2)#2",),
    "insurance_of_surrender": ("590.9(b)",),
}
_CAUSES_672A = {"even_money": ("672a.8(e)#2",)}
_DOWN_UNDER_CAUSES: dict[str, tuple[str, ...]] = {
    "blackjack": ("685a.7(i)(1)#1", "685a.11(a)#2"),
    "both_blackjack": ("685a.7(h)(1)#1",),
    "dealer_blackjack": ("685a.7(h)(2)#1",),
    "double_against_blackjack": ("685a.9(b)",),
    "split_against_blackjack": ("685a.10(d)#2", "685a.10(d)#1"),
    "bust": ("685a.7(q)", "685a.7(q)(1)"),
    "dealer_22": ("685a.7(n)(1)#3",),
    "dealer_22_paid": ("685a.7(n)(1)#2",),
    "dealer_22_two_large": ("685a.7(n)(1)#1",),
    "dealer_over": ("685a.7(o)", "685a.7(o)(1)", "685a.7(n)(2)"),
    "higher": ("685a.7(o)", "685a.7(o)(2)", "685a.7(n)(2)"),
    "tie": ("685a.7(p)", "685a.7(n)(2)"),
    "lower": ("685a.7(q)", "685a.7(q)(2)", "685a.7(n)(2)"),
    "insurance_wins": ("685a.7(h)(2)#2", "685a.8(c)"),
    "insurance_wins_both_blackjack": ("685a.7(h)(1)#2", "685a.8(c)"),
    "insurance_odds": ("685a.11(b)", "685a.8(c)"),
    "insurance_loses": ("685a.8(d)",),
    "match_wins": ("685a.7(f)#3",),
    "match_11": ("685a.11(c)#1",),
    "match_4": ("685a.11(c)#2",),
    "match_14": ("685a.11(c)#3",),
    "match_3": ("685a.11(c)#4",),
    "match_loses": ("685a.7(f)#3",),
    "match_other_ten": ("685a.7(f)#4",),
    "match_open": ("685a.7(f)#1",),
    "even_money": ("685a.11(a)#2",),
    "odds": ("685a.11(a)#1",),
    "dead": ("685a.12(g)#3",),
    "dead_without_cards": ("685a.12(f)#1",),
    "dead_with_one_card": ("685a.12(f)#2",),
    "dead_after_light": ("685a.12(h)#2",),
    "dead_bust_after_light": ("685a.12(h)#3", "685a.12(h)#2"),
    "undecided": ("685a.7(n)",),
    "rack": ("685a.7(s)",),
    "insurance_size": ("685a.8(b)#1",),
    "no_main": ("685a.6(d)",),
    "no_double": ("685a.9(a)#2",),
    "no_split": ("685a.10(a)#2",),
    "no_match_dealer": ("685a.7(f)#1", "685a.7(f)#3"),
    "no_insurance": ("685a.8(a)#1", "685a.8(c)", "685a.8(d)"),
}
_STACK_CAUSES = {
    "fortune_670a10": {"void_round": ("670a.10(e)#2", "670a.10(e)#3")},
    "manual_shoe_657a8": {"void_round": ("657a.8(h)#2", "657a.8(h)#3")},
}


def _fill(ruleset: str, table: dict[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    filled = {}
    for cause, clauses in table.items():
        ids = tuple(clause.format(**SECTIONS.get(ruleset, {})) for clause in clauses)
        unknown = [clause for clause in ids if clause not in PROVISIONS]
        if unknown:
            raise LookupError(f"cause {cause} of {ruleset} cites {unknown[0]}, which is no provision")
        filled[cause] = ids
    return filled


CAUSES: dict[str, dict[str, tuple[str, ...]]] = {
    "free_bet_590": _fill("free_bet_590", {**_FREE_BET_CAUSES, **_CAUSES_590}),
    "free_bet_672a": _fill("free_bet_672a", {**_FREE_BET_CAUSES, **_CAUSES_672A}),
    "down_under_685a": _fill("down_under_685a", _DOWN_UNDER_CAUSES),
}


def clauses_of(ruleset: str, *causes: str) -> tuple[str, ...]:
    """The provisions of a ruleset behind one or more causes, without repetition; those it lacks are left out."""
    table = CAUSES[ruleset]
    return tuple(dict.fromkeys(clause for cause in causes for clause in table.get(cause, ())))

"""What a detector says of a round that weighs, and of its other figures, in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from dashboards.suspicions.curve import odds
from dashboards.wording.money import figures

_STAKED: Final = frozenset({
    "collusion", "counting", "dealer_mispay", "hole_card_knowledge", "past_posting", "rank_composition", "side_wager",
})  # fmt: skip
"""Families whose money of a round is what was staked, but for the checks below."""
_WRONG = re.compile(
    r"pattern\.(dealer_mispay\..+|collusion\.(overpaid|exchanged)|side_wager\..+_paid|theoretical_win\..+paid)"
)
"""Checks whose money of a round is what was paid wrongly."""
_UNDERPAID: Final = "pattern.theoretical_win.underpaid"
"""Its money of a round was told without a minus by earlier releases."""
_BOTH_WAYS: Final = "pattern.dealer_mispay.careless"
"""Its money of a round is all that was paid wrongly, too much or too little."""
_DECISIONS: Final = "pattern.collusion.decisions"
"""Its factor of a round is the largest of those that are weighed: the evidence need not move by it."""
_IN_WORDS: Final = {
    "seconds_an_act": "seconds an act {}",
    "table_seconds_an_act": "of the table {}",
    "wagers_won": "by the cards {} in main wagers",
    "wagers_expected": "{} expected",
    "share_of_wagers": "{:.1%} of the main wagers",
    "too_much_cents": "{} too much",
    "too_little_cents": "{} too little",
    "failed": "{}",
    "hole_card": "hole card {}",
    "share_below_cover_card": "{:.1%} of the cards below the cover card",
    "share_above_cut": "{:.1%} of the cards above the cut",
    "count_of_last_shoe_in_deviations": "count of the last shoe {:+z.1f} standard deviations",
    "count_of_last_quarter_in_deviations": "count of the last quarter {:+z.1f} standard deviations",
    "count_behind_in_deviations": "count behind the cover card {:+z.1f} standard deviations",
    "count_of_first_quarter_in_deviations": "count of the first quarter {:+z.1f} standard deviations",
}
"""How a page says what its name and its figure alone say less plainly."""
_RARE = 1e-4  # below it a float is written with an exponent, which people do not read
_IDENTIFIERS: Final = {"event", "shoe"}
_MONEY = "cents"  # a word of the names of amounts


def said_of_round(check: str, name: str, value: Any) -> str:
    """One thing that a detector says of a round: its seats, its money, why it weighs; empty if that is nothing."""
    if name == "seats" and isinstance(value, list | tuple):
        return f"seat{'' if len(value) == 1 else 's'} {', '.join(map(str, value))}"
    if name == "factor" and isinstance(value, float | int):
        return _said_of_factor(check, value)
    if name == "off_cents" and isinstance(value, int):
        return f"{figure_of(name, abs(value))} {'short of' if value < 0 else 'over'} the record"
    if name in _IN_WORDS:
        told = _IN_WORDS[name]
        if ":" not in told.rpartition("{")[2]:
            return told.format(figure_of(name, value))
        return told.format(value).replace("-", "−")
    if isinstance(value, bool):
        return named_as(name) if value else ""
    return (
        _said_of_money(check, value) if name == "cents" and isinstance(value, int) else part_of(name, value)
    )


def _said_of_money(check: str, cents: int) -> str:
    """The money of a round: staked, paid wrongly, or by the cards."""
    family, told = check.split(".")[1], figure_of("cents", abs(cents))
    if check == _BOTH_WAYS:
        return f"{told} paid wrongly"
    if _WRONG.fullmatch(check):
        return f"{told} too {'little' if cents < 0 or check == _UNDERPAID else 'much'}"
    if family == "called_void":
        return f"patrons would have {'won' if cents > 0 else 'lost'} {told}"
    if family == "theoretical_win":
        return f"the house {'lost' if cents < 0 else 'won'} {told}"
    told = figure_of("cents", cents)
    return f"{told} staked" if family in _STAKED else told


def _said_of_factor(check: str, factor: float) -> str:
    """How far a round raised the evidence; empty where it left the evidence as it was."""
    told = odds(factor)
    if told == "1":
        return ""
    if check == _DECISIONS:
        return f"fits who knows the hole card up to {told} times as well as chance"
    return f"raised the evidence {told} times" if factor > 1 else f"left {told} of the evidence"


def named_as(name: str) -> str:
    """The name of a figure; that it is money, the figure itself says."""
    return " ".join(word for word in name.split("_") if word != _MONEY) or "money"


def part_of(name: str, value: Any) -> str:
    """The name of a figure, and the figure."""
    return figure_of(name, value) if name == "cents" else f"{named_as(name)} {figure_of(name, value)}"


def figure_of(name: str, value: Any) -> str:
    """A figure as people read it: money in dollars, small chances as "1 in so many", lists with commas."""
    if name in _IDENTIFIERS:
        return str(value)
    if _MONEY in name.split("_") and isinstance(value, int | float):
        return f"{'−' if value < 0 else ''}{figures(round(value), '$')}"
    if isinstance(value, float):
        if 0 < value < _RARE:
            return f"1 in {odds(1 / value)}"
        return (f"{value:,.0f}" if abs(value) >= 999.5 else f"{value:.3g}").replace("-", "−")
    if isinstance(value, Mapping):
        return ", ".join(f"{named_as(key)} {figure_of(key, each)}" for key, each in value.items()) or "none"
    if isinstance(value, list):
        nested = any(isinstance(each, Mapping) for each in value)
        return ("; " if nested else ", ").join(
            str(each) if isinstance(each, int) else figure_of("", each) for each in value
        )
    if isinstance(value, int):
        return f"{value:,}".replace("-", "−")
    return str(value).replace("_", " ") if name == "of" else str(value)

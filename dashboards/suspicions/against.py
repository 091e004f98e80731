"""What was seen against what chance allows: two figures of a suspicion, and their drawing."""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct

from dashboards.drawing.svg import Markup, document, element, label
from dashboards.wording.money import figures
from schemas.findings import Finding

WIDTH, HEIGHT = 760, 104
_TEXT, _LEFT, _RIGHT = 15, 150, 110
_TOP, _BAR, _STEP = 8, 36, 50
_CHANCE: Final = "Chance allows"
_COUNT: Final = "at a true count of 1 or more"


class FigurePair(Struct, frozen=True):
    """Which figures of a finding are compared: the sum of those observed under `seen` with that expected `allowed`.

    `of` names the whole, observed or expected; `by` says who allows it; `unit` is that of both: a plain number, `cents`
    or `part` of one.
    """

    check: str
    what: str
    seen: tuple[str, ...]
    allowed: str
    of: str = ""
    by: str = _CHANCE
    unit: str = ""


class Against(Struct, frozen=True, kw_only=True):
    """`seen` against `allowed`, each with its words; `what` says of what, and `of` how many there were in all."""

    what: str
    of: str
    seen: float
    allowed: float
    seen_words: str
    allowed_words: str
    by: str


_TO_HOLE_CARD: Final = "decisions as the hidden card orders"
_PAIRS: Final = (
    FigurePair(
        "called_void.for_patrons",
        "rounds called void that patrons would have lost",
        ("patrons_would_have_lost",),
        "as_of_other_rounds",
        "called_void",
        by="As of other rounds",
    ),
    FigurePair(
        "called_void.for_house",
        "rounds called void that patrons would have won",
        ("patrons_would_have_won",),
        "as_of_other_rounds",
        "called_void",
        by="As of other rounds",
    ),
    FigurePair(
        "collusion.decisions",
        _TO_HOLE_CARD,
        ("as_the_hole_card_orders",),
        "as_the_hole_card_orders",
        "decisions",
    ),
    FigurePair(
        "collusion.overpaid",
        "hands overpaid or left uncollected that were this patron’s",
        ("for_this_player",),
        "of_these_by_chance",
        "mispaid_for_patrons",
    ),
    FigurePair(
        "counting.stakes",
        f"mean stake {_COUNT}",
        ("mean_cents_at_count_of_1_or_more",),
        "mean_cents_at_any_count",
        by="At any count",
        unit="cents",
    ),
    FigurePair(
        "counting.presence",
        f"rounds played {_COUNT}",
        ("rounds_played_at_count_of_1_or_more",),
        "rounds_played_at_count_of_1_or_more",
        "rounds_at_count_of_1_or_more",
        by="At any count",
    ),
    FigurePair("cut_steering", "correlation", ("correlation",), "correlation"),
    FigurePair(
        "cut_steering",
        "standard deviations a shoe, on average",
        ("mean_in_deviations",),
        "mean_in_deviations",
    ),
    FigurePair(
        "dealer_mispay.for_patrons",
        "hands paid too much, or not collected",
        ("for_patrons",),
        "by_chance",
        "hands",
    ),
    FigurePair(
        "dealer_mispay.for_house",
        "hands paid too little, or collected wrongly",
        ("for_house",),
        "by_chance",
        "hands",
    ),
    FigurePair(
        "dealer_mispay.careless",
        "hands mispaid one way or the other",
        ("for_patrons", "for_house"),
        "by_chance",
        "hands",
    ),
    FigurePair(
        "hole_card_knowledge", _TO_HOLE_CARD, ("decisions_that_fit",), "decisions_that_fit", "decisions"
    ),
    FigurePair(
        "masque_errors.wrong_lights",
        "rounds with a wrong light",
        ("wrong_lights",),
        "wrong_lights_at_most",
        "rounds",
    ),
    FigurePair("pace", "seconds an act", ("seconds_an_act",), "table_seconds_an_act", by="The table"),
    FigurePair("past_posting", "stakes that won", ("won",), "won_by_chance", "stakes"),
    FigurePair("past_posting", "stakes that lost", ("lost",), "lost_by_chance", "stakes"),
    FigurePair(
        "preferential_shuffle",
        "mean true count of the shoes reshuffled early",
        ("mean_true_count",),
        "mean_true_count",
    ),
    FigurePair(
        "rank_composition.ranks",
        "cards of these ranks in these shoes",
        ("in_these_shoes",),
        "in_these_shoes",
        "read",
        by="The decks give",
    ),
    FigurePair(
        "rank_composition.ranks",
        "cards of these ranks among the first of a round",
        ("among_first_cards",),
        "among_first_cards",
        "read",
        by="The decks give",
    ),
    FigurePair("rank_composition.short", "cards missing", ("missing",), "missing_by_chance"),
    FigurePair("shuffle_quality.short", "cards missing", ("missing",), "missing_by_chance", "cards"),
    FigurePair("sensor_health", "words lost", ("words_lost",), "lost_by_chance", "words_due"),
    FigurePair("shuffle_quality", "neighbours kept together", ("neighbours",), "neighbours_by_chance"),
    FigurePair(
        "side_wager.push22", "rounds in which the dealer had 22", ("hits",), "by_chance", "rounds_counted"
    ),
    FigurePair(
        "side_wager.push22_staked",
        "rounds in which the dealer had 22",
        ("hits",),
        "by_chance",
        "rounds_counted",
    ),
    FigurePair(
        "side_wager", "hands to which a card of the dealer's rank came", ("hits",), "by_chance", "hands"
    ),
    FigurePair(
        "side_wager",
        "wagers settled otherwise than the table of payouts says",
        ("for_patrons", "for_house"),
        "by_chance",
        "wagers",
    ),
    FigurePair(
        "theoretical_win",
        "of a wager won by the house, by the cards",
        ("win_per_wager_by_the_cards",),
        "theoretical_win_per_wager",
        by="The rules give",
        unit="part",
    ),
)


def against(finding: Finding) -> Against | None:
    """What was seen against what chance allows; None where the finding has no two figures that can be compared."""
    if not isinstance(finding.observed, dict) or not isinstance(finding.expected, dict):
        return None
    check = finding.check.partition(".")[2]
    pairs = (pair for pair in _PAIRS if check == pair.check or check.startswith(f"{pair.check}."))
    compared = (_compared(pair, finding.expected, finding.observed) for pair in pairs)
    return next((one for one in compared if one is not None), None)


def draw_against(one: Against) -> Markup:
    """Two bars of one scale, what was seen above what chance allows."""
    low, high = min(0, one.seen, one.allowed), max(0, one.seen, one.allowed)
    wide = (WIDTH - _LEFT - _RIGHT) / ((high - low) or 1)
    parts = []
    for at, (name, value, words, kind) in enumerate(
        (
            ("Seen", one.seen, one.seen_words, "seen-bar"),
            (one.by, one.allowed, one.allowed_words, "chance-bar"),
        )
    ):
        top, ends = _TOP + at * _STEP, sorted((_LEFT - low * wide, _LEFT + (value - low) * wide))
        parts += [
            label(_LEFT - 12, top + 23, name, _TEXT, "currentColor", anchor="end"),
            element("rect", x=ends[0], y=top, width=max(2, ends[1] - ends[0]), height=_BAR, class_=kind),
            label(ends[1] + 10, top + 23, words, _TEXT, "currentColor", bold=at == 0),
        ]
    told = f"Seen {one.seen_words}; {one.by[0].lower()}{one.by[1:]} {one.allowed_words}: {one.what}."
    return document(parts, WIDTH, HEIGHT, "What was seen against chance", told)


def _compared(pair: FigurePair, expected: dict[str, Any], observed: dict[str, Any]) -> Against | None:
    told, allowed = [_number(observed.get(name)) for name in pair.seen], _number(expected.get(pair.allowed))
    parts = [one for one in told if one is not None]
    if allowed is None or len(parts) < len(told):
        return None
    seen, whole = sum(parts), _number(observed.get(pair.of, expected.get(pair.of)))
    return Against(
        what=pair.what,
        of=_words(whole, "") if whole is not None else "",
        seen=seen,
        allowed=allowed,
        seen_words=_words(seen, pair.unit),
        allowed_words=_words(allowed, pair.unit),
        by=pair.by,
    )


def _number(value: Any) -> float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _words(value: float, unit: str) -> str:
    if unit == "cents":
        return figures(round(value), "$")
    if unit == "part":
        return f"{100 * value:+.1f} %"
    return f"{value:,.0f}" if value == int(value) or abs(value) >= 100 else f"{value:,.3g}"

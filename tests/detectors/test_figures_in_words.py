"""The shares and the figures in what a family says of itself are those of its code."""

from __future__ import annotations

from fractions import Fraction
from math import exp

import pytest

from processors.detectors.calling.chances import BOUNDS, MOST_BESIDE
from processors.detectors.families import (
    called_void,
    collusion,
    counting,
    cut_steering,
    dealer_mispay,
    inventory_drift,
    masque_errors,
    pace,
    past_posting,
    preferential_shuffle,
    rank_composition,
    sensor_health,
    shuffle_quality,
    side_wager,
    theoretical_win,
)
from processors.detectors.family import FAMILIES
from processors.detectors.favouring.shares import FAVOURS, TOLERATED
from processors.detectors.favouring.signals import SPEAKS, TOGETHER
from processors.detectors.following.flips import FEW, MOST, WAYS
from processors.detectors.knowing.judged import KNOWERS
from processors.detectors.sensing import silences
from processors.detectors.sensing.kinds import KINDS
from processors.detectors.shuffling.over_shoes import BETS
from processors.detectors.shuffling.repeats import RUN
from processors.detectors.shuffling.wholeness import AWAY, LOST, MISREAD

SHARES: dict[str, list[float]] = {
    "dealer_mispay": [*dealer_mispay.WEIGHTS.values()],
    "collusion": [*collusion.WEIGHTS.values()],
    "counting": [*counting.SHARES.values()],
    "hole_card_knowledge": [1.0],
    "past_posting": [*past_posting.SHARES.values()],
    "shuffle_quality": [*shuffle_quality.SHARES.values()],
    "rank_composition": [*rank_composition.SHARES.values()],
    "side_wager": [*side_wager.SHARES.values()],
    "masque_errors": [*masque_errors.SHARES.values()],
    "cut_steering": [*cut_steering.SHARES.values()],
    "preferential_shuffle": [*preferential_shuffle.SHARES.values()],
    "pace": [1 / len(pace.VARIANTS) for _ in pace.VARIANTS],
    "theoretical_win": [*theoretical_win.WEIGHTS.values()],
    "inventory_drift": [*inventory_drift.VARIANTS.values()],
    "sensor_health": [one.share for one in KINDS.values()]
    + [sensor_health.SILENCE for _ in silences.DEVICES],
    "called_void": [*called_void.WEIGHTS.values()],
}
"""Of each family, the parts of the level that what it tries has."""
SAID: dict[str, tuple[str, str]] = {
    "dealer_mispay": ("(35 : 11 : 4)", "35 11 4"),
    "collusion": ("(85 : 9 : 6)", "85 9 6"),
    "counting": ("Stakes have nine tenths of the level, presence one tenth", "9 1"),
    "past_posting": (
        "(raised 8, cut 3, late 2, made larger 2, made smaller 1, side wagers 4 of 20)",
        "8 3 2 2 1 4",
    ),
    "rank_composition": ("(3/10, 7/20, 7/20)", "3/10 7/20 7/20"),
    "side_wager": ("2 of 10 parts each, and 1 of 10 each for payments", "2 2 1 2 2 1"),
    "cut_steering": ("Places have 11/20 of the level, parts 6/20, patrons' cuts 3/20", "11 6 3"),
    "preferential_shuffle": ("four fifths of the level, those where it favours the house one fifth", "4 1"),
    "pace": ("Both directions share the level", "1 1"),
    "theoretical_win": (
        "Wins of patrons have half of the level, wins of the house three tenths, payments a tenth each way",
        "5 3 1 1",
    ),
    "inventory_drift": ("losses have three quarters of the level, gains one", "3 1"),
    "called_void": ("(3 : 2)", "3 2"),
}
"""The words of a family's bound that tell its shares, and the same as numbers."""


@pytest.mark.parametrize("name", FAMILIES)
def test_the_variants_of_a_family_share_its_level_as_the_words_say(name: str) -> None:
    assert sum(SHARES[name]) == pytest.approx(1.0)
    if name in SAID:
        words, numbers = SAID[name]
        parts = [float(Fraction(one)) for one in numbers.split()]
        assert words in FAMILIES[name].bound
        assert SHARES[name] == pytest.approx([part / sum(parts) for part in parts])


def _in(chance: float) -> str:
    """A chance as `1 in 1,000` has it."""
    return f"{1 / chance:,.0f}"


_NUMBERS = (
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
)


_HALF, _FEW, _HARDLY = (f"1/{1 / share:,.0f}" for share in BETS)
_BET = f"{_HALF}, {_FEW} and {_HARDLY}"
_LOST, _LOST_EVERYWHERE, _WON, _WON_EVERYWHERE = (f"{row[3]:.2f}".lstrip("0") for row in BOUNDS.values())
FIGURES: dict[str, list[str]] = {
    "dealer_mispay": [f"1 mispaid hand in {_in(dealer_mispay.HONEST)} each way"],
    "collusion": [
        f"odds up to {TOLERATED:g} times that",
        f"at most 1 of his hands in {_in(collusion.HONEST)}",
        f"odds of {FAVOURS[1]:g} and of {FAVOURS[0]:g}",
        f"a table speaks of it once it is {SPEAKS:g}",
        f"from any {_NUMBERS[TOGETHER]} such rounds on",
        f"from the first such round and from any stretch of {_NUMBERS[collusion.STRETCH]} (Ville)",
    ],
    "counting": [f"blocks of up to {MOST} rounds", f"in {FEW} or {WAYS:,} ways", f"up to {MOST} rounds kept"],
    "hole_card_knowledge": [
        f"in {20 * min(one.share for one in KNOWERS):.0f} to {20 * max(one.share for one in KNOWERS):.0f} of 20 rounds"
    ],
    "past_posting": [
        f"at least {past_posting.RAISED:g} times the median",
        f"at most {past_posting.SIDES['push22']:g} (Push 22) or {past_posting.SIDES['match_dealer']:g}".replace(
            "0.", "."
        ),
    ],
    "shuffle_quality": [
        f"at least {_NUMBERS[shuffle_quality.LENGTHS[0]]} cards",
        f"the first {shuffle_quality.NEIGHBOURS} cards",
        f"last {_NUMBERS[RUN]} cards of each round",
        _BET,
        f"any stretch of {_NUMBERS[shuffle_quality.STRETCH]}",
    ],
    "rank_composition": [
        f"at most 1 in {_in(LOST)}, and two devices report a card that is not there with at most 1 in {_in(MISREAD)}",
        _BET,
        f"a pause of {AWAY.seconds} seconds",
    ],
    "side_wager": [
        f"up to {100 * side_wager.ABOVE:g} % higher or {100 * side_wager.BELOW:g} % lower",
        f"1 side wager in {_in(side_wager.MISPAID / 2)} is mispaid each way",
        f"any stretch of {_NUMBERS[side_wager.STRETCH]}",
        f"any stretch of {side_wager.STRETCH_PAID} wagers",
    ],
    "masque_errors": [
        f"at most 1 of {_in(masque_errors.HONEST)} rounds",
        f"4, 4 and 5 in 13, or up to {100 * masque_errors.OFF:g} % higher or lower",
    ],
    "cut_steering": [],
    "preferential_shuffle": [f"for {_NUMBERS[len(preferential_shuffle.PLANS)]} plans either way"],
    "pace": [f"within {100 * (exp(pace.HONEST) - 1):.0f} % of the median"],
    "theoretical_win": [
        f"within {100 * theoretical_win.TOLERATED:g} % of the wager",
        f"at most {100 * theoretical_win.TOLERATED:g} % of the main wagers each way",
        f"any stretch of {theoretical_win.STRETCH} ",
    ],
    "inventory_drift": [
        f"at most 1 count of the tray in {_in(inventory_drift.HONEST)} is off, 1 in {_in(inventory_drift.HONEST_FAR)} "
        f"by more than ${inventory_drift.FAR // 100}",
        f"at most 1 in {_in(inventory_drift.STAYS)} is off by as much the next time",
    ],
    "sensor_health": [
        f"a chance of at most 1 in {_in(sensor_health.HONEST)}",
        f"at most 1 of {_in(silences.FALLS)} rounds",
        f"at most {Fraction(silences.STAYS)}",
        f"At most {_NUMBERS[sensor_health.MOST]} lost words of a kind",
        f"more than {sensor_health.APART.seconds} seconds late",
        f"any stretch of {silences.STRETCH} rounds",
    ],
    "called_void": [
        f"at most {_LOST} lost and {_LOST_EVERYWHERE} at every box, {_WON} won and {_WON_EVERYWHERE} at every box",
        f"the latest {_NUMBERS[MOST_BESIDE]} others",
    ],
}
"""Of each family words with the figures of its code."""


@pytest.mark.parametrize("name", FAMILIES)
def test_the_figures_in_a_familys_words_are_those_of_its_code(name: str) -> None:
    family = FAMILIES[name]
    said = " ".join((family.null, family.statistic, family.bound, *family.blind, family.cost))
    assert [words for words in FIGURES[name] if words not in said] == []

"""What begins after long honest play is found within three times the rounds that a fresh start takes."""

from __future__ import annotations

import re
from copy import deepcopy
from fractions import Fraction
from math import exp
from pathlib import Path
from statistics import mean

import pytest

from processors.core.conservation import CARDS_OF_A_DECK
from processors.detectors.cutting.places import begun as begun_of_cuts
from processors.detectors.evidence.budgets import log_share
from processors.detectors.evidence.groups import Groups, since_any_start
from processors.detectors.evidence.runs import log_e_of_runs, log_expected_runs
from processors.detectors.families import (
    counting,
    cut_steering,
    past_posting,
    rank_composition,
)
from processors.detectors.families.shuffle_quality import LENGTHS, RUNS, SHARES, WEIGHTS
from processors.detectors.family import FAMILIES, LEVEL
from processors.detectors.mixture import fresh
from processors.detectors.shuffling.orders import Known, references
from processors.detectors.shuffling.over_shoes import OverShoes
from processors.detectors.shuffling.wholeness import MISREAD
from tests.detectors.later.play import CASES, HONEST, LONG, NEVER, after_honest_play, until_alarm

PAGE = Path(__file__).parents[2] / "docs" / "patterns.md"


@pytest.mark.parametrize(
    ("seeds", "history", "rounds"),
    [
        (25, 1, HONEST),
        pytest.param(25, 1, LONG, marks=pytest.mark.thorough),
        pytest.param(101, 2, HONEST, marks=pytest.mark.soak),
    ],
)
@pytest.mark.parametrize("variant", CASES)
def test_what_begins_late_is_found_within_three_times_the_rounds(
    variant: str, seeds: int, history: int, rounds: int
) -> None:
    """By the mean of the middle half; and the honest rounds raise nothing.

    A median would jump by a quarter where shoes are weighed and four or five of them are enough.
    """
    _is_found(variant, seeds, history, rounds)


@pytest.mark.parametrize("shoes", [1_000, pytest.param(10_000, marks=pytest.mark.thorough)])
@pytest.mark.parametrize(
    "variant", ["shuffle_quality.slug", "shuffle_quality.migrated", "rank_composition.foreign"]
)
def test_what_a_single_shoe_shows_is_found_after_many_honest_shoes(variant: str, shoes: int) -> None:
    _is_found(variant, 9, 1, shoes * CASES[variant].rounds)


def _is_found(variant: str, seeds: int, history: int, rounds: int) -> None:
    fresh, late = (
        sorted(until_alarm(variant, begin(), seed)[0] for seed in range(seeds))
        for begin in (CASES[variant].begin, lambda: after_honest_play(variant, history, rounds))
    )
    middle = slice(seeds // 4, seeds - seeds // 4)
    assert max(late[middle]) < NEVER
    assert mean(late[middle]) <= 3 * mean(fresh[middle])


def _shoes(evidence: float, share: float, several: int = 1) -> int:
    """The last of 200,000 shoes of a table up to which so many with this evidence each raise an alarm."""
    over, most = OverShoes(), 0
    for shoe in range(1, 200_001):
        if shoe < 1_000 or shoe % 100 == 0:
            tried = deepcopy(over)
            for number in range(shoe, shoe + several):
                tried.begin()
                value = tried.take(evidence, number, "", "slug")
            if value * share < 1 / LEVEL:
                return most
            most = shoe
        over.begin()
    return most


def test_the_page_says_up_to_which_shoe_a_run_or_one_card_is_enough() -> None:
    """Six decks in one batch, whose last rack is the table's; 250 cards lie before the cover card."""
    known = Known("rack", 1, "B", "".join(CARDS_OF_A_DECK) * 6)
    rack = references((known,), "B").groups[0]
    expected = [log_expected_runs(rack.cards, 250, length, 6, 312) for length in LENGTHS]
    part = rack.weight * SHARES["slug"] / RUNS
    runs = [part * exp(log_e_of_runs([run], LENGTHS, expected, WEIGHTS)) for run in (7, 9)]
    card = 1 / (312 * MISREAD)
    told = " ".join(PAGE.read_text().split())
    seven, nine = (_shoes(evidence, RUNS) for evidence in runs)
    foreign = _shoes(card, rank_composition.SHARES["foreign"])
    migrated = _shoes(card, SHARES["migrated"])
    assert (
        f"one run of 7 cards of the last rack is enough by itself up to shoe {seven} of a table, one of 9 cards up to "
        f"shoe {nine:,}; one card of another deck up to shoe {foreign} for `rank_composition.foreign`, and up to shoe "
        f"{migrated} for `shuffle_quality.migrated`."
    ) in told
    least = min(
        _shoes(runs[0], RUNS, 2),
        _shoes(card, rank_composition.SHARES["foreign"], 2),
        _shoes(card, SHARES["migrated"], 2),
    )
    assert least >= 50_000
    assert "Two shoes in a row with such a run, or such a card, are enough up to shoe 50,000." in told


def test_the_page_says_how_much_weight_stands_on_the_beginning() -> None:
    told = PAGE.read_text()
    begun = {
        "of the weight stands on patterns from the beginning": sum(fresh(1).whole),
        "`counting` 19/20": sum(counting.OfPlayer().stakes.whole),
        "`cut_steering` 17/20": sum(cut_steering.Person(1, begun_of_cuts([1.0])).follows.whole),
        "groups of stakes in `past_posting` 3/4": exp(since_any_start(Groups(), past_posting._MORE).log_e),
    }
    shares = {words: float(Fraction(words.split()[-1])) if "/" in words else 0.5 for words in begun}
    assert [words for words in begun if words not in told] == []
    assert begun == pytest.approx(shares)
    assert "the n-th later beginning has 8/((n + 7)(n + 8)) of it" in told
    assert [exp(log_share(at)) for at in (1, 9)] == pytest.approx([8 / (8 * 9), 8 / (16 * 17)])


def test_the_page_says_of_each_family_from_when_on_it_looks() -> None:
    part = PAGE.read_text().split("### From when on a family looks")[1].split("\n##")[0]
    told = {
        name for row in re.findall(r"^\| (`.*?) \|", part, re.M) for name in re.findall(r"`([a-z_]+)", row)
    }
    assert told == set(FAMILIES)
    assert {variant.split(".")[0] for variant in CASES} == set(FAMILIES)

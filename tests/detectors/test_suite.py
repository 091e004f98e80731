"""The suite of patterns and look-alikes: found by when it is stated, at seeds that nobody has tuned to."""

from __future__ import annotations

import statistics
from pathlib import Path

import msgspec
import pytest

from benchmarks.patterns.finding import chosen, find, scenario
from benchmarks.patterns.power import by_family, figures, one, play, played, powers
from tests.sampling import one_in

SAMPLE = ("overpays_0.1", "slug", "cards_left_behind", "migrated_card", "hole_card", "sort_mode", "neat_riffles_2",
          "five_in_a_row", "plays_at_random", "caps_before_call", "fives_put_in", "layout_silent",
          "silent_once")  # fmt: skip
SEED = 101
SEEDS = range(SEED, SEED + 5)
NEVER = 10_000


@pytest.mark.parametrize("title", one_in(2, SAMPLE))
def test_a_sample_of_the_suite_is_found_in_time_and_look_alikes_are_not_taken_for_it(title: str) -> None:
    found = find(*scenario(title), SEED)
    assert found.in_time, found
    assert (found.false, found.strays) == ([], [])


@pytest.mark.thorough
@pytest.mark.parametrize("seed", one_in(3, range(SEED, SEED + 3)))
def test_the_dealer_of_rivers_is_named_by_the_eleventh_hand(seed: int) -> None:
    found = find(*scenario("rivers"), seed)
    assert found.hands is not None
    assert found.hands <= 11


@pytest.mark.soak
@pytest.mark.parametrize("title", [title for title, pattern, _ in chosen([]) if not pattern.null])
def test_half_of_the_seeds_are_found_earlier_than_stated(title: str) -> None:
    pattern, stated = scenario(title)
    found = [find(pattern, stated, seed) for seed in SEEDS]
    [(counts, by)] = stated.by.items()
    places = [row.round if counts == "round" else row.hands for row in found]
    assert statistics.median(NEVER if place is None else place for place in places) <= by
    assert [row.strays for row in found] == [[]] * len(found)


@pytest.mark.soak
@pytest.mark.parametrize("title", [title for title, pattern, _ in chosen([]) if pattern.null])
def test_look_alikes_are_silent(title: str) -> None:
    for seed in SEEDS:
        found = find(*scenario(title), seed)
        assert found.false == [], seed


@pytest.mark.thorough
def test_what_was_played_is_told_by_median_and_95_percent(tmp_path: Path) -> None:
    out = tmp_path / "played.ndjson"
    assert play(out, ["slug", "five_in_a_row"], [1, 2], 1) == 4
    assert play(out, ["slug", "five_in_a_row"], [1, 2], 1) == 0, "what was played is not played again"
    slug, five = powers(row.found for row in played([out, out]))
    assert (slug.scenario, slug.seeds, slug.found, slug.in_time) == ("slug", 2, 2, 2)
    assert slug.times[0] <= slug.median <= slug.late <= slug.by
    assert (five.scenario, five.null, five.seeds, five.false, five.found) == ("five_in_a_row", True, 2, 0, 0)
    assert [row.name for row in figures([slug, five])] == ["slug: found, median", "five_in_a_row: alarms"]
    assert by_family([slug, five]) == ["shuffle_quality: 2 of 2 in time, a false alarm at 0 of 2 look-alikes"]
    elsewhere = msgspec.structs.replace(five, family="pace", false=1)
    late = msgspec.structs.replace(slug, in_time=1)
    assert by_family([slug, late, elsewhere]) == [
        "pace: a false alarm at 1 of 2 look-alikes", "shuffle_quality: 3 of 4 in time"
    ]  # fmt: skip
    assert one("slug", 1, "d", "t").found.round == one("slug", 1, "d", "t").found.round

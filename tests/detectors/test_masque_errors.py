"""A Masque reader that errs too often, in every range or in one; and one that errs now and then."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

import pytest

from dashboards.suspicions.suspicions import figures_of
from processors.detectors.families import masque_errors
from processors.detectors.families.masque_errors import HONEST, RANGES
from processors.detectors.mixture import left, weigh
from processors.detectors.shapes import EvidenceStanding
from schemas.findings import Finding
from tests.detectors.steered import wrong_lights
from tests.detectors.worlds import Change, Event, changed, dropped, kind_of, misread, suspected, table
from tests.sampling import one_in

DU = "down_under_685a"


def _of_lights(change: Change, seed: int = 1, rounds: int = 130) -> list[Finding]:
    found = suspected(changed(table(seed, rounds, DU), change))
    return [one for one in found if one.check.startswith("pattern.masque_errors")]


@pytest.mark.parametrize(
    ("change", "latest"),
    [
        (wrong_lights(1 / 15, 2), 130),
        pytest.param(wrong_lights(1 / 8, 3, since=60), 130, marks=pytest.mark.soak),
        pytest.param(wrong_lights(0.3, 4, of="medium"), 70, marks=pytest.mark.soak),
    ],
)
def test_a_reader_that_errs_again_and_again_is_named(change: Change, latest: int) -> None:
    (one,) = [one for one in _of_lights(change) if one.check.endswith(".wrong_lights")]
    assert one.about == {"table": "S-1"}
    assert one.round is not None
    assert one.round <= latest
    assert one.observed["wrong_lights"] <= 6
    assert len(one.observed["weightiest"]) == one.observed["wrong_lights"]
    shown = dict(figures_of(one.observed))
    assert not any(mark in figure for figure in shown.values() for mark in "{}'"), "as a page shows them"


def test_a_reader_that_is_blind_for_one_range_is_named_within_a_few_rounds_and_its_message_says_which_way() -> (
    None
):
    found = _of_lights(wrong_lights(1.0, 1, of="small"), rounds=60)
    assert [one.check.rpartition(".")[2] for one in found] == ["wrong_lights", "lights"]
    assert found[0].round is not None
    assert found[0].round <= 15
    assert "each time for a larger range than the hole card's" in found[0].message
    assert found[1].observed["lights"]["small"] == 0


def _misrevealed(event: Event) -> list[Event]:
    if kind_of(event) == "hole_card_revealed":
        event["data"]["card"] = "2c" if event["data"]["card"] != "2c" else "Kd"
    return [event]


@pytest.mark.parametrize(
    "change",
    one_in(
        2,
        [
            lambda event: [event],
            wrong_lights(0.001, 1),
            wrong_lights(0.004, 9),
            misread(0.01, 2),
            dropped("hole_card_revealed", 0.05, 3),
            _misrevealed,
        ],
    ),
    ids=[
        "sound",
        "one in a thousand",
        "one wrong light",
        "faces not read",
        "reveals lost",
        "seals do not open",
    ],
)
def test_a_reader_that_errs_as_seldom_as_others_or_whose_hole_cards_are_in_doubt_is_not(
    change: Change,
) -> None:
    assert _of_lights(change) == []


def test_a_hand_laid_in_the_wrong_area_is_no_wrong_light() -> None:
    rng = random.Random(1)

    def change(event: Event) -> list[Event]:
        if kind_of(event) == "dealer_hand_positioned" and rng.random() < 0.1:
            event["data"]["area"] = rng.choice(RANGES)
        return [event]

    assert _of_lights(change) == []


def of_lights(
    rng: random.Random, weights: Callable[[int], Sequence[float]], errs: Callable[[int], float]
) -> list[EvidenceStanding]:
    """What 150 rounds tell of a reader: by their number, how likely each range is and how likely a wrong light."""
    state = masque_errors.State()
    for number in range(150):
        right = rng.choices(RANGES, weights(number))[0]
        wrong = rng.random() < errs(number)
        light = rng.choice([one for one in RANGES if one != right]) if wrong else right
        state.lately[light] = state.lately.get(light, 0) + 1
        if wrong:
            masque_errors._settle(state)
            weigh(state.wrong, masque_errors._WRONG[right], masque_errors._STRETCH)
        else:
            state.right[right] = state.right.get(right, 0) + 1
            if sum(state.right.values()) >= left(state.wrong, masque_errors._STRETCH):
                masque_errors._settle(state)
        if number % masque_errors._STRETCH == masque_errors._STRETCH - 1:
            masque_errors._weigh_lights(state)
    return list(masque_errors._standing(state, "T"))


def _honest(rng: random.Random) -> float:
    """A reader at the edge of the null, with cards of which small ones come a little more often."""
    found = of_lights(rng, lambda _: (4 * 1.02, 4, 5 * 0.98), lambda _: HONEST)
    return max((one.highest for one in found), default=0.0)


@pytest.mark.thorough
@pytest.mark.parametrize("streams", [1_000, pytest.param(10_000, marks=pytest.mark.soak)])
def test_alarms_of_sound_readers_are_as_rare_as_promised(streams: int) -> None:
    rng = random.Random(12)
    assert sum(_honest(rng) >= 20 for _ in range(streams)) <= 0.05 * streams

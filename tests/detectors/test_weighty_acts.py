"""Acts and failures that a suspicion names: cuts, shoes made ready, reshuffles, counts, lights, words and silences."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from dashboards.suspicions.suspicions import weighty_rounds
from dashboards.web.console import NoRecords
from deploy.console.again import _rounds_since
from processors.detectors import weighty
from processors.detectors.curve import Curve
from processors.detectors.cutting.named import MadeReady, SteeredAct
from processors.detectors.cutting.places import NOTHING, Act
from processors.detectors.families import (
    cut_steering,
    inventory_drift,
    masque_errors,
    preferential_shuffle,
    sensor_health,
    side_wager,
)
from processors.detectors.family import FAMILIES
from processors.detectors.mixture import Mixture, heaviest
from processors.detectors.sensing import silences
from processors.detectors.sensing.kinds import LossyRound
from processors.detectors.shapes import Alarm, EvidenceStanding
from processors.detectors.suspicion import held, suspicion
from processors.detectors.weighty import KEPT, MOST, WeightyRound, rows_of
from schemas.findings import Finding
from tests.detectors.later.play import CASES, until_alarm

MODULES = (cut_steering, inventory_drift, masque_errors, preferential_shuffle, sensor_health, silences)
VARIANTS = (
    "cut_steering.follows_count", "cut_steering.hides_cards", "preferential_shuffle.for_house", "inventory_drift.loss",
    "masque_errors.wrong_lights", "sensor_health.draws", "sensor_health.silences",
)  # fmt: skip
QUICK = ("cut_steering.follows_count", "preferential_shuffle.for_house", "inventory_drift.loss")
SOME = [one if one in QUICK else pytest.param(one, marks=pytest.mark.thorough) for one in VARIANTS]


def _since(mixture: Mixture) -> int:
    return mixture.rounds - heaviest(mixture).rounds


def _since_of_kind(state: cut_steering.Person) -> float:
    """After how many acts the beginning lies that weighs most for cover cards."""
    since = heaviest(state.follows, range(len(NOTHING)))
    return sum(state.follows.counted) - sum(since.counted)


AFTER: dict[str, Callable[[Any], float]] = {
    "cut_steering.follows_count": _since_of_kind,
    "cut_steering.hides_cards": lambda state: _since(state.hides),
    "preferential_shuffle.for_house": lambda state: _since(state.for_house),
    "inventory_drift.loss": lambda state: _since(state["tray"].loss.mixture),
    "masque_errors.wrong_lights": lambda state: _since(state.wrong),
    "sensor_health.draws": lambda state: state.mixture.counted[2] - heaviest(state.mixture).counted[2],
    "sensor_health.silences": lambda state: _since(state["table"].devices["shoe"].mixture),
}
"""After which place the rounds lie that an alarm tells of."""


def _state(variant: str, state: Any) -> Any:
    """The state of a table in which what a case plays is all that is known."""
    match variant.split("."):
        case ["cut_steering", _]:
            return cut_steering.State(dealers={"D": state})
        case ["inventory_drift", _]:
            return state["tray"]
        case ["sensor_health", "draws"]:
            played = silences.SilencesOfTable(played=state.mixture.rounds + state.well)
            return sensor_health.State(tallies={"draws": state}, silences=played)
        case ["sensor_health", _]:
            return sensor_health.State(silences=state["table"])
        case _:
            return state


def _standing(variant: str, alarm: Alarm, state: Any) -> EvidenceStanding:
    table = FAMILIES[variant.partition(".")[0]].table
    assert table is not None
    assert table.standing is not None
    return next(one for one in table.standing(_state(variant, state), "T") if one.variant == alarm.variant)


def _taken(monkeypatch: pytest.MonkeyPatch) -> list[tuple[list[WeightyRound], WeightyRound]]:
    """All acts that the families take from now on, each with the list it went to."""
    taken: list[tuple[list[WeightyRound], WeightyRound]] = []

    def take(rounds: list[WeightyRound], new: WeightyRound, most: int = KEPT) -> None:
        taken.append((rounds, new))
        weighty.keep(rounds, new, most)

    for module in MODULES:
        if hasattr(module, "keep"):
            monkeypatch.setattr(module, "keep", take)
    return taken


def _plainly(acts: list[WeightyRound], after: float) -> list[WeightyRound]:
    places = sorted((-one.weight, -place) for place, one in enumerate(acts) if one.at > after)
    return [acts[-place] for _, place in places[:MOST]]


@pytest.mark.parametrize("late", [False, pytest.param(True, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("variant", SOME)
def test_the_acts_that_are_named_are_the_ten_that_weigh_most_also_where_the_pattern_began_late(
    variant: str, late: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = CASES[variant].begin()
    taken, rng = _taken(monkeypatch), Random(1)
    for _ in range(2_000 // CASES[variant].rounds if late else 0):
        assert CASES[variant].play(state, rng, False) is None
    _, alarm = until_alarm(variant, state, 1)
    assert alarm is not None
    name = "weightiest" if isinstance(alarm.observed.get("rounds"), int) else "rounds"
    rows, after = alarm.observed[name], AFTER[variant](state)
    told = [acts for acts, act in taken if rows_of([act]) == rows[:1]]
    assert any(rows == rows_of(_plainly([act for to, act in taken if to is acts], after)) for acts in told)
    assert 2 <= len(rows) <= MOST
    assert all(row["factor"] >= 1 and "cents" not in row for row in rows)
    assert not {"latest", "counts"} & alarm.observed.keys(), "there is no second list"


@pytest.mark.parametrize("variant", SOME)
def test_what_rises_again_names_the_acts_after_the_clearing_and_none_before(
    variant: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    state = CASES[variant].begin()
    _, alarm = until_alarm(variant, state, 1)
    assert alarm is not None
    family = FAMILIES[variant.partition(".")[0]]
    first = suspicion(family, alarm, Curve(), "T", 7, 9)
    kept, rng = SimpleNamespace(mark=_standing(variant, alarm, state).mark), Random(2)
    assert _again(family.name, first, kept, _standing(variant, alarm, state)) == {}, "nothing came since"
    taken = _taken(monkeypatch)
    while len(taken) < 3 * MOST:
        CASES[variant].play(state, rng, True)
    now = _standing(variant, alarm, state)
    observed = _again(family.name, first, kept, now)["observed"]
    assert observed.keys() == first.observed.keys()
    rows = observed["weightiest" if isinstance(observed.get("rounds"), int) else "rounds"]
    later = [rows_of([act])[0] for to, act in taken if act in now.weighty or not to]
    assert len(rows) == MOST
    assert all(row in later for row in rows)
    assert [row["factor"] for row in rows] == sorted((row["factor"] for row in rows), reverse=True)


def _again(family: str, first: Finding, kept: Any, now: EvidenceStanding) -> dict[str, Any]:
    return _rounds_since(first, kept, held(FAMILIES[family], now, []))


@pytest.mark.parametrize("sign", [1, -1])
def test_no_count_of_an_alarm_is_off_the_other_way_once_two_agreed(
    sign: int,
) -> None:
    tray = inventory_drift.State(expected=0)
    inventory_drift.begin_anew(tray, 1)
    alarms = list[Alarm]()
    offs = [300, 500, 900, 1_100, 1_100, *(1_100 + 500 * further for further in range(1, 12))]
    for event, off in enumerate((sign * off for off in offs), 2):
        alarms += inventory_drift._weigh(tray, off - tray.base, ("T", event, event))
        inventory_drift.note(tray, off)
        if event == 6:
            assert tray.agreed
            assert tray.wrong_since is None
    assert alarms
    for alarm in alarms:
        assert all(row["off_cents"] * sign > 0 for row in alarm.observed["rounds"])


def test_a_count_made_before_two_agreed_is_told_by_what_they_agreed_on() -> None:
    tray = inventory_drift.State(expected=0)
    inventory_drift.begin_anew(tray, 1)
    for event, off in enumerate((300, 900, 1_300, 500, 500), 2):
        list(inventory_drift._weigh(tray, off - tray.base, ("T", 0, event)))
        inventory_drift.note(tray, off)
    assert [(one.sequence, one.cents) for one in tray.gain.counts] == [(4, 800)]


def test_a_count_before_the_first_round_leads_nowhere_and_its_words_are_plain() -> None:
    rows = [
        inventory_drift.Count("T", number, event, event, 1.5, cents)
        for number, event, cents in ((0, 5, -700), (0, 8, -1_400), (3, 40, 2_100))
    ]
    finding = _finding("inventory_drift.loss", rows, "rounds")
    assert [(one.path, one.called, one.words) for one in weighty_rounds(NoRecords(), finding)] == [
        ("", "T before the first round", "event 5, $7.00 short of the record, raised the evidence 4.5 times"),
        (
            "",
            "T before the first round",
            "event 8, $14.00 short of the record, raised the evidence 4.5 times",
        ),
        (
            "/hands/T/3",
            "T round 3, or after it",
            "event 40, $21.00 over the record, raised the evidence 4.5 times",
        ),
    ]


@pytest.mark.parametrize(
    ("check", "act", "words"),
    [
        (
            "cut_steering.follows_count",
            SteeredAct("T", 9, 70, 3, 1.1, kind="cover_card", shoe=4, place=0.3125, count=-1.234),
            "event 70, shoe 4, 31.2% of the cards below the cover card, count of the last shoe −1.2 standard "
            "deviations, raised the evidence 3 times",
        ),
        (
            "cut_steering.patron",
            SteeredAct("T", 9, 70, 3, 1.1, kind="cut", shoe=4, place=0.5, count=2.0),
            "event 70, shoe 4, 50.0% of the cards above the cut, count of the last shoe +2.0 standard deviations, "
            "raised the evidence 3 times",
        ),
        (
            "cut_steering.follows_count",
            SteeredAct("T", 9, 70, 3, 1.1, kind="cards_to_come", shoe=4, place=0.3, count=2.0),
            "event 70, shoe 4, 30.0% of the cards below the cover card, count of the last quarter +2.0 standard "
            "deviations, raised the evidence 3 times",
        ),
        (
            "cut_steering.hides_cards",
            MadeReady("T", 9, 70, 3, 1.1, shoe=4, behind=-1.5, front=0.25),
            "event 70, shoe 4, count behind the cover card −1.5 standard deviations, count of the first quarter +0.2 "
            "standard deviations, raised the evidence 3 times",
        ),
        (
            "preferential_shuffle.for_house",
            preferential_shuffle.Order("T", 9, 70, 3, 1.1, shoe=4, count=3.5),
            "event 70, shoe 4, true count 3.5, raised the evidence 3 times",
        ),
        (
            "masque_errors.wrong_lights",
            masque_errors.Wrong("T", 9, 70, 3, 1.1, card="5c", light="large"),
            "hole card 5c, light large, raised the evidence 3 times",
        ),
        (
            "sensor_health.gaps",
            LossyRound("T", 9, 70, 3, 1.1, kind="draws", lost=2),
            "2 cards drawn missing from the shoe's report, raised the evidence 3 times",
        ),
        (
            "sensor_health.silence",
            silences.SilentRound("T", 9, 70, 3, 1.1, device="shoe", fell=True),
            "the shoe named no card, for the first time since it was heard, raised the evidence 3 times",
        ),
    ],
)
def test_why_an_act_weighs_is_said_in_plain_words_with_units(
    check: str, act: WeightyRound, words: str
) -> None:
    [one] = weighty_rounds(NoRecords(), _finding(check, [act], "weightiest"))
    assert (one.path, one.words) == ("/hands/T/9", words)


def _finding(check: str, acts: list[Any], name: str) -> Finding:
    family, _, variant = check.partition(".")
    alarm = Alarm(
        variant=variant, about={"table": "T"}, e_value=1e5, sequences=(), expected={},
        observed={name: rows_of(acts)}, message="It was.",
    )  # fmt: skip
    return suspicion(FAMILIES[family], alarm, Curve(), "T", 9, 90)


def test_side_wagers_of_one_round_that_err_both_ways_are_told_with_both_amounts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    wrong = {1: 500, 3: -500}
    monkeypatch.setattr(side_wager, "too_much", lambda stake, charged: wrong[stake.seat])
    stakes = [SimpleNamespace(kind="push22", seat=seat) for seat in wrong]
    closed: Any = SimpleNamespace(
        table=SimpleNamespace(subject="T"), round=SimpleNamespace(number=7, breached=True), sequence=70,
        result=SimpleNamespace(stakes=stakes),
    )  # fmt: skip
    state, alarms = side_wager.State(), list[Alarm]()
    while not alarms:
        alarms += side_wager._settled(state, "push22", closed)
    said = f"${5.00 * alarms[0].observed['for_patrons']:,.2f}"
    assert f"({said} too much and {said} too little to patrons)" in alarms[0].message
    assert alarms[0].observed["rounds"][0]["too_much_cents"] == 500
    finding = suspicion(FAMILIES["side_wager"], alarms[0], Curve(), "T", 7, 70)
    assert weighty_rounds(NoRecords(), finding)[0].words.startswith("seats 1, 3, ")
    assert "$5.00 too much, $5.00 too little" in weighty_rounds(NoRecords(), finding)[0].words


@pytest.mark.parametrize("seed", range(3))
def test_acts_of_a_weak_habit_are_named_of_the_shoes_that_its_sentence_tells_of(seed: int) -> None:
    rng, state = Random(seed), cut_steering.State()
    person = cut_steering._person(state, "dealers", "D")
    for shoe in range(1, 600):
        usual, chance = rng.gauss(0, 1), rng.gauss(0, 1)
        act = Act(shoe, round(0.29 + 0.025 * usual, 4), round(0.5 * usual + 0.87 * chance, 3))
        placed = cut_steering.Placed("D", "", act.place, 80, shoe * 100, shoe * 20)
        table: Any = SimpleNamespace(subject="T")
        if alarms := list(cut_steering._held(person, "cover_card", act, placed, table)):
            break
    [alarm] = alarms
    told = alarm.observed["shoes"]
    assert told == 40 < shoe, "a weak habit"
    assert "over the latest 40 shoes" in alarm.message
    assert all(shoe - told < row["shoe"] <= shoe for row in alarm.observed["rounds"])


def test_shoes_that_nobody_reshuffled_raise_no_suspicion_that_names_nothing() -> None:
    state = preferential_shuffle.State(loaded=312)
    table: Any = SimpleNamespace(subject="T")
    for shoe in range(1, 200):
        running = [-2 * n * (shoe > 1) for n in range(1, 15)]
        state.rows = [preferential_shuffle.Row(16, 312 - 16 * n, running[n - 1], 0.0) for n in range(1, 15)]
        state.shoe, state.round = shoe, shoe * 14
        assert not list(preferential_shuffle._weighed(state, table, shoe * 1_000, chosen=shoe == 1))
    assert max(state.for_house.value(), state.for_patrons.value()) > 1e5

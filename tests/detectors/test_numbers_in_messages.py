"""The sentence of a suspicion reads well whether it tells of one or of two."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from importlib import import_module
from types import SimpleNamespace
from typing import Final

import pytest

from processors.detectors.evidence.groups import Since
from processors.detectors.families import collusion, counting, past_posting, theoretical_win
from processors.detectors.favouring.signals import Fits, FitsTold
from processors.detectors.mixture import Mixture, RoundsTold
from processors.detectors.shapes import Alarm
from tests.detectors.later.case import SEEN
from tests.detectors.later.play import CASES, until_alarm

# How each counts what it tells of, where that is one.
ONE: Final = {
    "dealer_mispay.for_patrons": "Of 1 hand that dealer D settled, 1 was paid",
    "dealer_mispay.for_house": "Of 1 hand that dealer D settled, 1 was paid",
    "collusion.overpaid": "Of 1 hand that dealer D overpaid or left uncollected while P played, 1 was that of P",
    "hole_card_knowledge": "Of 1 decision of P that the hole card changes, 1 was what",
    "called_void.for_patrons": "Of 1 round of dealer D that was called void once the cards had decided it",
    "past_posting.side": "Player P won 1 side wager, far more",
    "side_wager.push22": "A dealer's 22 came in 1 round; chance",
    "side_wager.push22_paid": "Of 1 Push 22 wager, 2 were settled",
    "theoretical_win.patrons": "Over 1 main wager in 1 round the cards",
    "masque_errors.wrong_lights": "light was wrong in 1 round, for a",
    "sensor_health.draws": "1 card drawn was missing from the shoe's report",
    "rank_composition.ranks": "of 1 card read of 1 shoe, 1,",
    "sensor_health.silences": "for a while in 1 round, having fallen silent once:",
    "cut_steering.hides_cards": "In 1 shoe that dealer D made ready",
    "preferential_shuffle.for_house": "1 shoe was reshuffled early, at a true count of",
    "shuffle_quality.links": "Once in 0 shoes the card after another",
}
LATEST: Final = {
    "pace.slower": "over her latest round: more",
    "collusion.exchanged": "In the latest round in which P",
    "rank_composition.ranks": "of 1 card read of the latest shoe, 1,",
    "preferential_shuffle.for_house": "The latest shoe was reshuffled early, at a true count of",
    "shuffle_quality.links": "Once in the latest round from the front of a shoe the card after another",
    "sensor_health.draws": "The latest card drawn was missing from the shoe's report",
}


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("variant", ONE | LATEST)
def test_nouns_and_verbs_agree_with_one_and_with_two(
    variant: str, later: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    module = import_module(f"{collusion.__package__}.{variant.partition('.')[0]}")
    said = []
    for number in (1, 2):

        def told(mixture: Mixture, _among: Sequence[int] | None = None, number: int = number) -> RoundsTold:
            return RoundsTold(later, number, [number] * len(mixture.counted))

        monkeypatch.setattr(module, "heaviest", told)
        _, alarm = until_alarm(variant, CASES[variant].begin(), 0)
        assert alarm is not None
        said.append(alarm.message)
    one, two = said
    assert "latest 1 " not in one
    assert not re.search(r"\b1 were\b|\b2 was\b", f"{one} {two}")
    if later:
        wanted = LATEST.get(variant) or re.sub(r"\b1 (?!was)", "the latest ", ONE[variant], count=1)
        assert wanted in one
        assert re.search(r"latest 2 [\w ]*s\b", two), two
    elif variant in ONE:
        assert ONE[variant] in one
        assert re.search(r"\b2 [\w ]*s\b", two), two


def _decisions(number: int, later: bool) -> Alarm:
    fits = Fits(number, number, 0.5)
    decided = collusion.Decided(hers=fits, others=fits, tables={"T": FitsTold(later, fits, fits)})
    return collusion._alarm_of_decisions(decided, SEEN, 1e5)


def _stakes(number: int, later: bool) -> Alarm:
    since = Since(9.0, [number, number], [0, 0], later)
    return past_posting._alarm("raised", past_posting.Split(), since, SEEN)


def _counted(number: int, _later: bool) -> Alarm:
    side = counting.Side(number, 500 * number)
    return counting._alarm("stakes", counting.OfPlayer(blocks=[(side, side)]), SEEN, 1e5)


def _payments(number: int, _later: bool) -> Alarm:
    rows = [theoretical_win.MispaidRound(at, at, 500, 1, 1, 1.0, at, at) for at in range(number)]
    state = theoretical_win.State(rounds=number, boxes=number)
    state.overpaid.last = rows
    table = SimpleNamespace(subject="T")
    return theoretical_win._alarm_of_payments("overpaid", state, SimpleNamespace(table=table), 1e5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("alarm", "one", "latest", "two"),
    [
        (_decisions, "P made 1 decision as", "P made the latest decision as", "2 decisions as"),
        (
            _stakes,
            "Of 1 stake of player P that was raised, 1 won; of his 1 other 1:",
            "Of the latest stake of player P that was raised, 1 won; of his latest 1 other 1:",
            "2 stakes of player P that were raised, 2 won; of his",
        ),
        (_counted, "in 1 round at a true count", "and $5.00 in 1 round below it", "in 2 rounds at a true count"),
        (
            _payments,
            "over 1 main wager in 1 round, patrons",
            "at 1 box in 1 round (1 had pushed)",
            "over 2 main wagers in 2 rounds, patrons got $10.00 more than was due at 2 boxes in 2 rounds (2",
        ),
    ],
)  # fmt: skip
def test_sums_that_are_counted_otherwise_agree_too(
    alarm: Callable[[int, bool], Alarm], one: str, latest: str, two: str
) -> None:
    assert one in alarm(1, False).message
    assert latest in alarm(1, True).message
    assert two in alarm(2, False).message.replace("2 of 2 ", "2 ")

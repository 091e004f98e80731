"""The sentence of a suspicion reads well whether it tells of one or of two."""

from __future__ import annotations

import re
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import pytest

from processors.detectors.families import collusion
from processors.detectors.mixture import Mixture, RoundsTold
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
    "masque_errors.wrong_lights": "light was wrong in 1 round,",
    "sensor_health.silences": "for a while in 1 round, having fallen silent once:",
    "cut_steering.hides_cards": "In 1 shoe that dealer D made ready",
}
LATEST: Final = {
    "pace.slower": "over her latest round: more",
    "collusion.exchanged": "In the latest round in which P",
}


@pytest.mark.parametrize("later", [False, True])
@pytest.mark.parametrize("variant", [*ONE, *LATEST])
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

"""A device that dies and comes back at any word of a round is at most three findings, one alert, and accuses nobody."""

from __future__ import annotations

import io

import pytest

from producers.simulator.noise.lost import WITNESSES
from tests.noise import tables
from tests.noise.dying import ALERTS, FINDINGS, ROUNDS, TABLES, Death, Told, deaths, main, measured
from tests.sampling import one_in

SOME = 30  # of so many deaths one
EXCESSIVE = 0.002  # of all deaths: what docs/witnesses.md names as weak


@pytest.mark.parametrize("witness", one_in(3, WITNESSES))
def test_wherever_in_a_round_a_device_dies_it_is_told_briefly(witness: str) -> None:
    [told] = measured(tables.lawful(TABLES, ROUNDS), [witness], every=SOME)
    assert told.findings.total() > 0
    assert [death[1:] for death in told.excessive] == [], dict(told.checks)
    assert max(told.findings) <= FINDINGS
    assert max(told.alerts) <= ALERTS


def test_a_layout_that_dies_for_a_few_words_of_cards_and_rack_raises_one_alert() -> None:
    """Too few for a silence: the rack's lost words belong to the finding about the cards that were not reported."""
    dealt = next(one for one in tables.lawful(TABLES, ROUNDS) if one.ruleset == "free_bet_590")
    told = Told("layout")
    told.take(Death(dealt, "layout", 231, 245))
    assert told.excessive == [], dict(told.checks)
    assert dict(told.alerts) == {1: 1}


def test_a_death_is_measured_at_each_word_of_the_device() -> None:
    [dealt, *_] = tables.lawful(1, ROUNDS)
    for death in deaths(dealt, "rack"):
        lost = [word for word in death.said() if word.lost]
        assert lost
        assert {word.kind for word in lost} == {"cards_racked"}


def test_what_is_too_much_can_be_looked_at() -> None:
    out = io.StringIO()
    assert main(["--tables", "1", "--witness", "reader", "--show", "1"], out) == 0
    assert out.getvalue().splitlines()[1].startswith("reader")


@pytest.mark.soak
@pytest.mark.timeout(3600)
def test_nearly_all_deaths_are_told_briefly() -> None:
    measure: list[Told] = measured(tables.lawful(TABLES, ROUNDS))
    excessive = sum(len(told.excessive) for told in measure)
    assert excessive <= EXCESSIVE * sum(told.findings.total() for told in measure)

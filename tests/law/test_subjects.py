"""A subject says once what its duties need to have been heard; a check may say otherwise for itself."""

from __future__ import annotations

import pytest

from processors.core.state import Table
from processors.core.witnesses import Witness
from processors.law.check import REGISTRY, Of, RegistrationError, check, of
from processors.law.finding.evidence import not_judged
from processors.law.subjects import SUBJECTS
from schemas.events import CardDrawn, CardsRacked, RoundStarted, WagerSettled
from tests.architecture.tracked import ROOT
from tests.mutations.rechain import findings_of, load

DEVICES: tuple[Witness, ...] = ("placements", "wagers", "rack", "shoe", "reader")


def _deaf() -> Table:
    """A table of which the console alone tells anything."""
    return Table("table", silent=dict.fromkeys(DEVICES, ""))


def test_every_folder_of_duties_is_a_subject() -> None:
    folders = {path.parent.name for path in (ROOT / "processors/law/duties").glob("*/__init__.py")}
    assert set(SUBJECTS) == folders == {entry.id.partition(".")[0] for entry in REGISTRY.values()}


@pytest.mark.parametrize(
    "id", ["submission.match_decks", "submission.even_money_selected", "reader.inspected", "opening.steps"]
)
def test_what_the_console_alone_shows_is_judged_while_all_other_devices_are_silent(id: str) -> None:
    assert not not_judged(_deaf(), REGISTRY[id])
    assert REGISTRY[id].devices == {"console"}


@pytest.mark.parametrize("id", ["settlement.stake", "insurance.when", "wagers.in_time", "rack.order"])
def test_a_duty_that_needs_a_silent_device_is_not_judged(id: str) -> None:
    assert not_judged(_deaf(), REGISTRY[id])


def test_a_check_says_otherwise_than_its_subject() -> None:
    entry = REGISTRY["action.dealer_drawn"]
    assert entry.turns_on == {*SUBJECTS["action"], "rack"}
    assert entry.devices == {"console", "placements", "wagers", "shoe", "rack"}


def test_a_check_without_a_subject_is_refused() -> None:
    with pytest.raises(RegistrationError, match=r"put it into processors/law/subjects\.py"):
        check("weather.fair", decides=("wagers.untouched",), reads=(RoundStarted,))


def test_a_breach_without_roles_cites_all_that_its_check_decides() -> None:
    entry = REGISTRY["wagers.in_time"]
    found = [one.cites for one in findings_of(load("breach_late_bet")) if one.check == entry.id]
    assert found
    assert set(found) <= set(entry.provisions.values())


@pytest.mark.parametrize(
    ("reads", "says"),
    [
        (of(CardDrawn, "main"), "CardDrawn has no sorts; read it whole"),
        (of(WagerSettled, "main", "mian"), "WagerSettled has no sort 'mian'; it has .*insurance.*main"),
        (of(CardsRacked, "busted"), "CardsRacked has no sort 'busted'; it has .*bust"),
    ],
)
def test_a_check_at_sorts_of_events_that_do_not_exist_is_refused(reads: Of, says: str) -> None:
    with pytest.raises(RegistrationError, match=says):
        check("wagers.of_no_sort", decides=("insurance.size",), reads=(reads,))
    assert "wagers.of_no_sort" not in REGISTRY

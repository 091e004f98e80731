"""The page of a hand names the disputes about it, to those who may read them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from dashboards.web.console import Console
from tests.console.disputing import FIRST, ROUND, act, held, open_one, with_records
from tests.console.hands_building import SignedIn
from tests.hands.stored import Recorded


@pytest.fixture
def records() -> Recorded:
    return held()


@pytest.fixture
def console(console: Console, records: Recorded) -> Console:
    return replace(with_records(console), records=records.store)


def test_a_hand_names_its_disputes_as_they_stand_and_no_other_hand_does(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    page = f"/hands/{held().subject}/{ROUND}?first={FIRST}"
    assert "/disputes/DIS-" not in hale.get(page).text
    one = open_one(hale)
    line = f'Dispute <a href="/disputes/{one.id}">{one.id}</a> of seat 6, '
    assert f"{line}open" in hale.get(page).text
    assert one.id not in hale.get(f"/hands/{held().subject}/{ROUND - 1}").text
    said = {
        "act": "decided",
        "version": 1,
        "ruling": "for the house",
        "amount_cents": 0,
        "reason": "22 pushes.",
    }
    assert act(hale, one.id, **said)[0] == 200
    assert f"{line}decided" in hale.get(page).text


def test_the_floor_sees_only_its_own_disputes_there(signed_in: SignedIn) -> None:
    hale, fay = signed_in("hale"), signed_in("fay")
    page = f"/hands/{held().subject}/{ROUND}?first={FIRST}"
    mine = open_one(hale).id
    other = open_one(hale, review={"requested_by": "nobody of us", "supervisor": "F-12"}).id
    told = fay.get(page).text
    assert (mine in told, other in told) == (True, False)
    assert other in hale.get(page).text

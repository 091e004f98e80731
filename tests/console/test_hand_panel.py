"""The panel of a hand beside the list: what each role is shown of it, and that the look is kept."""

from __future__ import annotations

import re

import pytest

from dashboards.ledger.acts import Withheld
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from tests.console.hands_building import CARD, SignedIn, console, kept, shown, store
from tests.console.test_likely_hands import text_of

__all__ = ["console", "store"]


def test_the_panel_tells_the_seat_its_money_and_what_was_found_and_the_look_is_kept(
    signed_in: SignedIn, log: SqliteDeskLog
) -> None:
    panel = signed_in("hale").get("/hands/BJ-12/1/panel?seat=1&told=stake%3D25%26said%3Dlost%2B25")
    assert panel.status_code == 200
    said = text_of(panel.text)
    assert "<html" not in panel.text, "a part of a page"
    assert "BJ-12 · round 1 · seat 1" in said
    assert "By the record" in said
    assert "The round, seat by seat" in said
    assert "<svg" in panel.text
    dispute = re.search(r'href="([^"]+)" data-dispute', panel.text)
    assert dispute is not None
    assert "told=stake%3D25%26said%3Dlost%2B25" in dispute[1]
    assert any(
        about.startswith("panel of hand BJ-12 round 1, ") and granted for about, granted in kept(log, "hale")
    )


@pytest.mark.parametrize("query", ["", "?seat=1"])
def test_who_sees_no_cards_reads_what_was_staked_and_moved_alone(signed_in: SignedIn, query: str) -> None:
    panel = signed_in("rex").get(f"/hands/BJ-12/1/panel{query}")
    said = text_of(shown(panel.text))
    assert not CARD.search(said)
    assert ("Staked" in said, "Moved" in said) == (True, True)
    for word in ("Due", "Nothing was found", "seat by seat", "P-", "Open dispute", "Evidence PDF"):
        assert word not in said, word
    assert "<svg" not in panel.text


def test_a_hand_that_is_withheld_has_no_panel(signed_in: SignedIn, console: Console) -> None:
    assert signed_in("hale").get("/hands/BJ-12/1/panel").status_code == 200
    console.desk.note(Withheld(user="hale", kind="table", value="BJ-12"), "ann")
    assert signed_in("hale").get("/hands/BJ-12/1/panel").status_code == 404

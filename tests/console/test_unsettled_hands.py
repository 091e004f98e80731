"""A stake that nobody settled, as a finding says, is told as such to every reader, whether they see cards or not."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import pytest

from dashboards.ledger.acts import Withheld
from dashboards.web.console import Console
from processors.runtime.store.warehouse import Warehouse
from tests.console.conftest import Browser
from tests.console.hands_building import CARD, SignedIn, console, shown
from tests.console.test_likely_hands import text_of
from tests.drawing.test_already_racked import UNSETTLED
from tests.hands.stored import floor
from tests.law.record import SUBJECT
from tests.law.script import play

__all__ = ["console"]
HAND = f"/hands/{SUBJECT}/1"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    lines = tuple(play(UNSETTLED, "free_bet_672a", {}).lines)
    with floor(tmp_path_factory.mktemp("unsettled"), {SUBJECT: lines}) as held:
        yield held


def figure(panel: str, name: str) -> str:
    found = re.search(rf"<dt>{name}</dt><dd[^>]*>([^<]*)<", panel)
    assert found is not None
    return found[1]


def words(browser: Browser) -> list[str]:
    """What the payout check says of each stake."""
    return [one["word"] for one in browser.get(f"/api{HAND}").json()["stakes"]]


def test_who_sees_no_cards_reads_that_nobody_settled_the_stake(signed_in: SignedIn, store: Warehouse) -> None:
    readers = {name: signed_in(name) for name in ("hale", "rex")}
    assert words(readers["rex"]) == words(readers["hale"])
    for reader in readers.values():
        page = text_of(shown(reader.get(HAND).text))
        assert "✕ not settled" in page
        assert "the settlement was not seen" not in page
        assert figure(reader.get(f"{HAND}/panel?seat=3").text, "Moved") != "not seen"
    told = readers["rex"].get(HAND).text + readers["rex"].get(f"{HAND}/panel?seat=3").text
    assert not CARD.search(text_of(shown(told)))
    assert "<svg" not in told
    for (message,) in store.query("SELECT message FROM findings FINAL"):
        assert html.escape(message) not in told


def test_a_finding_that_is_withheld_says_nothing_of_the_stake(
    signed_in: SignedIn, console: Console, store: Warehouse
) -> None:
    rex = signed_in("rex")
    assert "not settled" in words(rex)
    for (found,) in store.query("SELECT finding_id FROM findings FINAL"):
        console.desk.note(Withheld(user="rex", kind="alert", value=found), "ann")
    assert "not settled" not in words(rex)
    assert "✕ not settled" not in text_of(rex.get(HAND).text)
    assert figure(rex.get(f"{HAND}/panel?seat=3").text, "Moved") == "not seen"

"""The floor as a map, and the tables it is made of: asked for together, each is what it is alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from dashboards.folding import states as states_module
from dashboards.folding.states import States
from dashboards.ledger.acts import Withheld
from dashboards.web.console import Console
from processors.core.snapshots import snapshot
from processors.runtime.store.warehouse import Warehouse
from producers.simulator.floor.setup import usual_setup
from tests.console.books import NEVER_CLOSED, simulated, store_of
from tests.console.conftest import Browser
from tests.console.desk_building import a_finding, a_raise
from tests.console.test_tables import of_a_round_under_way
from tests.embedded.ledgers import lines_of, subject_of

SignedIn = Callable[[str], Browser]
LIVE, SHUT, BROKEN = "LV-7", "C4-3", subject_of(NEVER_CLOSED)


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    live = usual_setup("free_bet_672a", LIVE, decks=6, open_hours=1.2, number=1)
    shut = usual_setup("manual_shoe_657a8", SHUT, open_hours=0.4, number=3)
    held = {
        LIVE: of_a_round_under_way(simulated(live, 20)),
        SHUT: simulated(shut),
        BROKEN: lines_of(NEVER_CLOSED),
    }
    with store_of(tmp_path_factory.mktemp("floor"), held) as opened:
        yield opened


def test_the_map_has_a_tile_for_each_table_by_pit_with_state_dealer_shoe_alerts_and_money(
    signed_in: SignedIn, console: Console
) -> None:
    raised = [
        a_finding(1, subject=SHUT, severity="minor", money_cents=40000),
        a_finding(2, subject=SHUT, severity="critical", money_cents=-2000),
        a_finding(3, subject=LIVE, money_cents=0),
    ]
    console.desk.raise_alerts([a_raise(one) for one in raised])
    hale = signed_in("hale")
    text = hale.get("/tables").text
    tiles = {
        re.findall(r'href="/tables/([^"]+)"', tile)[0]: tile for tile in text.split('<li class="tile')[1:]
    }
    assert set(tiles) == {LIVE, SHUT, BROKEN}
    assert re.findall(r">Parkside · Pit (\d) ", text) == ["2", "3"]
    said = {name: " ".join(re.sub(r"<[^>]+>", "", tile).split()) for name, tile in tiles.items()}
    assert "in a round" in said[LIVE]
    assert "% of the shoe dealt" in said[LIVE]
    assert re.search(r"D-\d+", said[LIVE])
    assert "1 open alert, the gravest major" in said[LIVE]
    assert "closed" in said[SHUT]
    assert "2 open alerts, the gravest critical" in said[SHUT]
    assert "owed to patron up to $400.00" in said[SHUT]
    console.desk.note(Withheld(user="hale", kind="table", value=SHUT, reason="related"), "ann")
    assert SHUT not in hale.get("/tables").text


@pytest.mark.parametrize("block", [5_000, 40])
def test_several_tables_at_once_are_what_each_is_alone(
    store: Warehouse, monkeypatch: pytest.MonkeyPatch, block: int
) -> None:
    monkeypatch.setattr(
        states_module, "BLOCK", block
    )  # at 40 the lines of some are too many for one question
    together, alone = States(store), States(store)
    for known in ((), (LIVE,)):
        for one in known:
            together.now(one)
        found = together.now_of([LIVE, SHUT, BROKEN, "NO-1"])
        assert set(found) == {LIVE, SHUT, BROKEN}
        for subject, at in found.items():
            assert (at.sequence, snapshot(at.table)) == (
                alone.now(subject).sequence,
                snapshot(alone.now(subject).table),
            )

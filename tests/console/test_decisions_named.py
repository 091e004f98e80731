"""Which decisions gave the house something: the choice, the best one and its price, on the hand and in a dispute."""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator

import pytest

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from deploy.console.hand_ports import givings_of
from processors.runtime.store.warehouse import Warehouse
from tests.console.conftest import ORIGIN, Browser, Clock
from tests.hands.stored import floor
from tests.law.record import SUBJECT
from tests.law.script import play

SignedIn = Callable[[str], Browser]
STEPS = (
    "wager 2", "wager 3", "wager 4", "deal 2:Ts2c 3:8s8d 4:TdTh D:7cKh", "stand 2", "split 3 Tc", "boxed 4h",
    "hit 3.1 3c", "deal 3.2 Ts", "hit 3.2 3h", "stand 4", "finish",
)  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with floor(tmp_path_factory.mktemp("decided"), {SUBJECT: play(STEPS, "free_bet_672a").lines}) as held:
        yield held


@pytest.fixture
def console(log: SqliteDeskLog, accounts: Accounts, clock: Clock, store: Warehouse) -> Console:
    return Console(Desk(log, clock), accounts, clock, (ORIGIN,), records=store, givings=givings_of)


def listed(page: str) -> list[str]:
    """The lines of "Play by seat"."""
    told = page.partition("<h3>Play by seat</h3>")[2].partition("</ul>")[0]
    return [html.unescape(one) for one in re.findall(r"<li>(.*?)</li>", told)]


def cents(text: str) -> int:
    return round(float(text.replace(",", "")) * 100)


def test_a_hand_names_each_decision_that_gave_something_and_they_add_up(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    page = hale.get(f"/hands/{SUBJECT}/1").text
    two, three = listed(page)
    assert re.fullmatch(
        r"Seat 2 gave \$(\S+): 2\.1: stood on 12 \(10, 2\) against 7; to hit is best: \$\1\.", two
    )
    assert "3.1: hit 18 (8, 10) against 7; to stand is best: $" in three
    assert "3.2: hit 18 (8, 10) against 7; to stand is best: $" in three
    given, *parts = map(cents, re.findall(r"\$([\d,]+\.\d\d)", three))
    assert sum(parts) == given > 0
    stakes = hale.get(f"/api/hands/{SUBJECT}/1").json()["stakes"]
    told = {one["seat"]: one.get("decisions") for one in stakes if one["kind"] == "Main"}
    assert [len(told[seat] or ()) for seat in (2, 3, 4)] == [1, 2, 0]


def test_a_card_face_up_in_the_shoe_is_a_step_of_its_own_and_play_goes_on(signed_in: SignedIn) -> None:
    """The round's decisions are told as if the card had stayed in the shoe."""
    told = signed_in("hale").get(f"/api/hands/{SUBJECT}/1").json()["steps"]
    said = [one["sentence"] for one in told]
    at = next(place for place, sentence in enumerate(said) if "should not be" in sentence)
    assert said[at : at + 3] == [
        "A card is seen that should not be: 4 of hearts, in the shoe.",
        "1 card goes to the discard rack, a card found face up.",
        "Hand 3.1 asks for a card.",
    ]


def test_who_sees_no_cards_reads_the_amount_and_no_decision(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    page = rex.get(f"/hands/{SUBJECT}/1").text
    assert 'data-label="Play">$' in page
    assert listed(page) == []
    assert not any(one.get("decisions") for one in rex.get(f"/api/hands/{SUBJECT}/1").json()["stakes"])


def test_a_dispute_says_what_the_decisions_of_its_seats_gave(signed_in: SignedIn) -> None:
    hale = signed_in("hale")
    hand = listed(hale.get(f"/hands/{SUBJECT}/1").text)
    page = hale.get(f"/disputes/new?subject={SUBJECT}&round=1").text
    two, three, four = listed(page)
    assert two == hand[0].replace("Seat 2 gave", "Seat 2: its decisions gave the house")
    assert three == hand[1].replace("Seat 3 gave", "Seat 3: its decisions gave the house")
    assert four == "Seat 4: its decisions gave the house $0.00."
    assert len(listed(hale.get(f"/disputes/new?subject={SUBJECT}&round=1&seat=3").text)) == 1


def test_under_another_reading_no_decision_is_named(signed_in: SignedIn) -> None:
    assert listed(signed_in("hale").get(f"/hands/{SUBJECT}/1?reading=A5:return").text) == []

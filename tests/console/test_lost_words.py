"""A card whose laying the layout did not report: what a hand's page, its JSON, a dispute and the reports say of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from msgspec.structs import replace

from dashboards.accounts.accounts import Accounts
from dashboards.desk.desk import Desk
from dashboards.drawing.cards import spoken
from dashboards.replayer.admitting import round_of
from dashboards.replayer.replay import ReplayAsked, replay_round
from dashboards.reports.dispute_report import dispute_content, dispute_report
from dashboards.reports.hand_report import hand_content, hand_report
from dashboards.reports.round_facts import RoundSource
from dashboards.web.console import Console
from deploy.configured.desk_ledger import SqliteDeskLog
from processors.runtime.store.warehouse import Warehouse
from tests.console.conftest import Browser, Clock
from tests.console.disputing import open_one
from tests.console.hands_building import a_console, shown
from tests.hands.stored import floor, unlaid

TABLE = "BJ-31"
LOST = unlaid("lawful_free_bet_590", TABLE)
WORDS = (
    f"Hand {LOST.hand}, {spoken(LOST.card)}: drawn at event {LOST.drawn}, seen by rack at event {LOST.racked}"
)
MISSING = f"the placement of the card drawn at event {LOST.drawn}"
SignedIn = Callable[[str], Browser]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with floor(tmp_path_factory.mktemp("lost"), {TABLE: LOST.lines}) as held:
        yield held


@pytest.fixture
def console(log: SqliteDeskLog, accounts: Accounts, clock: Clock, store: Warehouse) -> Console:
    return a_console(Desk(log, clock), accounts, clock, store)


def test_the_page_of_a_hand_names_the_witnesses_of_each_card_and_how_an_unseen_place_is_known(
    signed_in: SignedIn,
) -> None:
    page = shown(signed_in("hale").get(f"/hands/{TABLE}/1").text)
    assert f"Words of devices that never came: {MISSING}." in page
    rows = re.findall(r"<tr><td>([^<]*)</td><th scope=\"row\">([^<]*)</th>(.*?)</tr>", page)
    assert len(rows) > 4
    (unseen,) = [row for row in rows if "seen laid down" not in row[2]]
    assert unseen[:2] == (LOST.hand, spoken(LOST.card))
    assert re.findall(r'data-at="(\d+)"|(no word)|<td>([^<]+)</td>', unseen[2]) == [
        (str(LOST.drawn), "", ""),
        ("", "no word", ""),
        (str(LOST.racked), "", ""),
        ("", "", "seen by rack"),
    ]


def test_the_json_of_a_hand_has_the_same_cards_and_draws_the_unseen_one_with_its_reason(
    signed_in: SignedIn,
) -> None:
    told = signed_in("hale").get(f"/api/hands/{TABLE}/1").json()
    (unseen,) = [one for one in told["cards"] if one.get("known")]
    assert unseen == {
        "hand": LOST.hand, "card": spoken(LOST.card), "shoe": LOST.drawn, "layout": None, "rack": LOST.racked,
        "known": "seen by rack",
    }  # fmt: skip
    marked = [one for one in told["steps"] if '<g class="inferred"><title>' in one["frame"]]
    assert marked
    assert all(any("(place inferred: " in cards for _, cards, _, _ in one["rows"]) for one in marked)


def test_who_sees_no_cards_sees_no_witnesses_of_them(signed_in: SignedIn) -> None:
    rex = signed_in("rex")
    assert "witnesses" not in rex.get(f"/hands/{TABLE}/1").text
    assert "cards" not in rex.get(f"/api/hands/{TABLE}/1").json()


def test_a_dispute_and_both_reports_say_it_in_the_same_words(signed_in: SignedIn, console: Console) -> None:
    hale, seat = signed_in("hale"), int(LOST.hand[0])
    opened = open_one(hale, subject=TABLE, round=1, seat=seat)
    page = hale.get(f"/disputes/{opened.id}").text
    assert f"<li>{WORDS}</li>" in page
    assert f"Words of devices that never came: {MISSING}." in page
    before, own = round_of(TABLE, 1, LOST.lines)
    replay = replay_round(before, own, asked=ReplayAsked(frames=False))
    source = RoundSource(before, tuple(own))
    dispute = console.desk.dispute(opened.id)
    assert dispute is not None
    for content in (hand_content(replay, source), dispute_content(dispute, replay, source)):
        assert (content.inferred, content.words_missing) == ((WORDS,), (MISSING,))
    assert dispute_content(replace(dispute, seat=9), replay, source).inferred == ()
    assert hand_report(replay, source).startswith(b"%PDF")
    assert dispute_report(dispute, replay, source).startswith(b"%PDF")


def test_a_report_of_a_round_under_way_draws_the_card_with_its_reason() -> None:
    before, own = round_of(TABLE, 1, LOST.lines)
    first = next(at for at, line in enumerate(own) if b"v1.cards_racked" in line)
    replay = replay_round(before, own[:first], asked=ReplayAsked(frames=False))
    content = hand_content(replay, RoundSource(before, tuple(own[:first])))
    (told,) = content.inferred
    assert told.endswith(f"drawn at event {LOST.drawn}, inferred by play")
    (hand,) = [one for one in content.hands if "place inferred" in one.words]
    assert hand.name == f"Hand {LOST.hand}"
    assert 'class="inferred"' in hand.picture.svg
    assert "stroke-dasharray" in hand.picture.svg

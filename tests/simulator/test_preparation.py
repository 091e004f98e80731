"""Decks, shuffles, cuts and shoes of a simulated table, held against the regulations' text."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from itertools import pairwise

import pytest

from producers.simulator.floor.decks.deck import fresh_cards
from producers.simulator.floor.setup import Habits, TableSetup, usual_setup
from producers.simulator.session import Session
from schemas.values import Ruleset
from tests.sampling import one_in
from tests.simulator.lively import SETUPS, stream_of
from tests.simulator.quiet import QUIET
from tests.simulator.streams import Event, events, named, played, until

BLACKJACK: tuple[Ruleset, ...] = ("free_bet_590", "free_bet_672a", "down_under_685a")
ALL_TABLES = pytest.mark.parametrize("table", one_in(4, SETUPS))


@ALL_TABLES
def test_no_deck_is_dealt_after_a_day_and_every_deck_leaves(table: str) -> None:
    stream, setup = stream_of(table), SETUPS[table]
    opened: dict[str, dt.datetime] = {}
    dealt_from = ""
    for event in stream:
        if event.name == "decks_received":
            opened[event["batch"]] = dt.datetime.fromisoformat(event["opened_at"])
            assert event["cards"] == setup.batch_cards
        elif event.name == "shoe_loaded":
            dealt_from = event["batch"]
        elif event.name == "round_started":
            assert event.time - opened[dealt_from] < dt.timedelta(hours=24)
        elif event.name == "decks_removed":
            assert event["cards"] == setup.batch_cards
            del opened[event["batch"]]
    assert opened == {}


@ALL_TABLES
def test_the_cut_keeps_ten_cards_and_the_cover_card_a_quarter_from_the_ends(table: str) -> None:
    stream, setup = stream_of(table), SETUPS[table]
    for cut in named(stream, "cut_made"):
        assert 10 <= cut["cards_on_top"] <= cut["stack"] - 10
    for cover in named(stream, "cover_card_inserted"):
        assert 4 * cover["cards_below"] >= cover["stack"] > 2 * cover["cards_below"]
    if setup.reshuffles_itself and setup.is_blackjack:
        assert named(stream, "cut_offered", "cut_made", "cover_card_inserted", "cover_card_reached") == []
    else:
        assert len(named(stream, "cut_made")) >= len(named(stream, "shoe_loaded"))


def _cut_order_faults(stream: list[Event]) -> Iterator[str]:
    """First offers against 5(c), with the seats taken at that time."""
    seats: set[int] = set()
    first = cover = None
    ordered = False
    offered: list[int] = []
    refused: list[int] = []
    for event in stream:
        match event.name:
            case "player_arrived":
                first = first or event["seat"]
                seats.add(event["seat"])
            case "player_left":
                seats.discard(event["seat"])
            case "gaming_day_started" | "table_idle":
                first, cover, ordered = None, None, False
            case "cover_card_reached":
                cover = event["at"]
            case "reshuffle_ordered":
                ordered = True
            case "cut_offered":
                offered.append(event["seat"])
            case "cut_refused":
                refused.append(event["seat"])
            case "cut_made" if offered:
                from_right = sorted(seats, reverse=True)
                taker = [] if event["by"] == "D" else [int(event["by"])]
                if offered != refused + taker:
                    yield f"{event.sequence}: offered {offered}, refused {refused}, cut by {event['by']}"
                if ordered or cover == "D":
                    if offered != from_right[: len(offered)] or (not taker and offered != from_right):
                        yield f"{event.sequence}: offered {offered} of {from_right}"
                elif offered[0] != (int(cover) if cover else first):
                    yield f"{event.sequence}: first offer to {offered[0]}, cover {cover}, first {first}"
                offered, refused = [], []
            case "shoe_loaded":
                # A shoe that ran out in a round leaves the cut of the next one with its cover card.
                ordered = False
            case "round_started":
                cover = None


@ALL_TABLES
def test_the_cut_is_offered_in_the_order_of_the_section(table: str) -> None:
    stream, setup = stream_of(table), SETUPS[table]
    if setup.is_blackjack:
        assert list(_cut_order_faults(stream)) == []


def test_the_cut_order_check_sees_an_offer_to_the_wrong_seat() -> None:
    stream = stream_of(next(table for table in SETUPS if table.endswith("none")))
    faulty = [
        Event(e.name, {**e.data, "seat": e["seat"] % 6 + 1}, e.sequence, e.time, e.source)
        if e.name == "cut_offered"
        else e
        for e in stream
    ]
    assert list(_cut_order_faults(faulty))


def test_a_recut_comes_between_cut_and_shoe_and_from_the_same_hand() -> None:
    recuts = 0
    for table in SETUPS:
        stream = stream_of(table)
        for before, event, following in zip(stream, stream[1:], stream[2:], strict=False):
            if event.name == "recut_ordered":
                recuts += 1
                assert [before.name, following.name] == ["cut_made", "cut_made"]
                assert before["by"] == following["by"]
    assert recuts > 10


@ALL_TABLES
def test_a_card_is_burned_for_each_load_and_each_new_dealer(table: str) -> None:
    stream, setup = stream_of(table), SETUPS[table]
    if not setup.is_blackjack:
        assert named(stream, "card_burned") == []
        return
    told = named(
        stream, "shoe_loaded", "stack_shuffled_from_rack", "dealer_arrived", "card_burned", "round_started"
    )
    owed: list[str] = []
    opening = False
    for event, following in pairwise([*told, told[-1]]):
        if event.name == "shoe_loaded":
            owed.append("load")
        elif event.name == "stack_shuffled_from_rack":
            owed.append("reload")
            opening = True
        elif event.name == "dealer_arrived" and following.name != "shoe_loaded":
            owed.append("new_dealer")
        elif event.name == "card_burned":
            if opening:
                owed.remove("load")
                opening = False
            owed.remove(event["reason"])
        elif event.name == "round_started":
            assert owed == [], event


@ALL_TABLES
def test_two_batches_of_one_design_and_two_colours_take_turns(table: str) -> None:
    stream, setup = stream_of(table), SETUPS[table]
    if setup.batches == 1:
        return
    inside: set[str] = set()
    loads: list[str] = []
    for event in stream:
        if event.name == "gaming_day_started":
            loads = []
        elif event.name == "shuffler_loaded":
            inside.add(event["batch"])
        elif event.name == "shuffler_unloaded":
            inside.remove(event["batch"])
        elif event.name == "shoe_loaded":
            loads.append(event["batch"])
            assert len(inside) == 1
            assert event["batch"] not in inside
            assert loads[-2:-1] != loads[-1:]
    received = named(stream, "decks_received")
    assert [event["back_colour"] for event in received] == ["red", "blue"] * (len(received) // 2)
    assert {event["design"] for event in received} == {"bee-92"}


@ALL_TABLES
def test_a_batch_is_shuffled_between_two_shoes(table: str) -> None:
    stream, setup = stream_of(table), SETUPS[table]
    shuffled: set[str] = set()
    failed = False
    for event in stream:
        if event.name == "decks_received" and event["preshuffled"]:
            shuffled.add(event["batch"])
        elif event.name == "device_fault":
            failed = event["device"] == "shuffler"
        elif event.name == "shuffle_started":
            failed = False
        elif event.name == "shuffle_completed":
            assert not failed
            shuffled.add(event["batch"])
            if event["method"] == "device" and setup.shuffler_counts:
                assert event["counted"] == setup.batch_cards
        elif event.name == "shoe_loaded":
            assert event["batch"] in shuffled
            shuffled.discard(event["batch"])
        elif event.name == "device_restored":
            assert event["how"] in ("cleared", "replaced", "repaired")


def test_a_broken_shuffler_is_covered_before_another_method_is_used() -> None:
    habits = Habits(breaks=0.5, jams=0.0)
    stream = played(usual_setup("free_bet_590", "T-1", decks=1, shuffler="batch", habits=habits), 60, 1)
    faults = [n for n, e in enumerate(stream) if e.name == "device_fault"]
    assert len(faults) > 3
    for number in faults:
        names = [event.name for event in stream[number : number + 6]]
        assert names[1] == "device_out_of_service_marked"
        assert "shuffle_started" in names
        assert "device_restored" not in names[: names.index("shuffle_started")]


def _session_with(setup: TableSetup, seed: int, rounds: int) -> Session:
    session = Session(setup, seed)
    for _ in range(rounds):
        session.play()
    return session


@ALL_TABLES
def test_no_card_is_lost_or_made_between_shoe_and_rack(table: str) -> None:
    setup = SETUPS[table]
    session = Session(setup, 11)
    whole = sorted(fresh_cards(setup.decks, setup.game.joker))
    for _ in range(60):
        session.play()
        assert sorted(session.shoe.order[session.shoe.drawn :] + session.shoe.rack) == whole
        for batch in session.life.cards.stacks.values():
            assert sorted(batch) == whole


def test_a_shoe_is_put_away_in_the_order_in_which_it_would_have_been_drawn() -> None:
    session = _session_with(usual_setup("free_bet_672a", "T-1", habits=QUIET), 3, 5)
    rest = list(session.shoe.order[session.shoe.drawn :])
    session.writer.take()
    session.close()
    [emptied] = named(events(session.writer.take()), "shoe_emptied")
    assert emptied["cards"] == rest


def test_a_shoe_that_runs_out_is_reloaded_from_the_rack_within_the_round() -> None:
    setup = usual_setup("free_bet_590", "T-1", decks=1, patrons=(5, 5), habits=QUIET)
    stream = played(setup, 200, 5)
    reloads = [n for n, e in enumerate(stream) if e.name == "stack_shuffled_from_rack"]
    assert reloads
    for number in reloads:
        assert stream[number - 1].name == "shoe_emptied"
        assert stream[number - 1]["cards"] == []
        later = [event.name for event in stream[number : number + 12]]
        assert later[:4] == [
            "stack_shuffled_from_rack",
            "shuffle_started",
            "shuffle_completed",
            "cards_stacked",
        ]
        burned = stream[number + later.index("card_burned")]
        assert burned["reason"] == "reload"
        loaded = stream[number + later.index("shoe_loaded")]
        assert loaded["cards"] == stream[number]["cards"] < 52
    assert list(_cut_order_faults(stream)) == []


IDLE = {
    ("free_bet_672a", "none"): ["cards_washed", "cards_stacked", "shuffle_started", "shuffle_completed"],
    ("free_bet_590", "none"): ["cards_washed", "cards_stacked", "shuffle_started", "shuffle_completed"],
    ("free_bet_672a", "batch"): ["cards_stacked", "shuffler_loaded", "shuffler_unloaded", "cards_stacked"],
    ("down_under_685a", "none"): [
        "cards_inspected",
        "inspection_verified",
        "cards_spread",
        "player_viewing_given",
    ],
    ("down_under_685a", "batch"): [
        "shuffler_unloaded",
        "cards_inspected",
        "inspection_verified",
        "cards_inspected",
    ],
}


@pytest.mark.parametrize(("ruleset", "shuffler"), IDLE)
def test_an_idle_table_resumes_as_its_section_asks(ruleset: Ruleset, shuffler: str) -> None:
    habits = Habits(idles=0.2, asks_at_spread=0.4, jams=0.0, breaks=0.0, shuffles_on=0.0)
    stream = played(usual_setup(ruleset, "T-1", shuffler=shuffler, habits=habits), 80, 2)
    idles = [n for n, e in enumerate(stream) if e.name == "table_idle"]
    assert len(idles) > 5
    wishes = []
    for number in idles:
        rest = [e for e in stream[number:] if e.name not in ("player_arrived", "chips_bought")]
        names = [event.name for event in rest]
        assert names[1:3] == ["shoe_emptied", "cards_spread"]
        assert rest[2]["face_up"] is False
        viewing = names.index("player_viewing_given")
        wishes.append(names[3] == "player_request")
        if wishes[-1]:
            assert rest[4].data == {**rest[2].data, "face_up": True}
        assert [n for n in names[viewing + 1 :] if n != "player_left"][:4] == IDLE[ruleset, shuffler]
        loaded = rest[names.index("shoe_loaded")]
        assert (loaded["batch"] == rest[2]["batch"]) == (shuffler == "none")
    assert {True, False} <= set(wishes)


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_preshuffled_decks_skip_what_their_section_lets_them_skip(ruleset: Ruleset) -> None:
    setup = usual_setup(ruleset, "T-1", habits=Habits(preshuffled=1.0))
    session = Session(setup, 1)
    session.open()
    names = [event.name for event in events(session.writer.take())]
    assert "cards_inspected" not in names
    assert "shuffle_started" not in names
    assert ("cards_spread" in names) == (ruleset == "down_under_685a")
    assert names[-3:] == ["cover_card_inserted", "shoe_loaded", "card_burned"]


def test_a_device_that_shuffles_by_itself_gets_the_rack_back_after_every_round() -> None:
    session, stream = until(
        usual_setup("down_under_685a", "T-1", shuffler="continuous", shuffler_counts=True, habits=QUIET),
        1,
        lambda session: session.number == 20,
    )
    ends = [n for n, e in enumerate(stream) if e.name == "round_ended"]
    for number in ends[:-1]:
        assert [event.name for event in stream[number + 1 : number + 5]] == [
            "shuffler_loaded",
            "shuffle_started",
            "shuffle_completed",
            "cards_stacked",
        ]
        assert stream[number + 3]["counted"] == session.setup.batch_cards
    assert len(named(stream, "shoe_loaded")) == len(named(stream, "card_burned")) == 1

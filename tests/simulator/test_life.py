"""A simulated table's day: people, chips, counts and approvals."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from itertools import pairwise

import pytest

from producers.simulator.floor.gaming_floor import gaming_floor, seed_of
from producers.simulator.floor.setup import RULESETS, Habits, usual_setup
from producers.simulator.scenarios.catalogue import CATALOGUE
from producers.simulator.session import Session, simulate_table
from schemas.values import Ruleset
from tests.sampling import one_in
from tests.simulator.lively import LIVELY, SETUPS, stream_of
from tests.simulator.quiet import QUIET
from tests.simulator.streams import Event, contract_faults, events, named, played, rounds_of

BLACKJACK: tuple[Ruleset, ...] = ("free_bet_590", "free_bet_672a", "down_under_685a")
ALL_TABLES = pytest.mark.parametrize("table", one_in(4, SETUPS))


@pytest.mark.parametrize("ruleset", RULESETS)
@pytest.mark.parametrize("seed", one_in(2, [1, 2]))
def test_every_line_keeps_the_contract_and_the_chain(ruleset: Ruleset, seed: int) -> None:
    lines = simulate_table(usual_setup(ruleset, "T-1", habits=LIVELY), 40, seed)
    assert list(contract_faults(lines)) == []


def test_a_spoilt_line_is_no_contract_line() -> None:
    lines = list(simulate_table(usual_setup("free_bet_672a", "T-1"), 1, 1))
    assert list(contract_faults([lines[0], lines[2]]))
    assert list(contract_faults([lines[0].replace(b'"seats":6', b'"seats":"6"'), *lines[1:]]))


def test_the_same_seed_gives_the_same_stream() -> None:
    setup = usual_setup("free_bet_672a", "T-1", habits=LIVELY)
    assert list(simulate_table(setup, 60, 7)) == list(simulate_table(setup, 60, 7))
    assert list(simulate_table(setup, 3, 7)) != list(simulate_table(setup, 3, 8))


def test_a_session_without_end_can_be_followed_from_its_start() -> None:
    lines = simulate_table(usual_setup("free_bet_672a", "T-1"), 10**12, 1)
    assert [next(lines) for _ in range(200)][-1].count(b'"sequence":200,') == 1


@ALL_TABLES
def test_every_count_of_the_tray_is_what_chips_and_money_make_it(table: str) -> None:
    stream, setup = stream_of(table), SETUPS[table]
    tray, counts = setup.opening_cents, 0
    for event in stream:
        match event.name, event.data:
            case "fill_received", {"cents": cents}:
                tray += cents
            case "credit_sent" | "chips_bought" | "cash_converted", {"cents": cents}:
                tray -= cents
            case "wager_settled", {"outcome": "collect", "cents": cents}:
                tray += cents
            case "wager_settled", {"outcome": "pay", "cents": cents}:
                tray -= cents
            case "inventory_counted", {"cents": cents, **rest}:
                assert cents == tray, event
                counts += 1
                assert sum(int(v) * n for v, n in rest.get("chips", {"1": tray}).items()) == tray
    assert counts >= 4
    assert tray > 0


def _house_wins(round_: list[Event]) -> int:
    """What a round adds to the tray; a stake collected and given back again was not won."""
    staked: Counter[tuple[object, ...]] = Counter()
    taken: Counter[tuple[object, ...]] = Counter()
    given: Counter[tuple[object, ...]] = Counter()
    won = 0
    for event in named(round_, "wager_placed", "wager_settled"):
        stake = (event["seat"], event["kind"], event.data.get("hand", f"{event['seat']}.1"))
        if event.name == "wager_placed":
            staked[stake] += event["cents"]
        elif event["outcome"] == "collect":
            taken[stake] += event["cents"]
        elif event["outcome"] == "return":
            given[stake] += event["cents"]
        else:
            won -= event["cents"]
    back = {stake: max(0, taken[stake] + given[stake] - staked[stake]) for stake in taken}
    return won + taken.total() - sum(back.values())


@pytest.mark.parametrize("ruleset", one_in(3, RULESETS))
def test_the_tray_is_right_where_a_settlement_was_reversed(ruleset: Ruleset) -> None:
    setup = usual_setup(ruleset, "T-1", habits=QUIET, bust_collection="immediate")
    stream = events(simulate_table(setup, 150, 5, CATALOGUE["irregular"]))
    tray = setup.opening_cents + sum(map(_house_wins, rounds_of(stream)))
    tray -= sum(event["cents"] for event in named(stream, "chips_bought", "cash_converted"))
    tray += sum(event["cents"] for event in named(stream, "fill_received"))
    tray -= sum(event["cents"] for event in named(stream, "credit_sent"))
    assert named(stream, "inventory_counted")[-1]["cents"] == tray


@ALL_TABLES
def test_the_drop_is_what_patrons_paid_into_the_box(table: str) -> None:
    stream = stream_of(table)
    paid: Counter[str] = Counter()
    days = 0
    for event in stream:
        if event.name in ("chips_bought", "cash_converted"):
            paid[event.data.get("tender", "cash")] += event["cents"]
        elif event.name == "drop_counted":
            assert event["currency_cents"] == paid["cash"]
            assert event["counter_check_cents"] == paid["counter_check"]
            assert event["voucher_cents"] == paid["voucher"]
            assert event.source.endswith("count-room")
            paid.clear()
            days += 1
    assert days == len(named(stream, "gaming_day_started")) >= 1
    assert not paid


@ALL_TABLES
def test_slips_and_boxes_are_never_used_twice(table: str) -> None:
    stream = stream_of(table)
    slips = [
        e.data.get("slip") or e["box"] for e in stream if "slip" in e.data or e.name == "drop_box_removed"
    ]
    assert len(slips) == len(set(slips))


@ALL_TABLES
def test_a_day_runs_from_its_first_event_to_the_counted_box(table: str) -> None:
    stream, setup = stream_of(table), SETUPS[table]
    assert stream[0].name == "table_configured"
    days = named(stream, "gaming_day_started")
    assert [event["gaming_day"] for event in days] == [
        (setup.first_day + dt.timedelta(days=n)).isoformat() for n in range(len(days))
    ]
    for opened, closed in zip(named(stream, "table_opened"), named(stream, "table_closed"), strict=True):
        assert dt.timedelta(0) < closed.time - opened.time < dt.timedelta(hours=3)
    slips = [e for e in named(stream, "inventory_counted") if e["moment"] != "shift"]
    assert [slip["moment"] for slip in slips] == ["opening", "closing"] * len(days)
    assert all(
        closing["cents"] == opening["cents"]
        for closing, opening in pairwise(slips)
        if closing["moment"] == "closing"
    )
    assert stream[-1].name == "drop_counted"


def _approvals(**changes: object) -> set[str]:
    ruleset: Ruleset = changes.pop("ruleset", "free_bet_672a")  # type: ignore[assignment]  # one of the rulesets
    session = Session(usual_setup(ruleset, "T-1", **{"habits": QUIET, **changes}), 1)
    session.life.configure()
    return {e["matter"] for e in named(events(session.writer.take()), "approval_recorded")}


def test_a_table_has_the_approvals_that_its_equipment_needs() -> None:
    usual = {"layout", "rules_submission", "shoe_location"}
    assert _approvals() == usual | {"box_location"}
    assert _approvals(shuffler="batch") == usual | {"box_location", "shuffler"}
    assert _approvals(shuffler="continuous") == usual | {"box_location", "shuffler", "self_shuffling_device"}
    assert _approvals(signs=("payouts",)) == usual | {"box_location", "signage"}
    assert _approvals(habits=Habits(preshuffled=0.1)) == usual | {"box_location", "preshuffled_decks"}
    assert _approvals(ruleset="fortune_670a10") == usual | {"shuffler"}


def test_a_text_on_a_sign_is_not_on_the_layout() -> None:
    assert "no_surrender" in usual_setup("free_bet_672a", "T-1").layout
    assert "no_surrender" not in usual_setup("free_bet_672a", "T-1", signs=("no_surrender",)).layout
    assert "no_surrender" not in usual_setup("free_bet_590", "T-1").layout


@pytest.mark.parametrize("ruleset", one_in(3, BLACKJACK))
def test_the_reader_is_inspected_by_the_floorperson_before_the_first_card_of_a_day(ruleset: Ruleset) -> None:
    stream = played(usual_setup(ruleset, "T-1", open_hours=0.5), 60, 1)
    inspected = ""
    for event in stream:
        if event.name == "gaming_day_started":
            inspected = ""
        elif event.name == "floorperson_assigned":
            floorperson = event["staff"]
        elif event.name == "device_inspected":
            inspected = event["device"]
            assert (event["staff"], event["working"], event["tampered"]) == (floorperson, True, False)
        elif event.name == "card_drawn":
            assert inspected == ("masque_reader" if ruleset == "down_under_685a" else "card_reader")


def test_a_patron_refused_in_mid_shoe_does_not_bet_before_the_reshuffle() -> None:
    setup = usual_setup(
        "free_bet_672a", "T-1", mid_shoe_entry=False, habits=Habits(arrives=0.3, leaves=0.0, boxes_two=0.0)
    )
    refused: dict[int, bool] = {}
    count = 0
    for event in played(setup, 200, 3):
        if event.name == "wager_refused":
            assert event["reason"] == "mid_shoe_entry"
            refused[event["seat"]] = True
            count += 1
        elif event.name in ("shoe_loaded", "table_idle"):
            refused.clear()
        elif event.name == "player_left":
            refused.pop(event["seat"], None)
        elif event.name == "wager_placed":
            assert event["seat"] not in refused
    assert count > 5


def test_pseudonyms_staff_and_places_of_a_floor_are_distinct() -> None:
    people: Counter[str] = Counter()
    places = set()
    for setup in gaming_floor(20, seed=3):
        stream = played(setup, 5, seed_of(3, setup.subject))
        people.update({e["player"] for e in named(stream, "player_arrived")})
        people.update({e["staff"] for e in named(stream, "dealer_arrived")})
        places.add((stream[0]["property"], stream[0]["pit"], stream[0].source.split("/")[3]))
        assert stream[0].source.split("/")[2] == f"pit-{setup.pit}"
    assert max(people.values()) == 1
    assert len(places) == 20
    assert len({place[0] for place in places}) > 1

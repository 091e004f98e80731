"""Lawful play of which a wager, a decision or a word of the rack was lost or came late; and breaches beside them."""

from __future__ import annotations

import datetime as dt

import msgspec
import pytest

from processors.core.devices.thresholds import LATEST
from processors.core.state import Logged
from processors.law.rehear.rehearing import in_order_of_time
from processors.pipeline import TablePipeline
from schemas.events import BettingClosed
from schemas.findings import Finding
from tests.mutations.rechain import (
    Event,
    accused,
    altered,
    dropped,
    heard,
    in_their_own_times,
    inserted,
    kind,
    load,
    rounds_of,
)
from tests.mutations.rounds import settles
from tests.sampling import one_in

STREAMS = ("lawful_free_bet_590", "lawful_free_bet_672a", "lawful_down_under_685a")
EACH = 17  # of the words, one in so many is tried
NOON = dt.datetime(2026, 1, 5, 12, tzinfo=dt.UTC)


def _run(events: list[Event], *, restarting: bool = False, between: range = range(9_999)) -> list[Finding]:
    """The findings; `restarting`: of a table that is restored at each event between two places."""
    if not restarting:
        return heard(list(in_their_own_times(events))).findings
    pipeline = TablePipeline(str(events[0]["subject"]), detect=False)
    found: list[Finding] = []
    for at, line in enumerate(in_their_own_times(events)):
        found += pipeline.advance(line).findings
        if at in between:
            pipeline = TablePipeline.restore(pipeline.snapshot())
    return [*found, *pipeline.finish().findings]


def _heard(events: list[Event]) -> list[tuple[Finding, int]]:
    """The findings, each with the event at which it was told."""
    pipeline = TablePipeline(str(events[0]["subject"]), detect=False)
    return [
        (one, at)
        for at, line in enumerate(in_their_own_times(events), 1)
        for one in pipeline.advance(line).findings
    ]


def _late(events: list[Event], at: int, to: int) -> list[Event]:
    """The record with one word some places later, with the time of its device."""
    return [*events[:at], *events[at + 1 : to + 1], events[at], *events[to + 1 :]]


def _of(events: list[Event], sort: str) -> list[int]:
    return [at for at, event in enumerate(events) if kind(event) == sort]


def _wagers(events: list[Event], *sorts: str) -> list[int]:
    return [at for at in _of(events, "wager_placed") if events[at]["data"]["kind"] in sorts]


def _settlements(events: list[Event], at: int) -> list[int]:
    """The places where the wager placed there is settled."""
    return [
        later for later in _of(events, "wager_settled") if later > at and settles(events[at], events[later])
    ]


@pytest.mark.parametrize("name", one_in(3, STREAMS))
def test_a_lost_side_wager_that_its_settlement_bears_out_is_a_doubt_and_named(name: str) -> None:
    events = load(name)
    for at in _wagers(events, "push22", "match_dealer", "insurance")[::EACH]:
        findings, data = _run(dropped(events, at)), events[at]["data"]
        assert accused(findings) == [], data
        missing = {word for one in findings for word in one.missing or ()}
        words = {
            "push22": "Push 22 wager",
            "match_dealer": "Match-the-Dealer wager",
            "insurance": "insurance wager",
        }
        assert missing == {f"the {words[data['kind']]} of seat {data['seat']} on the layout"}


@pytest.mark.parametrize("name", one_in(3, STREAMS, 1))
def test_a_side_wager_that_nobody_placed_and_whose_payment_fits_no_stake_stays_a_breach(name: str) -> None:
    events = load(name)
    for at in _wagers(events, "push22", "match_dealer"):
        data = events[at]["data"]
        paid = next(
            later
            for later in _of(events, "wager_settled")
            if later > at
            and (events[later]["data"]["kind"], events[later]["data"]["seat"]) == (data["kind"], data["seat"])
        )
        if events[paid]["data"]["outcome"] == "pay":
            broken = altered(events, paid, cents=events[paid]["data"]["cents"] + 1)
            assert [one.check for one in accused(_run(dropped(broken, at)))] == ["settlement.stake"]
            return


@pytest.mark.parametrize("sort", ["main", "double", "split"])
@pytest.mark.parametrize("name", one_in(3, STREAMS, 2))
def test_a_lost_wager_of_a_hand_that_cards_and_settlement_bear_out_is_a_doubt(name: str, sort: str) -> None:
    events = load(name)
    for at in _wagers(events, sort)[::EACH]:
        findings, seat = _run(dropped(events, at)), events[at]["data"]["seat"]
        assert accused(findings) == [], events[at]
        missing = {word for one in findings for word in one.missing or ()}
        assert f"the {sort} wager of seat {seat} on the layout" in missing


@pytest.mark.parametrize("name", one_in(3, STREAMS))
def test_a_lost_wager_that_was_collected_by_mistake_and_returned_is_a_doubt(name: str) -> None:
    events = load(name)
    at, back = next(
        (at, later)
        for at in _wagers(events, "main")
        for later in _settlements(events, at)[:1]
        if events[later]["data"].items() >= {("outcome", "return"), ("cents", events[at]["data"]["cents"])}
    )
    taken = altered(events, back, outcome="collect")[back] | {"id": "by mistake"}
    assert accused(_run(dropped(inserted(events, back, taken), at))) == []


@pytest.mark.parametrize("sort", ["main", "double", "split"])
@pytest.mark.parametrize("name", one_in(3, STREAMS))
def test_a_wager_of_a_hand_that_was_neither_placed_nor_settled_stays_a_breach(name: str, sort: str) -> None:
    events = load(name)
    for at in _wagers(events, sort)[:1]:
        paid = [later for later in _settlements(events, at) if later > at][:1]
        assert accused(_run(dropped(events, at, *paid))), events[at]


@pytest.mark.parametrize("name", one_in(3, STREAMS, 1))
def test_a_wager_whose_payment_fits_no_stake_stays_a_breach(name: str) -> None:
    events = load(name)
    at, paid = next(
        (at, later)
        for at in _wagers(events, "main")
        for later in _settlements(events, at)[:1]
        if events[later]["data"].get("odds") == "3:2"
    )
    broken = altered(events, paid, cents=events[paid]["data"]["cents"] + 1)
    without = {"wagers.participation", "deal.order"}  # where a side wager lies beside it, that shows first
    assert without & {one.check for one in accused(_run(dropped(broken, at)))}


def test_what_was_settled_wrongly_is_found_although_its_wager_was_lost() -> None:
    events = load(STREAMS[0])
    at, returned = next(
        (at, later)
        for at in _wagers(events, "main")
        for later in _settlements(events, at)[:1]
        if events[later]["data"]["outcome"] == "collect"
    )
    wrong = altered(events, returned, outcome="return")
    [found] = accused(_run(dropped(wrong, at)))
    assert found.check == "settlement.stake"
    assert "is to be collected" in found.message


@pytest.mark.parametrize("name", one_in(3, STREAMS, 2))
def test_a_lost_double_or_split_of_which_the_layout_tells_is_a_doubt(name: str) -> None:
    events = load(name)
    decided = [
        at for at in _of(events, "player_decision") if events[at]["data"]["kind"] in ("double", "split")
    ]
    for at in decided[::EACH]:
        findings = _run(dropped(events, at))
        assert accused(findings) == [], events[at]
        missing = {word for one in findings for word in one.missing or ()}
        assert missing == {f"the decision of hand {events[at]['data']['hand']} at the console"}


def test_what_does_not_follow_from_a_lost_decision_is_found_beside_it() -> None:
    events = load("breach_overpay")
    [wrong] = accused(_run(events))
    start = max(at for at in _of(events, "round_started") if at + 1 < wrong.sequence)
    lost = next(
        at
        for at in _of(events, "player_decision")
        if at > start and events[at]["data"]["kind"] in ("hit", "stand")
    )
    found = accused(_run(dropped(events, lost)))
    assert len(found) == 2
    assert wrong.message in [one.message for one in found]


@pytest.mark.parametrize("name", one_in(3, STREAMS))
def test_a_lost_decision_stays_what_the_text_makes_of_it_but_is_charged_only_once_it_cannot_come(
    name: str,
) -> None:
    events = load(name)
    at = next(at for at in _of(events, "player_decision") if events[at]["data"]["kind"] == "hit")
    heard = _heard(dropped(events, at))
    [(finding, told)] = [(one, when) for one, when in heard if one.verdict == "breached"]
    assert (finding.check, finding.sequence) == ("action.card", at + 2)
    clocks = [dt.datetime.fromisoformat(event["time"]) for event in dropped(events, at)]
    assert clocks[told - 1] - clocks[finding.sequence - 1] > LATEST
    # The console speaks again by then, so that it was not dead.
    since = dropped(events, at)[finding.sequence : told]
    assert "console" in {event["source"].rpartition("/")[2] for event in since}


AT_ONCE = (
    "breach_overpay",
    "breach_late_bet",
    "breach_mtd_wrong_pay",
    "breach_insurance_too_big",
    "breach_masque_wrong",
)


@pytest.mark.parametrize("name", AT_ONCE)
def test_a_breach_that_no_word_explains_is_asserted_at_its_event(name: str) -> None:
    events = load(name)
    heard = [(one, told) for one, told in _heard(events) if one.verdict == "breached"]
    assert heard
    for one, told in heard:
        # A payment may be put right until the round is over.
        over = next(
            at for at, event in enumerate(events, 1) if kind(event) == "round_ended" and at > one.sequence
        )
        assert told == (over if one.check.startswith("settlement.") and one.money_cents else one.sequence)


@pytest.mark.parametrize(
    ("name", "sort"),
    one_in(
        2,
        [
            (name, sort)
            for sort in (
                "wager_placed",
                "player_decision",
                "hole_card_read",
                "hole_card_revealed",
                "cards_tucked",
            )
            for name in STREAMS
            if (name, sort) != ("lawful_down_under_685a", "cards_tucked")  # there nothing is tucked
        ],
    ),
)
@pytest.mark.parametrize("each", [2 * EACH, pytest.param(EACH, marks=pytest.mark.soak)])
def test_a_word_that_comes_some_seconds_late_accuses_nobody(name: str, sort: str, each: int) -> None:
    events = load(name)
    places = _of(events, sort)
    assert places
    for at in places[::each]:
        assert accused(_run(_late(events, at, at + 3))) == [], events[at]


def test_a_surrendered_wager_whose_word_is_late_was_laid_on_its_cards_and_one_without_a_word_was_not() -> (
    None
):
    events = load("irregular_early_surrender")
    laid = _of(events, "wager_moved")
    assert laid
    for at in laid:
        assert accused(_run(_late(events, at, at + 3))) == [], events[at]
        assert "action.surrender_marked" in [one.check for one in accused(_run(dropped(events, at)))]


def test_a_card_of_which_both_words_are_late_was_drawn() -> None:
    events = load(STREAMS[0])
    announced = [at for at in _of(events, "dealer_total_announced") if kind(events[at - 2]) == "card_drawn"]
    assert announced
    for at in announced:
        late = _late(_late(events, at - 1, at + 1), at - 2, at)
        assert accused(_run(late)) == [], events[at]


def test_a_half_of_a_surrendered_wager_is_late_only_if_the_console_never_says_that_it_was_returned() -> None:
    events = load("irregular_hand_without_cards_590")
    [half] = [at - 2 for at in _of(events, "hole_card_revealed") if kind(events[at - 2]) == "wager_settled"]
    assert events[half]["data"]["outcome"] == "return"
    assert accused(_run(_late(events, half, half + 3))) == []
    lost = accused(_run(dropped(events, half)))
    assert "settlement.surrender_halves" in [one.check for one in lost]


@pytest.mark.parametrize("name", one_in(3, STREAMS, 1))
def test_a_word_of_the_rack_after_the_end_of_its_round_accuses_nobody(name: str) -> None:
    events = load(name)
    for end in _of(events, "round_ended")[::EACH]:
        if kind(events[end - 1]) == "cards_racked":
            late = _late(events, end - 1, end)
            assert accused(_run(late)) == []
            again = _run(late, restarting=True, between=range(end - 100, end + 100))  # it waits for seconds
            assert msgspec.json.encode(again) == msgspec.json.encode(_run(late))


@pytest.mark.parametrize("name", one_in(3, STREAMS, 2))
def test_a_hand_that_was_never_racked_stays_a_breach(name: str) -> None:
    events = load(name)
    end = next(at for at in _of(events, "round_ended") if kind(events[at - 1]) == "cards_racked")
    assert "rack.order" in {one.check for one in accused(_run(dropped(events, end - 1)))}


def test_a_card_that_no_decision_called_for_is_a_breach_where_the_play_does_not_go_on() -> None:
    events = load("lawful_free_bet_590")
    hit = next(at for at in _of(events, "player_decision") if events[at]["data"]["kind"] == "hit")
    cut = dropped(events, hit)[: hit + 2]
    assert [one.check for one in accused(_run(cut))] == ["action.card"]


def test_a_wrong_payment_is_found_although_the_wager_of_another_seat_was_lost() -> None:
    events = load("breach_overpay")
    [wrong] = accused(_run(events))
    start = max(at for at in _of(events, "round_started") if at + 1 < wrong.sequence)
    lost = next(
        at
        for at in _of(events, "wager_placed")
        if at > start and events[at]["data"]["kind"] == "main" and events[at]["data"]["seat"] != wrong.seat
    )
    assert wrong.check in [one.check for one in accused(_run(dropped(events, lost)))]


def _logged(*words: tuple[str, float]) -> list[Logged]:
    word = BettingClosed(announced=True)
    return [
        Logged(at, device, word, NOON + dt.timedelta(seconds=seconds))
        for at, (device, seconds) in enumerate(words, 1)
    ]


def test_words_that_came_late_are_put_where_their_times_say() -> None:
    ordered = in_order_of_time(_logged(("console", 0), ("shoe", 1), ("shoe", 5), ("console", 3)))
    assert ordered is not None
    assert [one.sequence for one in ordered] == [1, 2, 4, 3]
    assert in_order_of_time(_logged(("console", 0), ("shoe", 1), ("console", 2))) is None


def test_a_device_whose_clock_is_off_keeps_its_order() -> None:
    words = [
        (device, second - 4.0 * (device == "layout")) for second in range(20) for device in ("shoe", "layout")
    ]
    assert in_order_of_time(_logged(*words)) is None
    assert in_order_of_time(_logged(*words), whoever=True) is not None
    assert in_order_of_time(_logged(("console", 60), ("shoe", 0), ("console", 61))) is None


def test_a_breach_that_waits_is_the_same_when_the_table_is_restored_at_every_event() -> None:
    events = load("breach_not_racked")
    whole, restarting = _run(events), _run(events, restarting=True)
    assert msgspec.json.encode(restarting) == msgspec.json.encode(whole)


@pytest.mark.parametrize("each", [12, pytest.param(5, marks=pytest.mark.soak)])
@pytest.mark.parametrize("name", one_in(3, STREAMS))
def test_a_late_decision_that_its_time_puts_in_its_place_leaves_nothing_in_doubt(
    name: str, each: int
) -> None:
    events = load(name)
    late = _of(events, "player_decision")[::each]
    doubted = 0
    for at in late:
        found = _run(_late(events, at, at + 2))
        doubted += any(not one.check.startswith("integrity.") for one in found)
    assert 5 * doubted <= len(late), "but where a card was taken to lie meanwhile"


@pytest.mark.parametrize("name", STREAMS)
def test_a_batch_is_known_to_be_wrong_by_a_finding_that_is_told(name: str) -> None:
    """A hand is racked without a card, and before it the last settlement came late: that breach is none."""
    events = load(name)
    short = 0
    for start, end in rounds_of(events)[1:8]:
        settled = max(at for at in _of(events, "wager_settled") if start < at < end)
        racked = [at for at in _of(events, "cards_racked") if settled < at < end]
        if len(racked) < 2:
            continue
        broken = altered(events, racked[-1], cards=events[racked[-1]]["data"]["cards"][:-1])
        findings, rounds = heard(list(in_their_own_times(_late(broken, settled, racked[0]))))
        told = {one.finding_id for one in findings}
        assert all(one.because_of in told for one in findings if one.because_of)
        assert all({*one.findings} <= told for one in rounds)
        short += any(one.wrong_batch for one in rounds)
    assert short


def test_a_late_bet_is_late_by_its_time_too_and_stands() -> None:
    events = load("breach_late_bet")
    [bet] = [one for one in accused(_run(events)) if one.check == "wagers.in_time"]
    at = bet.sequence - 1
    again = accused(_run(_late(events, at, at + 1)))
    assert [(one.check, one.seat) for one in again if one.check == "wagers.in_time"] == [
        (bet.check, bet.seat)
    ]

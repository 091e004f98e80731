"""A wrong payment that is put right within its round is due to nobody any more, and nothing is told of it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from dashboards.revenue.books import statement
from dashboards.revenue.filing.line import report_of
from dashboards.revenue.wanted import WantedRevenue
from processors.law.check import REGISTRY
from processors.pipeline import TablePipeline
from schemas.findings import Finding
from schemas.rounds import RoundResult
from tests.console.books import store_of
from tests.mutations.rechain import (
    Event,
    altered,
    dropped,
    heard,
    inserted,
    kind,
    like,
    load,
    rechained,
    rounds_of,
)

STREAMS = ("lawful_free_bet_590", "lawful_free_bet_672a", "lawful_down_under_685a")
CHIP = 50


def _moved(event: Event, *moves: tuple[str, int]) -> list[Event]:
    """Movements of the stake of a settlement, in its place."""
    stake = {name: event["data"][name] for name in ("seat", "kind", "hand") if name in event["data"]}
    moved: list[Event] = []
    for nth, (outcome, cents) in enumerate(moves):
        what = "winnings_taken_back" if outcome == "take_back" else "wager_settled"
        how = {} if outcome == "take_back" else {"outcome": outcome}
        moved.append({**like(event, what, **stake, **how, cents=cents), "id": f"{event['id']}-{nth}"})
    return moved


def _ways(event: Event) -> list[list[tuple[str, int]]]:
    """The ways in which the settlement is got wrong and then put right, each as the money moves."""
    outcome, cents = event["data"]["outcome"], int(event["data"]["cents"])
    match outcome:
        case "pay" if event["data"]["kind"] == "lammer":
            return [
                [("pay", cents - CHIP), ("pay", CHIP)],
                [("pay", cents + CHIP), ("take_back", CHIP)],
                [("pay", cents), ("pay", cents), ("take_back", cents)],
            ]
        case "pay":
            return [
                [("pay", cents - CHIP), ("pay", CHIP)],
                [("pay", CHIP), ("pay", CHIP), ("pay", cents - 2 * CHIP)],
                [("pay", cents + CHIP), ("take_back", CHIP)],
                [("pay", cents), ("pay", cents), ("take_back", cents)],
                [("pay", cents), ("take_back", CHIP), ("pay", CHIP)],
            ]
        case "collect":
            return [
                [("return", cents), ("collect", cents)],
                [("pay", cents), ("take_back", cents), ("collect", cents)],
                [("pay", cents), ("collect", cents), ("take_back", cents)],
            ]
        case _:
            return [
                [("collect", cents), ("return", cents)],
                [("return", CHIP), ("return", cents - CHIP)],
                [("return", 2 * cents), ("collect", cents)],
                [("collect", cents + CHIP), ("return", cents + CHIP)],
                [("collect", cents), ("collect", cents), ("return", cents), ("return", cents)],
                [("collect", cents), ("collect", cents), ("return", 2 * cents)],
                [("pay", cents), ("take_back", cents)],
            ]


def _surrendered(events: list[Event], at: int) -> bool:
    """Whether the settlement is a half of a surrendered wager."""
    data, others = events[at]["data"], 0
    for step in (-1, 1):
        place = at + step
        while 0 <= place < len(events) and kind(events[place]) not in ("round_started", "round_ended"):
            other = events[place]["data"]
            same = all(other.get(name) == data.get(name) for name in ("seat", "kind", "hand"))
            others += kind(events[place]) == "wager_settled" and same
            place += step
    return others > 0


def _settlements(events: list[Event]) -> list[int]:
    """The settlements of one sort of stake and outcome each, the second of its sort; where a stake moves once."""
    seen: dict[tuple[str, str], int] = {}
    chosen = []
    for at, event in enumerate(events):
        if (
            kind(event) == "wager_settled"
            and event["data"]["cents"] > 2 * CHIP
            and not _surrendered(events, at)
        ):
            sort = event["data"]["kind"], event["data"]["outcome"]
            seen[sort] = seen.get(sort, 0) + 1
            if seen[sort] == 2:
                chosen.append(at)
    return chosen


def _told(events: list[Event]) -> tuple[list[Finding], list[RoundResult]]:
    return heard(list(rechained(events)), proofs=False)


@pytest.mark.parametrize("late", [False, True], ids=["at once", "before the round ends"])
@pytest.mark.parametrize("name", STREAMS)
def test_what_is_put_right_is_not_told(name: str, late: bool) -> None:
    events = load(name)
    _, lawful = _told(events)
    settlements = _settlements(events)
    assert len(settlements) > 5
    for at in settlements:
        over = next(place for place in range(at, len(events)) if kind(events[place]) == "round_ended")
        for way in _ways(events[at]):
            first, *rest = _moved(events[at], *way)
            between = events[at + 1 : over] if late else []
            behind = events[over:] if late else events[at + 1 :]
            findings, rounds = _told([*events[:at], first, *between, *rest, *behind])
            assert findings == [], (events[at]["data"], way)
            assert [one.stakes for one in rounds] == [one.stakes for one in lawful], (events[at]["data"], way)
            assert {one.status for one in rounds} == {one.status for one in lawful}


def _racked_short(events: list[Event], at: int) -> list[Event]:
    """The stream in which a hand of the round is racked without one of its cards."""
    return altered(events, at, cards=events[at]["data"]["cards"][:-1])


def _drawn_for_nobody(events: list[Event], at: int) -> list[Event]:
    """The stream in which a card more leaves the shoe after the deal of the round, and goes nowhere."""
    start, _ = next(each for each in rounds_of(events) if at < each[1])
    played = next(place for place in range(start, at) if kind(events[place]) == "player_decision")
    drawn = next(event for event in events[start:] if kind(event) == "card_drawn")
    return inserted(events, played, {**drawn, "id": "for nobody", "time": events[played]["time"]})


def _of_cards(events: list[Event]) -> list[tuple[str, str, str]]:
    """Each finding but those of settlement: its check, its verdict, and the check from which it follows."""
    findings, rounds = _told(events)
    checks = {one.finding_id: one.check for one in findings}
    assert all({*one.findings} <= checks.keys() for one in rounds)
    return sorted(
        (one.check, one.verdict, checks[one.because_of] if one.because_of else "")
        for one in findings
        if not one.check.startswith("settlement.")
    )


@pytest.mark.parametrize("amiss", [_racked_short, _drawn_for_nobody])
@pytest.mark.parametrize("name", STREAMS)
def test_no_payment_explains_missing_cards(
    name: str, amiss: Callable[[list[Event], int], list[Event]]
) -> None:
    events = load(name)
    at = next(one for one in _settlements(events) if events[one]["data"]["outcome"] == "pay")
    over = next(place for place in range(at, len(events)) if kind(events[place]) == "round_ended")
    racked = max(
        place
        for place in range(at, over)
        if kind(events[place]) == "cards_racked" and len(events[place]["data"]["cards"]) > 1
    )
    broken, cents = amiss(events, racked), events[at]["data"]["cents"]
    at += len(broken) - len(events)
    alone = _of_cards(broken)
    assert {"integrity.shoe"} <= {check for check, _, _ in alone}
    for way in ([("pay", cents - CHIP), ("pay", CHIP)], [("pay", cents - CHIP)], []):
        assert _of_cards([*broken[:at], *_moved(broken[at], *way), *broken[at + 1 :]]) == alone, way
    start, _ = next(each for each in rounds_of(events) if at < each[1])
    played = next(place for place in range(start, at) if kind(broken[place]) == "player_decision")
    early = {**broken[at], "time": broken[played]["time"]}
    assert _of_cards([*broken[:played], early, *broken[played:at], *broken[at + 1 :]]) == alone


@pytest.mark.parametrize("name", STREAMS)
def test_no_insurance_explains_missing_cards(name: str) -> None:
    events = load(name)
    offered, over = next(
        (at, end)
        for start, end in rounds_of(events)
        for at in range(start, end)
        if kind(events[at]) == "insurance_offered"
    )
    broken = _drawn_for_nobody(events, over - 1)
    alone = _of_cards(broken)
    assert ("integrity.shoe", "breached", "") in alone
    assert set(_of_cards(dropped(broken, offered))) == {*alone, ("insurance.offered", "breached", "")}


def test_nothing_that_a_void_round_returns_explains_missing_cards() -> None:
    assert not REGISTRY["stacks.void_round_returns"].moves_cards
    assert REGISTRY["stacks.order"].moves_cards


@pytest.mark.parametrize("name", STREAMS)
def test_what_is_put_right_in_part_is_one_finding_of_the_rest(name: str) -> None:
    events = load(name)
    for at in _settlements(events):
        data = events[at]["data"]
        if data["outcome"] != "pay":
            continue
        short = _moved(events[at], ("pay", data["cents"] - 2 * CHIP), ("pay", CHIP))
        findings, rounds = _told([*events[:at], *short, *events[at + 1 :]])
        breached = [one for one in findings if one.verdict == "breached"]
        assert [one.money_cents for one in breached] == [CHIP], data
        [of] = [one for one in rounds if one.status == "breached"]
        moves = [(stake.expected, stake.observed) for stake in of.stakes]
        assert sum(due.cents - seen.cents for due, seen in moves if due and seen) == CHIP


@pytest.mark.parametrize("name", STREAMS)
def test_what_is_put_right_in_the_next_round_is_owed_at_the_end_of_its_own(name: str) -> None:
    events = load(name)
    at = next(one for one in _settlements(events) if events[one]["data"]["outcome"] == "pay")
    wrong = [*events]
    [wrong[at]] = _moved(events[at], ("pay", events[at]["data"]["cents"] - CHIP))
    over = next(place for place in range(at, len(events)) if kind(events[place]) == "round_ended")
    pipeline, told = TablePipeline(str(events[0]["subject"]), detect=False), {}
    for sequence, line in enumerate(rechained(wrong), 1):
        for finding in pipeline.advance(line).findings:
            told[finding.sequence, finding.money_cents] = sequence
            pipeline = TablePipeline.restore(pipeline.snapshot())
    assert told == {(at + 1, CHIP): over + 1}


def test_a_round_that_the_stream_leaves_open_keeps_none_of_its_findings_back() -> None:
    events = load(STREAMS[0])
    at = next(one for one in _settlements(events) if events[one]["data"]["outcome"] == "pay")
    wrong = [*events[:at], *_moved(events[at], ("pay", events[at]["data"]["cents"] - CHIP))]
    findings, _ = _told(wrong)
    assert [one.money_cents for one in findings if one.check == "settlement.stake"] == [CHIP]


def _reported(path: Path, events: list[Event]) -> object:
    path.mkdir()
    with store_of(path, {events[0]["subject"]: list(rechained(events))}) as store:
        ((day,),) = store.query("SELECT DISTINCT gaming_day FROM rounds FINAL WHERE isNotNull(gaming_day)")
        return report_of(statement(store, WantedRevenue(day=day))).total


def test_the_revenue_of_a_day_knows_what_was_put_right(tmp_path: Path) -> None:
    events = load(STREAMS[1])
    put_right: list[Event] = []
    chosen = set(_settlements(events))
    for at, event in enumerate(events):
        put_right += _moved(event, *_ways(event)[-1]) if at in chosen else [event]
    assert _reported(tmp_path / "right", put_right) == _reported(tmp_path / "lawful", events)

"""A device reports one act twice, under another id (A71): the act counts once, and nobody is accused."""

from __future__ import annotations

import datetime as dt

import pytest

from processors.core.devices.thresholds import REPEATED_AT_ONCE, REPEATED_WITHIN
from processors.pipeline import TablePipeline
from schemas.findings import Finding
from schemas.rounds import RoundResult
from tests.mutations.rechain import Event, dropped, heard, kind, load, rechained, time_of
from tests.sampling import one_in

BLACKJACK = ("lawful_free_bet_590", "lawful_free_bet_672a", "lawful_down_under_685a")
STACKS = ("lawful_fortune_670a10", "lawful_manual_shoe_657a8")
OF_A_CARD_OR_STAKE = ("card_drawn", "card_placed", "cards_racked", "hole_card_revealed", "wager_placed")


def twice(events: list[Event], word: str, each: int, after: float) -> list[Event]:
    """The stream in which a device says one of so many of its words again, so many seconds later."""
    said = [event for event in events if kind(event) == word][each - 1 :: each]
    again = [
        {
            **event,
            "id": f"{event['id']}-again",
            "time": (time_of(event) + dt.timedelta(seconds=after)).isoformat(),
        }
        for event in said
    ]
    return sorted([*events, *again], key=time_of)


def _of(events: list[Event]) -> tuple[list[Finding], list[RoundResult]]:
    return heard(list(rechained(events)), proofs=False)


@pytest.mark.parametrize("each", [40, 8, 2])
@pytest.mark.parametrize("word", OF_A_CARD_OR_STAKE)
@pytest.mark.parametrize("name", one_in(3, BLACKJACK, 1))
def test_a_card_or_a_stake_that_is_told_twice_is_one(name: str, word: str, each: int) -> None:
    events = load(name)
    _, plain = _of(events)
    for after in (0.0, 0.18, 1.5, 1.99):
        findings, rounds = _of(twice(events, word, each, after))
        assert {one.check for one in findings} <= {"integrity.device"}, (after, findings)
        assert len(findings) <= 1, after
        assert [one.status for one in rounds] == [one.status for one in plain], after


@pytest.mark.parametrize("name", one_in(2, BLACKJACK + STACKS))
def test_whatever_is_said_again_within_half_a_second_is_said_once(name: str) -> None:
    events = load(name)
    _, plain = _of(events)
    for word in dict.fromkeys(map(kind, events)):
        findings, rounds = _of(twice(events, word, 2, 0.3))
        assert [one.check for one in findings] in ([], ["integrity.device"]), word
        assert [one.status for one in rounds] == [one.status for one in plain], word


def test_the_finding_names_the_device_and_both_events_once() -> None:
    events = load("lawful_free_bet_672a")
    told, _ = _of(twice(events, "card_drawn", 9, 0.18))
    again = twice(events, "card_drawn", 9, 0.18)
    second = next(at for at, one in enumerate(again, 1) if one["id"].endswith("-again"))
    [one] = told
    assert one.message == (
        f"Event {second} of shoe repeats its event {second - 1} under another id: the device has spoken once, and the "
        "act counts once. Further repetitions of shoe are not told one by one."
    )
    assert (one.verdict, one.severity, one.sequences[:2]) == ("breached", "minor", (second - 1, second))


def test_two_devices_that_repeat_themselves_are_two_findings() -> None:
    events = twice(twice(load("lawful_free_bet_590"), "card_drawn", 7, 0.2), "cards_racked", 7, 0.2)
    findings, _ = _of(events)
    assert [one.observed["device"] for one in findings] == ["shoe", "layout"]


@pytest.mark.parametrize("name", one_in(3, BLACKJACK, 2))
def test_two_cards_that_read_alike_are_two(name: str) -> None:
    """Two cards of one name drawn soon after one another, also where the placement of the first or second is lost."""
    events = load(name)
    alike = [
        at
        for at in range(len(events) - 3)
        if kind(events[at]) == kind(events[at + 2]) == "card_drawn"
        and events[at]["data"] == events[at + 2]["data"]
        and time_of(events[at + 2]) - time_of(events[at]) < REPEATED_WITHIN
    ]
    assert alike
    for at in alike:
        for lost in (at + 1, at + 3):
            findings, rounds = _of(dropped(events, lost))
            assert {one.check for one in findings} <= {"integrity.witness"}, at
            assert {one.status for one in rounds} <= {"consistent", "void"}, at


@pytest.mark.parametrize("name", one_in(3, BLACKJACK))
@pytest.mark.parametrize("dead", ["layout", "shoe"])
def test_a_device_that_nobody_answers_does_not_repeat_itself(name: str, dead: str) -> None:
    events = load(name)
    begin = len(events) // 4
    silent = [at for at in range(begin, len(events)) if events[at]["source"].endswith(f"/{dead}")]
    findings, _ = _of(dropped(events, *silent))
    assert [one.message for one in findings if "repeats its event" in one.message] == []


def test_a_stake_that_is_paid_a_second_time_is_still_a_breach() -> None:
    events = load("lawful_free_bet_672a")
    paid = next(at for at, one in enumerate(events) if one["data"].get("outcome") == "pay")
    later = (time_of(events[paid]) + 2 * REPEATED_AT_ONCE).isoformat()
    more = {**events[paid], "id": "again", "time": later}
    findings, _ = _of([*events[: paid + 1], more, *events[paid + 1 :]])
    assert "settlement.stake" in {one.check for one in findings if one.verdict == "breached"}


def test_a_word_that_waits_is_kept_in_the_state() -> None:
    events = twice(load("lawful_free_bet_672a"), "card_drawn", 5, 0.18)
    lines = list(rechained(events))
    whole = TablePipeline("FB-12", proofs=False, detect=False)
    parts = TablePipeline("FB-12", proofs=False, detect=False)
    told: list[list[Finding]] = [[], []]
    for line in lines:
        told[0] += whole.advance(line).findings
        told[1] += parts.advance(line).findings
        parts = TablePipeline.restore(parts.snapshot())
    assert told[0] == told[1]
    assert len(told[0]) == 1

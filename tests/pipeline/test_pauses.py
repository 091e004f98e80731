"""A short pause of a round hides what two words or the rack show to be missing; one word alone stays a breach (A69)."""

from __future__ import annotations

import datetime as dt
import json
from itertools import pairwise
from random import Random

import pytest

from processors.core.devices.thresholds import PAUSE
from processors.pipeline import TablePipeline
from schemas.findings import Finding
from schemas.rounds import RoundResult
from tests.mutations.rechain import (
    Event,
    dropped,
    heard,
    kind,
    like,
    load,
    rechained,
    rounds_of,
    skipped,
    time_of,
)
from tests.pipeline.streams import RULESETS

BLACKJACK = ["down_under_685a", "free_bet_590", "free_bet_672a"]
STACKS = "fortune_670a10"
_LONG = dt.timedelta(seconds=20)


def _heard(events: list[Event], *, again: bool = False) -> list[tuple[Finding, int]]:
    """The findings about people's duties, each with the event at which it was told."""
    pipeline, found = TablePipeline(str(events[0]["subject"]), proofs=False, detect=False), []
    for line in rechained(events):
        if again:
            pipeline = TablePipeline.restore(pipeline.snapshot())
        told = pipeline.advance(line).findings
        found += [(one, int(json.loads(line)["sequence"])) for one in told]
    found += [(one, len(events)) for one in pipeline.finish().findings]
    return [(one, at) for one, at in found if not one.check.startswith("integrity.")]


def _breached(told: list[tuple[Finding, int]]) -> list[str]:
    return [f"{one.round}: {one.check}" for one, _ in told if one.verdict == "breached"]


def _round(events: list[Event], number: int = 4) -> RoundResult:
    started = events[rounds_of(events)[number][0]]["data"]["round"]
    [found] = [one for one in heard(list(rechained(events)), proofs=False).rounds if one.round == started]
    return found


def _words(found: RoundResult) -> list[str]:
    return [word.split()[1] for word in found.words_missing or ()]


def _later(events: list[Event], first: int, by: dt.timedelta = _LONG) -> list[Event]:
    """The stream with a pause before an event."""
    return [*events[:first], *({**one, "time": (time_of(one) + by).isoformat()} for one in events[first:])]


def _within(events: list[Event], *names: str, number: int = 4) -> list[int]:
    """The places of a round's events of some types."""
    start, end = rounds_of(events)[number]
    return [at for at in range(start, end) if kind(events[at]) in names]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_cards_that_the_rack_alone_shows_were_dealt_while_the_recorder_was_away(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    first = _within(events, "card_drawn", "stack_dispensed")[2]
    away = _later(dropped(events, *range(first, first + 4)), first, PAUSE)
    told = _heard(away)
    assert _breached(told) == []
    assert _heard(away, again=True) == told
    found = _round(away)
    if ruleset == STACKS:  # of these two stacks the rack has read one
        doubts = [one for one, _ in told if one.missing]
        assert doubts
        assert all(one.verdict == "indeterminate" and one.money_cents == 0 for one in doubts)
        assert found.status == "indeterminate"
        assert {one.finding_id for one in doubts} <= {*found.findings}
    else:
        assert found.status == _round(events).status
        assert _words(found) == ["draw", "placement"] * 2


@pytest.mark.parametrize("ruleset", RULESETS)
def test_without_a_pause_cards_that_the_rack_alone_shows_are_lost_words_and_a_stack_is_a_breach(
    ruleset: str,
) -> None:
    events = load(RULESETS[ruleset])
    first = _within(events, "card_drawn", "stack_dispensed")[2]
    broken = skipped(events, first, first + 1)
    if ruleset == STACKS:
        # The rack has this stack unread: nothing tells a hole from a dealer who left the stack out.
        assert _breached(_heard(broken))
        return
    assert _breached(_heard(broken)) == []
    spot = events[first + 1]["data"]["hand"]
    lost = [one for one in heard(list(rechained(broken)), proofs=False).findings if one.hand == spot]
    assert [(one.check, *one.expected) for one in lost] == [
        ("integrity.witness", "drawn"),
        ("integrity.witness", "placed"),
    ]
    assert _words(_round(broken)) == ["draw", "placement"]


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_settlements_and_racked_hands_are_lost_together(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    racked = _within(events, "cards_racked")[0]
    lost = range(racked - 2, racked + 2)
    assert _breached(_heard(_later(dropped(events, *lost), lost.start, PAUSE))) == []


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_one_settlement_is_missed_whatever_pause_stands_there(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    for settled in _within(events, "wager_settled"):
        broken = dropped(events, settled)
        missed = _breached(_heard(broken))
        if any(one.endswith("settlement.complete") for one in missed):
            assert _breached(_heard(_later(broken, settled))) == missed
            return
    raise AssertionError("no settlement of the round is missed")


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_single_word_is_missed_whatever_pause_stands_in_its_place(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    start, end = rounds_of(events)[3]
    for at in range(start + 1, end, 2):
        broken = dropped(events[: end + 1], at)
        if missed := _breached(_heard(broken)):
            assert _breached(_heard(_later(broken, at))) == missed, kind(events[at])


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_two_patrons_who_are_not_paid_are_not_excused_by_a_third_who_thinks(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    _, end = rounds_of(events)[3]
    settled = _within(events, "wager_settled", number=3)
    decided = _within(events, "player_decision", number=3)
    for two in pairwise(settled):
        missed = _breached(_heard(dropped(events[: end + 1], *two)))
        for thinks in (decided[0], decided[len(decided) // 2], decided[-1]):
            slow = _later(events[: end + 1], thinks)
            assert _breached(_heard(dropped(slow, *two))) == missed


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_wager_before_the_dealers_hand_is_racked_is_late_also_after_a_pause(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    racked = _within(events, "cards_racked", number=3)[-1]
    wager = next(events[at] for at in _within(events, "wager_placed") if events[at]["data"]["kind"] == "main")
    late = {**wager, "id": "late", "time": events[racked]["time"]}
    broken = _later([*events[:racked], late, *events[racked:]], racked)
    assert any("wagers" in one for one in _breached(_heard(broken)))


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_patrons_who_think_excuse_nobody_who_is_not_paid(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    decided = _within(events, "player_decision")[0]
    settled = [at for at in _within(events, "wager_settled") if events[at]["data"]["kind"] == "main"]
    at_once = _heard(dropped(events, *settled))
    thinking = _heard(dropped(_later(events, decided), *settled))
    assert _breached(at_once) == _breached(thinking) != []


@pytest.mark.parametrize("ruleset", BLACKJACK)
def test_a_breach_after_a_pause_is_told_when_its_round_is_over(ruleset: str) -> None:
    events = load(RULESETS[ruleset])
    _, end = rounds_of(events)[4]
    closed = _within(events, "betting_closed")[0]
    late = next(at for at in _within(events, "card_placed") if at > closed)
    wager = next(at for at in _within(events, "wager_placed") if events[at]["data"]["kind"] == "main")
    taken = {**events[late], "id": "late", "type": events[wager]["type"], "source": events[wager]["source"]}
    taken["data"] = {**events[wager]["data"], "kind": "main", "seat": 6}
    broken = [*events[: late + 1], taken, *events[late + 1 :]]

    def told(stream: list[Event]) -> set[int]:
        return {
            at for one, at in _heard(stream) if one.check == "wagers.in_time" and one.verdict == "breached"
        }

    assert all(at < end for at in told(broken))
    assert {kind(broken[at - 1]) for at in told(_later(broken, late))} == {"round_ended"}


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_table_that_pauses_between_all_its_words_breaks_no_duty(ruleset: str) -> None:
    events = load(RULESETS[ruleset])[:400]
    slow, by = [], dt.timedelta()
    for before, event in pairwise([events[0], *events]):
        if time_of(event) - time_of(before) < dt.timedelta(seconds=30):
            by += dt.timedelta(seconds=4)
        slow.append({**event, "time": (time_of(event) + by).isoformat()})
    assert _breached(_heard(slow)) == _breached(_heard(events)) == []


@pytest.mark.parametrize("name", [RULESETS["fortune_670a10"], RULESETS["manual_shoe_657a8"]])
def test_hands_that_are_shown_and_were_never_dealt_stop_nothing(name: str) -> None:
    events = load(name)
    start, end = rounds_of(events)[3]
    play = [one for one in events[start + 1 : end] if kind(one) not in _OF_CARDS]
    for seed in range(40):
        chance = Random(seed)
        words = [_shown_as_blackjack(one, number) for number, one in enumerate(play) if chance.random() < 0.8]
        chance.shuffle(words)
        _heard(_later([*events[: start + 1], *words, like(events[end - 1], "round_ended")], start + 2))


_OF_CARDS = ("stack_dispensed", "stack_delivered", "card_drawn", "card_placed", "cards_racked")


def _shown_as_blackjack(event: Event, number: int) -> Event:
    """The event under an id of its own; a hand that is shown has an ace and a king alone."""
    data = event["data"] | ({"cards": ["Ah", "Kh"]} if kind(event) == "hand_revealed" else {})
    return {**event, "id": f"{event['id']}-{number}", "data": data}

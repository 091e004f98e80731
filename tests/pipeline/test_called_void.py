"""A round of Blackjack that is called void is judged as if nobody had called it (A70)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from dashboards.revenue.books import statement
from dashboards.revenue.filing.line import report_of
from dashboards.revenue.wanted import WantedRevenue
from tests.console.books import store_of
from tests.mutations.rechain import Event, heard, inserted, kind, like, load, rechained

STREAMS = ("lawful_free_bet_590", "lawful_free_bet_672a", "lawful_down_under_685a")
EFFECT = {"pay": 1, "collect": -1, "return": 0}


def _rounds(events: list[Event]) -> Iterator[tuple[int, int]]:
    """First event of each round, and the one behind its last."""
    first = 0
    for at, event in enumerate(events):
        if kind(event) == "round_started":
            first = at
        elif kind(event) == "round_ended":
            yield first, at + 1


def _staked(events: list[Event], of: Event) -> int:
    """Cents of the stake that a settlement is about."""
    data = of["data"]
    return next(
        int(event["data"]["cents"])
        for event in reversed(events)
        if kind(event) == "wager_placed"
        and all(event["data"].get(name) == data.get(name) for name in ("seat", "kind"))
        and event["data"].get("hand", f"{data['seat']}.1") == data.get("hand", f"{data['seat']}.1")
    )


def _called(events: list[Event]) -> tuple[list[Event], dict[int, int]]:
    """The stream with a round called void when its hands had been played out, and what each stake of it had won.

    By event: where a settlement gives back what was won or lost, and what that comes to for the patron.
    """
    for first, end in _rounds(events):
        shown = next((at for at in range(first, end) if kind(events[at]) == "hole_card_revealed"), end)
        settled = [at for at in range(shown, end) if kind(events[at]) == "wager_settled"]
        stakes = [at for at in settled if events[at]["data"]["kind"] != "lammer"]
        outcomes = {events[at]["data"]["outcome"] for at in stakes}
        early = any(kind(events[at]) == "wager_settled" for at in range(first, shown))
        if not early and {"pay", "collect"} <= outcomes and len(stakes) > 3:
            break
    won: dict[int, int] = {}
    changed = list(events)
    for at in stakes:
        data = events[at]["data"]
        if data["outcome"] != "return":
            back = {"outcome": "return", "cents": _staked(events[:at], events[at])}
            changed[at] = {**events[at], "data": {**data, **back}}
            won[at + 2] = EFFECT[data["outcome"]] * data["cents"]
    return inserted(changed, settled[0], like(events[settled[0]], "round_voided", reason="misdeal")), won


@pytest.mark.parametrize("name", STREAMS)
def test_what_the_cards_had_decided_is_due(name: str) -> None:
    events, won = _called(load(name))
    found = heard(list(rechained(events)), proofs=False)
    breached = [one for one in found.findings if one.verdict == "breached"]
    assert {one.sequence: one.money_cents for one in breached} == won
    assert {one.check for one in breached} == {"settlement.stake"}
    assert all(one.message.endswith(" was returned.") for one in breached)
    [result] = [one for one in found.rounds if one.status == "breached"]
    assert sum(one.due_cents or 0 for one in result.stakes if one.kind != "lammer") == sum(won.values())


@pytest.mark.parametrize("name", STREAMS)
def test_what_was_open_may_come_back_and_the_finding_names_the_call(name: str) -> None:
    events = load(name)
    first, end = next(
        (first, end)
        for first, end in _rounds(events)
        if sum(kind(event) == "player_decision" for event in events[first:end]) > 2
        and not any(
            kind(event) in ("wager_settled", "dealer_peeked")
            for event in events[
                first : next(at for at in range(first, end) if kind(events[at]) == "player_decision")
            ]
        )
    )
    call = next(at for at in range(first, end) if kind(events[at]) == "player_decision")
    placed = [event for event in events[first:call] if kind(event) == "wager_placed"]
    back = [
        like(events[call], "wager_settled", outcome="return", **{
            key: event["data"][key] for key in ("seat", "kind", "cents")
        } | ({"hand": f"{event['data']['seat']}.1"} if event["data"]["kind"] == "main" else {}))
        for event in placed
    ]  # fmt: skip
    voided = like(events[call], "round_voided", reason="floor")
    rest = [event for event in events[call:end] if kind(event) == "round_ended"]
    found = heard(list(rechained([*events[:call], voided, *back, *rest])), proofs=False)
    told = [finding for finding in found.findings if finding.check == "settlement.stake"]
    assert {one.verdict for one in told} == {"indeterminate"}
    assert {one.sequence for one in told} <= set(range(call + 2, call + 2 + len(back)))
    assert all(one.missing == (f"the round after it was called void at event {call + 1}",) for one in told)
    assert any(one.hand for one in told)


def test_its_stakes_are_handle_and_what_came_back_is_an_error(tmp_path: Path) -> None:
    events, won = _called(load(STREAMS[1]))
    subject = events[0]["subject"]
    staked = sum(event["data"]["cents"] for event in events if kind(event) == "wager_placed")
    with store_of(tmp_path, {subject: list(rechained(events))}) as store:
        ((day,),) = store.query("SELECT DISTINCT gaming_day FROM rounds FINAL WHERE isNotNull(gaming_day)")
        told = report_of(statement(store, WantedRevenue(day=day))).total
    assert (told.handle, told.void_rounds) == (staked, 1)
    assert told.all_errors_for_house == sum(cents for cents in won.values() if cents > 0)
    assert told.all_errors_for_patron == sum(cents for cents in won.values() if cents < 0)

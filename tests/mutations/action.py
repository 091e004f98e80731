"""The players' action broken in one place (7(h)-(k), 590.9, 12(c), 12(h))."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from processors.games.totals import count
from tests.mutations.rechain import Event, kind, skipped
from tests.mutations.rounds import (
    Mutation,
    Section,
    alter,
    both,
    drop,
    first,
    in_the_deal,
    move,
    of,
    places,
    without,
)

PLAY = both(of("card_placed"), without(in_the_deal), lambda s, i, e: e["data"]["hand"] != "D")
DECISION = of("player_decision")


def _cards(section: Section, index: int, hand: str) -> int:
    placed = (e for e in section.events[:index] if kind(e) == "card_placed" and e["data"]["hand"] == hand)
    return sum(1 for _ in placed)


def _asked(section: Section, index: int, event: Event) -> bool:
    """Whether the card was called for by a hit or double just before, and no card drawn in error lay in wait for it."""
    if any(kind(e) == "card_exposed" for e in section.events[:index]):
        return False
    hand = event["data"]["hand"]
    calls = (e for e in section.events[:index] if kind(e) == "player_decision" and e["data"]["hand"] == hand)
    return [e["data"]["kind"] for e in calls][-1:] in (["hit"], ["double"])


def _matters(section: Section, index: int, event: Event) -> bool:
    """Whether the stand says something: the hand has less than 21 and is finished by nothing else."""
    hand = event["data"]["hand"]
    if any(kind(e) in ("card_refused", "card_exposed") for e in section.events) or "split" in _kinds(section):
        return False
    cards = [
        e["data"]["card"]
        for e in section.events[:index]
        if kind(e) == "card_placed" and e["data"]["hand"] == hand
    ]
    total = count(cards, 21)
    before = [e for e in section.events[:index] if kind(e) == "player_decision" and e["data"]["hand"] == hand]
    return total is not None and total[0] < 21 and not any(e["data"]["kind"] == "double" for e in before)


def _surrendered(section: Section, index: int, event: Event) -> bool:
    decided = of("player_decision", kind="surrender", hand=event["data"]["hand"])
    return any(decided(section, 0, other) for other in section.events)


def _no_other_light(section: Section, index: int, event: Event) -> bool:
    return first(section, "hand_voided", "hand_continued") is None


def _kinds(section: Section) -> set[str]:
    return {e["data"]["kind"] for e in section.events if kind(e) == "player_decision"}


def _early_reveal(section: Section, index: int) -> int | None:
    read = first(section, "hole_card_read") or 0
    decided = (i for i in range(read, index) if kind(section.events[i]) == "player_decision")
    return next(decided, None)


def _to_dealer(section: Section, event: Event) -> dict[str, Any]:
    return {"hand": "D"}


def _bj_pay(section: Section, index: int, event: Event) -> bool:
    before = section.events[index - 1]
    return kind(before) == "blackjack_announced" and kind(event) == "wager_settled"


def _follows_stand(section: Section, index: int, event: Event) -> bool:
    return not any(kind(e) in ("card_exposed",) for e in section.events)


def _not_last(section: Section, index: int, event: Event) -> bool:
    """Whether another seat was served between the request and the card, so that it comes late."""
    seats = {int(e["data"]["hand"][0]) for e in section.events if kind(e) == "player_decision"}
    return bool(event["data"]["seat"] != max(seats))


def _without_double(section: Section) -> Iterator[list[Event]]:
    for index in places(section, of("player_decision", kind="double")):
        hand = section.events[index]["data"]["hand"]
        added = ("double", "free_double", "lammer")
        told = [
            at
            for at, event in enumerate(section.events)
            if at > index and event["data"].get("kind") in added and event["data"].get("hand") == hand
        ]
        events = [
            {**event, "data": {**event["data"], "sideways": False}}
            if kind(event) == "card_placed" and event["data"]["hand"] == hand
            else event
            for event in section.events
        ]
        yield skipped(events, index, *told)


def _without_split(section: Section) -> Iterator[list[Event]]:
    for index in places(section, of("player_decision", kind="split")):
        new = section.events[index]["data"]["new_hand"]
        told = {
            at
            for at, event in enumerate(section.events)
            if at > index and new in (event["data"].get("hand"), event["data"].get("new_hand"))
        }
        draws = {at - 1 for at in told if kind(section.events[at]) == "card_placed"}
        yield skipped(section.events, index, *told, *draws)


CHOICE, CARD = ("{ch}.7(h)", "{ch}.7(i)", "{ch}.7(j)"), ("{ch}.7(i)", "{irr}(h)", "{ch}.7(k)")
CHOICE_DU, CARD_DU = ("685a.7(i)", "685a.7(j)", "685a.7(k)"), ("685a.7(j)", "685a.12(g)", "685a.7(l)")
MUTATIONS = [
    Mutation("a stand is missing", drop(both(of("player_decision", kind="stand"), _matters)), (*CHOICE, "{ch}.7(k)"),
        (*CHOICE_DU, "685a.7(l)")),
    Mutation("a hit is missing", drop(of("player_decision", kind="hit")), CHOICE, CHOICE_DU),
    Mutation("a double is missing, and all that tells of it", _without_double, CHOICE, CHOICE_DU),
    Mutation(
        "a surrender is missing", drop(of("player_decision", kind="surrender")), only_590=("590.9(a)", "590.7(h)")),
    Mutation(
        "a wager surrendered early is not laid on the cards", drop(of("wager_moved")), only_590=("590.9(a)(2)#1",)),
    Mutation("half of a surrendered wager is not returned",
        drop(both(of("wager_settled", kind="main", outcome="return"), _surrendered)), only_590=("590.9(a)",)),
    Mutation("a surrender where there is none",
        alter(of("player_decision", kind="stand"), lambda s, e: {"kind": "surrender"}), only_672a=("672a.7(h)(2)#2",),
        down_under=("685a.7(i)(2)#2",)),
    Mutation("a stand is made a hit",
        alter(both(of("player_decision", kind="stand"), _matters), lambda s, e: {"kind": "hit"}), CARD, CARD_DU),
    Mutation("a hit is made a stand",
        alter(both(of("player_decision", kind="hit"), _follows_stand), lambda s, e: {"kind": "stand"}),
        (*CHOICE, "{irr}(h)#1"), (*CHOICE_DU, "685a.12(g)#1")),
    Mutation("nobody sees a requested card laid (A65)", drop(both(PLAY, _asked)), ("integrity.witness",),
        ("integrity.witness",)),
    Mutation("a card is laid face down", alter(PLAY, lambda s, e: {"face_up": False}), ("{ch}.7(i)",), ("685a.7(j)",)),
    Mutation("a doubling card is not laid sideways",
        alter(both(PLAY, of("card_placed", sideways=True)), lambda s, e: {"sideways": False}), ("{double}(c)#2",),
        ("685a.9(c)#2",)),
    Mutation("a player's card goes to the dealer", alter(both(PLAY, _asked, _follows_stand), _to_dealer),
        (*CARD, "{ch}.7(l)"), (*CARD_DU, "685a.7(m)")),
    Mutation("the hole card is shown before the action",
        move(both(of("hole_card_revealed"), _no_other_light), _early_reveal), ("{ch}.7(k)",),
        ("685a.7(l)", "685a.7(h)")),
    Mutation("the hole card is never shown", drop(of("hole_card_revealed")), ("{ch}.7(k)",),
        ("685a.7(l)", "685a.7(h)#7", "685a.7(n)")),
    Mutation(
        "a Blackjack is paid unannounced", drop(of("blackjack_announced")), ("{ch}.7(h)(1)#1",), ("685a.7(i)(1)#1",)),
    Mutation("a Blackjack is not paid", drop(_bj_pay), ("{ch}.7(h)(1)#1",), ("685a.7(i)(1)#1",)),
    Mutation("a late card without the player's wish", drop(both(of("player_request", wish="late_card"), _not_last)),
        ("{irr}(h)#1",), ("685a.12(g)#1",)),
    Mutation("a dead hand without the player's wish", drop(of("player_request", wish="dead_hand")),
        ("{irr}(h)#1", "{irr}(g)#2"), ("685a.12(g)#1", "685a.12(f)#2")),
    Mutation(
        "a hand whose card was missed is not called dead", drop(of("hand_voided", reason="requested card missed")),
        ("{irr}(h)", "{ch}.7(i)"), ("685a.12(g)", "685a.7(j)")),
    Mutation(
        "a split is missing, and all that tells of it", _without_split, CHOICE, CHOICE_DU, others=float("inf")),
]  # fmt: skip

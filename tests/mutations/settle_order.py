"""The order of settlement and the discard rack broken in one place (7(h)(1), 7(r), 7(s), 10(c))."""

from __future__ import annotations

from typing import Any

from tests.mutations.rechain import Event, kind, like
from tests.mutations.rounds import (
    Mutation,
    Section,
    alter,
    both,
    drop,
    first,
    insert,
    last,
    move,
    of,
)

SETTLED = both(of("cards_racked", reason="settled"), lambda s, i, e: len(e["data"]["cards"]) > 1)


def _before_reveal(section: Section, index: int) -> int | None:
    target = first(section, "hole_card_revealed")
    return target if target is not None and target < index and _decided_late(section, index) else None


def _decided_late(section: Section, index: int) -> bool:
    """Whether only the dealer's hand decides the wager: it is settled behind his last announcement or reveal."""
    hand = section.events[index]["data"]["hand"]
    odd = any(
        kind(e) in ("hand_voided", "hand_continued", "cards_tucked") and e["data"]["hand"] == hand
        for e in section.events
    )
    read = next((e["data"]["result"] for e in section.events if kind(e) == "hole_card_read"), "")
    busts = any(
        kind(e) == "cards_racked" and e["data"]["hand"] == hand and e["data"]["reason"] != "settled"
        for e in section.events
    )
    return not odd and read not in ("blackjack", "large") and not busts


def _backwards(section: Section, event: Event) -> dict[str, Any] | None:
    cards = event["data"]["cards"]
    return {"cards": cards[::-1]} if cards != cards[::-1] else None


def _behind_next_rack(section: Section, index: int) -> int | None:
    """Behind the next hand in the rack, unless both hold the same cards."""
    here, following = section.events[index : index + 2]
    if kind(following) != "cards_racked" or following["data"]["cards"] == here["data"]["cards"]:
        return None
    return index + 2


def _first_of_order(section: Section, index: int) -> int | None:
    """Before the first main settlement of another seat that is lawfully settled earlier."""
    seat, outcome = section.events[index]["data"]["seat"], section.events[index]["data"]["outcome"]
    reveal = first(section, "hole_card_revealed") or 0
    cards = max(last(section, "card_placed") or 0, reveal)
    for i in range(cards, index):
        data = section.events[i]["data"]
        if kind(section.events[i]) == "wager_settled" and data["kind"] == "main" and data["seat"] != seat:
            same = data["outcome"] == outcome or section.config["settle_order"] == "seat_by_seat"
            return i if same and data["outcome"] != "return" else None
    return None


MUTATIONS = [
    Mutation(
        "a wager is settled before the dealer's hand is known", move(of("wager_settled", kind="main"), _before_reveal),
        ("{ch}.7(n)", "{ch}.7(k)"), ("685a.7(n)", "685a.7(l)")),
    Mutation("losing wagers are collected out of order",
        move(of("wager_settled", kind="main", outcome="collect"), _first_of_order), ("{ch}.7(r)",), ("685a.7(r)",)),
    Mutation("a wager is never settled", drop(of("wager_settled", kind="main", outcome="collect")),
        ("{ch}.7", "{split}(c)"), ("685a.7",), ("590.7", "590.11(c)", "590.9(a)")),
    Mutation(
        "a hand never reaches the rack", drop(of("cards_racked", reason="settled")), ("{ch}.7(s)",), ("685a.7(s)",)),
    Mutation(
        "a busted hand never reaches the rack", drop(of("cards_racked", reason="bust")), ("{ch}.7(s)", "{split}(c)"),
        ("685a.7(s)",)),
    Mutation("a paid Blackjack stays on the layout", drop(of("cards_racked", reason="blackjack")),
        ("{ch}.7(h)(1)#2", "{ch}.8(e)#3"), ("685a.7(i)(1)#2",), only_590=("590.7(h)(1)#2",)),
    Mutation("a Blackjack is not tucked under Push 22", drop(of("cards_tucked", under="push22")),
        ("{ch}.7(h)(1)#3", "{ch}.8(e)#4"), only_590=("590.7(h)(1)#3",)),
    Mutation("a busted split hand is not tucked", drop(of("cards_tucked", under="main")), ("{split}(c)",)),
    Mutation(
        "the cards of a hand are permuted in the rack", alter(SETTLED, _backwards), ("{ch}.7(s)",), ("685a.7(s)",)),
    Mutation("two hands are racked in the wrong order", move(of("cards_racked", reason="settled"), _behind_next_rack),
        ("{ch}.7(s)",), ("685a.7(s)",)),
    Mutation("somebody else handles the cards",
        insert(of("hole_card_revealed"), lambda s, i: like(s.events[i], "cards_handled", by="player", hand="1.1")),
        ("{ch}.7(t)",), ("685a.7(t)",)),
]  # fmt: skip

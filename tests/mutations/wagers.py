"""Wagers of a Blackjack round broken in one place (6(a)-(f), 8(b))."""

from __future__ import annotations

from typing import Any

from tests.mutations.rechain import Event, kind, like
from tests.mutations.rounds import (
    Mutation,
    Section,
    alter,
    both,
    drop,
    drop_with,
    first,
    in_the_deal,
    insert,
    of,
    settles,
)

MAIN = of("wager_placed", kind="main")


def _plays(section: Section, index: int, event: Event) -> bool:
    """Whether the box of the wager is dealt in."""
    box = f"{event['data']['seat']}.1"
    return any(kind(other) == "card_placed" and other["data"]["hand"] == box for other in section.events)


def _late(section: Section, index: int) -> Event | None:
    seat = next((s for s in range(1, section.config["seats"] + 1) if f"{s}.1" not in _boxes(section)), None)
    event = section.events[index]
    return None if seat is None else like(event, "wager_placed", seat=seat, kind="main", cents=2500)


def _late_side(section: Section, index: int) -> Event | None:
    data = section.events[index]["data"]
    side = "match_dealer" if section.ruleset == "down_under_685a" else "push22"
    bet = {
        e["data"]["seat"] for e in section.events if kind(e) == "wager_placed" and e["data"]["kind"] == side
    }
    if data["hand"] == "D" or int(data["hand"][0]) in bet or side not in section.config["side_wagers"]:
        return None
    return like(section.events[index], "wager_placed", seat=int(data["hand"][0]), kind=side, cents=500)


def _boxes(section: Section) -> set[str]:
    return {f"{e['data']['seat']}.1" for e in section.events if kind(e) == "wager_placed"}


def _touched(section: Section, index: int) -> Event | None:
    event = next(e for e in section.events if MAIN(section, 0, e))
    seat, cents = event["data"]["seat"], event["data"]["cents"]
    return like(
        section.events[index], "wager_altered", seat=seat, kind="main", hand=f"{seat}.1", from_cents=cents,
        to_cents=cents + 2500, by="player",
    )  # fmt: skip


def _unwagered_side(section: Section, index: int) -> Event | None:
    seat = next((s for s in range(1, section.config["seats"] + 1) if f"{s}.1" not in _boxes(section)), None)
    side = "match_dealer" if section.ruleset == "down_under_685a" else "push22"
    if seat is None or side not in section.config["side_wagers"]:
        return None
    return like(section.events[index], "wager_placed", seat=seat, kind=side, cents=500)


def _insurance_over(section: Section, event: Event) -> dict[str, Any] | None:
    main = next(
        e["data"]["cents"]
        for e in section.events
        if MAIN(section, 0, e) and e["data"]["seat"] == event["data"]["seat"]
    )
    chip = section.config["chip_cents"]
    return {"cents": -(-main // (2 * chip)) * chip + chip}


FIRST_CARD = both(of("card_placed"), lambda section, index, event: index == first(section, "card_placed"))
MUTATIONS = [
    Mutation("a box plays whose main wager was never placed", drop_with(both(MAIN, _plays), settles),
        ("{ch}.6(d)", "{ch}.7(e)(1)"), ("685a.6(d)",)),
    Mutation("a main wager comes after the first card", insert(FIRST_CARD, _late), ("{ch}.6(c)#1",), ("685a.6(c)#1",)),
    Mutation("a side wager comes after the first card", insert(both(of("card_placed"), in_the_deal), _late_side),
        ("{ch}.6(c)#1",), ("685a.6(c)#1",)),
    Mutation(
        "a wager is touched after betting closed", insert(FIRST_CARD, _touched), ("{ch}.6(c)#2",), ("685a.6(c)#2",)),
    Mutation("a side wager lies without a main wager",
        insert(both(MAIN, lambda s, i, e: i == first(s, "wager_placed")), _unwagered_side), ("{ch}.6(d)", "{ch}.6(e)"),
        ("685a.6(d)", "685a.6(e)")),
    Mutation("a main wager of cents that no chip makes", alter(MAIN, lambda s, e: {"cents": e["data"]["cents"] + 1}),
        ("{ch}.6(a)",), ("685a.6(a)#1",)),
    Mutation(
        "insurance of more than half", alter(of("wager_placed", kind="insurance"), _insurance_over), ("{ch}.8(b)",),
        ("685a.8(b)",)),
    Mutation("cash converted though never called", drop(of("cash_wager_called")), (), ("685a.6(a)#2",)),
    Mutation("cash called and never converted", drop(of("cash_converted")), (), ("685a.6(a)#3",)),
    Mutation("cash counted though unconfirmed", alter(of("cash_wager_called"), lambda s, e: {"confirmed": False}), (),
        ("685a.6(a)#2",)),
]  # fmt: skip

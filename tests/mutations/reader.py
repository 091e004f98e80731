"""Insurance, even money, reader and Masque broken in one place (7(f), 7(g), 8, 685a.7(f)-(h), 12(h)-(j))."""

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
    move,
    of,
)

READ = of("hole_card_read")


def _needed(section: Section, index: int, event: Event) -> bool:
    up = next(e for e in section.events if kind(e) == "card_placed" and e["data"]["hand"] == "D")
    return section.ruleset == "down_under_685a" or up["data"]["card"][0] in "ATJQK"


def _other_result(section: Section, event: Event) -> dict[str, Any]:
    flip = {
        "blackjack": "no_blackjack",
        "no_blackjack": "blackjack",
        "small": "medium",
        "medium": "small",
        "large": "medium",
    }
    return {"result": flip[event["data"]["result"]]}


def _acts(section: Section) -> bool:
    return first(section, "player_decision") is not None


def _right_light(section: Section, index: int, event: Event) -> bool:
    return first(section, "hand_voided", "hand_continued") is None and _acts(section)


def _behind_first_decision(section: Section, index: int) -> int | None:
    target = first(section, "player_decision", "blackjack_announced")
    return None if target is None or target < index else target + 1


def _before_reader(section: Section, index: int) -> int | None:
    target = first(section, "hole_card_read")
    return target if target is not None and target < index else None


def _behind_reader(section: Section, index: int) -> int | None:
    target = first(section, "hole_card_read")
    return target + 1 if target is not None and target > index else None


def _behind_next_card(section: Section, index: int) -> int | None:
    drawn = (i for i in range(index, len(section.events)) if kind(section.events[i]) == "card_drawn")
    target = next(drawn, None)
    return None if target is None else target + 1


def _seen(section: Section, index: int) -> Event:
    return like(section.events[index], "card_exposed", card="5h", where="hole")


def _other_area(section: Section, event: Event) -> dict[str, Any]:
    return {"area": "medium" if event["data"]["area"] == "small" else "small"}


def _other_device(section: Section, event: Event) -> dict[str, Any]:
    return {"device": "card_reader" if event["data"]["device"] == "masque_reader" else "masque_reader"}


def _taken(section: Section, index: int, event: Event) -> bool:
    return any(kind(one) == "even_money_taken" and one["data"] == event["data"] for one in section.events)


READER = ("{ch}.7(g)#1",)
MUTATIONS = [
    Mutation("the hole card is not read", drop(both(READ, _needed)), READER, ("685a.7(h)#1",)),
    Mutation(
        "the hole card is read after the first decision", move(both(READ, _needed), _behind_first_decision), READER,
        ("685a.7(h)#1",)),
    Mutation("the reader told no Blackjack the wrong way",
        alter(both(READ, _needed, lambda s, i, e: _acts(s)), _other_result), READER),
    Mutation("the light is another", alter(both(READ, _right_light), _other_result), (),
        ("685a.12(h)", "685a.7(h)", "685a.3(e)")),
    Mutation("the hand lies in another area",
        alter(both(of("dealer_hand_positioned"), _right_light), _other_area),
        (), ("685a.12(h)", "685a.7(h)#6")),
    Mutation("the hand is laid in no area", drop(of("dealer_hand_positioned")), (), ("685a.7(h)#6",)),
    Mutation("the card reader is of another kind",
        alter(READ, _other_device),
        ("{ch}.1:card_reader_device",), ("685a.1:masque_card_reader_device",)),
    Mutation("insurance is not offered", drop(of("insurance_offered")), ("{ch}.7(f)",), ("685a.7(g)#1",)),
    Mutation("insurance is offered after the reader", move(of("insurance_offered"), _behind_reader), ("{ch}.7(f)",),
        ("685a.7(g)#1",)),
    Mutation("insurance is placed after the reader", move(of("wager_placed", kind="insurance"), _behind_reader),
        ("{ch}.8(b)#3",), ("685a.8(b)#3",)),
    Mutation("lost insurance waits past the next card",
        move(of("wager_settled", kind="insurance", outcome="collect"), _behind_next_card), ("{ch}.8(d)",),
        ("685a.8(d)",)),
    Mutation("lost insurance is collected before the reader",
        move(of("wager_settled", kind="insurance", outcome="collect"), _before_reader), ("{ch}.8(d)",), ("685a.8(d)",)),
    Mutation("a needless reading is told nobody",
        drop(both(of("floorperson_notified"), lambda s, i, e: "read" in e["data"]["matter"] and not _needed(s, i, e))),
        ("{irr}(i)",)),
    Mutation("cards are drawn before the reader is restored", drop(of("device_restored")), ("{irr}(j)",)),
    Mutation("the hole card is seen", insert(READ, _seen), ("{ch}.7(g)#2",), ("685a.7(h)#2",)),
    Mutation("a hand under a wrong light is not ordered on", drop(of("hand_continued")), (), ("685a.12(h)",)),
    Mutation("a hand under a wrong light is not called dead",
        drop(both(of("hand_voided"), lambda s, i, e: "range" in e["data"]["reason"])), (), ("685a.12(h)",)),
    Mutation("even money is taken unoffered",
        drop(both(of("even_money_offered"), _taken)),
        only_672a=("672a.8(e)", "672a.7(f)#2")),
    Mutation("even money is paid though not taken", drop(of("even_money_taken")), only_672a=("672a.8(e)",)),
    Mutation(
        "Match-the-Dealer waits past the reader", move(of("wager_settled", kind="match_dealer"), _behind_reader), (),
        ("685a.7(f)#1",)),
]  # fmt: skip

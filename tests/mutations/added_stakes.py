"""Doubles and splits broken in one place (9, 10, 685a.9, 685a.10)."""

from __future__ import annotations

from typing import Any

from tests.mutations.rechain import Event, kind
from tests.mutations.rounds import (
    Mutation,
    Section,
    alter,
    drop,
    drop_with,
    insert,
    move,
    of,
    settles,
)

DOUBLED, SPLIT = of("wager_placed", kind="double"), of("wager_placed", kind="split")


def _behind_the_card(section: Section, index: int) -> int | None:
    drawn = (i for i in range(index, len(section.events)) if kind(section.events[i]) == "card_drawn")
    target = next(drawn, None)
    return None if target is None else target + 1


def _main(section: Section, seat: int) -> int:
    placed = (e["data"] for e in section.events if kind(e) == "wager_placed")
    return next(int(data["cents"]) for data in placed if data["kind"] == "main" and data["seat"] == seat)


def _more(section: Section, event: Event) -> dict[str, Any]:
    return {"cents": _main(section, event["data"]["seat"]) + section.config["chip_cents"]}


def _less(section: Section, event: Event) -> dict[str, Any]:
    return {"cents": event["data"]["cents"] - section.config["chip_cents"]}


def _another_lammer(section: Section, index: int) -> Event:
    return {**section.events[index], "id": section.events[index]["id"] + "-x"}


FREE_DOUBLE, FREE_SPLIT = of("lammer_placed", kind="free_double"), of("lammer_placed", kind="free_split")
MUTATIONS = [
    Mutation("a double without its wager", drop_with(DOUBLED, settles), ("{double}(a)(2)",), ("685a.9(a)#2",)),
    Mutation("a split without its wager", drop_with(SPLIT, settles), ("{split}(b)(1)",), ("685a.10(a)#2",)),
    Mutation("a free double without its lammer", drop(FREE_DOUBLE), ("{double}(a)(1)#2",)),
    Mutation("a free split without its lammer", drop(FREE_SPLIT), ("{split}(b)(2)(i)",)),
    Mutation("a lammer laid after the doubling card", move(FREE_DOUBLE, _behind_the_card), ("{double}(a)(1)#2",)),
    Mutation("a lammer laid after the split's card", move(FREE_SPLIT, _behind_the_card), ("{split}(b)(2)(i)",)),
    Mutation("two lammers for one double", insert(FREE_DOUBLE, _another_lammer), ("{double}(a)(1)",)),
    Mutation("two lammers for one split", insert(FREE_SPLIT, _another_lammer), ("{split}(b)(2)(i)",)),
    Mutation("a double above the original wager", alter(DOUBLED, _more), ("{double}(a)(2)",), ("685a.9(a)#2",)),
    Mutation("a split above the original wager", alter(SPLIT, _more), ("{split}(b)(1)",), ("685a.10(a)#2",)),
    Mutation("a split below the original wager", alter(SPLIT, _less), ("{split}(b)(1)",), ("685a.10(a)#2",)),
    Mutation("a lammer of the other kind", alter(FREE_DOUBLE, lambda s, e: {"kind": "free_split"}),
        ("{double}(a)(1)", "{split}(b)(2)")),
    Mutation("a lammer stays on the table", drop(of("lammer_collected")),
        ("{ch}.7(n)", "{ch}.7(o)", "{ch}.7(p)", "{ch}.7(q)", "{odds}(a)")),
]  # fmt: skip

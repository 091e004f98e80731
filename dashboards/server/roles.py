"""Who may do, see and read what: roles as data, by function, by row and by field."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

RoleName = Literal["surveillance", "floor", "revenue", "auditor", "admin"]
ROLE_NAMES: tuple[str, ...] = get_args(RoleName)

ALL_VERDICTS = frozenset({"breached", "indeterminate", "interpretation", "suspected"})
ALL_ACTS = frozenset(
    {"acknowledged", "assigned", "shelved", "disposed", "reopened", "added_to_case", "undone"}
)


class Role(Struct, frozen=True, kw_only=True):
    """What a role may: `hidden` are fields of an alert it is never sent, `verdicts` the rows it sees."""

    reads_alerts: bool = False
    withholds: bool = False
    acts: frozenset[str] = frozenset()
    verdicts: frozenset[str] = frozenset()
    only_with_money: bool = False
    hidden: frozenset[str] = frozenset()


_REVIEW = frozenset({"note", "second_auditor", "settled_cents", "disposition", "cases", "about"})

ROLES: dict[str, Role] = {
    "surveillance": Role(reads_alerts=True, acts=ALL_ACTS, verdicts=ALL_VERDICTS),
    # A suspicion may be about the floor's own people: it is not theirs to read.
    "floor": Role(
        reads_alerts=True,
        acts=frozenset({"acknowledged", "undone"}),
        verdicts=ALL_VERDICTS - {"suspected"},
        hidden=_REVIEW,
    ),
    "revenue": Role(
        reads_alerts=True,
        verdicts=ALL_VERDICTS - {"suspected"},
        only_with_money=True,
        hidden=_REVIEW | {"hand", "seat", "expected", "observed"},
    ),
    "auditor": Role(reads_alerts=True, verdicts=ALL_VERDICTS),
    # Who gives rights out has none to the records: two people are needed to misuse them.
    "admin": Role(withholds=True),
}

"""Who may do, see and read what: roles as data, by function, by row and by field."""

from __future__ import annotations

from typing import Literal, get_args

from msgspec import Struct

RoleName = Literal["surveillance", "floor", "revenue", "auditor", "admin"]
ROLE_NAMES: tuple[str, ...] = get_args(RoleName)

ALL_VERDICTS = frozenset({"breached", "indeterminate", "interpretation", "suspected"})
ALL_ACTS = frozenset({
    "acknowledged", "assigned", "shelved", "unshelved", "disposed", "closing_confirmed", "closing_declined",
    "closing_withdrawn", "reopened", "reopening_confirmed", "reopening_declined", "reopening_withdrawn",
    "added_to_case", "noted", "undone",
})  # fmt: skip


class Role(Struct, frozen=True, kw_only=True):
    """What a role may: `hidden` are fields of an alert it is never sent, `verdicts` the rows it sees.

    `reads_hands`: rounds and their money; `sees_cards`: their cards too. `disputes`: opens and decides them;
    `reads_disputes` "own": those one asked for or supervised, without what the review says of people.
    `cases`: opens and works on them; they hold what the review says of people, so `reads_cases` is not the floor's.
    `watches`: puts people and tables on the watch list, which `reads_watches` reads; it is not the floor's, for it may
    be about the floor's own people.
    `shifts`: hands them over and takes them; `tunes`: asks for tunings and confirms them, which who reads shifts reads.
    `seals`: signs for the figures of a gaming day or month, which nothing changes from then on.
    `sees_composition`: what is left in a live shoe, at once; `may_break_glass`: what it may have opened for a while,
    with a reason that is kept.
    """

    reads_alerts: bool = False
    reads_hands: bool = False
    sees_cards: bool = False
    disputes: bool = False
    reads_disputes: Literal["none", "own", "all"] = "none"
    cases: bool = False
    reads_cases: bool = False
    watches: bool = False
    reads_watches: bool = False
    shifts: bool = False
    reads_shifts: bool = False
    tunes: bool = False
    reads_tables: bool = False
    sees_composition: bool = False
    may_break_glass: frozenset[str] = frozenset()
    reads_revenue: bool = False
    seals: bool = False
    reads_log: bool = False
    reads_health: bool = False
    exports: bool = False
    manages_users: bool = False
    withholds: bool = False
    acts: frozenset[str] = frozenset()
    verdicts: frozenset[str] = frozenset()
    only_with_money: bool = False
    hidden: frozenset[str] = frozenset()

    @property
    def reads_all(self) -> bool:
        """Whether it reads revenue, every alert with each of its fields, and every dispute."""
        every_alert = self.reads_alerts and self.verdicts == ALL_VERDICTS and not self.only_with_money
        return self.reads_revenue and every_alert and not self.hidden and self.reads_disputes == "all"


_REVIEW = frozenset({
    "note", "closed_by", "second_auditor", "confirmed_at", "proposal", "refusal", "settled_cents", "beyond_cents",
    "disposition", "cases", "about",
})  # fmt: skip

ROLES: dict[str, Role] = {
    "surveillance": Role(
        reads_alerts=True,
        reads_hands=True,
        sees_cards=True,
        disputes=True,
        reads_disputes="all",
        cases=True,
        shifts=True,
        tunes=True,
        reads_cases=True,
        watches=True,
        reads_watches=True,
        reads_shifts=True,
        reads_tables=True,
        may_break_glass=frozenset({"live_composition"}),
        reads_health=True,
        exports=True,
        acts=ALL_ACTS,
        verdicts=ALL_VERDICTS,
    ),
    # A suspicion may be about the floor's own people: it is not theirs to read.
    "floor": Role(
        reads_alerts=True,
        reads_hands=True,
        sees_cards=True,
        reads_disputes="own",
        reads_tables=True,
        acts=frozenset({"acknowledged", "undone"}),
        verdicts=ALL_VERDICTS - {"suspected"},
        hidden=_REVIEW,
    ),
    "revenue": Role(
        reads_alerts=True,
        reads_hands=True,
        reads_revenue=True,
        seals=True,
        exports=True,
        verdicts=ALL_VERDICTS - {"suspected"},
        only_with_money=True,
        hidden=_REVIEW | {"hand", "seat", "expected", "observed", "missing"},
    ),
    "auditor": Role(
        reads_alerts=True,
        reads_hands=True,
        sees_cards=True,
        reads_disputes="all",
        reads_cases=True,
        reads_watches=True,
        reads_shifts=True,
        reads_tables=True,
        # Who audits the game from outside it gains nothing from a live count, and must be able to check one.
        sees_composition=True,
        reads_revenue=True,
        reads_log=True,
        reads_health=True,
        exports=True,
        verdicts=ALL_VERDICTS,
    ),
    # Who gives rights out has none to the records: two people are needed to misuse them.
    "admin": Role(reads_health=True, manages_users=True, withholds=True),
}

"""Progressive chips: counted against the system, then stored in the inventory, and as many as were wagered."""

from __future__ import annotations

from collections.abc import Iterator

from processors.games.stacks.deal import FirstCard, stakes_of
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment
from processors.law.citations import cite
from processors.law.duties.stacks.wagers import before_dealing, wagers_check
from processors.law.marks import PROGRESSIVE
from processors.law.wording import dollars
from schemas.amounts import amount, verb
from schemas.events import CardDrawn, ChipsToInventory, RoundEnded, StackDispensed, SystemWagersCounted

COUNTED, STORED = "stacks.progressive_counted", "stacks.progressive_to_inventory"


@wagers_check(
    "stacks.wagers_counted", decides=("stacks.progressive_counted", "stacks.progressive_to_inventory"),
    reads=(StackDispensed, CardDrawn), after=("undrawn",),
)  # fmt: skip
def progressive_chips_are_counted_and_stored(moment: Moment, data: FirstCard) -> Judged:
    """Before the deal the progressive chips are counted against the system, and only then go to the inventory."""
    round_ = before_dealing(moment)
    if round_ is None:
        return None
    counts = [entry for entry in round_.told(SystemWagersCounted) if entry.data.system == "progressive"]
    moves = [entry for entry in round_.told(ChipsToInventory) if entry.data.system == "progressive"]
    if not counts and not moves and not stakes_of(round_, "progressive"):
        return None
    last: SystemWagersCounted | None = counts[-1].data if counts else None
    matched = last is not None and last.accepted == last.chips
    good = [entry.sequence for entry in counts if entry.data.accepted == entry.data.chips]
    moved = sum(move.data.chips for move in moves)
    in_order = bool(moves and good) and moves[0].sequence > good[0]
    all_of_them = last is None or not matched or moved == last.chips
    held_back = last is not None and not matched and not moves  # rightly, of chips that do not match
    stored = (in_order and all_of_them) or held_back
    if matched and stored:
        return UPHELD
    return Breach(
        roles=(*(() if matched else (COUNTED,)), *(() if stored else (STORED,))),
        message=_what_is_wrong(last, moved if moves else None),
        expected={"accepted": last.accepted if last else None, "then": "chips to inventory"},
        observed={"chips": last.chips if last else None, "to_inventory": moved},
        sequences=tuple(entry.sequence for entry in (*counts, *moves)),
        unheard=None if moves and counts else "console",
        discriminator=PROGRESSIVE.of(),
    )


def _what_is_wrong(count: SystemWagersCounted | None, moved: int | None) -> str:
    if count is None:
        went = " but went to the inventory" if moved is not None else ""
        return f"The progressive chips were not counted against the system before the deal{went}."
    if count.accepted != count.chips:
        counted = f"{_chips(count.chips)} counted"
        return f"The deal began although {counted} and the system had accepted {count.accepted}."
    if moved is None:
        return f"{_chips(count.chips)} counted, and did not go to the inventory before the deal."
    if moved != count.chips:
        return f"{_chips(count.chips)} counted, and {moved} went to the inventory."
    return f"{_chips(moved)} put into the inventory before being counted against the system."


def _chips(number: int) -> str:
    return f"{amount(number, 'progressive chip')} {verb(number, 'was')}"


@wagers_check(
    "stacks.wagers_amounts", decides=("stacks.progressive_counted", "stacks.progressive_to_inventory"),
    reads=(RoundEnded,),
)  # fmt: skip
def counted_chips_are_the_wagers_made(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """The chips counted, and the money that went to the inventory, are the progressive wagers that were made."""
    round_, config = moment.round, moment.table.config
    if round_ is None or config is None or PROGRESSIVE.on(round_):
        return
    stakes = [stake for stake in round_.stakes.values() if stake.kind == "progressive" and stake.cents]
    in_time = [stake for stake in stakes if round_.first_card is None or stake.placed < round_.first_card]
    for entry in round_.told(SystemWagersCounted, ChipsToInventory):
        if entry.data.system != "progressive":
            continue
        early = [stake for stake in stakes if stake.placed < entry.sequence]
        if isinstance(entry.data, SystemWagersCounted):
            role, seen = COUNTED, entry.data.chips
            due = {len(some) for some in (stakes, in_time, early)}
            message = f"{_chips(seen)} counted for {amount(len(stakes), 'wager')}."
        else:
            role, seen = STORED, entry.data.cents
            due = {sum(stake.cents for stake in some) for some in (stakes, in_time, early)}
            message = f"{dollars(seen)} of progressive chips went to the inventory for wagers of {dollars(max(due))}."
        if seen in due:
            yield UPHELD
            continue
        yield Breach(
            roles=(role,),
            message=message,
            expected={"one_of": sorted(due)},
            observed=seen,
            sequences=(entry.sequence,),
            discriminator=f"amounts:{cite(config.ruleset, (role,))[0]}",
            unheard="wagers" if isinstance(seen, int) and seen > max(due) else None,
        )
        return

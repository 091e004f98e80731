"""Who may wager: with a main wager, on how many boxes side by side, and after a round sat out (reading A64)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.folding.equipment import patron_at
from processors.core.state import Round, Stake
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check
from processors.law.duties.submission.configuration import submission_check
from processors.law.duties.wagers.wagers import AFTER_THE_DEAL
from processors.law.wording import wager
from schemas.amounts import amount, verb
from schemas.events import CardDrawn, TableConfigured, WagerRefused


@submission_check("wagers.boxes_limited", decides=("submission.boxes_of_player",), turns_on=("steps",))
def the_rules_submission_limits_the_boxes(moment: Moment, config: TableConfigured) -> Judged:
    """The rules submission says on how many adjacent boxes a player may wager."""
    if config.boxes_per_player >= 1:
        return UPHELD
    return Breach(
        message="The rules submission does not say on how many adjacent boxes a player may wager.",
        expected={"boxes_per_player": "at least 1"},
        observed={"boxes_per_player": config.boxes_per_player},
        sequences=(moment.table.configured_at,),
    )


@check(
    "wagers.participation", decides=(
        "wagers.main_required", "wagers.side_with_main", "wagers.match_with_main", "submission.boxes_of_player",
    ),
    reads=(CardDrawn,), alters=True, after=("undrawn",),
)  # fmt: skip
def only_boxes_with_a_main_wager_take_part(moment: Moment, data: CardDrawn) -> Iterator[Judgment]:
    """When dealing starts, every side wager lies by a main wager and no player has too many boxes."""
    round_, _ = moment.play
    if round_.first_card is not None:
        return
    wagered = {stake.seat for stake in round_.stakes.values() if stake.kind == "main" and stake.cents}
    for stake in round_.stakes.values():
        if stake.kind not in ("main", *AFTER_THE_DEAL) and stake.seat not in wagered:
            yield Breach(
                roles=("wagers.main_required", "wagers.side_with_main", "wagers.match_with_main"),
                message=f"Seat {stake.seat} has a {wager(stake.kind)} without a main wager.",
                expected={"main_wager": True},
                observed={"main_wager": False},
                sequences=(stake.placed,),
                seat=stake.seat,
                discriminator=f"alone:{stake.kind}:{stake.seat}",
            )
    limit = moment.table.config.boxes_per_player if moment.table.config is not None else 0
    if limit:  # that there is none is a breach of the rules submission
        yield from _boxes(round_, limit)


def _boxes(round_: Round, limit: int) -> Iterator[Judgment]:
    by_player: dict[str, list[Stake]] = {}
    for stake in round_.stakes.values():
        if stake.kind == "main" and stake.player:
            by_player.setdefault(stake.player, []).append(stake)
    for player, stakes in by_player.items():
        boxes = sorted(stake.seat for stake in stakes)
        if len(boxes) <= limit and boxes[-1] - boxes[0] == len(boxes) - 1:
            yield UPHELD
            continue
        yield Breach(
            roles=("submission.boxes_of_player",),
            message=f"Player {player} wagers on boxes {', '.join(map(str, boxes))}; "
            f"{amount(limit, 'adjacent box')} {verb(limit, 'is')} allowed.",
            expected={"boxes": limit, "adjacent": True},
            observed={"boxes": boxes},
            sequences=tuple(stake.placed for stake in stakes),
            seat=boxes[-1],
            discriminator=f"boxes:{player}",
        )


@check(
    "wagers.entry_refused",
    decides=("wagers.entry_barred", "wagers.entry_permitted", "wagers.entry_after_shuffle"),
    reads=(WagerRefused,), scope="shoe", in_round=False, turns_on=("steps",),
)  # fmt: skip
def only_who_sat_out_is_refused(moment: Moment, data: WagerRefused) -> Judged:
    """A wager is refused for late entry only to a patron who did not wager on the round before, since the shuffle."""
    table, facts = moment.table, moment.table.equipment
    if data.reason != "mid_shoe_entry":
        return None
    rounds, before = facts.rounds_since_shuffle, facts.last_bettors
    if table.round is None:
        fresh = facts.shuffled_for != table.shoe.loaded_at
        rounds, before = (0, []) if fresh else (rounds + 1, facts.bettors_now)
    who = patron_at(table, data.seat)
    if rounds and who not in before:
        return UPHELD
    wagered = facts.bettors.get(who, 0) + (1 if table.round is None else 0)
    role: tuple[str, ...] = ("wagers.entry_permitted",) if wagered < rounds else ()
    why = "that patron wagered on the round before"
    if not rounds:
        role, why = ("wagers.entry_after_shuffle",), "no round has been played since the cards were shuffled"
    return Breach(
        roles=("wagers.entry_barred", *role),
        message=f"Seat {data.seat} was refused a wager for late entry, but {why}.",
        expected={"refused": False},
        observed={"rounds_since_shuffle": rounds, "wagered_before": who in before},
        seat=data.seat,
    )

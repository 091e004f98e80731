"""Wagers of the Blackjack rulesets (6(a)-(f), 7(e)#1; readings A37, A55, A64)."""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.folding.wagers import stake_key
from processors.core.state import Round, seat_of
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import BLACKJACK, SECTIONS
from processors.law.duties.settlement.stake import dollars
from schemas.events import (
    CardDrawn,
    CashConverted,
    CashWagerCalled,
    RoundEnded,
    WagerAltered,
    WagerMoved,
    WagerPlaced,
)

AFTER_THE_DEAL = ("insurance", "double", "split")


def _ids(*clauses: str) -> dict[str, tuple[str, ...]]:
    return {
        ruleset: tuple(f"{SECTIONS[ruleset]['ch']}.{clause}" for clause in clauses) for ruleset in BLACKJACK
    }


@check(
    "wagers.in_time",
    decides=(
        "wagers.before_first_card",
        "wagers.placed_before_deal",
    ),
    rests_on=(
        "console",
        "wagers",
    ),
    reads=(WagerPlaced,),
    alters=True,
)
def wagers_are_down_before_the_first_card(moment: Moment, data: WagerPlaced) -> Iterator[Judgment]:
    """Every wager but insurance, doubles and splits is placed before the round's first card."""
    round_, rules = moment.play
    if data.kind in AFTER_THE_DEAL:
        return
    if round_.first_card is None:
        yield UPHELD
        return
    yield Breach(
        clauses=(f"{rules.chapter}.6(c)#1", f"{rules.chapter}.7(e)#1"),
        message=f"Seat {data.seat} placed {dollars(data.cents)} ({data.kind.replace('_', ' ')}) after the first card "
        "of the round.",
        expected={"before_sequence": round_.first_card},
        observed={"sequence": moment.sequence, "cents": data.cents},
        sequences=(round_.first_card,),
        seat=data.seat,
    )


@check(
    "wagers.untouched",
    decides=(
        "wagers.before_first_card",
        "wagers.untouched",
    ),
    rests_on=(
        "console",
        "wagers",
    ),
    reads=(WagerAltered, WagerMoved),
    alters=True,
)
def wagers_stay_untouched_until_settled(
    moment: Moment, data: WagerAltered | WagerMoved
) -> Iterator[Judgment]:
    """No player touches or changes a wager, or moves it elsewhere, from the close of betting until it is settled."""
    round_, rules = moment.play
    if isinstance(data, WagerMoved):
        if rules.down_under:  # where chips are moved in Free Bet stands with the added stakes
            yield from _moved_elsewhere(round_, rules.chapter, data)
        return
    stake = round_.stakes.get(stake_key(data.seat, data.kind, data.hand or None))
    still_open = round_.betting_closed is None and round_.first_card is None
    if still_open or (stake is not None and stake.moves):
        yield UPHELD
        return
    clauses = [f"{rules.chapter}.6(c)#2"]
    if data.to_cents > data.from_cents and data.kind not in AFTER_THE_DEAL and round_.first_card is not None:
        clauses.append(f"{rules.chapter}.6(c)#1")
    yield Breach(
        clauses=tuple(clauses),
        message=f"The {data.kind.replace('_', ' ')} wager of seat {data.seat} was changed from "
        f"{dollars(data.from_cents)} to {dollars(data.to_cents)} before it was settled.",
        expected={"cents": data.from_cents},
        observed={"cents": data.to_cents, "by": data.by},
        sequences=(stake.placed,) if stake is not None else (),
        seat=data.seat,
    )


def _moved_elsewhere(round_: Round, chapter: str, data: WagerMoved) -> Iterator[Judgment]:
    seat = seat_of(data.from_hand)
    stake = round_.stakes.get(stake_key(seat, data.kind, data.from_hand))
    open_ = round_.betting_closed is None and round_.first_card is None
    if data.from_hand == data.to_hand or open_ or stake is None or stake.moves:
        return  # laid on its own cards, or betting is open, or the wager was settled or never there
    yield Breach(
        clauses=(f"{chapter}.6(c)#2",),
        message=f"The {data.kind.replace('_', ' ')} wager of hand {data.from_hand} was moved to hand {data.to_hand} "
        "before it was settled.",
        expected={"hand": data.from_hand},
        observed={"hand": data.to_hand},
        sequences=(stake.placed,),
        seat=seat,
    )


@check(
    "wagers.offered",
    decides=(
        "wagers.side_with_main",
        "wagers.match_with_main",
    ),
    rests_on=(
        "console",
        "wagers",
    ),
    reads=(WagerPlaced,),
    alters=True,
)
def side_wagers_are_those_offered(moment: Moment, data: WagerPlaced) -> Iterator[Judgment]:
    """A side wager is taken only if the rules submission offers it."""
    _, rules = moment.play
    config = moment.table.config
    if config is None or data.kind in ("main", *AFTER_THE_DEAL):
        return
    if data.kind not in config.side_wagers:
        yield Breach(
            clauses=(f"{rules.chapter}.6(e)#1",),
            message=f"Seat {data.seat} placed a {data.kind.replace('_', ' ')} wager, which this table does not offer.",
            expected={"offered": list(config.side_wagers)},
            observed={"kind": data.kind},
            sequences=(moment.table.configured_at,),
            seat=data.seat,
        )
    else:
        yield UPHELD


@check(
    "wagers.participation",
    decides=(
        "wagers.main_required", "wagers.side_with_main", "wagers.match_with_main", "submission.boxes_of_player",
    ),
    rests_on=(
        "console",
        "wagers",
    ),
    reads=(CardDrawn,),
    alters=True,
    after=("undrawn",),
)  # fmt: skip
def only_boxes_with_a_main_wager_take_part(moment: Moment, data: CardDrawn) -> Iterator[Judgment]:
    """When dealing starts, every side wager lies by a main wager and no player has too many boxes."""
    round_, rules = moment.play
    if round_.first_card is not None:
        return
    chapter = rules.chapter
    wagered = {stake.seat for stake in round_.stakes.values() if stake.kind == "main" and stake.cents}
    for stake in round_.stakes.values():
        if stake.kind not in ("main", *AFTER_THE_DEAL) and stake.seat not in wagered:
            yield Breach(
                clauses=(f"{chapter}.6(d)", f"{chapter}.6(e)#1"),
                message=f"Seat {stake.seat} has a {stake.kind.replace('_', ' ')} wager without a main wager.",
                expected={"main_wager": True},
                observed={"main_wager": False},
                sequences=(stake.placed,),
                seat=stake.seat,
                discriminator=f"alone:{stake.kind}:{stake.seat}",
            )
    yield from _boxes(moment, round_)


def _boxes(moment: Moment, round_: Round) -> Iterator[Judgment]:
    config = moment.table.config
    if config is None or not config.boxes_per_player:  # without a limit `boxes.limited` has spoken
        return
    by_player: dict[str, list[int]] = {}
    for stake in round_.stakes.values():
        if stake.kind == "main" and stake.player:
            by_player.setdefault(stake.player, []).append(stake.seat)
    chapter = SECTIONS[config.ruleset]["ch"]
    for player, seats in by_player.items():
        boxes = sorted(seats)
        adjacent = boxes[-1] - boxes[0] == len(boxes) - 1
        if len(boxes) <= config.boxes_per_player and adjacent:
            yield UPHELD
            continue
        yield Breach(
            clauses=(f"{chapter}.6(f)",),
            message=f"Player {player} wagers on boxes {', '.join(map(str, boxes))}; "
            f"{config.boxes_per_player} adjacent {'box is' if config.boxes_per_player == 1 else 'boxes are'} allowed.",
            expected={"boxes": config.boxes_per_player, "adjacent": True},
            observed={"boxes": boxes},
            sequences=tuple(
                round_.stakes[f"{seat}:main:{seat}.1"].placed
                for seat in boxes
                if f"{seat}:main:{seat}.1" in round_.stakes
            ),
            seat=boxes[-1],
            discriminator=f"boxes:{player}",
        )


@check(
    "wagers.spoken",
    decides=("wagers.chips_placed",),
    rests_on=(
        "console",
        "wagers",
    ),
    where="free_bets",
    reads=(CashWagerCalled,),
    in_round=False,
)
def free_bet_knows_no_spoken_wagers(moment: Moment, data: CashWagerCalled) -> Iterator[Judgment]:
    """Wagers are made with chips; a spoken wager that the dealer confirms is none (reading A55)."""
    config = moment.table.config
    if config is None:
        return
    if not data.confirmed:
        yield UPHELD
        return
    yield Breach(
        clauses=(f"{SECTIONS[config.ruleset]['ch']}.6(a)",),
        message=f"A spoken wager of {dollars(data.cents)} at seat {data.seat} was confirmed; this game takes none.",
        expected={"confirmed": False},
        observed={"confirmed": True, "cents": data.cents},
        seat=data.seat,
    )


@check(
    "wagers.cash_converted",
    decides=("wagers.cash_converted",),
    rests_on=(
        "console",
        "wagers",
    ),
    reads=(RoundEnded,),
    after=(CashWagerCalled,),
)
def spoken_cash_becomes_chips(moment: Moment, data: RoundEnded) -> Iterator[Judgment]:
    """The cash of a confirmed spoken wager is exchanged for chips by the end of the round (reading A32)."""
    round_, _ = moment.play
    called: dict[int, int] = {}
    exchanged: dict[int, int] = {}
    since: dict[int, int] = {}
    for entry in round_.told(CashWagerCalled, CashConverted):
        seat, cents = entry.data.seat, entry.data.cents
        if isinstance(entry.data, CashWagerCalled) and entry.data.confirmed:
            called[seat] = called.get(seat, 0) + cents
            since.setdefault(seat, entry.sequence)
        elif isinstance(entry.data, CashConverted) and seat in called:
            exchanged[seat] = exchanged.get(seat, 0) + cents
    for seat, cents in called.items():
        if exchanged.get(seat, 0) >= cents:
            yield UPHELD
            continue
        left = cents - exchanged.get(seat, 0)
        yield Breach(
            clauses=("685a.6(a)#3",),
            message=f"{dollars(left)} of the cash of seat {seat}'s spoken wager ({dollars(cents)}) was not exchanged "
            "for chips.",
            expected={"converted_cents": cents},
            observed={"converted_cents": exchanged.get(seat, 0)},
            sequences=(since[seat],),
            seat=seat,
        )


@check(
    "wagers.unconfirmed",
    decides=("wagers.spoken_confirmed",),
    rests_on=(
        "console",
        "wagers",
    ),
    reads=(CashConverted,),
)
def an_unconfirmed_spoken_wager_does_not_count(moment: Moment, data: CashConverted) -> Iterator[Judgment]:
    """Only a spoken wager that the dealer confirmed before the first card counts."""
    round_, _ = moment.play
    called = [entry for entry in round_.told(CashWagerCalled) if entry.data.seat == data.seat]
    last = called[-1] if called else None
    if last is not None and last.data.confirmed:
        yield UPHELD
        return
    yield Breach(
        clauses=("685a.6(a)#2",),
        message=f"Seat {data.seat}'s spoken wager of {dollars(data.cents)} counted, but no dealer confirmed it.",
        expected={"confirmed": True},
        observed={"confirmed": False, "called": last is not None},
        sequences=(last.sequence,) if last is not None else (),
        seat=data.seat,
    )


@check(
    "wagers.chips",
    decides=("wagers.chips_placed",),
    rests_on=(
        "console",
        "wagers",
    ),
    reads=(WagerPlaced,),
    alters=True,
)
def wagers_are_made_with_chips(moment: Moment, data: WagerPlaced) -> Iterator[Judgment]:
    """A wager is an amount that the table's chips can make (reading A37)."""
    _, rules = moment.play
    if data.cents and data.cents % rules.chip_cents == 0:
        yield UPHELD
        return
    clause = "685a.6(a)#1" if rules.down_under else f"{rules.chapter}.6(a)"
    yield Breach(
        clauses=(clause,),
        message=f"Seat {data.seat} placed {dollars(data.cents)}, which the table's chips "
        f"(smallest {dollars(rules.chip_cents)}) cannot make.",
        expected={"multiple_of_cents": rules.chip_cents},
        observed={"cents": data.cents},
        seat=data.seat,
    )

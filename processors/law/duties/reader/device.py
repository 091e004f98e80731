"""Seats, devices and patrons from round to round: positions named, readers out of order, shufflers, late entry.

(2(a), 5(a), 6(b), 590.13(j), 672a.12(j), 685a.12(i))
"""

from __future__ import annotations

from collections.abc import Iterator

from processors.core.folding.equipment import patron_at
from processors.core.state import seat_of
from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import SECTIONS
from processors.law.duties.submission.approvals import reader_of
from schemas import events as e

_SEATED = (
    e.PlayerArrived, e.WagerPlaced, e.WagerRefused, e.PlayerRequest, e.PlayerViewingGiven, e.CutOffered, e.CutRefused,
    e.CashWagerCalled, e.ChipsBought, e.EvenMoneyOffered,
)  # fmt: skip


@check(
    "equipment.table_position_named",
    decides=("equipment.table_positions",),
    formerly="table.position_named",
    reads=(*_SEATED, e.CutMade, e.CardPlaced, e.PlayerDecision, e.WagerSettled),
    scope="round",
    in_round=False,
)
def only_configured_positions_are_named(moment: Moment, data: object) -> Iterator[Judgment]:
    """Nobody sits, wagers or is dealt to at a position that the table does not have."""
    table = moment.table
    config = table.config
    if config is None:
        return
    seat = _seat_of(data)
    if seat <= config.seats:
        if type(data) is e.PlayerArrived:
            yield UPHELD
        return
    round_ = table.round
    if table.equipment.unknown_seat or (round_ is not None and "seat:unknown" in round_.reported):
        return
    yield Breach(
        clauses=(f"{SECTIONS[config.ruleset]['ch']}.2(a)",),
        message=f"Position {seat} is named; the table has {config.seats}.",
        expected={"seats": config.seats},
        observed={"seat": seat},
        sequences=(table.configured_at,),
        seat=seat,
        discriminator="seat:unknown",
    )


def _seat_of(data: object) -> int:
    """Position an event names; 0 for the dealer and the bonus spot."""
    kind = type(data)
    if kind is e.CardPlaced or kind is e.PlayerDecision:
        spot = data.hand  # type: ignore[attr-defined]  # both have one
    elif kind is e.CutMade:
        spot = data.by  # type: ignore[attr-defined]  # it has one
    else:
        return data.seat  # type: ignore[attr-defined,no-any-return]  # all other events read have one
    return seat_of(spot)


@check(
    "equipment.shuffler_registered",
    decides=("submission.loading_shuffler",),
    formerly="shuffler.registered",
    reads=(e.ShuffleStarted,),
    scope="day",
    in_round=False,
)
def a_shuffler_in_use_is_the_tables(moment: Moment, data: e.ShuffleStarted) -> Iterator[Judgment]:
    """A device shuffles only where the rules submission has one."""
    table = moment.table
    config = table.config
    if config is None or data.method != "device":
        return
    if config.shuffler != "none":
        yield UPHELD
        return
    if table.equipment.unregistered:
        return
    yield Breach(
        clauses=(f"{SECTIONS[config.ruleset]['ch']}.5(a)#4",),
        message="A device shuffles, but the table's rules submission has none.",
        expected={"method": "manual"},
        observed={"method": "device"},
        sequences=(table.configured_at,),
    )


_FAULT = {"free_bet_590": "590.13(j)", "free_bet_672a": "672a.12(j)", "down_under_685a": "685a.12(i)"}


@check(
    "reader.fault",
    decides=("reader.fault_stops",),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "reader",
    ),
    turns_on=("cards",),
    reads=(e.CardDrawn, e.HoleCardRead, e.DeviceRestored),
    scope="day",
    in_round=False,
    after=("fault",),
)
def no_dealing_while_the_reader_is_out_of_order(
    moment: Moment, data: e.CardDrawn | e.HoleCardRead | e.DeviceRestored
) -> Iterator[Judgment]:
    """With its reader out of order a table does not deal, in this round or a later one, until it is restored."""
    facts, config = moment.table.equipment, moment.table.config
    if not facts.faults or config is None:
        return
    device = reader_of(config.ruleset)
    fault = facts.faults.get(device)
    if fault is None or device in facts.faults_told:
        return
    if isinstance(data, e.DeviceRestored):
        if data.device != device:
            return
        if data.how != "cleared":
            yield UPHELD
            return
        yield Breach(
            clauses=(_FAULT[config.ruleset],),
            message=f"The {device.replace('_', ' ')} was put back in use as cleared, neither repaired nor replaced.",
            expected={"how": ["repaired", "replaced"]},
            observed={"how": data.how},
            sequences=(fault,),
        )
        return
    if moment.round is None:
        return
    yield Breach(
        clauses=(_FAULT[config.ruleset],),
        message=f"{'A card was drawn' if isinstance(data, e.CardDrawn) else 'The hole card was read'} while the "
        f"{device.replace('_', ' ')} was out of order.",
        expected={"dealing": "stopped until the reader is restored"},
        observed={"fault_at": fault},
        sequences=(fault,),
    )


@check(
    "wagers.entry_refused",
    decides=(
        "wagers.entry_barred",
        "wagers.entry_permitted",
        "wagers.entry_after_shuffle",
    ),
    formerly="entry.refused",
    reads=(e.WagerRefused,),
    scope="shoe",
    in_round=False,
)
def only_who_sat_out_is_refused(moment: Moment, data: e.WagerRefused) -> Iterator[Judgment]:
    """A wager is refused for late entry only to a patron who did not wager on the round before, since the shuffle."""
    table, facts = moment.table, moment.table.equipment
    config = table.config
    if config is None or data.reason != "mid_shoe_entry":
        return
    chapter = SECTIONS[config.ruleset]["ch"]
    fresh = facts.shuffled_for != table.shoe.loaded_at
    rounds, before = facts.rounds_since_shuffle, facts.last_bettors
    if table.round is None:
        rounds, before = (0, []) if fresh else (rounds + 1, facts.bettors_now)
    who = patron_at(table, data.seat)
    if rounds and who not in before:
        yield UPHELD
        return
    clauses = [f"{chapter}.6(b)"]
    if not rounds:
        why = "no round has been played since the cards were shuffled"
        clauses.append(f"{chapter}.6(b)(2)")
    else:
        why = "that patron wagered on the round before"
        wagered = facts.bettors.get(who, 0) + (1 if table.round is None else 0)
        if wagered < rounds:
            clauses.append(f"{chapter}.6(b)(1)")
    yield Breach(
        clauses=tuple(clauses),
        message=f"Seat {data.seat} was refused a wager for late entry, but {why}.",
        expected={"refused": False},
        observed={"rounds_since_shuffle": rounds, "wagered_before": who in before},
        seat=data.seat,
    )

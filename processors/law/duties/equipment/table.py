"""The table itself: its positions, and the shuffler that it has."""

from __future__ import annotations

from processors.core.state import seat_of
from processors.law.check import UPHELD, Breach, Judged, Moment, check
from processors.law.duties.submission.configuration import submission_check
from processors.law.marks import POSITION_UNKNOWN
from schemas import events as e
from schemas.amounts import amount
from schemas.rulesets.numbers import BlackjackNumbers

_SEATED = (
    e.PlayerArrived, e.WagerPlaced, e.WagerRefused, e.PlayerRequest, e.PlayerViewingGiven, e.CutOffered, e.CutRefused,
    e.CashWagerCalled, e.ChipsBought, e.EvenMoneyOffered,
)  # fmt: skip


@submission_check("equipment.table_positions", decides=("equipment.table_positions",))
def a_table_has_six_positions_at_most(moment: Moment, config: e.TableConfigured) -> Judged:
    """The table has betting positions for no more than six players."""
    most = moment.numbers(BlackjackNumbers).seats_at_most
    if config.seats <= most:
        return UPHELD
    return Breach(
        message=f"The table is configured for {amount(config.seats, 'player')}; {most} at most are allowed.",
        expected={"seats_at_most": most},
        observed={"seats": config.seats},
        sequences=(moment.table.configured_at,),
    )


@check(
    "equipment.table_position_named", decides=("equipment.table_positions",),
    reads=(*_SEATED, e.CutMade, e.CardPlaced, e.PlayerDecision, e.WagerSettled), in_round=False,
)  # fmt: skip
def only_configured_positions_are_named(moment: Moment, data: object) -> Judged:
    """Nobody sits, wagers or is dealt to at a position that the table does not have."""
    table, round_, config = moment.table, moment.round, moment.table.config
    if config is None:
        return None
    seat = _seat_of(data)
    if seat <= config.seats:
        return UPHELD if type(data) is e.PlayerArrived else None
    if table.equipment.unknown_seat or (round_ is not None and POSITION_UNKNOWN.on(round_)):
        return None
    return Breach(
        message=f"The record names position {seat}, but the table has {config.seats} positions.",
        expected={"seats": config.seats},
        observed={"seat": seat},
        sequences=(table.configured_at,),
        seat=seat,
        discriminator=POSITION_UNKNOWN.of(),
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
    "equipment.shuffler_registered", decides=("submission.loading_shuffler",),
    reads=(e.ShuffleStarted,), scope="day", in_round=False,
)  # fmt: skip
def a_shuffler_in_use_is_the_tables(moment: Moment, data: e.ShuffleStarted) -> Judged:
    """A device shuffles only where the rules submission has one."""
    table = moment.table
    if table.config is None or data.method != "device":
        return None
    if table.config.shuffler != "none":
        return UPHELD
    if table.equipment.unregistered:
        return None
    return Breach(
        message="A device shuffles, but the table's rules submission has none.",
        expected={"method": "manual"},
        observed={"method": "device"},
        sequences=(table.configured_at,),
    )

"""The device that reads the hole card: the game's own, inspected, sound and in order while the table deals."""

from __future__ import annotations

from processors.games.blackjack.profile import BLACKJACK_PROFILES
from processors.law.check import UPHELD, Breach, Judged, Judgment, Moment, check
from schemas.events import CardDrawn, DeviceRestored, HoleCardRead, RoundStarted
from schemas.values import DEALER

_NAMES = {"card_reader": "card reader", "masque_reader": "Masque reader"}
_SAYS = {"card_reader": "Blackjack or no Blackjack", "masque_reader": "small, medium or large"}


@check(
    "reader.device", decides=(
        "reader.tells_blackjack_alone", "reader.masque_hidden", "reader.masque_lights", "reader.range_found",
    ),
    reads=(HoleCardRead,),
)  # fmt: skip
def the_reader_is_the_games_own(moment: Moment, data: HoleCardRead) -> Judgment:
    """The card reader says Blackjack or not; the Masque reader says small, medium or large."""
    _, rules = moment.play
    own, another = rules.profile.reader, data.device != rules.profile.reader
    if not another and (data.result in ("small", "medium", "large")) == rules.profile.masque:
        return UPHELD
    said = data.result.replace("_", " ").replace("blackjack", "Blackjack")
    return Breach(
        roles=(
            "reader.tells_blackjack_alone",
            "reader.masque_lights",
            *(("reader.range_found", "reader.masque_hidden") if another else ()),
        ),
        message=f"A {_NAMES[data.device]} said {said}; this game has a {_NAMES[own]}, which says {_SAYS[own]}.",
        expected={"device": own},
        observed={"device": data.device, "result": data.result},
        hand=DEALER,
    )


@check(
    "reader.inspected", decides=("reader.inspected",),
    reads=(RoundStarted,), scope="day", in_round=False, turns_on=("steps",),
)  # fmt: skip
def the_reader_is_inspected_every_day(moment: Moment, data: RoundStarted) -> Judged:
    """Before a gaming day's first round the floorperson assigned to the table inspects the reader."""
    config, facts = moment.table.config, moment.table.equipment
    if config is None or facts.day_judged:
        return None
    device = BLACKJACK_PROFILES[config.ruleset].reader
    inspections = [one for one in facts.inspections if one.device == device]
    if any(one.staff in facts.floorpersons for one in inspections):
        return UPHELD
    words = _NAMES[device]
    assigned = ", ".join(facts.floorpersons)
    if not inspections:
        why = f"the {words} was not inspected"
    elif not assigned:
        why = f"{inspections[-1].staff} inspected the {words}, but no floorperson is assigned to the table"
    else:
        why = f"the {words} was inspected by {inspections[-1].staff}, not by the floorperson assigned, {assigned}"
    return Breach(
        message=f"The first round of the gaming day begins, and {why}.",
        expected={"inspected_by": list(facts.floorpersons)},
        observed={"inspected_by": [one.staff for one in inspections]},
        sequences=tuple(one.sequence for one in inspections),
    )


@check(
    "reader.sound", decides=("reader.inspected",),
    reads=(RoundStarted, HoleCardRead), scope="day", in_round=False,
)  # fmt: skip
def a_defective_reader_is_not_used(moment: Moment, data: RoundStarted | HoleCardRead) -> Judged:
    """A reader that an inspection found tampered with or not working does not stay in use (reading A56)."""
    config, facts = moment.table.config, moment.table.equipment
    if config is None:
        return None
    device = BLACKJACK_PROFILES[config.ruleset].reader
    found = facts.defects.get(device)
    if found is None:
        return UPHELD
    if device in facts.defects_told:
        return None
    return Breach(
        message=f"The {_NAMES[device]} was found tampered with or not working and stayed in use.",
        expected={"in_use": False},
        observed={"inspected_at": found},
        sequences=(found,),
        reading="A56",
    )


@check(
    "reader.fault", decides=("reader.fault_stops",),
    reads=(CardDrawn, HoleCardRead, DeviceRestored), scope="day", in_round=False, after=("fault",),
)  # fmt: skip
def no_dealing_while_the_reader_is_out_of_order(
    moment: Moment, data: CardDrawn | HoleCardRead | DeviceRestored
) -> Judged:
    """With its reader out of order a table does not deal, in this round or a later one, until it is restored."""
    config, facts = moment.table.config, moment.table.equipment
    if config is None:
        return None
    device = BLACKJACK_PROFILES[config.ruleset].reader
    fault = facts.faults.get(device)
    if fault is None or device in facts.faults_told:
        return None
    if isinstance(data, DeviceRestored):
        return _restored(data, device, fault)
    if moment.round is None:
        return None
    did = "A card was drawn" if isinstance(data, CardDrawn) else "The hole card was read"
    return Breach(
        message=f"{did} while the {_NAMES[device]} was out of order.",
        expected={"dealing": "stopped until the reader is restored"},
        observed={"fault_at": fault},
        sequences=(fault,),
    )


def _restored(data: DeviceRestored, device: str, fault: int) -> Judged:
    if data.device != device:
        return None
    if data.how != "cleared":
        return UPHELD
    return Breach(
        message=f"The {_NAMES[device]} was put back in use as cleared, neither repaired nor replaced.",
        expected={"how": ["repaired", "replaced"]},
        observed={"how": data.how},
        sequences=(fault,),
    )

"""What must be on file before a round: approvals, inspection of the reader (2(b)-(d), 5(a), 5(h), 6, 7(a), 7(r))."""

from __future__ import annotations

from collections.abc import Iterator

from processors.law.check import UPHELD, Breach, Judgment, Moment, check
from processors.law.clauses import FREE_BET, SECTIONS
from processors.law.duties.submission.configuration import chapter_ids, newly_configured
from schemas.events import HoleCardRead, RoundStarted, TableConfigured

RESHUFFLES_ITSELF = ("continuous", "self_shuffling")


def reader_of(ruleset: str) -> str:
    """The device that reads the hole card in a game."""
    return "card_reader" if ruleset in FREE_BET else "masque_reader"


def _needed(config: TableConfigured) -> dict[str, tuple[str, ...]]:
    """The matters that need an approval on file, each with the clauses broken without it."""
    section = SECTIONS[config.ruleset]
    chapter = section["ch"]
    submission = ["6(f)", "7(r)", *(["6(e)#1"] if config.side_wagers else [])]
    needed = {
        "layout": (f"{chapter}.2(b)",),
        "rules_submission": tuple(f"{chapter}.{clause}" for clause in submission),
        "shoe_location": (f"{chapter}.7(a)#2",),
        "box_location": (f"{chapter}.2(c)#1", f"{chapter}.2(c)#2"),
    }
    if config.ruleset in FREE_BET and "push22" in config.side_wagers:
        needed["rules_submission"] += (f"{section['odds']}(c)#1",)
    if config.even_money and config.ruleset != "free_bet_590":
        needed["rules_submission"] += ("685a.7(g)#2" if chapter == "685a" else "672a.8(e)#1",)
    if config.shuffler in RESHUFFLES_ITSELF:
        needed["self_shuffling_device"] = (f"{chapter}.5(h)#1", f"{chapter}.5(h)#2")
    elif config.shuffler == "batch":
        needed["shuffler"] = (f"{chapter}.5(a)#4",)
    return needed


_USES = {
    "layout": "the layout",
    "rules_submission": "the rules submission",
    "shoe_location": "the place of the shoe",
    "box_location": "the place of drop box and tip box",
    "self_shuffling_device": "the device that shuffles by itself",
    "shuffler": "the shuffler",
}
_ALWAYS = ("2(b)", "2(c)#1", "2(c)#2", "5(a)#4", "5(h)#1", "5(h)#2", "6(e)#1", "6(f)", "7(a)#2", "7(r)")


@check(
    "submission.approvals_on_file",
    decides=(
        "wagers.side_with_main", "wagers.match_with_main", "insurance.even_money_selected",
        "equipment.boxes_attached", "submission.layout_approved", "submission.tip_box_elsewhere",
        "submission.loading_shuffler", "submission.counting_shoe", "submission.counting_shoe_exempt",
        "submission.boxes_of_player", "submission.shoe_location", "submission.collection_procedure",
        "submission.paytable",
    ),
    formerly="approvals.on_file",
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)  # fmt: skip
def what_needs_approval_has_it(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """Layout, rules submission, places of shoe and boxes, and shufflers are approved before their first round."""
    config = newly_configured(moment)
    if config is None:
        return
    table = moment.table
    day = table.gaming_day or (table.time.date() if table.time is not None else None)
    for matter, clauses in _needed(config).items():
        if table.equipment.on_file(matter, day):
            yield UPHELD
            continue
        approval = table.equipment.approvals.get(matter)
        said = f"is dated {approval.approved_on}, after its first use" if approval else "is not on file"
        yield Breach(
            clauses=clauses,
            message=f"The approval of {_USES[matter]} {said}.",
            expected={"approved_on_or_before": day.isoformat() if day else None},
            observed={"approved_on": approval.approved_on.isoformat() if approval else None},
            sequences=(table.configured_at, *((approval.sequence,) if approval else ())),
            discriminator=matter,
        )


_INSPECTION = chapter_ids("2(d)#2")


@check(
    "reader.inspected",
    decides=("reader.inspected",),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "reader",
    ),
    turns_on=("cards",),
    reads=(RoundStarted,),
    scope="day",
    in_round=False,
)
def the_reader_is_inspected_every_day(moment: Moment, data: RoundStarted) -> Iterator[Judgment]:
    """Before a gaming day's first round the floorperson assigned to the table inspects the reader."""
    table, facts = moment.table, moment.table.equipment
    config = table.config
    if config is None or facts.day_judged:
        return
    device = reader_of(config.ruleset)
    inspections = [one for one in facts.inspections if one.device == device]
    if any(one.staff in facts.floorpersons for one in inspections):
        yield UPHELD
        return
    words = device.replace("_", " ")
    assigned = ", ".join(facts.floorpersons)
    if not inspections:
        why = f"the {words} was not inspected"
    elif not assigned:
        why = f"{inspections[-1].staff} inspected the {words}, but no floorperson is assigned to the table"
    else:
        why = f"the {words} was inspected by {inspections[-1].staff}, not by the floorperson assigned, {assigned}"
    yield Breach(
        clauses=_INSPECTION[config.ruleset],
        message=f"The first round of the gaming day begins, and {why}.",
        expected={"inspected_by": list(facts.floorpersons)},
        observed={"inspected_by": [one.staff for one in inspections]},
        sequences=tuple(one.sequence for one in inspections),
    )


@check(
    "reader.sound",
    decides=("reader.inspected",),
    rests_on=(
        "console",
        "placements",
        "shoe",
        "reader",
    ),
    turns_on=("cards",),
    reads=(RoundStarted, HoleCardRead),
    scope="day",
    in_round=False,
)
def a_defective_reader_is_not_used(moment: Moment, data: RoundStarted | HoleCardRead) -> Iterator[Judgment]:
    """A reader that an inspection found tampered with or not working does not stay in use (reading A56)."""
    table, facts = moment.table, moment.table.equipment
    config = table.config
    if config is None:
        return
    device = reader_of(config.ruleset)
    found = facts.defects.get(device)
    if found is None:
        yield UPHELD
        return
    if device in facts.defects_told:
        return
    yield Breach(
        clauses=_INSPECTION[config.ruleset],
        message=f"The {device.replace('_', ' ')} was found tampered with or not working and stayed in use.",
        expected={"in_use": False},
        observed={"inspected_at": found},
        sequences=(found,),
        reading="A56",
    )

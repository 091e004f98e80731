"""What must be approved and on file before the first round under a rules submission."""

from __future__ import annotations

from collections.abc import Iterator

from processors.law.check import UPHELD, Breach, Judgment, Moment
from processors.law.duties.submission.configuration import submission_check
from schemas.events import TableConfigured

_USES = {
    "layout": "the layout",
    "rules_submission": "the rules submission",
    "shoe_location": "the place of the shoe",
    "box_location": "the place of drop box and tip box",
    "self_shuffling_device": "the device that shuffles by itself",
    "shuffler": "the shuffler",
}


def _needed(config: TableConfigured) -> dict[str, tuple[str, ...]]:
    """The matters that need an approval on file, each with the roles broken without it."""
    needed: dict[str, tuple[str, ...]] = {
        "layout": ("submission.layout_approved",),
        "rules_submission": (
            "submission.boxes_of_player",
            "submission.collection_procedure",
            *(("wagers.side_with_main", "wagers.match_with_main") if config.side_wagers else ()),
            *(("submission.paytable",) if "push22" in config.side_wagers else ()),
            *(("insurance.even_money_selected",) if config.even_money else ()),
        ),
        "shoe_location": ("submission.shoe_location",),
        "box_location": ("equipment.boxes_attached", "submission.tip_box_elsewhere"),
    }
    if config.shuffler in ("continuous", "self_shuffling"):
        needed["self_shuffling_device"] = ("submission.counting_shoe", "submission.counting_shoe_exempt")
    elif config.shuffler == "batch":
        needed["shuffler"] = ("submission.loading_shuffler",)
    return needed


@submission_check(
    "submission.approvals_on_file", decides=(
        "wagers.side_with_main", "wagers.match_with_main", "insurance.even_money_selected",
        "equipment.boxes_attached", "submission.layout_approved", "submission.tip_box_elsewhere",
        "submission.loading_shuffler", "submission.counting_shoe", "submission.counting_shoe_exempt",
        "submission.boxes_of_player", "submission.shoe_location", "submission.collection_procedure",
        "submission.paytable",
    ),
)  # fmt: skip
def what_needs_approval_has_it(moment: Moment, config: TableConfigured) -> Iterator[Judgment]:
    """Layout, rules submission, places of shoe and boxes, and shufflers are approved before their first round."""
    table = moment.table
    day = table.gaming_day or (table.time.date() if table.time is not None else None)
    for matter, roles in _needed(config).items():
        if table.equipment.on_file(matter, day):
            yield UPHELD
            continue
        approval = table.equipment.approvals.get(matter)
        said = f"is dated {approval.approved_on}, after its first use" if approval else "is not on file"
        yield Breach(
            roles=roles,
            message=f"The approval of {_USES[matter]} {said}.",
            expected={"approved_on_or_before": day.isoformat() if day else None},
            observed={"approved_on": approval.approved_on.isoformat() if approval else None},
            sequences=(table.configured_at, *((approval.sequence,) if approval else ())),
            discriminator=matter,
        )

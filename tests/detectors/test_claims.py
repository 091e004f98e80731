"""What docs/patterns.md says of all families at once."""

from __future__ import annotations

import datetime as dt
import json
import re
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from benchmarks.honest import shifts
from deploy.replay.run import replay
from deploy.replay.sources import find
from processors.detectors import families
from processors.detectors.families import (
    dealer_mispay,
    inventory_drift,
    masque_errors,
    pace,
    sensor_health,
)
from processors.detectors.family import FAMILIES
from processors.detectors.stages.entity_stage import EntityStage
from processors.pipeline import TablePipeline
from schemas.findings import Finding
from schemas.values import Ruleset
from tests.detectors.shoes import dealt, untouched
from tests.detectors.worlds import Change, Event, changed, kind_of, mispaid, observed, table
from tests.detectors.worlds import called_void as called_void_by_all


def _without(kind: str, nth: int) -> Change:
    """Of each round the how many-th word of a kind is lost."""
    seen = 0

    def change(event: Event) -> list[Event]:
        nonlocal seen
        seen = 0 if kind_of(event) == "round_started" else seen + (kind_of(event) == kind)
        return [] if kind_of(event) == kind and seen == nth else [event]

    return change


def _unread(event: Event) -> list[Event]:
    """No device reads a card: no round can be decided."""
    data = event["data"]
    if kind_of(event) in ("card_drawn", "card_placed") and not data.get("seal"):
        data["card"] = "??"
    elif kind_of(event) == "cards_racked":
        data["cards"] = ["??"] * len(data["cards"])
    return [event]


@pytest.mark.parametrize(
    ("change", "speak"),
    [
        (_without("card_drawn", 3), {"counting", "past_posting"}),
        (_without("card_placed", 3), {"counting", "past_posting"}),
        (_unread, {"counting"}),
        (_without("round_ended", 1), set()),
    ],
    ids=["a draw lost", "a placement lost", "no card read", "broken off"],
)
def test_rounds_that_lack_words_say_nothing_about_people_but_what_is_known_of_stakes_and_cards(
    change: Change, speak: set[str]
) -> None:
    _, passed = observed(changed(table(1, 150), change))
    assert {one.family for one in passed} == speak


def test_void_rounds_are_for_the_family_of_void_rounds_alone() -> None:
    lines = changed(table(1, 60), called_void_by_all(0.5, 1, side="any", nth=-1))
    void, number = set(), 0
    for event in map(json.loads, lines):
        number = event["data"]["round"] if kind_of(event) == "round_started" else number
        if kind_of(event) == "round_voided":
            void.add(number)
    of: dict[str, set[int]] = {}
    for one in observed(lines)[1]:
        of.setdefault(one.family, set()).add(one.round)
    assert of["called_void"] == void
    assert not (of["hole_card_knowledge"] | of["past_posting"]) & void


def _relieved(event: Event) -> list[Event]:
    """The dealer goes and comes back in every round."""
    if kind_of(event) != "betting_closed":
        return [event]
    data = {"staff": "D-011"}
    went, came = (
        event | {"type": event["type"].replace("betting_closed", kind), "data": data}
        for kind in ("dealer_left", "dealer_arrived")
    )
    return [event, went, came]


def test_rounds_in_which_a_dealer_came_or_went_say_nothing_of_a_dealer() -> None:
    _, passed = observed(changed(table(1, 150), _relieved))
    assert {kind for one in passed for kind in one.whom} == {"player"}
    assert "dealer" in {kind for one in observed(table(1, 150))[1] for kind in one.whom}


@pytest.mark.parametrize("ruleset", ["fortune_670a10", "manual_shoe_657a8"])
def test_of_people_at_stack_games_the_pace_alone_is_judged(ruleset: Ruleset) -> None:
    assert {one.family for one in observed(table(1, 120, ruleset))[1]} == {"pace"}


def _paused(before: str, seconds: float) -> Change:
    """Of each round the first word of a kind comes so much later, and all that follows."""
    waits, late = False, dt.timedelta()

    def change(event: Event) -> list[Event]:
        nonlocal waits, late
        if kind_of(event) == "betting_closed":
            waits = True
        elif kind_of(event) == before and waits:
            waits, late = False, late + dt.timedelta(seconds=seconds)
        now = dt.datetime.fromisoformat(event["time"].replace("Z", "+00:00")) + late
        return [event | {"time": now.isoformat(timespec="microseconds").replace("+00:00", "Z")}]

    return change


@pytest.mark.parametrize(
    ("before", "one", "other"), [("player_decision", 0.0, 30.0), ("hole_card_revealed", 9.0, 30.0)]
)
def test_what_players_take_to_decide_is_no_pace_and_an_interruption_counts_for_eight_seconds(
    before: str, one: float, other: float
) -> None:
    paces = [
        [
            tuple(dealt_.pace for dealt_ in msgspec.msgpack.decode(seen.note, type=pace.Note).rounds)
            for seen in observed(changed(table(1, 150), _paused(before, seconds)))[1]
            if seen.family == "pace"
        ]
        for seconds in (one, other)
    ]
    assert paces[0] == paces[1] != []


@pytest.mark.parametrize(
    "change", [mispaid(0.1, 1, way="both"), _without("card_placed", 9)], ids=["mispaid", "lost"]
)
def test_a_pattern_is_said_in_addition_to_what_each_round_is_under_the_regulations(change: Change) -> None:
    lines = changed(table(1, 80), change)
    said: list[list[Finding]] = []
    for detect in (False, True):
        pipeline = TablePipeline("S-1", proofs=False, detect=detect)
        outcomes = [*map(pipeline.advance, lines), pipeline.finish()]
        said.append([one for outcome in outcomes for one in outcome.findings])
    without, with_ = said
    assert [one for one in with_ if one.verdict != "suspected"] == without != []


def test_a_suspicion_stands_behind_the_other_findings_of_its_event(tmp_path: Path) -> None:
    stream = tmp_path / "S-5.ndjson"
    stream.write_bytes(b"\n".join(changed(table(5, 150), mispaid(0.1, 1, way="uncollected"))))
    replay(find([stream]), tmp_path / "out", proofs=False)
    found = [json.loads(line) for line in (tmp_path / "out" / "findings.ndjson").read_bytes().splitlines()]
    at = {one["sequence"] for one in found if one["verdict"] == "suspected"}
    said = [[one["verdict"] for one in found if one["sequence"] == event] for event in sorted(at)]
    assert ["breached", "suspected"] in said
    assert ["suspected", "breached"] not in said


def test_what_tables_tell_at_one_time_is_joined_in_the_order_of_the_tables(tmp_path: Path) -> None:
    """She deals at two tables at once, and is named at the second one, whichever file comes first."""
    lines = changed(table(1, 90), mispaid(0.03, 2, way="patrons"))
    second = changed(lines, lambda event: [event | {"subject": "S-2"}])
    for name, stream in (("1", second), ("2", lines)):
        (tmp_path / f"{name}.ndjson").write_bytes(b"\n".join(stream))
    replay(find(sorted(tmp_path.glob("*.ndjson"))), tmp_path / "out", proofs=False)
    found = [json.loads(line) for line in (tmp_path / "out" / "findings.ndjson").read_bytes().splitlines()]
    suspicions = [one for one in found if one["verdict"] == "suspected"]
    assert [one["subject"] for one in suspicions] == ["S-2"]


def _kept(lines: list[bytes]) -> dict[tuple[str, str], int]:
    """Of each family the bytes that are kept at the table, and at most of somebody, after these lines."""
    pipeline, people = TablePipeline("S-1", proofs=False), EntityStage()
    for outcome in map(pipeline.advance, lines):
        for one in outcome.observations:
            people.weigh(one)
    assert pipeline.detectors is not None
    of_table: list[Any] = msgspec.msgpack.decode(pipeline.detectors.snapshot())
    found = {(name, "table"): _size(one) for name, one in of_table[0].items()}
    for key in people.met:
        kind = "pair" if "|" in key else key.partition(":")[0]
        for name, one in msgspec.msgpack.decode(people.snapshot(key))["families"].items():
            found[name, kind] = max(_size(one), found.get((name, kind), 0))
    return found


def _size(kept: dict[str, Any]) -> int:
    return len(msgspec.msgpack.encode(kept["state"]))


@pytest.mark.thorough
def test_what_a_family_keeps_is_no_more_than_its_description_says() -> None:
    """Seventy shoes; dealers who err in one hand of ten; dealers whose rounds are called void."""
    kept: dict[tuple[str, str], int] = {}
    for lines in (
        dealt(untouched, 1, 1_400),
        changed(table(1, 500), mispaid(0.1, 1, way="both", nth=-1)),
        changed(table(1, 200), called_void_by_all(1.0, 1, side="any", nth=-1)),
    ):
        for of, size in _kept(lines).items():
            kept[of] = max(size, kept.get(of, 0))
    said = {
        (family.name, kind): 1000 * int(most)
        for family in FAMILIES.values()
        for most, kind in re.findall(r"(\d+) kB a (table|dealer|player|pair)", family.cost)
    }
    assert len(said) > 12
    assert said.keys() <= kept.keys()
    assert {of: kept[of] for of in said if kept[of] > said[of]} == {}
    assert kept["shuffle_quality", "table"] > 40_000, "the orders of sixty shoes"


def test_each_family_is_one_module() -> None:
    modules = {path.stem for path in Path(families.__path__[0]).glob("[!_]*.py")}
    assert modules == set(FAMILIES)


def test_lawful_shifts_are_of_every_ruleset_and_half_of_them_worn_and_half_erring_within_the_null() -> None:
    assert set(shifts.RULESETS) == set(get_args(Ruleset))
    seeds = range(4 * len(shifts.RULESETS))
    kinds = [(shifts.is_worn(seed), shifts.is_erring(seed)) for seed in seeds]
    assert {kind: kinds.count(kind) for kind in kinds} == dict.fromkeys(
        [(False, False), (True, False), (False, True), (True, True)], len(shifts.RULESETS)
    )
    assert max(rate for name, rate in shifts.WORN.items() if name != "order") <= 0.002 < sensor_health.HONEST
    assert shifts.ERRORS == dealer_mispay.HONEST == masque_errors.HONEST
    assert inventory_drift.HONEST == 0.1

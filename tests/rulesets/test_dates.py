"""On every day one value of each number stands: no gap, no conflict, and nothing moves before its day."""

from __future__ import annotations

import datetime as dt
import json
from copy import deepcopy
from typing import Any
from unittest import mock

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import given

from processors.pipeline import Outcome, TablePipeline
from schemas.rulesets import RULESETS, Rules, RulesetError, rules_from
from tests.pipeline.streams import EXAMPLES, lines_of
from tests.rulesets.second_values import SECOND
from tests.rulesets.written import CHANGES, DOCUMENTS, EVE, changed, written

SECONDS = [(ruleset, one) for one in SECOND for ruleset in one.rulesets]
ENDS = [rules for rules in RULESETS.values() if rules.until is not None]
DAYS = st.dates(dt.date(2016, 8, 28), dt.date(2100, 1, 1))


def value_on(rules: Rules, key: str, day: dt.date) -> Any:
    return msgspec.to_builtins(rules.on(day)).get(key)


def on_the_wire(value: object) -> object:
    return msgspec.to_builtins(tuple(value) if isinstance(value, list) else value)


@given(st.dictionaries(DAYS, st.integers(1, 100), max_size=6), DAYS)
def test_the_value_of_a_day_is_the_last_that_began_on_it_or_before(
    begun: dict[dt.date, int], day: dt.date
) -> None:
    dated = [(4, None), *((begun[since], since) for since in sorted(begun))]
    rules = rules_from(written("free_bet_672a", "hands_at_most", *dated))
    expected = next(value for value, since in reversed(dated) if since is None or since <= day)
    assert value_on(rules, "hands_at_most", day) == expected


@pytest.mark.parametrize(("ruleset", "second"), SECONDS, ids=lambda one: getattr(one, "key", one))
def test_a_second_value_changes_its_own_number_from_its_day_on_and_nothing_else(
    ruleset: str, second: Any
) -> None:
    day, now = CHANGES[ruleset], RULESETS[ruleset]
    rules = changed(ruleset, second.key, second.value)
    for before in (dt.date.min, rules.since, day + EVE):
        assert rules.on(before) == now.on(before)
    for after in (day, day - EVE, dt.date.max):
        expected = {**msgspec.to_builtins(now.on(after)), second.key: on_the_wire(second.value)}
        if second.value is False and second.key not in msgspec.to_builtins(rules.on(after)):
            del expected[second.key]  # what a ruleset may leave out is left out where it says nothing
        assert msgspec.to_builtins(rules.on(after)) == expected


@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda one: one.name)
def test_every_day_of_a_ruleset_has_all_its_numbers(rules: Rules) -> None:
    keys = DOCUMENTS[rules.name]["values"].keys()
    days = [dt.date.min, rules.since, rules.until or dt.date.max, *(era.since for era in rules.eras)]
    for day in (*days, *(one + EVE for one in days if one > dt.date.min)):
        assert msgspec.to_builtins(rules.on(day)).keys() == keys


@pytest.mark.parametrize("rules", ENDS, ids=lambda one: one.name)
def test_where_a_chapter_ends_the_next_one_begins_and_no_day_has_both_or_neither(rules: Rules) -> None:
    assert rules.until is not None
    game = rules.name.rpartition("_")[0]
    others = [one for one in RULESETS.values() if one.name.startswith(game)]
    for day in (rules.since, rules.until, rules.until - EVE):
        assert len([one for one in others if one.is_in_force(day)]) == 1
    assert rules.is_in_force(rules.until)
    assert not rules.is_in_force(rules.since + EVE)


def test_a_number_cannot_be_read_without_a_day() -> None:
    with pytest.raises(TypeError):
        RULESETS["free_bet_672a"].on()  # type: ignore[call-arg]  # that is the error


SINCE = dt.date(2027, 7, 1)
CONTRADICTIONS = {
    "two values of one day": ([(4, None), (3, SINCE), (2, SINCE)], "hands_at_most: the value of 2027-07-01 stands"),
    "an older value behind": ([(4, None), (3, SINCE), (2, SINCE + EVE)], "order values by day"),
    "no value before the first day": ([(3, SINCE)], "leave its day out"),
    "no value at all": ([], "hands_at_most: the first value has a day"),
    "a change before the chapter": ([(4, None), (3, dt.date(2016, 8, 27))], "not in force before and after 2016-08-27"),
    "a value of another kind": ([(4, None), ("3", SINCE)], "from 2027-07-01 on: Expected `int`, got `str` - at"),
    "a value below any": ([(4, None), (0, SINCE)], "from 2027-07-01 on: Expected `int` >= 1 - at `$.hands_at_most`"),
}  # fmt: skip


@pytest.mark.parametrize(("values", "message"), CONTRADICTIONS.values(), ids=CONTRADICTIONS)
def test_values_that_leave_a_gap_or_contradict_are_refused(values: Any, message: str) -> None:
    with pytest.raises(RulesetError) as refused:
        rules_from(written("free_bet_672a", "hands_at_most", *values))
    assert message in str(refused.value)


def test_a_change_after_the_chapter_has_ended_is_refused() -> None:
    with pytest.raises(RulesetError, match="not in force before and after 2016-08-27"):
        rules_from(written("free_bet_590", "hands_at_most", (4, None), (3, dt.date(2016, 8, 27))))


def test_a_number_that_is_missing_or_unknown_is_refused_by_its_name() -> None:
    with pytest.raises(RulesetError, match="`tea_time`"):
        rules_from(written("free_bet_672a", "tea_time", (5, None)))
    document = written("free_bet_672a", "hands_at_most", (4, None))
    del document["values"]["push_total"]
    with pytest.raises(RulesetError, match="`push_total`"):
        rules_from(document)
    with pytest.raises(RulesetError, match="no family is called bingo"):
        rules_from({**document, "family": "bingo"})


def all_changed(ruleset: str) -> Rules:
    """The ruleset in which every number has a second value from one day on."""
    document = deepcopy(DOCUMENTS[ruleset])
    for one in SECOND:
        if ruleset in one.rulesets:
            document["values"][one.key].append({"value": one.value, "since": CHANGES[ruleset]})
    return rules_from(document)


def told(stream: str) -> list[Outcome]:
    lines = lines_of(stream)
    pipeline = TablePipeline(json.loads(lines[0])["subject"], detect=False)
    return [*(pipeline.advance(line) for line in lines), pipeline.finish()]


def test_no_stream_of_a_day_before_moves_when_every_number_changes() -> None:
    for stream in sorted(path.stem for path in EXAMPLES.glob("*.ndjson")):
        now = told(stream)
        with mock.patch.dict(RULESETS, {ruleset: all_changed(ruleset) for ruleset in RULESETS}):
            assert told(stream) == now, stream

"""A number of the law that gets a second value: streams on either side of its day are judged by their own day's."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
import pytest

from processors.law.check import REGISTRY
from processors.pipeline import TablePipeline
from schemas.rulesets import RULESETS, Rules
from tests.law.harness import all_runs, broken_down, only
from tests.law.record import SUBJECT
from tests.law.script import play
from tests.rulesets.second_values import SECOND, Second
from tests.rulesets.written import CHANGES, EVE, NUMBERS, always, changed, in_force
from tests.sampling import SOAK

Judged = tuple[object, ...]


def judged(check: str, rules: Rules, lines: Sequence[bytes]) -> Judged:
    """All that one check finds under a ruleset, and the rounds as they are made of it."""
    pipeline = TablePipeline(SUBJECT, proofs=False, detect=False)
    with in_force(rules), only({check: REGISTRY[check]}):
        outcomes = [*(pipeline.advance(line) for line in lines), pipeline.finish()]
    findings = [one for outcome in outcomes for one in outcome.findings]
    assert broken_down(findings) == []
    rounds = [one for outcome in outcomes for one in outcome.rounds]
    return tuple(map(msgspec.json.encode, (*findings, *rounds)))


class Script(NamedTuple):
    """A script with the table and the players it is for."""

    steps: tuple[str, ...]
    table: dict[str, Any]
    players: tuple[int, ...]


def scripts(second: Second, ruleset: str) -> Iterator[Script]:
    """The scripts that may show the number: its own, or those of the check's cases."""
    if second.script:
        yield Script(second.script, second.table, ())
        return
    for run in all_runs():
        if run.check == second.check and run.ruleset == ruleset:
            yield Script(run.steps, {**run.table, **second.table}, run.players)


# In every run under one of its rulesets, which are taken in turn.
_CASES = [
    pytest.param(one, ruleset, id=f"{ruleset}-{one.key}", marks=[SOAK] * (place != at % len(one.rulesets)))
    for at, one in enumerate(SECOND)
    for place, ruleset in enumerate(one.rulesets)
]


@pytest.mark.parametrize(("second", "ruleset"), _CASES)
def test_a_stream_is_judged_by_the_numbers_of_its_own_day(second: Second, ruleset: str) -> None:
    day = CHANGES[ruleset]
    now, dated = RULESETS[ruleset], changed(ruleset, second.key, second.value)
    later = always(ruleset, second.key, second.value)
    differs = False
    for steps, table, players in scripts(second, ruleset):
        eve, after = (play(steps, ruleset, table, players, on).lines for on in (day + EVE, day))
        assert judged(second.check, dated, eve) == judged(second.check, now, eve), steps
        held = judged(second.check, dated, after)
        assert held == judged(second.check, later, after), steps
        differs = held != judged(second.check, now, after)
        if differs:
            break
    assert differs, f"no case of {second.check} turns on {second.key}"


def test_every_number_of_every_ruleset_has_a_second_value_here() -> None:
    assert {(ruleset, one.key) for one in SECOND for ruleset in one.rulesets} == set(NUMBERS)

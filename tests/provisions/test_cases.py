"""Every case of every check comes to its verdict, and no check goes without its cases."""

from collections import defaultdict

import pytest

from processors.provisions.cases import Run
from processors.provisions.check import REGISTRY
from tests.provisions.harness import advance, all_runs, complaints, listen, named
from tests.provisions.script import play

RUNS = all_runs()
SHOWN = {clause for run in RUNS if run.verdict in ("breached", "interpretation") for clause in run.cites}


@pytest.mark.parametrize("run", RUNS, ids=named)
def test_a_case_comes_to_its_verdict(run: Run) -> None:
    assert "\n".join(complaints(run, listen(run))) == ""


@pytest.mark.parametrize("check", sorted(REGISTRY))
def test_a_check_has_upheld_and_breached_cases_for_each_ruleset_and_an_indeterminate_one(check: str) -> None:
    seen = {(run.ruleset, run.verdict) for run in RUNS if run.check == check}
    wanted = {
        (ruleset, verdict) for ruleset in REGISTRY[check].provisions for verdict in ("upheld", "breached")
    }
    missing = [f"no {verdict} case under {ruleset}" for ruleset, verdict in sorted(wanted - seen)]
    if "indeterminate" not in {verdict for _, verdict in seen}:
        missing.append("no indeterminate case")
    assert "\n".join(missing) == ""


@pytest.mark.parametrize("check", sorted(REGISTRY))
def test_every_provision_a_check_claims_is_cited_by_a_breached_case(check: str) -> None:
    claimed = {clause for ids in REGISTRY[check].provisions.values() for clause in ids}
    assert sorted(claimed - SHOWN) == []


@pytest.mark.parametrize("check", sorted(REGISTRY))
def test_no_script_however_unlawful_brings_any_check_down(check: str) -> None:
    scripts = {(run.steps, run.ruleset): run for run in RUNS if run.check == check}
    for run in scripts.values():
        advance(play(run.steps, run.ruleset, run.table, run.players, run.day).lines)


def test_every_limit_has_a_case_on_each_side() -> None:
    sides: dict[tuple[str, str], set[str]] = defaultdict(set)
    for run in RUNS:
        if run.case.limit:
            sides[run.check, run.case.limit].add(run.verdict)
    one_sided = {limit: found for limit, found in sides.items() if not {"upheld", "breached"} <= found}
    assert one_sided == {}

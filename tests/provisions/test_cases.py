"""Every case of every check comes to its verdict, and no check goes without its cases."""

from collections import defaultdict

import pytest

from processors.provisions.cases import Run
from processors.provisions.check import REGISTRY
from tests.provisions.harness import all_runs, complaints, listen, named

RUNS = all_runs()


@pytest.mark.parametrize("run", RUNS, ids=named)
def test_a_case_comes_to_its_verdict(run: Run) -> None:
    assert complaints(run, listen(run)) == []


def test_every_check_has_upheld_and_breached_cases_for_each_ruleset_and_one_indeterminate() -> None:
    seen = {(run.check, run.ruleset, run.verdict) for run in RUNS}
    seen_anywhere = {(run.check, run.verdict) for run in RUNS}
    missing = [
        f"{check.id}: no {verdict} case for {ruleset}"
        for check in REGISTRY.values()
        for ruleset in check.provisions
        for verdict in ("upheld", "breached")
        if (check.id, ruleset, verdict) not in seen
    ]
    missing += [
        f"{check}: no indeterminate case"
        for check in REGISTRY
        if (check, "indeterminate") not in seen_anywhere
    ]
    assert missing == []


def test_every_limit_has_a_case_on_each_side() -> None:
    sides: dict[tuple[str, str], set[str]] = defaultdict(set)
    for run in RUNS:
        if run.case.limit:
            sides[run.check, run.case.limit].add(run.verdict)
    one_sided = {limit: found for limit, found in sides.items() if not {"upheld", "breached"} <= found}
    assert one_sided == {}


def test_every_provision_a_check_claims_is_cited_by_a_breached_case() -> None:
    claimed = {clause for check in REGISTRY.values() for ids in check.provisions.values() for clause in ids}
    shown = {clause for run in RUNS if run.verdict in ("breached", "interpretation") for clause in run.cites}
    assert sorted(claimed - shown) == []

"""Every case of every check comes to its verdict, and no check goes without its cases."""

from collections import defaultdict
from pathlib import Path

import pytest

from processors.law.check import REGISTRY
from tests.law.harness import FILES, all_runs, complaints, lacks, listen, named, runs_in


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_each_case_comes_to_its_verdict(path: Path) -> None:
    """One test for the cases of a file, which names those that do not: a test for each costs more than the case."""
    assert runs_in(path)
    wrong = [f"{named(run)}: {words}" for run in runs_in(path) for words in complaints(run, listen(run))]
    assert "\n".join(wrong) == ""


def test_no_check_lacks_a_case() -> None:
    """Upheld and breached under each ruleset, an indeterminate one, every clause it claims cited by a breach."""
    assert "\n".join(one for check in sorted(REGISTRY) for one in lacks(check, all_runs())) == ""


def test_every_limit_has_a_case_on_each_side() -> None:
    sides: dict[tuple[str, str], set[str]] = defaultdict(set)
    for run in all_runs():
        if run.case.limit:
            sides[run.check, run.case.limit].add(run.verdict)
    one_sided = {limit: found for limit, found in sides.items() if not {"upheld", "breached"} <= found}
    assert one_sided == {}

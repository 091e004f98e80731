"""What docs/patterns.md says stands beside tests that there are, and the promise of every family beside its proof."""

import re
from fnmatch import fnmatch

from dashboards.suspicions.evidence import COUNTED
from processors.detectors import families as _registered  # noqa: F401 - importing registers every family
from processors.detectors.family import FAMILIES, LEVEL
from schemas.amounts import amount
from tests.architecture.tracked import ROOT
from tests.documents.held import faults_of, rows_of, section

PAGE = (ROOT / "docs" / "patterns.md").read_text("utf-8")
HELD = section("patterns.md", "## What holds this page")
ROWS = rows_of(HELD)


def test_each_row_names_tests_that_there_are() -> None:
    assert len(ROWS) == HELD.count("\n| ") - 2
    assert [fault for held in ROWS.values() for fault in faults_of(held)] == []


def test_every_family_has_a_proof_of_its_promise() -> None:
    promised = [name for said in ROWS if said.startswith("`") for name in re.findall(r"`(\w+)`", said)]
    assert sorted(name for name in promised if name in FAMILIES) == sorted(FAMILIES)


def test_the_page_adds_up_the_levels_of_all_families() -> None:
    of_table = f"{len(FAMILIES) * LEVEL:g} for each table in all its time ({len(FAMILIES)} families)"
    assert of_table in PAGE
    assert f"reaches {1 / LEVEL:,.0f} on at most one table's stream in {1 / LEVEL:,.0f}" in PAGE


def test_the_page_names_each_check_whose_evidence_counts_something_else_than_rounds() -> None:
    said = PAGE.partition("counts something else: ")[2].partition(". ")[0].replace("\n", " ")
    nouns = {
        name: noun
        for noun, names in re.findall(r"([a-z ]+?) \(([^)]+)\)", said)
        for name in re.findall(r"`(.+?)`", names)
    }
    told = {one: {noun.strip() for name, noun in nouns.items() if fnmatch(one, name)} for one in COUNTED}
    assert told == {one: {amount(2, noun).removeprefix("2 ")} for one, noun in COUNTED.items()}
    assert [name for name in nouns if not any(fnmatch(one, name) for one in COUNTED)] == []
    checks = {f"{family.name}.{variant}" for family in FAMILIES.values() for variant in family.variants}
    assert checks | FAMILIES.keys() >= COUNTED.keys()

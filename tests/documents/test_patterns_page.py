"""What docs/patterns.md says stands beside tests that there are, and the promise of every family beside its proof."""

import re
from fnmatch import fnmatch

from dashboards.suspicions.evidence import COUNTED
from processors.detectors import families as _registered  # noqa: F401 - importing registers every family
from processors.detectors.family import FAMILIES
from tests.architecture.tracked import ROOT

PAGE = (ROOT / "docs" / "patterns.md").read_text("utf-8")
HELD = PAGE.partition("## What holds this page")[2].partition("\n## ")[0]
ROWS = re.findall(r"^\| (?!said|family|-)(.+?) \| (`.+`) \|$", HELD, re.MULTILINE)


def test_each_row_names_tests_that_there_are() -> None:
    assert len(ROWS) == HELD.count("\n| ") - 2
    for said, held in ROWS:
        named = re.findall(r"`([\w/]+\.py)::(\w+)`", held)
        assert len(named) == held.count("`") // 2, said
        for path, name in named:
            assert f"def {name}(" in (ROOT / "tests" / path).read_text("utf-8"), f"{path}::{name}"


def test_every_family_has_a_proof_of_its_promise() -> None:
    promised = [name for said, _ in ROWS if said.startswith("`") for name in re.findall(r"`(\w+)`", said)]
    assert sorted(name for name in promised if name in FAMILIES) == sorted(FAMILIES)


def test_the_page_names_each_check_whose_evidence_counts_something_else_than_rounds() -> None:
    said = PAGE.partition("counts something else: ")[2].partition(". ")[0].replace("\n", " ")
    nouns = {
        name: noun
        for noun, names in re.findall(r"([a-z ]+?) \(([^)]+)\)", said)
        for name in re.findall(r"`(.+?)`", names)
    }
    told = {one: {noun.strip() for name, noun in nouns.items() if fnmatch(one, name)} for one in COUNTED}
    assert told == {one: {noun} for one, noun in COUNTED.items()}
    assert [name for name in nouns if not any(fnmatch(one, name) for one in COUNTED)] == []
    checks = {f"{family.name}.{variant}" for family in FAMILIES.values() for variant in family.variants}
    assert checks | FAMILIES.keys() >= COUNTED.keys()

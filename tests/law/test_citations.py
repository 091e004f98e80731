"""The citations: every provision has one role, every decided role leads to its duty, and bad rows are refused."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from deploy.audit.explanations import declarations
from deploy.cli.main import main
from processors.law import duties as _registered  # noqa: F401 - importing registers every check
from processors.law.check import REGISTRY
from processors.law.citations import CITATIONS, ROLES, BadCitation, cite, read_citations
from schemas.check_names import FORMER
from schemas.provisions import PROVISIONS
from tests.architecture.tracked import ROOT, tracked_files

TEXT = (ROOT / "processors" / "law" / "citations.csv").read_text("utf-8")
SOURCES = {
    path: path.read_text("utf-8")
    for path in (ROOT / "processors" / "law" / "duties").rglob("*.py")
}  # fmt: skip


def test_each_provision_stands_in_the_citations_once() -> None:
    stand = Counter(clause for role in CITATIONS.values() for ids in role.cites.values() for clause in ids)
    assert stand == Counter(list(PROVISIONS))
    assert set(ROLES) == set(PROVISIONS)


@pytest.mark.parametrize("subject", sorted({check.partition(".")[0] for check in REGISTRY}))
def test_a_search_for_a_decided_provision_leads_from_its_row_to_a_duty(subject: str) -> None:
    declared = declarations()
    lost = []
    for clause in PROVISIONS:
        role = ROLES[clause]
        if clause in declared or not role.startswith(f"{subject}."):
            continue
        row = next(
            line
            for line in TEXT.splitlines()
            if re.search(rf"(?<![^,\s]){re.escape(clause)}(?![^,\s])", line)
        )
        assert row.startswith(f"{role},")
        if not any(f'"{role}"' in source for source in SOURCES.values()):
            lost.append(f"{clause}: {role}")
    assert lost == []


@pytest.mark.parametrize("check", sorted(REGISTRY))
def test_a_check_stands_in_the_folder_its_id_begins_with(check: str) -> None:
    entry = REGISTRY[check]
    assert entry.function.__module__.split(".")[3] == check.partition(".")[0]
    assert entry.doc


def test_no_other_source_writes_a_provisions_id_down() -> None:
    """Whole ids of the register; prose of a docstring may name a paragraph that is no provision by itself."""
    ids = {clause for clause in PROVISIONS if "#" in clause or ":" in clause or "(" in clause}
    word = re.compile(r"""["'](\d{3}a?\.\d+[^"'\s]*)["']""")
    found = [
        f"{path}: {clause}"
        for path in (whole.relative_to(ROOT) for whole in tracked_files())
        if path.suffix in (".py", ".toml")
        and path.parts[0] in ("processors", "schemas", "dashboards", "deploy")
        for clause in word.findall((ROOT / path).read_text("utf-8"))
        if clause in ids
    ]
    assert found == []


def _with(row: str) -> str:
    return TEXT + row + "\n"


FIRST = "role,free_bet_590,free_bet_672a,down_under_685a,fortune_670a10,manual_shoe_657a8,duty\n"
LAST = TEXT.count("\n") + 1


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (
            _with("deal.new,590.99(a),,,,,x"),
            f"citations.csv:{LAST}: 590.99(a) is no provision; see schemas/provisions",
        ),
        (
            _with("deal.new,,590.7(s),,,,x"),
            f"citations.csv:{LAST}: 590.7(s) is a provision of free_bet_590; not of",
        ),
        (_with("deal.new,590.7(s),,,,,x"), f"citations.csv:{LAST}: 590.7(s) stands in row"),
        (_with("deal.order,,,,,,x").replace("deal.clockwise,", "deal.order,"), "deal.order stands in row"),
        (FIRST, "has no role; add its row, or put it into one"),
        (FIRST.replace("free_bet_590", "free_bet_591"), "citations.csv:1: the columns are free_bet_591"),
    ],
)
def test_a_row_that_cannot_be_is_refused_with_its_place_and_the_remedy(text: str, says: str) -> None:
    with pytest.raises(BadCitation, match=re.escape(says)):
        read_citations(text)


def test_roles_cite_in_their_order_once_each_and_what_a_ruleset_lacks_is_left_out() -> None:
    assert cite("down_under_685a", ("rack.order_after_settling", "added_stakes.free_double")) == (
        "685a.7(s)",
    )
    assert cite("free_bet_672a", ("deal.second_pass", "deal.first_pass", "deal.second_pass")) == (
        "672a.7(e)(3)",
        "672a.7(e)(1)",
    )
    with pytest.raises(KeyError, match=r"deal\.nothing"):
        cite("free_bet_672a", ("deal.nothing",))


def test_a_former_id_leads_to_the_check_that_has_another_now(capsys: pytest.CaptureFixture[str]) -> None:
    assert set(FORMER) <= set(REGISTRY)
    assert not set(FORMER.values()) & set(REGISTRY)
    assert main(["explain", "masque.shown", "--format", "json"]) == 0
    assert json.loads(capsys.readouterr().out)["check"] == "reader.masque_shown"

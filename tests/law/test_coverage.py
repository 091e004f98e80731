"""`catwalk coverage`: every provision once, with what decides it, and declarations that cannot be refused."""

from __future__ import annotations

import json
import re
from typing import get_args

import pytest

from deploy.audit.explanations import declarations
from deploy.cli.main import main
from processors.law.check import REGISTRY
from processors.law.coverage import BadDeclaration, Status, coverage, idle, read_declarations
from schemas.provisions import PROVISIONS

DEFINITION = '[[definition]]\nroles = ["deal.hole_card"]\nreason = "r"\nused_by = ["deal.order"]\n'


def _json(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, object]]:
    main(["coverage", "--format", "json", *arguments])
    rows: list[dict[str, object]] = json.loads(capsys.readouterr().out)
    return rows


def test_each_provision_has_one_row_in_the_order_of_the_register(capsys: pytest.CaptureFixture[str]) -> None:
    rows = _json(capsys)
    assert [row["provision_id"] for row in rows] == list(PROVISIONS)
    assert {row["status"] for row in rows} <= set(get_args(Status))
    assert all(row["reason"] for row in rows)


def test_what_a_check_claims_is_decided_by_it_and_by_all_that_claim_it() -> None:
    rows = {row.provision_id: row for row in coverage(REGISTRY, declarations())}
    for check in REGISTRY.values():
        for clause in (clause for ids in check.provisions.values() for clause in ids):
            assert check.id in rows[clause].by
            assert rows[clause].status in ("check", "configuration", "attestation")
    assert rows["672a.7(n)(1)#1"].by == ("settlement.complete", "settlement.stake")


def test_an_open_provision_ends_the_command_with_status_one(capsys: pytest.CaptureFixture[str]) -> None:
    open_ = [row for row in coverage(REGISTRY, declarations()) if row.status == "open"]
    assert main(["coverage"]) == (1 if open_ else 0)
    told = capsys.readouterr()
    assert re.search(r"^662 provisions: ", told.err, re.M)
    assert (f"{len(open_)} open" in told.err) == bool(open_)
    assert told.out.count("\n") == len(PROVISIONS) + 1


def test_a_ruleset_and_a_status_can_be_picked(capsys: pytest.CaptureFixture[str]) -> None:
    rows = _json(capsys, "--ruleset", "free_bet_672a", "--status", "definition")
    assert {row["ruleset"] for row in rows} == {"free_bet_672a"}
    assert {row["status"] for row in rows} == {"definition"}
    assert all(row["by"] for row in rows)
    assert main(["coverage", "--ruleset", "baccarat"]) == 2


def test_declarations_of_the_package_are_true() -> None:
    assert idle(REGISTRY, declarations()) == []


def test_a_declaration_that_became_idle_is_told() -> None:
    decided = DEFINITION.replace("deal.hole_card", "rack.order_after_settling")
    assert "rack.order" in idle(REGISTRY, read_declarations({"d": decided}))[0]
    unused = DEFINITION.replace("deal.order", "deal.nothing")
    assert idle(REGISTRY, read_declarations({"d": unused})) == [
        "590.1:hole_card: no check of free_bet_590 is called deal.nothing",
        "672a.1:hole_card: no check of free_bet_672a is called deal.nothing",
        "685a.1:hole_card: no check of down_under_685a is called deal.nothing",
    ]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (DEFINITION.replace("hole_card", "hole"), "d: there is no role deal.hole; see citations.csv"),
        (DEFINITION + DEFINITION, "d: deal.hole_card is declared twice"),
        (DEFINITION.replace('used_by = ["deal.order"]', ""), "names no check that uses it"),
        (DEFINITION.replace("definition", "not_observable"), "names no sensor that would show it"),
        (DEFINITION + "why = 1\n", "unknown field `why`"),
        ("[[definition]", "d: "),
    ],
)
def test_a_declaration_that_cannot_be_is_refused(text: str, says: str) -> None:
    with pytest.raises(BadDeclaration, match=re.escape(says)):
        read_declarations({"d": text})


def test_a_role_is_declared_for_each_chapter_that_has_it() -> None:
    found = read_declarations({"d": DEFINITION.replace("deal.hole_card", "deal.soft_total")})
    assert sorted(found) == ["590.1:soft_total", "672a.1:soft_total", "685a.1:soft_value"]

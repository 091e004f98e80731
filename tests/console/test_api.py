"""The interface for programs: it says what the pages say, to whom they say it, and each look is kept."""

import re
from collections.abc import Callable, Iterator
from types import UnionType
from typing import Any, get_args

import pytest

from dashboards.ledger.acts import Withheld
from dashboards.ledger.case_acts import CaseAct
from dashboards.ledger.dispute_acts import DisputeAct
from dashboards.revenue.books import statement
from dashboards.revenue.wanted import WantedRevenue
from dashboards.server.sections import HANDLERS
from dashboards.web.console import Console
from processors.runtime.store.warehouse import Warehouse
from tests.console.books import store_of
from tests.console.conftest import Browser
from tests.console.test_revenue import DAY

SignedIn = Callable[[str], Browser]
PATHS = (
    "/api/tables", "/api/tables/{subject}", "/api/revenue", "/api/revenue/hands", "/api/log", "/api/log/proof",
    "/api/status",
)  # fmt: skip


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Warehouse]:
    with store_of(tmp_path_factory.mktemp("api")) as held:
        yield held


def test_every_route_says_in_its_schema_what_it_returns(signed_in: SignedIn) -> None:
    schema = signed_in("otto").get("/api/schema/openapi.json").json()
    for path in PATHS:
        route = schema["paths"][path]["get"]
        content = route["responses"]["200"]["content"]["application/json"]["schema"]
        assert "$ref" in content or "$ref" in content.get("items", {}), path


def test_every_route_for_programs_is_told_with_what_it_answers(signed_in: SignedIn) -> None:
    schema = signed_in("otto").get("/api/schema/openapi.json").json()
    routes = {
        re.sub(r":\w+}", "}", path)
        for one in HANDLERS
        for path in getattr(one, "paths", ())
        if "/api/" in path
    }
    assert len(routes) > 30
    for path in routes:
        for method, route in schema["paths"][path].items():
            assert route["description"], path
            answers = route["responses"]
            done = {"409", "422", "404"} if method == "post" else {"404"} if "{" in path else set[str]()
            assert {"400", "401", "403", "503"} | done <= answers.keys(), (method, path)
            assert any(status.startswith("2") for status in answers), path
            assert all(answer["description"] for answer in answers.values()), path


@pytest.mark.parametrize(("named", "acts"), [("case", CaseAct), ("dispute", DisputeAct)])
def test_the_schema_says_which_acts_a_case_and_a_dispute_have(
    signed_in: SignedIn, named: str, acts: UnionType
) -> None:
    schema = signed_in("otto").get("/api/schema/openapi.json").json()

    def told(node: dict[str, Any], *names: str) -> dict[str, Any]:
        while "$ref" in node:
            node = schema["components"]["schemas"][node["$ref"].rpartition("/")[2]]
        return told(node[names[0]], *names[1:]) if names else node

    route = schema["paths"][f"/api/{named}s/{{{named}}}"]["get"]["responses"]["200"]["content"]
    history = told(route["application/json"]["schema"], "properties", named, "properties", "history")
    assert len(told(history, "items", "properties", "act", "oneOf")) == len(get_args(acts))


def test_the_statement_is_that_of_the_page(signed_in: SignedIn, store: Warehouse) -> None:
    told = signed_in("rex").get("/api/revenue?day=2026-03-02").json()
    made = statement(store, WantedRevenue(day=DAY))
    assert [line["key"] for line in told["lines"]] == [line.key for line in made.lines]
    assert told["total"]["win"] == made.total.figures.win_cents
    assert (told["from"], told["to"], told["period"]) == ("2026-03-02", "2026-03-02", "day")
    rounds = signed_in("rex").get("/api/revenue/hands?day=2026-03-02&of=win").json()
    assert (
        sum(one["win_cents"] for one in rounds["rounds"]) == rounds["value"] == made.total.figures.win_cents
    )
    assert rounds["total"] == made.total.figures.rounds


@pytest.mark.parametrize(
    "path", ["/api/revenue?day=moon", "/api/revenue?by=moon", "/api/revenue/hands?of=drop", "/api/revenue/hands?kind=x",
             "/api/log?day=moon"],
)  # fmt: skip
def test_what_cannot_be_read_of_an_address_is_refused_and_not_left_out(
    path: str, signed_in: SignedIn
) -> None:
    assert signed_in("otto").get(path).status_code == 400


def test_a_shoe_is_told_by_rank_to_who_may_know_it_and_by_count_to_others(signed_in: SignedIn) -> None:
    hale, otto = (signed_in(user).get("/api/tables/FB-12").json()["shoe"] for user in ("hale", "otto"))
    assert hale["over"] is otto["over"] is False
    assert hale["cards"] is None
    assert len(otto["cards"]) == 52
    assert {name: hale[name] for name in ("shoe", "table", "discard", "batch_cards")} == {
        name: otto[name] for name in ("shoe", "table", "discard", "batch_cards")
    }
    assert sum(card["expected"] for card in otto["cards"]) == otto["batch_cards"]


def test_what_is_withheld_is_in_no_answer(signed_in: SignedIn, console: Console) -> None:
    otto = signed_in("otto")
    assert otto.get("/api/tables/DU-2").status_code == 200
    console.desk.note(
        Withheld(user="otto", kind="table", value="DU-2", reason="his brother deals there"), "ann"
    )
    assert otto.get("/api/tables/DU-2").status_code == otto.get("/api/tables/NO-1").status_code == 404
    for path in (
        "/api/tables",
        "/api/revenue?day=2026-03-02",
        "/api/revenue/hands?day=2026-03-02",
        "/api/status",
    ):
        assert "DU-2" not in otto.get(path).text, path


def test_the_log_is_read_by_the_page_and_its_proof_is_kept(signed_in: SignedIn, console: Console) -> None:
    otto = signed_in("otto")
    found = otto.get("/api/log?who=otto").json()
    assert {row["entry"]["actor"] for row in found["rows"]} == {"otto"}
    proven = otto.get("/api/log/proof").json()
    assert (proven["first"], proven["bad"]) == (1, None)
    assert console.desk.last_proof is not None
    assert console.desk.last_proof.by == "otto"

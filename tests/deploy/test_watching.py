"""Alert rules, boards and runbooks: expressions parse, series exist, and every alert says what to do."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from yamllint import linter
from yamllint.config import YamlLintConfig

from deploy.cli.main import COMMANDS
from schemas.topics import TOPICS
from tests.deploy.files import DEPLOY, ROOT, YAML, documents, metric_names, words_of_commands, worker_series

LINT = YamlLintConfig(
    "{extends: default, rules: {line-length: {max: 120}, document-start: disable,"
    " braces: {max-spaces-inside: 1}, brackets: {max-spaces-inside: 1}}}"
)
[RULES] = documents(DEPLOY / "prometheus" / "rules.yml")
ALL_RULES: list[dict[str, Any]] = [rule for group in RULES["groups"] for rule in group["rules"]]
ALERTS = [rule for rule in ALL_RULES if "alert" in rule]
RECORDED = {rule["record"] for rule in ALL_RULES if "record" in rule}
BOARD = json.loads((DEPLOY / "grafana" / "workers.json").read_text(encoding="utf-8"))
RUNBOOKS = sorted((DEPLOY / "runbooks").glob("*.md"))


@pytest.mark.parametrize("path", YAML, ids=lambda path: path.relative_to(DEPLOY).as_posix())
def test_yaml_is_well_formed_and_well_written(path: Any) -> None:
    assert [str(p) for p in linter.run(path.read_text(encoding="utf-8"), LINT)] == []


def test_series_of_rules_and_boards_are_those_that_workers_show() -> None:
    known = worker_series() | RECORDED | {"up"}
    expressions = [rule["expr"] for rule in ALL_RULES]
    expressions += [target["expr"] for panel in BOARD["panels"] for target in panel["targets"]]
    used = set().union(*map(metric_names, expressions))
    assert used - known == set()
    assert len(used) > 12
    never = {
        "catwalk_records_total",
        "catwalk_lag_records",
        "catwalk_dead_letters_total",
        "catwalk_ready",
    } - used
    assert never == set()


def test_a_wrong_expression_or_series_would_be_noticed() -> None:
    with pytest.raises(ValueError, match=r"parse|unexpected|unclosed"):
        metric_names("sum(rate(catwalk_events_total[5m])")
    assert metric_names('sum by (worker) (rate(catwalk_gone_total{a="up"}[5m]))') == {"catwalk_gone_total"}
    assert "catwalk_gone_total" not in worker_series()


def test_every_alert_says_how_urgent_what_is_wrong_and_which_runbook() -> None:
    names = [alert["alert"] for alert in ALERTS]
    assert len(set(names)) == len(names)
    for alert in ALERTS:
        assert set(alert) <= {"alert", "expr", "for", "labels", "annotations"}, alert["alert"]
        assert alert["labels"]["severity"] in ("page", "ticket"), alert["alert"]
        assert alert["annotations"]["summary"].endswith("."), alert["alert"]
        assert (ROOT / alert["annotations"]["runbook"]).is_file(), alert["alert"]
        assert re.fullmatch(r"\d+[smh]", alert.get("for", "1m")), alert["alert"]


def test_panels_of_the_board_have_a_title_a_unit_and_a_place_of_their_own() -> None:
    panels = BOARD["panels"]
    assert len({panel["id"] for panel in panels}) == len({panel["title"] for panel in panels}) == len(panels)
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        assert panel["fieldConfig"]["defaults"]["unit"], panel["title"]
        place = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(place["x"], place["x"] + place["w"])
            for y in range(place["y"], place["y"] + place["h"])
        }
        assert not cells & taken, panel["title"]
        assert place["x"] + place["w"] <= 24, panel["title"]
        taken |= cells


@pytest.mark.parametrize("path", RUNBOOKS, ids=lambda path: path.stem)
def test_a_runbook_says_what_is_safe_and_names_commands_and_topics_that_exist(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    if path.stem != "README":
        assert "**Safe:**" in text
        assert "**Not safe:**" in text
    commands = set(words_of_commands(text))
    assert commands
    assert commands <= COMMANDS.keys()
    assert set(re.findall(r"`(catwalk\.\w+)`", text)) <= {topic.name for topic in TOPICS}
    for link in re.findall(r"\]\(([\w-]+\.md)\)", text):
        assert (path.parent / link).is_file(), link


def test_every_runbook_is_in_the_overview() -> None:
    overview = (DEPLOY / "runbooks" / "README.md").read_text(encoding="utf-8")
    assert [p.name for p in RUNBOOKS if p.stem != "README" and f"({p.name})" not in overview] == []

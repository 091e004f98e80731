"""Every number that a ruleset's file holds is read by the pipeline; one that nothing reads governs nothing."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from typing import Any
from unittest import mock

import msgspec

from processors.pipeline import TablePipeline
from schemas.rulesets import RULESETS, Rules
from schemas.rulesets.numbers import FAMILIES, Numbers
from tests.law.script import play
from tests.pipeline.streams import EXAMPLES, lines_of
from tests.rulesets.second_values import SECOND
from tests.rulesets.test_second_values import scripts
from tests.rulesets.written import CHANGES, NUMBERS


def recording(rules: Rules, read: set[str]) -> Rules:
    """The ruleset with numbers that note their names when they are read."""

    def note(self: Numbers, name: str) -> Any:
        read.add(name)
        return object.__getattribute__(self, name)

    noted: Any = msgspec.defstruct(
        "Noted",
        (),
        bases=(FAMILIES[rules.family],),
        namespace={"__getattribute__": note},
        frozen=True,
        kw_only=True,
    )
    eras = tuple(
        era._replace(numbers=msgspec.convert(msgspec.to_builtins(era.numbers), noted)) for era in rules.eras
    )
    read.clear()
    return msgspec.structs.replace(rules, eras=eras)


def replay(lines: Iterable[bytes]) -> None:
    pipeline: TablePipeline | None = None
    for line in lines:
        pipeline = pipeline or TablePipeline(json.loads(line)["subject"], proofs=False, detect=False)
        pipeline.advance(line)


def test_every_number_of_every_ruleset_is_read() -> None:
    read: defaultdict[str, set[str]] = defaultdict(set)
    noted = {name: recording(rules, read[name]) for name, rules in RULESETS.items()}
    with mock.patch.dict(RULESETS, noted):
        for path in sorted(EXAMPLES.glob("*.ndjson")):
            replay(lines_of(path.stem))
        for second in SECOND:
            for ruleset in second.rulesets if second.table or second.key == "reopens_idle_table" else ():
                script = next(scripts(second, ruleset))
                replay(play(script.steps, ruleset, script.table, script.players, CHANGES[ruleset]).lines)
    assert [(ruleset, key) for ruleset, key in NUMBERS if key not in read[ruleset]] == []

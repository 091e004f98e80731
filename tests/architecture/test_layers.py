"""The direction of dependency, and the purity of everything below the runtime."""

from pathlib import Path

import pytest

from tests.architecture.imports import Excepted, violations

ROOT = Path(__file__).resolve().parents[2]

PLANTED = {
    "a schema that imports a processor": ("schemas/a.py", "import processors.core.state", "processors.core"),
    "a producer that imports a processor": ("producers/a.py", "from processors.games import x", "producers"),
    "a simulator that imports rules": (
        "producers/simulator/a.py",
        "from processors import games",
        "producers",
    ),
    "a core that imports games": ("processors/core/a.py", "from processors.games.x import y", "games"),
    "a game that imports the law": ("processors/games/a.py", "import processors.law", "law"),
    "a duty that imports a detector": (
        "processors/law/a.py",
        "import processors.detectors",
        "detect",
    ),
    "a duty that imports the rack": ("processors/law/a.py", "import processors.rack.x", "rack"),
    "a duty that asks a device": (
        "processors/law/duties/rack/a.py",
        "from processors.core.devices import silence",
        "let the state",
    ),
    "a duty that knows a witness": (
        "processors/law/duties/rack/a.py",
        "from processors.core.witnesses import Witness",
        "let the state",
    ),
    "a duty that rehears": (
        "processors/law/duties/a.py",
        "import processors.law.rehear.waiting",
        "let the state",
    ),
    "a duty that waits": (
        "processors/law/duties/a.py",
        "from processors.law import finding",
        "let the state",
    ),
    "a rack that imports the law": ("processors/rack/a.py", "from processors import law", "law"),
    "a rack that imports a duty": ("processors/rack/a.py", "import processors.law.duties.rack", "law"),
    "citations that import a check": ("processors/law/citations/a.py", "import processors.law.check", "law"),
    "a detector that imports the rack": ("processors/detectors/a.py", "import processors.rack", "rack"),
    "play that imports a detector": ("processors/play/a.py", "import processors.detectors", "detect"),
    "play that imports the law": ("processors/play/a.py", "import processors.law", "law"),
    "a pipeline that imports the runtime": (
        "processors/pipeline/a.py",
        "import processors.runtime",
        "runtime",
    ),
    "a dashboard that imports the law": ("dashboards/a.py", "import processors.law", "law"),
    "a dashboard that imports a producer": ("dashboards/a.py", "import producers.x", "producers"),
    "a room that imports the command line": ("deploy/a.py", "import deploy.cli.main", "deploy.cli"),
    "a processor of no layer": ("processors/odd.py", "import schemas", "no layer"),
    "a relative import upwards": ("processors/core/a.py", "from ..games import blackjack", "games"),
    "a relative import in a package": ("processors/core/__init__.py", "from ..rack import solve", "rack"),
    "an import inside a function": ("schemas/a.py", "\ndef f():\n    import deploy.cli", "deploy"),
    "kafka outside the producers": ("deploy/a.py", "from kafka import KafkaProducer", "only producers"),
    "faust outside the runtime": ("processors/core/a.py", "import faust", "only processors.runtime"),
    "aiokafka in a producer": ("producers/a.py", "import aiokafka", "only processors.runtime"),
    "aiokafka in the command line": ("deploy/cli/a.py", "from aiokafka import x", "only processors.runtime"),
    "clickhouse in the command line": ("deploy/cli/a.py", "import clickhouse_driver", "dashboards.reader"),
    "clickhouse in a view": ("dashboards/views/a.py", "import clickhouse_driver", "dashboards.reader"),
    "production code that imports tests": ("deploy/a.py", "from tests.x import y", "tests"),
    "a clock in the core": ("processors/core/a.py", "from time import monotonic", "event's own time"),
    "now in the core": (
        "processors/core/a.py",
        "import datetime as dt\ndt.datetime.now()",
        "event's own time",
    ),
    "today in a check": (
        "processors/law/a.py",
        "from datetime import date\ndate.today()",
        "gaming day",
    ),
    "chance in a detector": ("processors/detectors/a.py", "import random", "numbers as an argument"),
    "the environment in a schema": ("schemas/a.py", "import os\nos.environ", "settings are read in deploy"),
    "an open file in a game": ("processors/games/a.py", "open('x')", "pass bytes"),
    "a path read in the pipeline": ("processors/pipeline.py", "from pathlib import Path", "pass bytes"),
    "a log line in the pipeline": ("processors/pipeline.py", "import logging", "runtime logs"),
    "a socket in the rack": ("processors/rack/a.py", "import socket", "network"),
    "a random id in a finding": ("schemas/a.py", "import uuid\nuuid.uuid4()", "derive ids"),
    "a hidden import": ("processors/games/a.py", "import importlib\nimportlib.import_module(x)", "by name"),
}

ALLOWED = {
    "processors/runtime/a.py": "import time, os, aiokafka, faust, clickhouse_driver\nimport processors.pipeline",
    "processors/pipeline.py": "import processors.core, processors.law, processors.rack",
    "processors/law/a.py": "import datetime as dt\nfrom processors.games import x\nfrom . import b",
    "producers/kafka_log.py": "import kafka, schemas, random\nfrom producers import x",
    "dashboards/reader/a.py": "import clickhouse_driver, time\nimport processors.games",
    "deploy/a.py": "import dashboards, producers, processors.runtime, benchmarks",
}


def _plant(root: Path, path: str, text: str) -> None:
    target = root / path
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(text, encoding="utf-8")


def test_every_import_keeps_to_its_layer_and_the_pure_layers_stay_pure() -> None:
    assert "\n".join(str(violation) for violation in violations(ROOT)) == ""


@pytest.mark.parametrize("case", PLANTED)
def test_a_planted_violation_is_named_with_file_line_and_fix(case: str, tmp_path: Path) -> None:
    path, text, word = PLANTED[case]
    _plant(tmp_path, path, text)
    found = [str(violation) for violation in violations(tmp_path, exceptions=())]
    assert found, case
    lines = range(1, text.count("\n") + 2)
    assert any(f.startswith(tuple(f"{path}:{line}: " for line in lines)) and word in f for f in found), found


def test_what_the_rules_allow_is_not_reported(tmp_path: Path) -> None:
    for path, text in ALLOWED.items():
        _plant(tmp_path, path, text)
    assert violations(tmp_path, exceptions=()) == []


def test_an_exception_forgives_its_module_alone_and_must_be_needed(tmp_path: Path) -> None:
    _plant(tmp_path, "schemas/rules.py", "import os")
    excepted = Excepted("schemas.rules", "os", "planted")
    assert violations(tmp_path, (excepted,)) == []
    _plant(tmp_path, "schemas/other.py", "import os")
    found = [str(v) for v in violations(tmp_path, (excepted,))]
    assert [f.partition("; ")[0] for f in found] == ["schemas/other.py:1: schemas.other touches os"]
    _plant(tmp_path, "schemas/rules.py", "")
    assert "no longer touches os" in str(violations(tmp_path, (excepted,))[-1])

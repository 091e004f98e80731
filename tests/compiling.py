"""Of a fresh clone each worker compiles a share of the test modules, which the others find compiled."""

from __future__ import annotations

import importlib
import sys
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest


def import_share(config: pytest.Config) -> None:
    """Import the worker's share of the modules that are asked for, before it collects all of them.

    All workers collect the same modules in the same order. In a fresh clone none of them is compiled, and each worker
    would compile each: pytest rewrites every assertion, which takes longer than all else that collection does.
    """
    given = cast(dict[str, int | str] | None, getattr(config, "workerinput", None))
    if given is None or sys.dont_write_bytecode:
        return
    number, count = int(str(given["workerid"]).removeprefix("gw")), int(given["workercount"])
    for path in _modules(config)[number::count]:
        # Collection imports what is wrong again, and says what.
        with suppress(Exception, pytest.skip.Exception):
            importlib.import_module(".".join(path.relative_to(config.rootpath).with_suffix("").parts))


def _modules(config: pytest.Config) -> list[Path]:
    """The test modules in what was asked for, less folders that are not read."""
    found: set[Path] = set()
    for asked in config.args:
        path = (config.invocation_params.dir / asked.partition("::")[0]).resolve()
        found.update(path.rglob("test_*.py") if path.is_dir() else [path])
    return sorted(
        path
        for path in found
        if path.is_file()
        and not config.hook.pytest_ignore_collect(collection_path=path.parent, config=config)
    )

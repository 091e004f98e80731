"""The order in which modules are handed to the workers: long ones first, those that wait among those that compute."""

from __future__ import annotations

from collections import defaultdict
from functools import cache

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadScopeScheduling

from tests.gate.record import seconds_by_module
from tests.gate.telling import module_of

WAITING = (
    "browser",
    "commands",
    "live",
)  # folders whose tests wait for processes and servers most of the time
SHORT = 2  # seconds that are supposed of a module whose time nobody knows
BROWSERS = 3  # modules of the browser tests go together, for a Chromium is started for each turn at them
TOGETHER = ("architecture/",)  # folders whose modules share what one worker reads


@cache
def _seconds() -> dict[str, float]:
    return seconds_by_module()


@cache
def turn(module: str) -> str:
    """What one worker takes in one turn: a module, a folder, or some modules of those with a browser."""
    if module.startswith(TOGETHER):
        return module.partition("/")[0]
    if not module.startswith("browser/"):
        return module
    return f"browser {_browsers().get(module, 0)}"


@cache
def _browsers() -> dict[str, int]:
    """Of each long module with a browser the turn it is part of; turns take about as long as each other."""
    taken = [0.0] * BROWSERS
    found: dict[str, int] = {}
    seconds = _seconds()
    for name in sorted(seconds, key=lambda name: -seconds[name]):
        if name.startswith("browser/"):
            found[name] = taken.index(min(taken))
            taken[found[name]] += seconds[name]
    return found


class Turns(LoadScopeScheduling):  # type: ignore[misc]  # which comes without types
    """Hands out turns in the order the tests are in; a worker takes the next when it is nearly done with one."""

    def __init__(self, config: pytest.Config, log: Producer | None = None) -> None:
        """As pytest-xdist makes it."""
        super().__init__(config, log)
        config.option.loadscopereorder = False

    def _split_scope(self, nodeid: str) -> str:
        return turn(module_of(nodeid))


def arrange(items: list[pytest.Item]) -> None:
    """Put turns in order: of those that wait and of those that compute the same share has begun at any time.

    So workers neither all wait nor all compute, and short turns come last.
    """
    turns: defaultdict[str, dict[str, list[pytest.Item]]] = defaultdict(lambda: defaultdict(list))
    for item in items:
        module = module_of(item.nodeid)
        turns[turn(module)][module].append(item)
    seconds = {
        name: sum(_seconds().get(module, SHORT) for module in modules) for name, modules in turns.items()
    }
    begun: list[tuple[float, str]] = []
    for waits in (True, False):
        names = [name for name in turns if name.startswith(WAITING) is waits]
        whole, gone = sum(seconds[name] for name in names), 0.0
        for name in sorted(names, key=lambda name: -seconds[name]):
            begun.append((gone / whole, name))
            gone += seconds[name]
    order = [name for _, name in sorted(begun, key=lambda one: one[0])]
    items[:] = [item for name in order for module in turns[name].values() for item in module]

"""What every test run has in common: hypothesis runs the same examples each time, unless asked to explore."""

import gc
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from xdist.remote import Producer

from tests.compiling import import_share
from tests.gate.schedule import Turns, arrange
from tests.gate.second_tries import give_second_tries
from tests.gate.telling import Telling, Work, module_of

# No deadline: a shared machine is slow now and then, and a slow example is no wrong one.
settings.register_profile("check", derandomize=True, database=None, deadline=None, max_examples=50)
settings.register_profile("explore", deadline=None, max_examples=500, print_blob=True)
settings.register_profile(
    "soak", deadline=None, max_examples=5000, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "check"))

# Folders whose tests try every place of a stream, every event of a session, or crash after crash.
THOROUGH = ("mutations", "conservation", "simulator", "embedded", "pipeline", "readings", "rack")
SERVED = ("live", "browser")  # folders whose conftest marks each test `live`


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Work())
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(Telling())


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Folders that hold nothing but what is not asked for are not read: a worker takes seconds to import them."""
    asked = config.option.markexpr
    for word, folders in (("not thorough", THOROUGH), ("not live", SERVED)):
        if collection_path.name in folders and word in asked and " or " not in asked:
            return True
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Iterator[None]:
    """What collection leaves stays to the end: the garbage collector need not look through it, then or later."""
    gc.disable()
    try:
        import_share(session.config)
        return (yield)
    finally:
        gc.collect()
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if module_of(item.nodeid).startswith(tuple(f"{folder}/" for folder in THOROUGH)):
            item.add_marker(pytest.mark.thorough)
    give_second_tries(items)
    arrange(items)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Turns:
    """A worker takes whole modules: what a module builds once is built by one worker."""
    return Turns(config, log)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What tests measured on their way; `--junit-xml` keeps it too."""
    reports = [
        one for one in terminalreporter.getreports("") if one.when == "teardown" and one.user_properties
    ]
    if not reports:
        return
    terminalreporter.section("figures")
    for report in reports:
        figures = ", ".join(f"{what} {figure}" for what, figure in report.user_properties)
        terminalreporter.write_line(f"{report.nodeid.rpartition('::')[2]}: {figures}")

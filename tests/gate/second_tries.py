"""The tests that are tried a second time when they fail, each with its reason; every other test has one try.

A reason lies outside of the program and of this machine: what a busy machine does to a test is a defect of the test.
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

REASONS = {
    "live/test_composed.py": "its image installs requirements.lock from the package registry, as a user's image does",
}
"""Why, by module (a path below `tests`) or by test (`module::test`)."""


def listed(nodeid: str) -> bool:
    """Whether a test is in the list, by itself or by its module."""
    name = nodeid.removeprefix("tests/").partition("[")[0]
    return name in REASONS or name.partition("::")[0] in REASONS


def give_second_tries(items: Iterable[pytest.Item]) -> None:
    """Mark the tests in the list.

    Raises:
        pytest.UsageError: another test is marked.
    """
    for item in items:
        if item.get_closest_marker("flaky") is not None:
            raise pytest.UsageError(
                f"{item.nodeid} has the marker `flaky`; tests/gate/second_tries.py has not"
            )
        if listed(item.nodeid):
            item.add_marker(pytest.mark.flaky(reruns=1))

"""What runs against real servers: every test here has the marker `live`."""

from pathlib import Path

import pytest

from tests.live.servers import (
    applied_topics,
    clickhouse,
    database,
    kafka,
    kafka_prefix,
    live_environment,
    live_settings,
    own_stack,
)

__all__ = [
    "applied_topics",
    "clickhouse",
    "database",
    "kafka",
    "kafka_prefix",
    "live_environment",
    "live_settings",
    "own_stack",
]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if Path(__file__).parent in Path(item.path).parents:
            item.add_marker(pytest.mark.live)
            # A busy machine may let a real server or process time out; pytest says how many were run again.
            item.add_marker(pytest.mark.flaky(reruns=1))

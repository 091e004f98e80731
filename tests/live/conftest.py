"""What runs against real servers: every test here has the marker `live`."""

from collections.abc import Callable, Iterator

import pytest

from tests.live.figures import told
from tests.live.servers import (
    applied_topics,
    clickhouse,
    database,
    kafka,
    kafka_prefix,
    live_environment,
    live_settings,
    own_stack,
    shielded,
)
from tests.live.working import Proxy

__all__ = [
    "applied_topics",
    "clickhouse",
    "database",
    "kafka",
    "kafka_prefix",
    "live_environment",
    "live_settings",
    "own_stack",
    "shielded",
]


@pytest.fixture
def proxied(live_environment: dict[str, str]) -> Iterator[tuple[Proxy, dict[str, str]]]:
    """A proxy in front of ClickHouse, and an environment that goes through it."""
    host, port = (live_environment[f"CATWALK_CLICKHOUSE_{part}"] for part in ("HOST", "PORT"))
    proxy = Proxy(host, int(port))
    yield proxy, live_environment | {"CATWALK_CLICKHOUSE_PORT": str(proxy.port)}
    proxy.close()


@pytest.fixture(autouse=True)
def _figures(record_property: Callable[[str, object], None]) -> Iterator[None]:
    """What a test tells goes with its result."""
    told()
    yield
    for what, figure in told():
        record_property(what, figure)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.nodeid.startswith("tests/live/"):
            item.add_marker(pytest.mark.live)

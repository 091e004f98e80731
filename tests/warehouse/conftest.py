"""The real server, for the cases that run against it too."""

from tests.live.servers import clickhouse, database, own_stack

__all__ = ["clickhouse", "database", "own_stack"]

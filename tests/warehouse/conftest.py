"""The real server, for the cases that run against it too."""

from tests.live.servers import clickhouse, database

__all__ = ["clickhouse", "database"]

"""A real Kafka broker and a real ClickHouse server on this machine, for trying and testing."""

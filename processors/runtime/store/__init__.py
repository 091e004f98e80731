"""The store of results: its port, the engines behind it, and the rows that go in."""

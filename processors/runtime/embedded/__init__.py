"""The fold in one process, without brokers, and how far its store has come."""

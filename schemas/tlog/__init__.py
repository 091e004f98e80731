"""Transparency logs: Merkle trees (RFC 6962), signed notes and checkpoints (C2SP), and what a log states."""

"""Merkle trees, signed notes, checkpoints, and what holds a record against them."""

"""Lawful streams broken in one place: the clause is found, and nothing else."""

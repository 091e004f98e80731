"""Copies of ledgers, from files and from topics, taken while they are written; and what proves a copy."""

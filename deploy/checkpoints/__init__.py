"""Checkpoints of a property's records: written outside of its data, held against it, and cosigned by a witness."""

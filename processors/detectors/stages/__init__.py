"""The two stages of the detectors: over the rounds of one table, then over people at all tables."""

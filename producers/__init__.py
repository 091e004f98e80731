"""Capture at the table: recorder, ledgers, feeds, simulator. Depends on schemas alone."""

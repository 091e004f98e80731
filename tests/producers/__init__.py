"""Capture: ledgers, recorder, feeds."""

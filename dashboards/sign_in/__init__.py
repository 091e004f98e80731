"""Signing in and out, the second step, my account, administration and break-glass."""

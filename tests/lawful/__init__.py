"""Lawful table-shifts, ten thousand of them."""

"""Disputes of patrons: the list, one dispute, the acts upon it and its report."""

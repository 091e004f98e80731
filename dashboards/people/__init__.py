"""Pages of dealers and patrons, and of what the rounds of a table come to."""

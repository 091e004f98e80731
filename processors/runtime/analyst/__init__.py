"""The analyst worker: what rounds and findings come to, for each gaming day, table, ruleset and dealer."""

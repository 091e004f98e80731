"""The contract as types: events, cards, money, findings, rounds, rulesets; no I/O but its own data."""

"""The contract as types: events, cards, money, findings, rounds, rulesets. No I/O beyond the package's own data."""

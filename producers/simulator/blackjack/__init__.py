"""A dealer of blackjack rounds: the three rulesets, the table, each step of a round, and how patrons play."""

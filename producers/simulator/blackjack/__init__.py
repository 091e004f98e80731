"""A dealer of blackjack rounds: the three rulesets, the felt, each step of a round, and how patrons play."""

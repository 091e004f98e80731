"""The three Blackjack rulesets: what each stake is due and where each card is racked."""

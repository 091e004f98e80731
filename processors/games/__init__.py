"""The games: what each hand is worth, what each stake is due, where each card is racked."""

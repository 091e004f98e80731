"""How a player's stakes fit the count of the cards, and how they would fit the counts of other cards."""

"""What the boxes of a round won by their cards, and what their players' decisions gave away, in units of the wager."""

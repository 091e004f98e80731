"""The players' decisions and cards in turn, surrender, and the dealer's own cards."""

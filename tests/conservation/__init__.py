"""Conservation of cards: what is said when a batch is not what it was."""

"""The table, its layout and its decks."""

"""The stack games: the shoe, wagers, deal of stacks or single cards, and void rounds."""

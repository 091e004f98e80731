"""Commands that keep what cannot be made again: back up, restore."""

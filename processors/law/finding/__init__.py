"""What becomes of a judgment: its evidence, its finding, and the wait for words that may excuse it."""

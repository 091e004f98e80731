"""Evidence that stays valid at every stopping time: wealth of bets against a null hypothesis, and its combination."""

"""Evidence that stays valid at every stopping time: what bets against a null hypothesis make, and its combination."""

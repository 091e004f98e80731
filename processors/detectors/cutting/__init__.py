"""Where people cut and put the cover card, and whether that goes with the cards."""

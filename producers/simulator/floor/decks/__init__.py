"""The cards of a simulated table: opened, shuffled, cut, loaded, and laid out when it is idle."""

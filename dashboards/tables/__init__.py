"""Tables as they stand: where the cards of a shoe are, what is left of each, what the chip tray should hold."""

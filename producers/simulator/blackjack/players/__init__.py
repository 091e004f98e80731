"""How patrons play blackjack: what each choice is worth, ways of betting and deciding, the count of the cards."""

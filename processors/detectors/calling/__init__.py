"""What the patrons of a round were to win or lose by the cards, and how often chance lets them lose or win so."""

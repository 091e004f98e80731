"""How closely a player's stakes follow the count of the cards, beyond what chance, moods and results explain."""

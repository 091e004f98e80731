"""A table's day around the rounds: people, chips, tray and drop box, shoes, opening and closing."""

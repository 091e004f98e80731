"""The analyst worker: what rounds and findings come to, and what all tables together tell of people."""

"""Restitution: who must be paid back, who was paid too much, by hand and stake, and what cannot be decided."""

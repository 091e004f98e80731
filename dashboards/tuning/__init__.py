"""Tuning: how many alerts each check raised, how they were closed, how long they waited, and what is done otherwise."""

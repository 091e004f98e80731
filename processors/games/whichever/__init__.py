"""Whichever game a table plays: the profile of its ruleset, its events taken, its rounds reconstructed."""

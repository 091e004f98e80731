"""Doubles and splits: the money or lammers they need, and where these lie."""

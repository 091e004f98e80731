"""The shift: what happened in it, handed over by who goes and taken by who comes, and how alerts fall over time."""

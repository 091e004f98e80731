"""Commands that make a record: simulated, recorded, or live in the demonstration."""

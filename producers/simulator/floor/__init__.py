"""The gaming floor: its tables and their rulesets, its patrons, cards outside the shoe, and the stream they write."""

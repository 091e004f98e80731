"""The gaming floor: tables and their day, people, chips, cards outside the shoe, and the stream they write."""

"""The whole live property under a steady rate of events: what it costs, writes and how long it takes."""

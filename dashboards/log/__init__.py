"""The audit log: its page, its JSON, the search in it and the recordings of its records."""

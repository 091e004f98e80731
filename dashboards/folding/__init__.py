"""The state of a table before any of its events: its stored record, folded from the nearest opening."""

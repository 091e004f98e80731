"""A house whose records are signed: what is written, what is found, and by whom."""

"""The discard rack alone: every lawful history it can have (7(s) of 590, 672a and 685a)."""

"""Two versions of the fold beside each other: which one is in force, and how their results differ."""

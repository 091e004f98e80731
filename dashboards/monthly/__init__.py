"""A month's report: its gaming days beside the month before, what was found, what became of it, and the devices."""

"""The demonstration: simulated tables, their past, the people at the desk, and everything in one process."""

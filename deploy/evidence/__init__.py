"""What the detectors hold of people and tables, as the console asks for it."""

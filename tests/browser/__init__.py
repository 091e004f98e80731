"""The console in a real browser, as people use it."""

"""The gate itself: what `make test` remembers of its last run, and the order of the tests that follows from it."""

"""The console as one application: all its rooms put together."""

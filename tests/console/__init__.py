"""The console and its desk."""

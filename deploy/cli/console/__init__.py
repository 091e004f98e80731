"""Commands of the console: serve it, keep its users, accept its desk."""

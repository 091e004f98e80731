"""The console: pages, JSON and the live feed, each behind sign-in, role and record of access."""

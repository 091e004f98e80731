"""The rules submission: in force, approved, and what it offers."""

"""Backup and restore: a proven copy of all that is not derived, and how it becomes a home again."""

"""Backup and restore: the cut, what is refused, what a crash leaves, and a whole house on another machine."""

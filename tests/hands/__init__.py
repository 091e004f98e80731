"""Stored tables and rounds rebuilt for showing."""

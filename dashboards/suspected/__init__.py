"""Suspicions as a user may see them, and the rounds that they rest on."""

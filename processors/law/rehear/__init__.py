"""Breaches that wait for the words of other devices, and the round heard again as those words would have it."""

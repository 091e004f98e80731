"""Devices that say nothing for a while, again and again or for long."""

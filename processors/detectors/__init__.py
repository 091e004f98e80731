"""Detectors: patterns that no single round shows, each with a null hypothesis and a stated bound on false alarms."""

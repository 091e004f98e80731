"""The detectors: their mathematics, their families, and what they say of whole streams."""
